import { cloneJson, isJsonObject, type Json, parseJson, stringifyJson } from "../../../base/json/json.ts";
import { readAnyBody } from "../../../http/body/any-body.ts";
import type { Call } from "../../../http/call.ts";
import type { Handler, PathParts } from "../../../http/contract.ts";
import type { BoundOperation } from "../../../openapi/bind/binding.ts";
import type { Parameters } from "../../../query/parameters.ts";
import type { Placed } from "../../../schema/references.ts";
import type { Store } from "../../../store/store.ts";
import type { OperationContext } from "../operation-context.ts";
import { recordNamed } from "../parents/field-lookup.ts";
import { elementSchema, recordFieldsOf } from "../schema-fields.ts";
import { targetOf } from "../seeds/relations.ts";
import { typedBody } from "../writes/sent-body.ts";

/** The field of a request that names what to expand. */
export const EXPAND = "expand";
const NAME = /^expand(?:\[\d*\])?$/;
/** More fields than this are not filled by one request. */
const MAX_PATHS = 20;
const MAX_STEPS = 4;

/** Lets `expand[]=customer` put records in place of their ids, if the operation declares it for its query or body. */
export function withExpansion(
  tools: OperationContext,
  { operation, content, requestContent }: BoundOperation,
  respond: Handler<PathParts>,
): Handler<PathParts> {
  const schema = content?.schema;
  const { references } = tools.document;
  const isInQuery = operation.parameters.some(({ in: at, name }) => at === "query" && NAME.test(name));
  const isInBody = requestContent?.schema && recordFieldsOf(references, requestContent.schema)?.properties.has(EXPAND);
  if (!schema || !(isInQuery || isInBody)) return respond;
  const inBody = async (call: Call): Promise<string[]> => {
    const given = await readAnyBody(call);
    const body = typedBody(references, given, { content: requestContent, contentType: call.headers["content-type"] });
    return isJsonObject(body) ? [body[EXPAND] ?? []].flat().filter((one) => typeof one === "string") : [];
  };
  return async (call, service, parts) => {
    const inQuery = isInQuery && call.hasParameters ? textsIn(call.parameters) : [];
    const paths = pathsIn([...inQuery, ...(isInBody ? await inBody(call) : [])]);
    const reply = await respond(call, service, parts);
    if (paths.length === 0 || typeof reply.json !== "string") return reply;
    const body = parseJson(reply.json) as Json;
    for (const path of paths) await expand(tools, service.store, { value: body, schema, path });
    // The tag is that of the body without the other records.
    return { ...reply, json: stringifyJson(body), etag: undefined };
  };
}

function textsIn(parameters: Parameters): string[] {
  return [...parameters].flatMap(([name, values]) => (NAME.test(name) ? values : []));
}

function pathsIn(given: readonly string[]): string[][] {
  const paths = given.flatMap((text) => text.split(",")).map((text) => text.split(".").slice(0, MAX_STEPS));
  return paths.slice(0, MAX_PATHS);
}

interface Spot {
  readonly value: Json | undefined;
  readonly schema: Placed;
  readonly path: readonly string[];
}

/** Follows the path from a value, and exchanges the ids on it for their records. */
async function expand(tools: OperationContext, store: Store, { value, schema, path }: Spot): Promise<void> {
  const { collections, document } = tools;
  const { references } = document;
  const [name, ...rest] = path;
  if (name === undefined) return;
  if (Array.isArray(value)) {
    const element = elementSchema(references, schema);
    if (element) for (const one of value) await expand(tools, store, { value: one, schema: element, path });
    return;
  }
  const property = recordFieldsOf(references, schema)?.properties.get(name);
  if (!property || !isJsonObject(value)) return;
  const held = value[name];
  const isId = typeof held === "string" || typeof held === "number";
  const target = isId ? targetOf({ references, collections }, name, property) : undefined;
  const of = target === undefined ? undefined : collections.find((one) => one.name === target);
  const found = of && (await recordNamed(store, of, { key: String(held) }));
  if (found) value[name] = cloneJson(found.value);
  await expand(tools, store, { value: value[name], schema: found && of ? of.record : property, path: rest });
}

import { isJsonObject, type Json, type JsonObject } from "../../../base/json/json.ts";
import type { PathParts } from "../../../http/contract.ts";
import type { Reply } from "../../../http/response/reply.ts";
import { jsonContent, successOf } from "../../../openapi/bind/bodies/bodies.ts";
import { findAlike, wordsIn } from "../../../openapi/bind/words.ts";
import type { Operation } from "../../../openapi/read/api-document.ts";
import { isEventType } from "../../../openapi/sample/event-stream.ts";
import type { Placed } from "../../../schema/references.ts";
import { once } from "../once.ts";
import type { OperationContext } from "../operation-context.ts";
import { elementSchema, keyword, schemaFields } from "../schema-fields.ts";

type Tools = Pick<OperationContext, "document" | "passes">;

/** Names of numbers that only what is sent back decides. */
const OF_RESPONSES = /^(?:total|count)/i;
/** Deeper objects have no part in what a stream is about. */
const MAX_DEPTH = 6;

/** Prepares that responses from examples repeat fields of their requests, such as the `model` of a completion. */
export function createEcho(
  tools: Tools,
  operation: Pick<Operation, "responses">,
): (reply: Reply, sent: Json | undefined) => Reply {
  const success = once(() => successOf(operation));
  return (reply, sent) => {
    if (!isJsonObject(sent) || reply.json === undefined || reply.status !== success()?.status) return reply;
    const schema = jsonContent(success()?.contents)?.schema;
    const body = JSON.parse(reply.json) as Json;
    const fields = schema && isJsonObject(body) ? repeated(tools, schema, sent) : {};
    if (Object.keys(fields).length === 0) return reply;
    const { isFixed: _, ...rest } = reply;
    return { ...rest, json: JSON.stringify({ ...(body as JsonObject), ...fields }) };
  };
}

/**
 * The same for streams. Where events leave a choice, they have the values that the body without a stream always has: the
 * `role` of a message is `assistant`.
 */
export function createStreamEcho(tools: Tools, operation: Pick<Operation, "responses">) {
  const contents = once(() => successOf(operation)?.contents ?? []);
  const schema = once(() => contents().find(({ type }) => isEventType(type))?.schema);
  const usual = once(() => {
    const whole = jsonContent(contents())?.schema;
    return whole ? onlyValues(tools, whole, 0) : new Map<string, Json>();
  });
  return (reply: Reply, sent: Json | undefined): Reply => {
    const of = schema();
    const { content } = reply;
    if (!of || typeof content?.body !== "string") return reply;
    const fields = isJsonObject(sent) ? repeated(tools, of, sent) : {};
    const body = content.body.replace(/^data: (\{.*\})$/gm, (_line, text: string) => {
      const event = { ...(JSON.parse(text) as JsonObject), ...fields };
      settle(event, usual(), () => tools.passes(of, event));
      return `data: ${JSON.stringify(event)}`;
    });
    const { isFixed: _, ...rest } = reply;
    return { ...rest, content: { ...content, body } };
  };
}

/** The fields of a request that a response has too, and with such a value. */
function repeated({ document: { references }, passes }: Tools, schema: Placed, sent: JsonObject): JsonObject {
  const properties = schemaFields(references, schema)?.properties;
  const own = Object.entries(sent).flatMap(([name, value]) => {
    const target = properties && findAlike(properties.keys(), name);
    const property = target === undefined ? undefined : properties?.get(target);
    const isOther = !property || OF_RESPONSES.test(name) || typeof value === "object";
    if (isOther || keyword(references, property, "writeOnly") === true) return [];
    // Paths and forms have texts alone.
    const fitting = [value, Number(value)].find((one) => String(one) === String(value) && passes(property, one));
    return fitting === undefined ? [] : [[target, fitting]];
  });
  return Object.fromEntries(own);
}

/** The ids in a path: `/uploads/{upload_id}/parts` responds with its `upload_id`. A plain `{id}` may be that of a parent. */
export function idsIn(parts: PathParts): JsonObject {
  const ids = Object.entries(parts).filter(([name]) => {
    const words = wordsIn(name);
    return words.length > 1 && ["id", "sid", "uuid", "guid"].includes(words.at(-1)!);
  });
  return Object.fromEntries(ids);
}

/** The properties of a schema and its parts that have one value. */
function onlyValues(tools: Tools, schema: Placed, depth: number): Map<string, Json> {
  const { references } = tools.document;
  const values = new Map<string, Json>();
  const inner = elementSchema(references, schema) ?? schema;
  for (const [name, property] of schemaFields(references, inner)?.properties ?? []) {
    const listed = keyword(references, property, "enum");
    const only = Array.isArray(listed) && listed.length === 1 ? listed[0] : keyword(references, property, "const");
    if (only !== undefined) values.set(name, only);
    else if (depth < MAX_DEPTH)
      for (const [key, value] of onlyValues(tools, property, depth + 1)) if (!values.has(key)) values.set(key, value);
  }
  return values;
}

/** Gives texts their usual values, as far as the whole stays valid. */
function settle(value: Json, usual: ReadonlyMap<string, Json>, isValid: () => boolean): void {
  if (Array.isArray(value)) for (const one of value) settle(one, usual, isValid);
  if (!isJsonObject(value)) return;
  for (const [name, held] of Object.entries(value)) {
    const wanted = usual.get(name);
    if (typeof held !== "string" || wanted === undefined || held === wanted) settle(held, usual, isValid);
    else {
      value[name] = wanted;
      if (!isValid()) value[name] = held;
    }
  }
}

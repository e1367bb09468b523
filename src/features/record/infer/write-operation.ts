import { isJsonObject, type Json, type JsonObject } from "../../../base/json/json.ts";
import { headerIn } from "../../../http/exchange.ts";
import { bareType, isUrlEncoded } from "../../../openapi/check/media-types.ts";
import { recordsShown } from "./collection-schema.ts";
import { createdRecord } from "./merge-records.ts";
import type { SeenOperation } from "./operations.ts";
import { seenParameters } from "./query-evidence.ts";
import type { Reason } from "./reason.ts";
import { requestSchema } from "./schemas.ts";
import { isSuccessful } from "./seen.ts";
import { listAtPath } from "./seen-collection.ts";
import { type Bound, writeResponses } from "./write-responses.ts";

/** Set on operations that nobody has seen, but that a collection usually has. */
export const ASSUMED = "x-standin-assumed";
/** The addresses of a GET that can be asked again. */
export const REQUESTS = "x-standin-requests";
/** Set on a GET that neither lists nor sends records, although it looks so. */
const UNBOUND = "x-standin-unbound";
const MAX_REQUESTS = 5;

interface KnownOfOperation {
  /** Of an earlier recording. */
  readonly earlier: Json | undefined;
  /** Names in queries that limit pages. */
  readonly limits: ReadonlySet<string>;
  readonly isUnbound: boolean;
}

/** Describes an operation as it was seen, with what an earlier recording knows of it. */
export function writeOperation(
  operation: SeenOperation,
  bound: Bound | undefined,
  { earlier, limits, isUnbound }: KnownOfOperation,
): { readonly written: JsonObject; readonly reasons: readonly Reason[] } {
  const before = isJsonObject(earlier) && earlier[ASSUMED] !== true ? earlier : {};
  const known = Array.isArray(before.parameters) ? before.parameters : [];
  const { parameters, reasons } = seenParameters(operation, { collection: bound?.collection, earlier: known, limits });
  const requestBody = writeRequestBody(operation, before.requestBody, unshownIn(operation, bound));
  const requests = operation.method === "GET" ? requestsOf(operation, before[REQUESTS]) : [];
  const { parameters: _p, requestBody: _b, responses: _r, [REQUESTS]: _a, [UNBOUND]: _u, ...own } = before;
  const written: JsonObject = {
    ...(createsSilently(operation, bound) && { summary: `Create a record of ${bound?.collection.name}` }),
    ...own,
    ...(isUnbound && { [UNBOUND]: true }),
    ...(parameters.length > 0 && { parameters }),
    ...(requestBody && { requestBody }),
    responses: writeResponses(operation, bound, { earlier: before.responses, limits }),
    ...(requests.length > 0 && { [REQUESTS]: requests }),
  };
  return { written, reasons };
}

/** Whether a POST has shown a new record, but its status does not say so. */
function createsSilently({ method, path, seen }: SeenOperation, bound: Bound | undefined): boolean {
  const collection = bound?.collection;
  if (method !== "POST" || !collection || !listAtPath(collection, path)) return false;
  const successes = seen.filter(isSuccessful);
  const isTold = successes.some(({ status }) => status === 201);
  return !isTold && successes.some(({ body }) => createdRecord(collection, body) !== undefined);
}

/** The fields of requests that the records in their responses do not have, such as passwords. */
function unshownIn({ seen }: SeenOperation, bound: Bound | undefined): ReadonlySet<string> {
  const pairs = seen.flatMap((one) => {
    const [shown] = bound && isSuccessful(one) ? recordsShown(bound.collection, one) : [];
    return shown && isJsonObject(one.sent) && Object.keys(shown).length > 1 ? [{ shown, sent: one.sent }] : [];
  });
  const names = new Set(pairs.flatMap(({ sent }) => Object.keys(sent)));
  for (const { shown } of pairs) for (const name of Object.keys(shown)) names.delete(name);
  return names;
}

function writeRequestBody(
  { seen }: SeenOperation,
  earlier: Json | undefined,
  unshown: ReadonlySet<string>,
): JsonObject | undefined {
  const before = isJsonObject(earlier) ? earlier : undefined;
  const known = before && isJsonObject(before.content) ? before.content : {};
  const content: JsonObject = { ...known };
  for (const { sent, exchange } of seen) {
    if (exchange.requestBody === undefined || exchange.requestBody === "") continue;
    const type = bareType(headerIn(exchange.requestHeaders, "content-type")) || "application/json";
    const value = isUrlEncoded(type) ? Object.fromEntries(new URLSearchParams(exchange.requestBody)) : sent;
    const held = content[type];
    const schema = isJsonObject(held) ? held.schema : undefined;
    content[type] =
      value === undefined ? (held ?? {}) : { schema: withWriteOnly(requestSchema([value], schema), unshown) };
  }
  return Object.keys(content).length > 0 ? { ...before, content } : undefined;
}

function withWriteOnly(schema: JsonObject, names: ReadonlySet<string>): JsonObject {
  if (names.size === 0 || !isJsonObject(schema.properties)) return schema;
  const properties = Object.entries(schema.properties).map(([name, property]): [string, Json] => [
    name,
    names.has(name) && isJsonObject(property) ? { ...property, writeOnly: true } : property,
  ]);
  return { ...schema, properties: Object.fromEntries(properties) };
}

/** Different addresses; those that succeeded first. */
function requestsOf({ seen }: SeenOperation, earlier: Json | undefined): Json[] {
  const known = Array.isArray(earlier) ? earlier : [];
  const now = seen.filter(isSuccessful).map(({ exchange }) => exchange.url);
  return [...new Set([...known, ...now])].slice(0, MAX_REQUESTS);
}

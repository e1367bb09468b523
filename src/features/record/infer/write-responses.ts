import { STATUS_CODES } from "node:http";
import { isJsonObject, type Json, type JsonObject } from "../../../base/json/json.ts";
import { headerIn } from "../../../http/exchange.ts";
import { isJsonType } from "../../../openapi/check/media-types.ts";
import { type CollectionSchema, recordsShown } from "./collection-schema.ts";
import { withRolesShown } from "./envelope-evidence.ts";
import { createdRecord } from "./merge-records.ts";
import { birthIn, withFirstValues } from "./new-records.ts";
import type { SeenOperation } from "./operations.ts";
import type { Routed } from "./path-templates.ts";
import { earlierBodies, examplesFor } from "./recorded-bodies.ts";
import { sharesRows } from "./row-schema.ts";
import { responseSchema, withSchemaAt } from "./schemas.ts";
import { listAtPath, type SeenCollection } from "./seen-collection.ts";
import { recordInBody, shapeText } from "./spots.ts";

/** A collection that an operation reads or writes. */
export interface Bound {
  readonly collection: SeenCollection;
  readonly schema: CollectionSchema;
}

/** A collection with what is known of the queries of its lists. */
interface Queried extends Bound {
  /** Names that limit pages. */
  readonly limits: ReadonlySet<string>;
}

/** Headers that tell of the list, or where to go on. */
const KEPT_HEADERS = /^(?:x-.*(?:total|count|page)|location)/i;

/** The responses of an operation, with those of an earlier recording that were not seen now. */
export function writeResponses(
  operation: SeenOperation,
  bound: Bound | undefined,
  { earlier, limits }: { readonly earlier: Json | undefined; readonly limits: ReadonlySet<string> },
): JsonObject {
  const responses: JsonObject = isJsonObject(earlier) ? { ...earlier } : {};
  for (const status of [...new Set(operation.seen.map((one) => one.status))].sort()) {
    const seen = operation.seen.filter((one) => one.status === status);
    const own = bound && status < 300 ? { ...bound, limits } : undefined;
    responses[status] = writeResponse(seen, own, responses[status]);
  }
  return responses;
}

function writeResponse(seen: readonly Routed[], bound: Queried | undefined, earlier: Json | undefined): JsonObject {
  const before = isJsonObject(earlier) ? earlier : {};
  const known = isJsonObject(before.content) ? before.content : {};
  const content: JsonObject = { ...known };
  for (const type of new Set(seen.map(({ exchange }) => exchange.mediaType))) {
    const own = seen.filter(({ exchange }) => exchange.mediaType === type && exchange.responseBody !== "");
    if (type !== "" && own.length > 0) content[type] = writeContent(own, bound, known[type]);
  }
  const headers = headersOf(seen, before.headers);
  return {
    description: STATUS_CODES[seen[0]?.status ?? 200] ?? "Response",
    ...(Object.keys(headers).length > 0 && { headers }),
    ...(Object.keys(content).length > 0 && { content }),
  };
}

function headersOf(seen: readonly Routed[], earlier: Json | undefined): JsonObject {
  const headers: JsonObject = isJsonObject(earlier) ? { ...earlier } : {};
  for (const { exchange, status } of seen) {
    for (const [name] of exchange.responseHeaders) {
      const isKept = KEPT_HEADERS.test(name) && !Object.hasOwn(headers, name);
      // A new record's address is that of the record here.
      if (!isKept || (status < 300 && /^location$/i.test(name))) continue;
      const value = headerIn(exchange.responseHeaders, name.toLowerCase()) ?? "";
      const isWhole = /^\d{1,15}$/.test(value);
      headers[name] = { schema: { type: isWhole ? "integer" : "string" }, example: isWhole ? Number(value) : value };
    }
  }
  return headers;
}

function writeContent(seen: readonly Routed[], bound: Queried | undefined, earlier: Json | undefined): JsonObject {
  const before = isJsonObject(earlier) ? earlier.schema : undefined;
  const bodies = seen.flatMap(({ body }) => (body === undefined ? [] : [body]));
  if (bodies.length === 0) {
    const isText = !isJsonType(seen[0]?.exchange.mediaType ?? "") && seen.some((one) => one.exchange.responseBody);
    return isText ? { schema: { type: "string" }, ...examplesFor(seen, earlier) } : {};
  }
  if (!bound) {
    const schema = responseSchema([...bodies, ...earlierBodies(earlier)], { earlier: before, complete: bodies });
    return { schema, ...examplesFor(seen, earlier) };
  }
  const place = placeOf(bound.collection, seen);
  const plain = responseSchema(bodies, { earlier: before });
  const schema = place?.isList
    ? withRolesShown(plain, place.at, { seen, limits: bound.limits, earlier: before })
    : plain;
  const records = seen.flatMap((one) => recordsShown(bound.collection, one));
  // A list that was always empty has the same records.
  const { isWhole: areWhole, shownOnce } = bound.schema;
  const showsMore = records.some((record) => Object.keys(record).some((name) => shownOnce.has(name)));
  const hides = hidesOwnId(bound.collection, seen);
  const isWhole =
    (records.length > 0 || place?.isList) && areWhole(records) && !place?.isWrapped && !showsMore && !hides;
  const whole =
    place?.isList || place?.isListOfOne ? { type: "array", items: bound.schema.reference } : bound.schema.reference;
  const example = place && place.at.length > 0 && envelopeOf(seen, place.at);
  const path = seen[0]?.path ?? "";
  const row = place?.isList && !place.isWrapped && sharesRows(bound.collection, path) ? bound.schema.row : undefined;
  // A view such as `/orders/open` may respond from its examples.
  const isView = place?.isList && !row && path !== bound.collection.listPath && !path.includes("{");
  if (place && row) {
    const rows = withSchemaAt(schema, place.at, { type: "array", items: row.reference });
    return { schema: rows, ...(example && { example }) };
  }
  return {
    schema: place && isWhole ? withSchemaAt(schema, place.at, whole) : withBirth(schema, bound, { seen, place }),
    ...(isView ? examplesFor(seen, earlier) : example && { example }),
  };
}

/** Whether the path of a record shows it without the id that its list shows. */
function hidesOwnId({ itemPath, itemAt, idKey, hidesId }: SeenCollection, seen: readonly Routed[]): boolean {
  const shown = seen.flatMap(({ path, method, body }): JsonObject[] => {
    const record = path === itemPath && method === "GET" ? recordInBody(body, itemAt) : undefined;
    return record ? [record] : [];
  });
  return !hidesId && shown.length > 0 && shown.every((one) => one[idKey] === undefined);
}

/** The response of a POST says what new records begin with. */
function withBirth(
  schema: JsonObject,
  {
    collection,
    schema: { shownOnce },
  }: { readonly collection: SeenCollection; readonly schema: Pick<CollectionSchema, "shownOnce"> },
  { seen, place }: { readonly seen: readonly Routed[]; readonly place: Placed | undefined },
): JsonObject {
  if (!place || place.isList || seen[0]?.method !== "POST") return schema;
  const [name, ...at] = place.at;
  if (name !== undefined) {
    const inner = isJsonObject(schema.properties) ? schema.properties[name] : undefined;
    if (!isJsonObject(inner)) return schema;
    const born = withBirth(inner, { collection, schema: { shownOnce } }, { seen, place: { ...place, at } });
    return withSchemaAt(schema, [name], born);
  }
  const known = Array.isArray(schema.required) ? schema.required : [];
  const all = seen.flatMap((one) => recordsShown(collection, one));
  const always = [...shownOnce].filter((name) => all.every((record) => Object.hasOwn(record, name)));
  return withFirstValues(
    always.length === 0 ? schema : { ...schema, required: [...new Set([...known, ...always])] },
    collection.idKey,
    seen.flatMap((one) => recordsShown(collection, one).map((record) => birthIn(record, one))),
  );
}

interface Placed {
  readonly at: readonly string[];
  readonly isList: boolean;
  /** Whether a single record stands in a list of one. */
  readonly isListOfOne: boolean;
  /** Whether elements of the list have their records in an object of their own. */
  readonly isWrapped: boolean;
}

/** Where the records stand in the bodies of an operation; undefined where there are none. */
function placeOf(collection: SeenCollection, seen: readonly Routed[]): Placed | undefined {
  const [first] = seen;
  if (!first) return undefined;
  const { path, method, body } = first;
  const list = listAtPath(collection, path);
  const listAt = list?.at;
  if (list?.listsIds && method === "GET") return undefined;
  if (listAt && method === "GET") {
    const isWrapped = seen.some((one) => {
      const [shown] = recordsShown(collection, one);
      return shown !== undefined && elementsAt(one.body, listAt)[0] !== shown;
    });
    return { at: listAt, isList: true, isListOfOne: false, isWrapped };
  }
  if (method !== "POST" || !listAt) {
    return recordInBody(body, collection.itemAt) && placed(body, collection.itemAt);
  }
  const record = createdRecord(collection, body);
  const names = Object.keys(recordInBody(body, []) ?? {});
  const at = [collection.itemAt, [], ...names.map((name) => [name])].find((one) => recordInBody(body, one) === record);
  return record && at && placed(body, at);
}

function placed(body: Json | undefined, at: readonly string[]): Placed {
  return { at, isList: false, isListOfOne: elementsAt(body, at).length === 1, isWrapped: false };
}

function elementsAt(body: Json | undefined, at: readonly string[]): readonly Json[] {
  let value = body;
  for (const name of at) value = isJsonObject(value) ? value[name] : undefined;
  return Array.isArray(value) ? value : [];
}

function without(body: Json, [name, ...path]: readonly string[]): Json {
  if (name === undefined) return null;
  return isJsonObject(body) && body[name] !== undefined ? { ...body, [name]: without(body[name], path) } : body;
}

/** One body, for the fields around its records; of a list, one record is enough. */
function envelopeOf(seen: readonly Routed[], at: readonly string[]): Json | undefined {
  const shown = seen.filter(({ body }) => body !== undefined);
  // A page in the middle has all the fields that lead to others; without a query, the rest is usual.
  const size = ({ body }: Routed): number => shapeText(without(body ?? null, at)).length;
  const [plain] = shown.sort(
    (one, other) => size(other) - size(one) || Number(one.query.length > 0) - Number(other.query.length > 0),
  );
  const shorten = (value: Json, [name, ...path]: readonly string[]): Json => {
    if (name === undefined) return Array.isArray(value) ? value.slice(0, 1) : value;
    return isJsonObject(value) && value[name] !== undefined ? { ...value, [name]: shorten(value[name], path) } : value;
  };
  return plain?.body === undefined ? undefined : shorten(plain.body, at);
}

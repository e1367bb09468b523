import { isJsonObject, type JsonObject } from "../../../base/json/json.ts";
import { singularOf, wordsIn } from "../../../openapi/bind/words.ts";
import { createdRecord } from "./merge-records.ts";
import { birthsOf, withFirstValues } from "./new-records.ts";
import type { Routed } from "./path-templates.ts";
import { type RowSchema, rowSchema } from "./row-schema.ts";
import { requestSchema, responseSchema } from "./schemas.ts";
import { isSuccessful } from "./seen.ts";
import { listAtPath, type SeenCollection } from "./seen-collection.ts";
import { recordInBody, rowsAt } from "./spots.ts";

/** The schema that the responses of a collection share. */
export interface CollectionSchema {
  readonly name: string;
  readonly reference: JsonObject;
  readonly schema: JsonObject;
  /** The body that creates a record, where no such request was seen. */
  readonly input: JsonObject;
  /** Whether records have all fields that a record of its own path has. */
  isWhole(records: readonly JsonObject[]): boolean;
  /** The fields that only the response of a POST shows, such as a new secret. */
  readonly shownOnce: ReadonlySet<string>;
  /** The schema that the rows of its lists share; undefined where they have none of their own. */
  readonly row: RowSchema | undefined;
}

interface Known {
  readonly collection: SeenCollection;
  readonly routed: readonly Routed[];
  /** Those of the data, without the keys of parents that records do not have themselves. */
  readonly stored: readonly JsonObject[];
  /** The schemas of an earlier recording. */
  readonly earlier: JsonObject;
}

/** Infers the schema of a collection's records from the responses that show them whole, and from the data. */
export function collectionSchema({ collection, routed, stored, earlier }: Known): CollectionSchema {
  const shown = routed.filter(isSuccessful).map((one) => recordsShown(collection, one));
  const reads = routed.flatMap((one) =>
    isSuccessful(one) && one.path === collection.itemPath && one.method === "GET" ? recordsShown(collection, one) : [],
  );
  const all = shown.flat();
  const births = birthsOf(collection, routed);
  const always = commonFields(reads.length > 0 ? reads : all);
  const isWhole = (records: readonly JsonObject[]): boolean =>
    records.every((record) => always.every((name) => Object.hasOwn(record, name)));
  const later = new Set([...stored, ...readIn(collection, routed)].flatMap((one) => Object.keys(one)));
  const shownOnce = new Set(births.flatMap((one) => one.shownOnce).filter((name) => !later.has(name)));
  const whole = shown
    .filter(isWhole)
    .flat()
    .map((one) => without(one, shownOnce));
  const name = schemaName(collection.name);
  const schema = withFirstValues(
    withHiddenKeys(collection, responseSchema([...whole, ...stored], { earlier: earlier[name], complete: whole })),
    collection.idKey,
    births,
  );
  const rowName = `${name}Row`;
  const { [collection.idKey]: _, ...inputs } = isJsonObject(schema.properties) ? schema.properties : {};
  return {
    name,
    reference: { $ref: `#/components/schemas/${name}` },
    schema,
    input: { type: "object", properties: inputsOf(stored, inputs) },
    isWhole,
    shownOnce,
    row: rowSchema(collection, { name: rowName, routed, earlier: earlier[rowName], isWhole }),
  };
}

/** The records that lists and reads show. */
function readIn(collection: SeenCollection, routed: readonly Routed[]): readonly JsonObject[] {
  return routed.flatMap((one) => (one.method === "GET" && isSuccessful(one) ? recordsShown(collection, one) : []));
}

function without(record: JsonObject, names: ReadonlySet<string>): JsonObject {
  if (names.size === 0) return record;
  return Object.fromEntries(Object.entries(record).filter(([name]) => !names.has(name)));
}

/** An id that no response shows is one that is only written, and so are the parents that other lists tell. */
function withHiddenKeys({ hidesId, idKey, hiddenParents, otherLists }: SeenCollection, schema: JsonObject): JsonObject {
  const own = new Set(hiddenParents.values());
  const parents = [...otherLists.values()].flatMap((list) => [...list.hiddenParents.values()]);
  const hidden: JsonObject = {};
  for (const name of parents) if (!own.has(name)) hidden[name] = { type: ["string", "number"], writeOnly: true };
  if (hidesId) hidden[idKey] = { type: "string", writeOnly: true };
  const properties = isJsonObject(schema.properties) ? schema.properties : {};
  return Object.keys(hidden).length === 0 ? schema : { ...schema, properties: { ...properties, ...hidden } };
}

/** Without formats and required fields: a client may send what the API would take. */
function inputsOf(stored: readonly JsonObject[], wanted: JsonObject): JsonObject {
  const { properties } = requestSchema([...stored]);
  const known = isJsonObject(properties) ? properties : {};
  return Object.fromEntries(
    Object.keys(wanted).flatMap((name) => (known[name] === undefined ? [] : [[name, known[name]]])),
  );
}

/** The records of a collection that an exchange shows. */
export function recordsShown(collection: SeenCollection, one: Routed): readonly JsonObject[] {
  const { method, path, body } = one;
  const at = listAtPath(collection, path)?.at;
  if (at && method === "GET") return rowsAt(body, at);
  if (at && method === "POST") return [createdRecord(collection, body) ?? []].flat();
  if (path !== collection.itemPath || method === "DELETE") return [];
  return [recordInBody(body, collection.itemAt) ?? []].flat();
}

function commonFields([first, ...others]: readonly JsonObject[]): string[] {
  return Object.keys(first ?? {}).filter((name) => others.every((one) => Object.hasOwn(one, name)));
}

/** `CompanyProduct` for `company-products`. */
export function schemaName(collection: string): string {
  const words = wordsIn(collection);
  const singular = [...words.slice(0, -1), singularOf(words.at(-1) ?? "")];
  return singular.map((word) => `${word[0]?.toUpperCase() ?? ""}${word.slice(1)}`).join("") || "Record";
}

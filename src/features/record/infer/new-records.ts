import { isJsonObject, type Json, type JsonObject, stringifyJson } from "../../../base/json/json.ts";
import { headerIn } from "../../../http/exchange.ts";
import { ONLY_LATER } from "../../../openapi/bind/config/own-bindings.ts";
import { lookOfId } from "./look-of-ids.ts";
import { createdRecord, locationId } from "./merge-records.ts";
import type { Routed } from "./path-templates.ts";
import { isSuccessful } from "./seen.ts";
import { listAtPath, type SeenCollection } from "./seen-collection.ts";
import { recordInBody } from "./spots.ts";

/** Longer values are made anew. */
const MAX_LETTERS = 4000;
/** Names of values that differ from record to record. */
const IS_COUNTED = /(?:number|sequence|index|slug)$/i;
const IS_OWN_TEXT = /^(?:\d{4}-\d\d-\d\d|[a-z][\w+.-]*:\/\/|redacted-)/i;

/** A record as it was when it was created. */
export interface Birth {
  readonly record: JsonObject;
  /** The fields that its request had. */
  readonly sent: ReadonlySet<string>;
  /** Whether all of its fields were seen. */
  readonly isWhole: boolean;
  /** The fields that the response of the POST had, and the first read after it no longer. */
  readonly shownOnce: readonly string[];
}

/** The records that were created: as the POST showed them, and the first read after it. */
export function birthsOf(collection: SeenCollection, routed: readonly Routed[]): Birth[] {
  return routed.flatMap((one, at): Birth[] => {
    if (one.method !== "POST" || !isSuccessful(one) || !listAtPath(collection, one.path)) return [];
    const shown = createdRecord(collection, one.body);
    const location = locationId(headerIn(one.exchange.responseHeaders, "location"));
    const ids = [location, shown && String(shown[collection.idKey])];
    const next = routed
      .slice(at + 1)
      .find(({ path, values }) => path === collection.itemPath && ids.includes(values.at(-1)));
    const isRead = next?.method === "GET" && isSuccessful(next);
    const read = isRead ? recordInBody(next.body, collection.itemAt) : undefined;
    if (!shown && !read) return [];
    const shownOnce = read ? Object.keys(shown ?? {}).filter((name) => !Object.hasOwn(read, name)) : [];
    return [{ record: { ...shown, ...read }, sent: sentFields(one.sent), isWhole: read !== undefined, shownOnce }];
  });
}

/** The birth that the response of a POST shows, whatever a read shows later. */
export function birthIn(record: JsonObject, { sent }: Pick<Routed, "sent">): Birth {
  return { record, sent: sentFields(sent), isWhole: true, shownOnce: [] };
}

/** Fields that were the same in every new record are so in those to come, and fields that none had come later. */
export function withFirstValues(schema: JsonObject, idKey: string, births: readonly Birth[]): JsonObject {
  if (births.length === 0 || !isJsonObject(schema.properties)) return schema;
  const required = new Set(Array.isArray(schema.required) ? schema.required : []);
  const isSeen = births.some(({ isWhole }) => isWhole);
  const properties = Object.entries(schema.properties).map(([name, property]): [string, Json] => {
    if (name === idKey || !isJsonObject(property) || property.writeOnly === true) return [name, property];
    const having = births.filter(({ record }) => Object.hasOwn(record, name));
    if (having.length === 0 && isSeen && !required.has(name)) return [name, { ...property, [ONLY_LATER]: true }];
    const [value, ...others] = having.flatMap(({ record, sent }) =>
      Object.entries(record).flatMap(([own, held]) => (own === name && !sent.has(name) ? [held] : [])),
    );
    const isFirst =
      value !== undefined &&
      others.every((one) => stringifyJson(one) === stringifyJson(value)) &&
      mayRepeat(name, value);
    return [name, isFirst ? { ...property, default: value } : property];
  });
  return { ...schema, properties: Object.fromEntries(properties) };
}

/** Whether other records may have the same value: ids, times and addresses are of one record. */
function mayRepeat(name: string, value: Json): boolean {
  if (typeof value === "string") return !IS_OWN_TEXT.test(value) && !IS_COUNTED.test(name) && !lookOfId(value);
  if (typeof value === "number") return value === 0 || !IS_COUNTED.test(name);
  return stringifyJson(value).length <= MAX_LETTERS;
}

/** `{ "article": { ... } }` has the fields of the record inside. */
function sentFields(sent: Json | undefined): ReadonlySet<string> {
  if (!isJsonObject(sent)) return new Set();
  const [inner, ...more] = Object.values(sent);
  return new Set([...Object.keys(sent), ...(more.length === 0 && isJsonObject(inner) ? Object.keys(inner) : [])]);
}

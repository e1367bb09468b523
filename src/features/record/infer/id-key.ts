import { isJsonObject, type Json, type JsonObject } from "../../../base/json/json.ts";
import { headerIn } from "../../../http/exchange.ts";
import { nounOf, plainName } from "../../../openapi/bind/words.ts";
import type { SeenOperation } from "./operations.ts";
import { isKeyValue, isSuccessful, textOfSegment } from "./seen.ts";
import { areAlike, type FieldSpot, fieldsWith, findList, recordInBody, SURE_IDS } from "./spots.ts";

/** Names by which people address things that have no id. */
const HANDLES = ["key", "slug", "code", "name", "number", "username", "login", "handle", "sku"];

export interface FoundId {
  readonly field: string;
  /** Where the record stands in the response of its own path; undefined where none was seen. */
  readonly itemAt: readonly string[] | undefined;
  readonly because: string;
  /** Whether no body shows it. */
  readonly isHidden?: boolean;
}

/** The operations that tell the id of a collection. */
export interface IdSources {
  /** Of single records. */
  readonly reads: SeenOperation | undefined;
  readonly creates: SeenOperation | undefined;
  /** All records of lists. */
  readonly listed: readonly JsonObject[];
  /** The last fixed segment. */
  readonly segment: string;
}

/** The id of a collection: the field that equals the segment, then `Location` after a POST, then the usual names. */
export function findId({ reads, creates, listed, segment }: IdSources): FoundId | undefined {
  return (
    bySegment({ reads, listed, segment }) ??
    byList(reads, listed) ??
    byLocation(creates) ??
    byName({ reads, listed, segment })
  );
}

/** An id that no body shows, for records that their paths or their places in pages tell apart. */
export function hiddenId({ reads, listed }: Pick<IdSources, "reads" | "listed">): FoundId | undefined {
  const isRead = reads?.seen.some((one) => isSuccessful(one) && isJsonObject(one.body)) === true;
  const bodies = [...listed, ...(reads?.seen ?? []).flatMap(({ body }) => (isJsonObject(body) ? [body] : []))];
  let field = "id";
  while (bodies.some((one) => Object.hasOwn(one, field))) field = `_${field}`;
  const because = isRead ? "only the path tells it" : "the pages of the list have no id";
  return { field, itemAt: isRead ? [] : undefined, because, isHidden: true };
}

/** The field that equals the last segment in every response of a single record. */
function bySegment({ reads, listed, segment }: Omit<IdSources, "creates">): FoundId | undefined {
  const bodies = (reads?.seen ?? []).filter((one) => isSuccessful(one) && one.body !== undefined);
  const keyOf = ({ at, field }: FieldSpot): string => JSON.stringify([...at, field]);
  const [first, ...others] = bodies.map(({ body, values }) => [
    ...fieldsWith(body, values.at(-1) ?? ""),
    ...inListOfOne(body, values.at(-1) ?? "", listed),
  ]);
  const common = (first ?? []).filter((spot) =>
    others.every((spots) => spots.some((one) => keyOf(one) === keyOf(spot))),
  );
  const names = usualNames(segment);
  const rank = ({ at, field }: FieldSpot): number =>
    (names.has(plainName(field)) ? 0 : HANDLES.includes(plainName(field)) ? 1 : 2) * 10 + at.length;
  const [best] = common.sort((one, other) => rank(one) - rank(other));
  return best && { field: best.field, itemAt: best.at, because: "equals the segment in every response of a record" };
}

/** A record may stand alone in a list, beside the same fields as several: `{ "total": 93, "data": [{ "id": 7 }] }`. */
function inListOfOne(body: Json | undefined, text: string, listed: readonly JsonObject[]): FieldSpot[] {
  const { at, rows } = findList(body) ?? { at: [], rows: [] };
  const [only, ...more] = rows;
  if (!only || more.length > 0 || at.length === 0 || !areAlike(listed[0], only)) return [];
  if (isJsonObject(body) && areAlike(listed[0], body)) return [];
  // The record in an element of the list is not found by its place.
  if (recordInBody(body, at) !== only) return [];
  return fieldsWith(only, text).flatMap(({ at: inner, field }) => (inner.length === 0 ? [{ at, field }] : []));
}

/** Records that do not say their own id may do so in the list. */
function byList(reads: SeenOperation | undefined, listed: readonly JsonObject[]): FoundId | undefined {
  const segments = (reads?.seen ?? []).filter(isSuccessful).flatMap(({ values }) => values.at(-1) ?? []);
  if (segments.length === 0 || listed.length === 0) return undefined;
  const fields = Object.keys(listed[0] ?? {});
  const field = fields.find((name) => segments.every((text) => listed.some((one) => String(one[name]) === text)));
  return field === undefined ? undefined : { field, itemAt: undefined, because: "equals the segment in the list" };
}

function byLocation(creates: SeenOperation | undefined): FoundId | undefined {
  for (const { exchange, body } of creates?.seen ?? []) {
    const id = headerIn(exchange.responseHeaders, "location")?.split(/[?#]/)[0]?.split("/").at(-1);
    const [spot] = id === undefined || id === "" ? [] : fieldsWith(body, textOfSegment(id));
    if (spot) return { field: spot.field, itemAt: spot.at, because: "equals the end of Location after a POST" };
  }
  return undefined;
}

function byName({ reads, listed, segment }: Omit<IdSources, "creates">): FoundId | undefined {
  const names = usualNames(segment);
  const isOther = (name: string): boolean =>
    (reads?.seen ?? []).some(({ body, status, values }) => {
      const value = status < 300 && isJsonObject(body) ? body[name] : undefined;
      return isKeyValue(value) && String(value) !== values.at(-1);
    });
  const field = Object.keys(listed[0] ?? {}).find(
    (name) => names.has(plainName(name)) && isUnique(listed, name) && !isOther(name),
  );
  return field === undefined ? undefined : { field, itemAt: undefined, because: "a usual name of ids" };
}

/** `id`, `uuid`, `productId` of products. */
function usualNames(segment: string): ReadonlySet<string> {
  const noun = nounOf(segment);
  const sure = SURE_IDS.map(plainName);
  return new Set([...sure, ...sure.map((name) => noun + name)]);
}

/** Whether each record has a value of its own; the same record may have been listed twice. */
function isUnique(records: readonly JsonObject[], name: string): boolean {
  return records.every((one) => isKeyValue(one[name]));
}

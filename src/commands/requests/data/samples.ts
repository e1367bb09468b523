import { isJsonObject, type Json, type JsonObject } from "../../../base/json/json.ts";
import { isSecretName } from "../../../base/secrets/secret-name.ts";
import { filterName } from "../../../query/filter-reader.ts";
import type { FieldValues } from "../../../query/operator.ts";
import { PARAMETERS } from "../../../query/parameters.ts";
import { parseParameters, readQuery } from "../../../query/parse-query.ts";
import type { DescribedMember } from "../../../schema/description/description.ts";
import { type Id, idOf, isAddressable } from "../../../store/ids.ts";
import { slice } from "../../../store/slice.ts";
import type { Store } from "../../../store/store.ts";
import { encodeQuery } from "../request-book.ts";
import { isOpen } from "../secret-values.ts";

/** Records that values are taken from. */
const MAX_RECORDS = 200;
/** Longer texts make no readable request. */
const MAX_TEXT = 60;
/** In larger collections, queries are not tried: each may read every record. */
const MAX_TRIED = 50_000;
/** A name that a filter can have without being taken for anything else. */
const FIELD = /^\p{L}[\p{L}\p{N}_-]*$/u;

/** A query that has not been encoded. */
export type Pairs = readonly (readonly [name: string, value: string])[];

/** The values that records have at a path. */
export interface FieldSample extends FieldValues {
  readonly path: string;
}

/** A collection with values that requests can be made of. */
export interface CollectionSamples {
  readonly member: DescribedMember;
  readonly records: readonly JsonObject[];
  /** The first record with an id that can stand in a path. */
  readonly record: JsonObject | undefined;
  readonly id: Id | undefined;
  /** The fields to filter by, the primary key and whole objects last. */
  readonly fields: readonly FieldSample[];
  /** Whether the query finds something. */
  finds(query: Pairs): Promise<boolean>;
}

export async function sampleOf(store: Store, member: DescribedMember): Promise<CollectionSamples> {
  const { name, count } = member;
  const idKey = member.idKey ?? "id";
  const { records: found } = await store.find(name, slice(0, MAX_RECORDS));
  const records = found.map(({ value }) => value as Json).filter(isJsonObject);
  const record = records.find((one) => isUsable(idOf(one, idKey)));
  return {
    member,
    records,
    record,
    id: record && idOf(record, idKey),
    fields: fieldSamples(records, idKey),
    finds: async (query) => {
      if (count === 0) return false;
      if (count > MAX_TRIED) return true;
      const search = query.map(([key, value]) => `${encodeQuery(key)}=${encodeQuery(value)}`).join("&");
      try {
        const read = await readQuery(store, name, parseParameters(search));
        if (read.grouping) return true;
        const { records: matching, ignored } = await store.find(name, read);
        return !ignored && matching.length > 0;
      } catch {
        return false;
      }
    },
  };
}

/** Dots alone are steps in a path, and clients leave them out. */
function isUsable(id: Id | undefined): boolean {
  return id !== undefined && isAddressable(String(id)) && !/^\.{1,2}$/.test(String(id));
}

function fieldSamples(records: readonly JsonObject[], idKey: string): FieldSample[] {
  const paths = new Map<string, Json[]>();
  for (const [position, record] of records.entries()) {
    for (const [path, value] of valuesIn(record)) {
      const values = paths.get(path) ?? Array.from({ length: position }, (): Json => null);
      values.push(value);
      paths.set(path, values);
    }
    for (const values of paths.values()) if (values.length <= position) values.push(null);
  }
  const samples = [...paths].map(([path, values]) => fieldSample(path, values));
  const rank = ({ path, objects }: FieldSample): number => (objects.length > 0 ? 2 : path === idKey ? 1 : 0);
  return samples.sort((a, b) => rank(a) - rank(b));
}

/** The values of fields, and of fields within them one level down. */
function valuesIn(record: JsonObject, prefix = ""): [path: string, value: Json][] {
  return Object.entries(record).flatMap(([name, value]): [string, Json][] => {
    if (!isFilterName(name) || isSecretName(name)) return [];
    if (Array.isArray(value)) return [];
    const isNested = isJsonObject(value) && prefix === "";
    return [[`${prefix}${name}`, value], ...(isNested ? valuesIn(value, `${name}.`) : [])];
  });
}

/** Whether a parameter of this name can be nothing but a filter. */
export function isFilterName(name: string): boolean {
  const { classic, later } = filterName(name);
  return FIELD.test(name) && !PARAMETERS.includes(name) && !classic && !later;
}

function fieldSample(path: string, values: readonly Json[]): FieldSample {
  const distinct = [...new Set(values)];
  return {
    path,
    numbers: distinct.filter((one) => typeof one === "number").sort((a, b) => a - b),
    texts: distinct.filter((one) => typeof one === "string" && isShown(one)).sort() as string[],
    booleans: distinct.filter((one) => typeof one === "boolean"),
    objects: distinct.filter(isJsonObject),
    isSparse: distinct.includes(null),
  };
}

function isShown(text: string): boolean {
  return text.trim() !== "" && text.length <= MAX_TEXT && isAddressable(text) && !/\p{Cc}/u.test(text) && isOpen(text);
}

import { isJsonObject, type Json, type JsonObject } from "../../base/json/json.ts";

/** The choices for the removal of a record that others refer to. */
export const ON_DELETE = ["allow", "refuse"] as const;

export type OnDelete = (typeof ON_DELETE)[number];

/** The records that a field refers to by their id. */
export interface Reference {
  readonly collection: string;
  readonly onDelete: OnDelete;
}

/** The rules that the records of one collection must keep; those of a singleton have a schema only. */
export interface CollectionRules {
  /** JSON Schema 2020-12, without `x-unique` and `x-references`. */
  readonly schema: JsonObject;
  /** The number of schemas in it: a measure of the time it takes to compile. */
  readonly size: number;
  /** The most schemas that apply to one value of a record: a measure of the time it takes. */
  readonly complexity: number;
  /** Fields whose values no two records share. */
  readonly unique: readonly string[];
  /** References by the field that holds the id, or an array of ids. */
  readonly references: Readonly<Record<string, Reference>>;
}

/** The rules of all collections that have any, in the order of the rules file. */
export type Rules = ReadonlyMap<string, CollectionRules>;

/** The fields that no response shows. */
export function writeOnlyFields(rules: CollectionRules | undefined): ReadonlySet<string> {
  const properties = rules?.schema.properties;
  const fields = isJsonObject(properties) ? Object.entries(properties) : [];
  return new Set(fields.flatMap(([name, field]) => (isJsonObject(field) && field.writeOnly === true ? name : [])));
}

export function withoutFields(value: Json, fields: ReadonlySet<string>): Json {
  if (fields.size === 0 || !isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).filter(([name]) => !fields.has(name)));
}

import type { Json, JsonObject } from "../../../base/json/json.ts";
import { createRandom, seedFor } from "../../../base/random.ts";
import type { BoundCollection } from "../../../openapi/bind/binding.ts";
import { plainName } from "../../../openapi/bind/words.ts";
import type { Placed, References } from "../../../schema/references.ts";
import { elementSchema, keyword, recordFieldsOf } from "../schema-fields.ts";
import { creatableFields } from "../writes/record-mapping.ts";

/** The values that requests list for fields of a record whose own schema lists none. */
export type SentValues = ReadonlyMap<string, { readonly schema: Placed; readonly values: readonly Json[] }>;

/** Reads them once for all records of a collection. */
export function sentValuesOf(references: References, collection: BoundCollection): SentValues {
  const sent = creatableFields(references, collection);
  const properties = sent ? (recordFieldsOf(references, collection.record)?.properties ?? []) : [];
  const found = [...properties].flatMap(([name, schema]): [string, { schema: Placed; values: Json[] }][] => {
    const given = name === collection.idKey ? undefined : sent?.get(plainName(name));
    const [own, other] = [schema, given].map((one) => one && (elementSchema(references, one) ?? one));
    const values = other && keyword(references, other, "enum");
    const isFree = own !== undefined && keyword(references, own, "enum") === undefined;
    return isFree && Array.isArray(values) ? [[name, { schema, values }]] : [];
  });
  return new Map(found);
}

interface Sending {
  readonly seed: number;
  /** Tells records apart. */
  readonly purpose: string;
  isValid(schema: Placed, value: Json): boolean;
}

/** A made record with values that requests may send, such as the events of a webhook. */
export function withSentValues(record: JsonObject, sent: SentValues, { seed, purpose, isValid }: Sending): JsonObject {
  if (sent.size === 0) return record;
  const value = { ...record };
  for (const [name, { schema, values }] of sent) {
    if (!Object.hasOwn(record, name)) continue;
    const picked = values[Math.floor(createRandom(seedFor(seed, `${purpose}/${name}`))() * values.length)];
    const made = picked !== undefined && Array.isArray(record[name]) ? [picked] : picked;
    if (made !== undefined && isValid(schema, made)) value[name] = made;
  }
  return value;
}

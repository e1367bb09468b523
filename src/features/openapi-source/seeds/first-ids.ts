import { isJsonObject, type Json } from "../../../base/json/json.ts";
import type { BoundCollection } from "../../../openapi/bind/binding.ts";
import { valueAtPointer } from "../../../schema/pointer.ts";
import type { References } from "../../../schema/references.ts";
import type { Id } from "../../../store/ids.ts";
import { isOnlyOne, ONLY_ID } from "../only-record.ts";
import { canName, idParameters } from "../parents/id-parameters.ts";
import { keyword, recordFieldsOf, typesOf } from "../schema-fields.ts";
import { idInForm } from "./id-form.ts";
import { isMany, MAX_TRIES, purposeOf, type SeedOptions } from "./seed-options.ts";
import { listedIds, shownIds } from "./shown-ids.ts";

/** The generated records of a collection. */
const COUNT = 12;
/** Records that are long take long to make: so many letters of each collection, two records of most. */
const LETTERS = 20_000;
/** Of a document with many collections, so that its start stays short. */
const COUNT_OF_MANY = 5;
const LETTERS_OF_MANY = 6000;

/** The ids of the records that are made for a collection. */
export function firstIds(options: SeedOptions, collection: BoundCollection): Id[] {
  const { name, idKey, record } = collection;
  const { references } = options;
  if (collection.isSingle) return isOnlyOne(collection) ? [ONLY_ID] : [];
  const count = countFor(options, collection);
  const parameters = idParameters(options.collections, name);
  const shown = shownIds(references, collection, parameters);
  const form = options.formOf(collection);
  if (form !== undefined) {
    const made = Array.from({ length: count }, (_, at) => idInForm(form, options.seed, `${name}/${at + 1}`));
    return distinct([...shown, ...made]).slice(0, count);
  }
  const schema = recordFieldsOf(references, record)?.properties.get(idKey);
  const fits = (id: Id): boolean => (!schema || options.isValid(schema, id)) && canName(id, parameters, options);
  const listed = distinct(listedIds(references, collection).filter(fits));
  if (listed.length > 1) return listed.slice(0, count);
  const types = schema ? typesOf(references, schema) : [];
  // A client that sends the example of the document makes a new record.
  const taken = [schema && keyword(references, schema, "example"), ...sentIds(references, collection)].map(String);
  const numbers = Array.from({ length: count + taken.length }, (_, position) => position + 1)
    .filter((id) => !taken.includes(String(id)))
    .slice(0, count);
  const first = (ids: readonly Id[]): Id[] => distinct([...shown.filter(fits), ...ids]).slice(0, count);
  const isNumber = types.length === 0 || types.includes("integer") || types.includes("number");
  if (isNumber && fits(1)) return first(numbers);
  const isPlainText = !isNumber && schema && keyword(references, schema, "format") === undefined;
  if (isPlainText && numbers.every((id) => fits(String(id)))) return first(numbers.map(String));
  const found = new Set<Id>();
  const any = new Set<Id>();
  for (const from of [...(schema ? [schema] : []), ...parameters]) {
    for (let attempt = 0; attempt < count * MAX_TRIES && found.size < count; attempt++) {
      const id = options.sample(from, `${name}/${from === schema ? idKey : from.place}/${attempt}`);
      if (typeof id !== "number" && (typeof id !== "string" || id === "")) continue;
      any.add(id);
      if (fits(id)) found.add(id);
    }
  }
  return first([...(found.size > 0 ? found : any)]);
}

/** The ids in the examples of requests that create. */
function sentIds(references: References, { idKey, operations }: BoundCollection): Json[] {
  const created = operations.filter(({ action }) => action === "create");
  return created.flatMap(({ requestContent: content, requestAt }) => {
    const own = content?.schema && keyword(references, content.schema, "example");
    const examples = [...(content?.examples ?? []).map(({ value }) => value), ...(own === undefined ? [] : [own])];
    return examples.flatMap((one) => {
      const sent = valueAtPointer(one, requestAt);
      return isJsonObject(sent) ? (sent[idKey] ?? []) : [];
    });
  });
}

/** How many records to make, by the length of the first one. */
function countFor(options: SeedOptions, collection: BoundCollection): number {
  const { sample, collections } = options;
  const first = sample(collection.record, purposeOf(options, collection, { position: 0, attempt: 0 }));
  const { length } = JSON.stringify(first ?? null);
  const [letters, count] = isMany(collections) ? [LETTERS_OF_MANY, COUNT_OF_MANY] : [LETTERS, COUNT];
  return Math.max(length > LETTERS ? 1 : 2, Math.min(Math.floor(letters / length), count));
}

/** A text and a number that look alike name the same record. */
function distinct(ids: readonly Id[]): Id[] {
  return [...new Map(ids.map((id) => [String(id), id])).values()];
}

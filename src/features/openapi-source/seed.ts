import { createRandom, seedFor } from "../../base/clock-and-random.ts";
import { isJsonObject, type Json, type JsonObject } from "../../base/json/json.ts";
import type { BoundCollection } from "../../openapi/bind/binding.ts";
import type { Placed, References } from "../../schema/references.ts";
import type { Id } from "../../store/ids.ts";
import type { EmbeddedList } from "./embedded-list.ts";
import { withEmbedded } from "./embedded-seed.ts";
import { withGrandparents } from "./grandparents.ts";
import { idInForm } from "./id-form.ts";
import { canName, idParameters, otherForm } from "./id-parameters.ts";
import { isOnlyOne, ONLY_ID } from "./only-record.ts";
import { recordsInExamples } from "./recorded-examples.ts";
import { isOfOwnKind, targetOf, targetOfPart } from "./relations.ts";
import { withSameIds } from "./same-ids.ts";
import { keyword, recordFieldsOf, typesOf } from "./schema-fields.ts";
import { sentValuesOf, withSentValues } from "./sent-values.ts";
import { withChosen } from "./server-fields.ts";
import { withPlausibleTimes } from "./time-fields.ts";
import { withTimesInOrder } from "./times-in-order.ts";
import { withKind, withNames } from "./told-names.ts";

/** The generated records of a collection. */
const COUNT = 12;
/** Records that are long take long to make: so many letters of each collection, two records of most. */
const LETTERS = 20_000;
/** Of a document with many collections, so that its start stays short. */
const MANY = 40;
const COUNT_OF_MANY = 5;
const LETTERS_OF_MANY = 6000;
/** Tries to make a record that is unlike the others and passes its schema. */
const MAX_TRIES = 5;
const TRIES_OF_MANY = 2;

export interface SeedOptions {
  readonly references: References;
  readonly collections: readonly BoundCollection[];
  readonly seed: number;
  sample(schema: Placed, purpose: string): Json | undefined;
  isValid(schema: Placed, value: Json): boolean;
  /** Completes a record from an example. */
  complete(collection: BoundCollection, record: JsonObject): JsonObject;
  /** The form of a collection's ids, where something gives one. */
  formOf(collection: BoundCollection): string | undefined;
  embedded(): readonly EmbeddedList[];
  /** The ids that a collection has already; those collections are left alone. */
  idsOf?(collection: string): readonly Id[] | undefined;
}

/** Whether a document has so many collections that their records are to cost little. */
export function isMany(collections: readonly BoundCollection[]): boolean {
  return collections.length > MANY;
}

/** Records for the collections of a document: those of its examples, else made from its schemas. */
export function createSeed(options: SeedOptions): Map<string, JsonObject[]> {
  const { collections } = options;
  const ids = new Map<string, readonly Id[]>();
  const made = new Map<string, JsonObject[]>();
  const completeExample = createCompleteExample(options);
  for (const collection of collections) {
    const held = options.idsOf?.(collection.name);
    if (held) {
      ids.set(collection.name, held);
      continue;
    }
    const records = exampleRecords(options, collection, completeExample);
    if (records.length > 0) made.set(collection.name, records);
    const keys =
      records.length > 0 ? records.map((record) => record[collection.idKey] as Id) : newIds(options, collection);
    ids.set(collection.name, keys);
  }
  for (const collection of collections) {
    if (options.idsOf?.(collection.name)) continue;
    const records = made.get(collection.name);
    if (records)
      made.set(
        collection.name,
        records.map((record, position) => withParents(options, collection, { record, position, ids })),
      );
    else made.set(collection.name, generate(options, collection, ids));
  }
  withGrandparents(collections, made);
  withEmbedded(options.embedded(), made);
  return made;
}

function generate(
  options: SeedOptions,
  collection: BoundCollection,
  ids: ReadonlyMap<string, readonly Id[]>,
): JsonObject[] {
  const { name, idKey, record: schema } = collection;
  const tries = isMany(options.collections) ? TRIES_OF_MANY : MAX_TRIES;
  const sent = sentValuesOf(options.references, collection);
  return (ids.get(name) ?? []).flatMap((id, position): JsonObject[] => {
    let last: JsonObject | undefined;
    for (let attempt = 0; attempt < tries; attempt++) {
      const sampled = options.sample(schema, purposeOf(options, collection, { position, attempt }));
      if (!isJsonObject(sampled)) return [];
      const given = withSentValues(sampled, sent, { ...options, purpose: `${name}/${position}` });
      const chosen = withKind(options.references, schema, withChosen(options.references, schema, given));
      const whole = withNames(collection, chosen, position);
      const record = withPlausibleTimes(options.references, schema, { ...whole, [idKey]: id });
      last = withTimesInOrder(withSameIds(withReferences(options, collection, { record, position, ids })));
      if (options.isValid(schema, last)) break;
    }
    return last ? [last] : [];
  });
}

interface Placing {
  readonly record: JsonObject;
  readonly position: number;
  readonly ids: ReadonlyMap<string, readonly Id[]>;
}

/** Lets fields such as `ownerId` refer to records that exist. */
function withReferences(options: SeedOptions, collection: BoundCollection, placing: Placing): JsonObject {
  const record = withParents(options, collection, placing);
  const parents = new Set(collection.operations.flatMap((one) => one.parents.map(({ field }) => field)));
  const properties = recordFieldsOf(options.references, collection.record)?.properties;
  for (const field of Object.keys(record)) {
    const schema = properties?.get(field);
    if (!schema || field === collection.idKey || parents.has(field) || record[field] === null) continue;
    // Beside `userId`, `user` is a name.
    const hasId = ["Id", "_id"].some((ending) => properties?.has(`${field}${ending}`));
    if (hasId || isOfOwnKind(field, collection.name)) continue;
    const part = record[field];
    const ofPart = isJsonObject(part) ? targetOfPart(options, field, schema) : undefined;
    const target = ofPart ?? targetOf(options, field, schema);
    const id =
      target && pick(options, `${collection.name}/${field}/${placing.position}`, placing.ids.get(target) ?? []);
    if (id === undefined) continue;
    if (isJsonObject(part) && ofPart !== undefined) {
      const named = withId(part, id);
      if (options.isValid(schema, named)) record[field] = named;
      continue;
    }
    const fitting = inTypeOf(options, schema, id);
    if (options.isValid(schema, fitting)) record[field] = fitting;
  }
  return record;
}

/** An object that stands for a record, and the record in it, if it is there. */
function withId(part: JsonObject, id: Id): JsonObject {
  const entries = Object.entries(part).map(([name, value]): [string, Json] => [
    name,
    isJsonObject(value) && Object.hasOwn(value, "id") ? { ...value, id } : value,
  ]);
  return { ...Object.fromEntries(entries), id };
}

/** Gives a record of a nested path parents that exist. */
function withParents(
  options: SeedOptions,
  collection: BoundCollection,
  { record, position, ids }: Placing,
): JsonObject {
  const value = { ...record };
  for (const { field, holder, isOfAll, collection: parent } of collection.operations.flatMap(
    ({ parents }) => parents,
  )) {
    if (isOfAll || holder !== undefined) continue;
    const held = parent === undefined ? undefined : ids.get(parent);
    if (!held || held.some((id) => id === value[field])) continue;
    const picked = pick(options, `${collection.name}/${field}/${position}`, held);
    const schema = recordFieldsOf(options.references, collection.record)?.properties.get(field);
    if (picked !== undefined) value[field] = schema ? inTypeOf(options, schema, picked) : picked;
  }
  return value;
}

/** The key of a parent in the type that its children have for it. */
function inTypeOf({ isValid }: SeedOptions, schema: Placed, id: Id): Id {
  const other = otherForm(id);
  return !isValid(schema, id) && isValid(schema, other) ? other : id;
}

function pick({ seed }: SeedOptions, purpose: string, from: readonly Id[]): Id | undefined {
  return from[Math.floor(createRandom(seedFor(seed, purpose))() * from.length)];
}

/** How many records to make, by the length of the first one. */
function countFor(options: SeedOptions, collection: BoundCollection): number {
  const { sample, collections } = options;
  const first = sample(collection.record, purposeOf(options, collection, { position: 0, attempt: 0 }));
  const { length } = JSON.stringify(first ?? null);
  const [letters, count] = isMany(collections) ? [LETTERS_OF_MANY, COUNT_OF_MANY] : [LETTERS, COUNT];
  return Math.max(length > LETTERS ? 1 : 2, Math.min(Math.floor(letters / length), count));
}

/** Of many collections, those with the same schema have the same records: to make them takes long. */
function purposeOf(
  { collections, references }: SeedOptions,
  { name, record }: BoundCollection,
  { position, attempt }: { readonly position: number; readonly attempt: number },
): string {
  const of = isMany(collections) ? references.follow(record).place : name;
  return `${of}/${position}/${attempt}`;
}

function newIds(options: SeedOptions, collection: BoundCollection): Id[] {
  const { name, idKey, record } = collection;
  const { references } = options;
  if (collection.isSingle) return isOnlyOne(collection) ? [ONLY_ID] : [];
  const count = countFor(options, collection);
  const form = options.formOf(collection);
  if (form !== undefined) {
    return Array.from({ length: count }, (_, at) => idInForm(form, options.seed, `${name}/${at + 1}`));
  }
  const schema = recordFieldsOf(references, record)?.properties.get(idKey);
  const parameters = idParameters(options.collections, name);
  const fits = (id: Id): boolean => (!schema || options.isValid(schema, id)) && canName(id, parameters, options);
  const types = schema ? typesOf(references, schema) : [];
  // A client that sends the example of the document makes a new record.
  const taken = schema && keyword(references, schema, "example");
  const numbers = Array.from({ length: count + 1 }, (_, position) => position + 1)
    .filter((id) => String(id) !== String(taken))
    .slice(0, count);
  const isNumber = types.length === 0 || types.includes("integer") || types.includes("number");
  if (isNumber && fits(1)) return numbers;
  const isPlainText = !isNumber && schema && keyword(references, schema, "format") === undefined;
  if (isPlainText && numbers.every((id) => fits(String(id)))) return numbers.map(String);
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
  return [...(found.size > 0 ? found : any)].slice(0, count);
}

/** An example as a record; undefined where it breaks its schema even then. */
type CompleteExample = (collection: BoundCollection, example: JsonObject) => JsonObject | undefined;

/**
 * Of many collections, examples that are valid stay as they are, and those that several share are completed once: to
 * complete hundreds takes as long as to make them.
 */
function createCompleteExample(options: SeedOptions): CompleteExample {
  const { complete, isValid, collections, references } = options;
  const completed: CompleteExample = (collection, example) => {
    if (isMany(collections) && isValid(collection.record, example)) return example;
    const whole = complete(collection, example);
    return isValid(collection.record, whole) ? whole : undefined;
  };
  if (!isMany(collections)) return completed;
  const known = new Map<string, Map<JsonObject, JsonObject | undefined>>();
  return (collection, example) => {
    const { place } = references.follow(collection.record);
    const ofSchema = known.get(place) ?? new Map<JsonObject, JsonObject | undefined>();
    known.set(place, ofSchema);
    if (!ofSchema.has(example)) ofSchema.set(example, completed(collection, example));
    return ofSchema.get(example);
  };
}

/** The records in the examples of responses; each id once. */
function exampleRecords(
  options: SeedOptions,
  collection: BoundCollection,
  completeExample: CompleteExample,
): JsonObject[] {
  const { idKey, hidesId } = collection;
  if (collection.isSingle) return [];
  const found = new Map<string, JsonObject>();
  const parameters = idParameters(options.collections, collection.name);
  const order = ["read", "list"];
  const operations = collection.operations
    .filter(({ action }) => order.includes(action))
    .sort((a, b) => order.indexOf(a.action) - order.indexOf(b.action));
  for (const bound of operations) {
    for (const record of recordsInExamples(options.references, bound)) {
      const id = hidesId ? found.size + 1 : record[idKey];
      if (typeof id !== "number" && (typeof id !== "string" || id === "")) continue;
      const known = found.get(String(id));
      if (known) {
        // A list may tell more of a record than its own path.
        const merged = { ...record, ...known };
        if (!hidesId && options.isValid(collection.record, merged)) found.set(String(id), merged);
        continue;
      }
      if (!canName(id, parameters, options)) continue;
      const complete = completeExample(collection, record);
      if (complete) found.set(String(id), hidesId ? { ...complete, [idKey]: id } : complete);
    }
  }
  return [...found.values()];
}

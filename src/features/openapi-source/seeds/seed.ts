import { isJsonObject, type Json, type JsonObject } from "../../../base/json/json.ts";
import { createRandom, seedFor } from "../../../base/random.ts";
import type { BoundCollection } from "../../../openapi/bind/binding.ts";
import { isTelling } from "../../../openapi/sample/telling-example.ts";
import type { Placed } from "../../../schema/references.ts";
import type { Id } from "../../../store/ids.ts";
import { withEmbedded } from "../embedded/embedded-seed.ts";
import { canName, idParameters, otherForm } from "../parents/id-parameters.ts";
import { recordFieldsOf } from "../schema-fields.ts";
import { firstIds } from "./first-ids.ts";
import { withGrandparents } from "./grandparents.ts";
import { withOwnNames } from "./own-names.ts";
import { recordsInExamples } from "./recorded-examples.ts";
import { isOfOwnKind, targetOf, targetOfPart } from "./relations.ts";
import { withSameIds } from "./same-ids.ts";
import { isMany, MAX_TRIES, purposeOf, type SeedOptions } from "./seed-options.ts";
import { sentValuesOf, withSentValues } from "./sent-values.ts";
import { withChosen } from "./server-fields.ts";
import { withPlausibleTimes } from "./time-fields.ts";
import { withTimesInOrder } from "./times-in-order.ts";
import { withKind, withNames } from "./told-names.ts";

/** Of a document with many collections. */
const TRIES_OF_MANY = 2;

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
      records.length > 0 ? records.map((record) => record[collection.idKey] as Id) : firstIds(options, collection);
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
    else made.set(collection.name, withOwnNames(options, collection, generate(options, collection, ids)));
  }
  withGrandparents(collections, made);
  withEmbedded(options.embedded(), made);
  for (const { name, ownKey } of collections) {
    const records = made.get(name);
    if (ownKey !== undefined && records)
      made.set(
        name,
        records.map((one, at) => ({ ...one, [ownKey]: at + 1 })),
      );
  }
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

/** Gives a record of a nested path parents that exist, or that its path can name. */
function withParents(
  options: SeedOptions,
  collection: BoundCollection,
  { record, position, ids }: Placing,
): JsonObject {
  const value = { ...record };
  const properties = recordFieldsOf(options.references, collection.record)?.properties;
  for (const { operation, parents } of collection.operations) {
    for (const { parameter, field, holder, isOfAll, common, collection: parent } of parents) {
      if (isOfAll) continue;
      if (common !== undefined) {
        const part = holder === undefined ? undefined : value[holder];
        if (holder === undefined) value[field] = common;
        else if (isJsonObject(part)) value[holder] = { ...part, [field]: common };
        continue;
      }
      const purpose = `${collection.name}/${field}/${position}`;
      if (holder !== undefined) {
        const [held, owners, schema] = [value[holder], ids.get(parent ?? ""), properties?.get(holder)];
        const part = isJsonObject(held) ? held : {};
        const owner = owners ? pick(options, purpose, owners) : undefined;
        if (owner === undefined || owners?.some((id) => id === part[field])) continue;
        const named = { ...part, [field]: owner };
        if (isJsonObject(held) || (schema && options.isValid(schema, named))) value[holder] = named;
        continue;
      }
      const schema = properties?.get(field);
      const held = parent === undefined ? undefined : ids.get(parent);
      const declared = operation.parameters.find(({ in: at, name }) => at === "path" && name === parameter)?.schema;
      const picked = held
        ? held.some((id) => id === value[field])
          ? undefined
          : pick(options, purpose, held)
        : schema && declared && namable(options, { declared, own: value[field], purpose });
      if (picked !== undefined) value[field] = schema ? inTypeOf(options, schema, picked) : picked;
    }
  }
  return value;
}

/** A value that a path takes, where it does not take the one that a record has: a number for a text. */
function namable(
  options: SeedOptions,
  { declared, own, purpose }: { readonly declared: Placed; readonly own: Json | undefined; readonly purpose: string },
): Id | undefined {
  if ((typeof own !== "string" && typeof own !== "number") || canName(own, [declared], options)) return undefined;
  const made = options.sample(declared, purpose);
  return typeof made === "string" || typeof made === "number" ? made : undefined;
}

/** The key of a parent in the type that its children have for it. */
function inTypeOf({ isValid }: SeedOptions, schema: Placed, id: Id): Id {
  const other = otherForm(id);
  return !isValid(schema, id) && isValid(schema, other) ? other : id;
}

function pick({ seed }: SeedOptions, purpose: string, from: readonly Id[]): Id | undefined {
  return from[Math.floor(createRandom(seedFor(seed, purpose))() * from.length)];
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
    for (const record of recordsInExamples(options.references, bound).filter(isTelling)) {
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

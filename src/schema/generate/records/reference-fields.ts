import type { Json } from "../../../base/json/json.ts";
import { type Constraints, type Type, Unsatisfiable } from "../../constraints.ts";
import type { Ids } from "./ids.ts";
import type { RecordGenerator } from "./record-generator.ts";

/** How many references that may be missing are. */
const MISSING_SHARE = 0.1;
const MAX_TRIES = 100;
const USUAL_ITEMS = 3;

/** A field that refers to records. */
export interface ReferenceField {
  readonly field: string;
  readonly collection: string;
  readonly constraints: Constraints;
  readonly isRequired: boolean;
  /** No two records refer to the same one. */
  readonly isUnique: boolean;
  readonly isSelf: boolean;
}

export function referenceFields(generator: RecordGenerator): ReferenceField[] {
  const { rules, name } = generator;
  const { required } = generator.constraints();
  return Object.entries(rules.references).map(([field, { collection }]) => ({
    field,
    collection,
    constraints: generator.constraintsOf(field),
    isRequired: required.has(field),
    isUnique: rules.unique.includes(field),
    isSelf: collection === name,
  }));
}

/** The place of the record that refers: one of the same collection refers only to those before it, as in a tree. */
interface Referring {
  /** Those that it may refer to. */
  readonly ids: Ids;
  readonly position: number;
  readonly id: string | number | undefined;
}

/** The value of a reference; undefined where the field is left out. */
export function referenceValue(
  generator: RecordGenerator,
  reference: ReferenceField,
  { ids, position, id }: Referring,
): Json | undefined {
  const { field, collection, constraints, isRequired, isUnique, isSelf } = reference;
  const { random } = generator;
  const count = isSelf ? Math.min(position, ids.count) : ids.count;
  const isNullable = !constraints.values && (constraints.types?.has("null") ?? constraints.keywords.size === 0);
  if (isList(constraints)) return listOfIds(generator, reference, { count, at: ids.at });
  const mayMiss = isNullable || !isRequired;
  const isExhausted = isUnique && position >= count;
  if (count === 0 || isExhausted) {
    if (isNullable) return null;
    if (!isRequired) return undefined;
    if (isSelf && id !== undefined && !isUnique) return suited(id, constraints.types);
    const problem = count === 0 ? `${collection} has no records` : `${collection} has only ${count} records`;
    throw new Unsatisfiable(`/${field}`, "x-references", `${problem}, and the field may neither be null nor missing`);
  }
  if (mayMiss && !generator.isComplete && random.chance(MISSING_SHARE)) return isNullable ? null : undefined;
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const value = suited(ids.at(isUnique ? position : random.between(0, count - 1)), constraints.types);
    if (generator.fieldPasses(field, value)) return value;
  }
  if (mayMiss) return isNullable ? null : undefined;
  throw new Unsatisfiable(`/${field}`, "x-references", `no id of ${collection} was found that keeps the other rules`);
}

function isList({ types, keywords }: Constraints): boolean {
  if (!types) return keywords.has("items") || keywords.has("minItems") || keywords.has("uniqueItems");
  return types.has("array") && !types.has("string") && !types.has("integer") && !types.has("number");
}

function listOfIds(
  generator: RecordGenerator,
  { field, collection, constraints }: ReferenceField,
  { count, at }: Ids,
): Json[] {
  const { minItems, maxItems } = constraints;
  const { random } = generator;
  const wanted = Math.min(maxItems, Math.max(minItems, random.between(0, USUAL_ITEMS)));
  const chosen = new Map<string, Json>();
  for (let tries = 0; chosen.size < Math.min(wanted, count) && tries < MAX_TRIES + wanted * 10; tries++) {
    const id = at(random.between(0, count - 1));
    chosen.set(String(id), id);
  }
  const list = [...chosen.values()];
  const asTexts = list.map(String);
  if (list.length >= minItems) return generator.fieldPasses(field, list) ? list : asTexts;
  throw new Unsatisfiable(`/${field}`, "x-references", `${collection} has only ${count} records, fewer than minItems`);
}

/** An id in a type that the field allows: ids are compared as texts. */
function suited(id: string | number, types: ReadonlySet<Type> | undefined): string | number {
  if (!types) return id;
  const isNumber = types.has("number") || types.has("integer");
  if (typeof id === "number") return isNumber ? id : String(id);
  return types.has("string") || !Number.isFinite(Number(id)) ? id : Number(id);
}

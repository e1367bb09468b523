import type { Json, JsonObject } from "../../../base/json/json.ts";
import type { BoundCollection } from "../../../openapi/bind/binding.ts";
import type { Placed, References } from "../../../schema/references.ts";
import type { Id } from "../../../store/ids.ts";
import type { EmbeddedList } from "../embedded/embedded-list.ts";

/** More collections are many: their records are to cost little, so that the start stays short. */
const MANY = 40;
/** Tries to make a record that is unlike the others and passes its schema, or an id that does. */
export const MAX_TRIES = 5;

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

/** Of many collections, those with the same schema have the same records: to make them takes long. */
export function purposeOf(
  { collections, references }: SeedOptions,
  { name, record }: BoundCollection,
  { position, attempt }: { readonly position: number; readonly attempt: number },
): string {
  const of = isMany(collections) ? references.follow(record).place : name;
  return `${of}/${position}/${attempt}`;
}

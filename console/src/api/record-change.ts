import type { Json } from "./json.ts";

export type ChangeKind = "created" | "changed" | "removed";

/** A record that differs between two states of the data, as the `changes` of sandboxes and snapshots list it. */
export interface RecordChange {
  readonly collection: string;
  /** Null for a singleton, and for a record without one. */
  readonly id: string | number | null;
  readonly kind: ChangeKind;
  /** Null where the record is not there. */
  readonly before: Json;
  readonly after: Json;
}

/** "products 12", or the name of a singleton. */
export function recordName({ collection, id }: Pick<RecordChange, "collection" | "id">): string {
  return id === null ? collection : `${collection} ${id}`;
}

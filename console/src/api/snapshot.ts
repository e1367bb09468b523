import { askJson } from "./ask.ts";
import type { RecordChange } from "./record-change.ts";

/** A saved state, as `GET /__snapshots__` lists it. */
export interface Snapshot {
  readonly id: string;
  readonly file: string;
  readonly created_at: string;
  readonly bytes: number;
}

/** The name it was given, or its id. */
export function nameOf({ id }: Pick<Snapshot, "id">): string {
  return /^db-\d+-(.+)$/.exec(id)?.[1] ?? id;
}

/** Asked before data is replaced or removed. */
export const SAVE_FIRST = "Save the current data as a snapshot first";

/** Saves the current data, under a name unless it is empty. */
export function saveSnapshot(name = ""): Promise<Snapshot> {
  return askJson("POST", "/__snapshots__", { body: name === "" ? {} : { name } });
}

export function snapshotPath({ id }: Pick<Snapshot, "id">): string {
  return `/__snapshots__/${encodeURIComponent(id)}`;
}

interface MemberName {
  readonly name: string;
  readonly kind: "collection" | "singleton";
}

export interface MemberChanges extends MemberName {
  readonly created: number;
  readonly changed: number;
  readonly removed: number;
}

/** The response of `GET /__snapshots__/<id>/changes`. */
export interface SnapshotChanges {
  /** Of the chosen collection, or of all. */
  readonly total: number;
  readonly changes: readonly RecordChange[];
  readonly collections: { readonly created: readonly MemberName[]; readonly removed: readonly MemberName[] };
  readonly members: readonly MemberChanges[];
}

export function totalOf({ created, changed, removed }: MemberChanges): number {
  return created + changed + removed;
}

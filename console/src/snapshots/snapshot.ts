/** A saved state, as `GET /__snapshots__` lists it. */
export interface Snapshot {
  readonly id: string;
  readonly file: string;
  readonly created_at: string;
  readonly bytes: number;
}

/** The name it was given, or its id. */
export function nameOf({ id }: Snapshot): string {
  return /^db-\d+-(.+)$/.exec(id)?.[1] ?? id;
}

export function snapshotPath({ id }: Snapshot): string {
  return `/__snapshots__/${encodeURIComponent(id)}`;
}

/** The changes between a snapshot and the current data. */
export interface Comparison {
  readonly members: readonly MemberComparison[];
}

export interface MemberComparison {
  readonly name: string;
  readonly added: number;
  readonly changed: number;
  readonly removed: number;
  readonly examples: Readonly<Record<"added" | "changed" | "removed", readonly (string | number)[]>>;
}

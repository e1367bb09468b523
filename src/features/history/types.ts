/** One version of the data, as a list shows it. */
export interface HistoryVersion {
  readonly version: number;
  /** When it was made, in ISO 8601. */
  readonly time: string;
  /** The origin of the change: a client's address, a user, `console`, `agent:<session>`, `promote:<sandbox>`, `file`. */
  readonly by: string;
  /** `members`: collections came or went; `exchange`: all data was replaced at once. */
  readonly kind: "change" | "members" | "exchange";
  /** The occasion, if it was no plain write: `reset`, `restore`, `reload`, `promote`, `revert`. */
  readonly cause?: string;
  /** How many records were created, updated and removed, by collection. */
  readonly counts: Readonly<
    Record<string, { readonly created: number; readonly updated: number; readonly removed: number }>
  >;
  /** The same in words. */
  readonly summary: string;
  readonly members?: readonly {
    readonly kind: "created" | "renamed" | "removed";
    readonly name: string;
    readonly to?: string;
  }[];
  /** Whether it can be reverted: a very large change is only listed. */
  readonly kept: boolean;
}

/** One record before and after a version; null where it was not there. */
export interface HistoryEdit {
  readonly collection: string;
  readonly id: string | number | null;
  readonly before: unknown;
  readonly after: unknown;
}

/** A version with the records that it changed. */
export interface HistoryChange extends HistoryVersion {
  readonly edits: readonly HistoryEdit[];
  /** How many edits there are in all. */
  readonly total: number;
}

export interface HistoryQuery {
  readonly collection?: string;
  /** A record of that collection. */
  readonly id?: string | number;
  readonly by?: string;
  /** A version, a time (ISO 8601) or an age such as `-5m`. */
  readonly since?: string | number;
  /** Only versions below this one. */
  readonly before?: number;
  /** At most this many; 50 unless given. */
  readonly limit?: number;
}

export interface HistoryPage {
  /** Newest first. */
  readonly versions: readonly HistoryVersion[];
  /** The oldest version that can be read; null if none can. */
  readonly oldest: number | null;
  readonly latest: number;
  /** The `before` of the next page, if there is one. */
  readonly next?: number;
}

export interface RevertOptions {
  /** Takes back the fields that the version changed, and keeps later changes of other fields. */
  readonly fields?: boolean;
  /** Takes back the change of one record alone, in this collection. */
  readonly collection?: string;
  /** The id of that record. */
  readonly id?: string | number;
}

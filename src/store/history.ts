import type { TimeSource } from "../base/clock.ts";
import type { Eventually } from "../base/eventually.ts";
import type { EditedRecords } from "./stored-record.ts";

/** Who makes a change, and on what occasion, for the history. */
export interface Origin {
  /** A client's address, the name of a key or user, `console`, `agent:<session>`, `promote:<sandbox>` or `file`. */
  readonly by?: string | undefined;
  /** An occasion other than a write: `reset`, `restore`, `reload`, `promote` or `revert`. */
  readonly cause?: string | undefined;
  /** How many jobs led to it, one after the other. */
  readonly depth?: number | undefined;
}

/** A replacement of all data. */
export interface ExchangeOptions extends Origin {
  /** The version that must be the latest one still; otherwise it throws `Overtaken`, and nothing changes. */
  readonly after?: number | undefined;
}

/** Other changes came before a replacement that must not lose them. */
export class Overtaken extends Error {
  constructor() {
    super("other changes came first");
  }
}

/** The numbers of a change. */
export interface VersionedChange {
  readonly version: number;
  /** Its version in a history with numbers of its own, once it is committed, and whether its records are kept there. */
  readonly noted?: { readonly version: number; readonly isKept: boolean } | undefined;
}

/** The number of records of one member that a change has created, updated and removed. */
export interface RecordCounts {
  created: number;
  updated: number;
  removed: number;
}

/** A collection or singleton that came, went or got another name. */
export interface AlteredMember {
  readonly kind: "created" | "renamed" | "removed";
  readonly name: string;
  readonly to?: string;
}

/** One version of the data, in a list. */
export interface VersionHead {
  readonly version: number;
  /** In milliseconds. */
  readonly time: number;
  readonly by: string;
  readonly cause?: string | undefined;
  /** `exchange`: all data was replaced, by a reset, a restore, a reload or an edit of the file. */
  readonly kind: "change" | "members" | "exchange";
  /** By member. */
  readonly counts: Readonly<Record<string, RecordCounts>>;
  readonly members?: readonly AlteredMember[] | undefined;
  /** False where the records before and after are not known: it was too large, or made while nobody looked. */
  readonly isKept: boolean;
}

/** One version with its records before and after, each under its id. */
export interface KeptVersion extends VersionHead {
  readonly edits: readonly VersionEdit[];
}

/** An `Edit` of a version. */
export interface VersionEdit extends EditedRecords {
  readonly name: string;
}

/** The versions to list, newest first. */
export interface VersionQuery {
  readonly collection?: string | undefined;
  /** Of a record in the collection. */
  readonly id?: string | undefined;
  readonly by?: string | undefined;
  /** Not made before this time, in milliseconds. */
  readonly since?: number | undefined;
  /** Below this version. */
  readonly before?: number | undefined;
  readonly limit: number;
}

export interface VersionPage {
  readonly versions: readonly VersionHead[];
  /** The `before` of the next page, if there may be one. */
  readonly next?: number | undefined;
}

/** The past of a store. A `Moment` is a store of the data at one version, which cannot be written to. */
export interface StoreHistory<Moment> {
  /** The oldest version that can be read; undefined where none can. */
  readonly oldest: number | undefined;
  readonly latest: number;
  /** Looks at what other processes have added; until then, the bounds may be those of the last look. */
  refresh?(): Promise<void>;
  list(query: VersionQuery): Eventually<VersionPage>;
  /** Throws `VERSION_NOT_FOUND`, `HISTORY_GONE` or `HISTORY_TOO_LARGE`. */
  find(version: number): Eventually<KeptVersion>;
  /** The highest version that is not later than a time; one below the oldest where all are later. */
  versionAt(time: number): Eventually<number>;
  /** The version that a change has made; undefined where that is not known yet. */
  versionOf(change: VersionedChange): number | undefined;
  /** Whether the records of a change were too large to keep. Hot path: asked after every write. */
  isTooLarge(change: VersionedChange): boolean;
  /** Throws `HISTORY_GONE` where the data after a version cannot be read, and `QUERY_INVALID` for a version to come. */
  expect(version: number): void;
  /** The data after a version; throws as `expect` does. The last few stay at hand. */
  at(version: number): Eventually<Moment>;
  /** The latest version; in it are all changes that have a version, of other processes, too. */
  settled(): Eventually<number>;
  /** Makes all data what it was at a version, if the rules allow it, as a new version; settles when that is durable. */
  restore(version: number, options?: ExchangeOptions): Promise<void>;
  /** Forgets all versions but the present one. */
  clear(): Promise<void>;
}

/** How much of the past to keep. */
export interface HistoryLimits {
  /** The most versions. */
  readonly count?: number | undefined;
  /** The age of the oldest version, in milliseconds. */
  readonly maxAgeMs?: number | undefined;
  /** About the most memory of the records that only the past has. */
  readonly maxBytes: number;
  /** The same of the newest ten versions, which are kept beyond `maxBytes`; 256 MB unless given. */
  readonly maxNewestBytes?: number | undefined;
  readonly clock?: TimeSource | undefined;
}

export const DEFAULT_HISTORY: HistoryLimits = { count: 1000, maxBytes: 8 * 2 ** 20 };

/** The most memory of a history for which somebody asked by its age. */
const MAX_BYTES = 256 * 2 ** 20;
/** Memory for each of the versions beyond the usual number. */
const BYTES_PER_VERSION = 8 * 2 ** 10;
const DAY_MS = 86_400_000;

/** The limits of `--history`: a number of versions, or days such as `30d`. Undefined where it is neither. */
export function historyLimits(text: string): HistoryLimits | undefined {
  const [, digits, unit] = /^([1-9]\d{0,6})(d?)$/.exec(text) ?? [];
  if (digits === undefined) return undefined;
  if (unit === "d") return { maxAgeMs: Number(digits) * DAY_MS, maxBytes: MAX_BYTES };
  const count = Number(digits);
  return { count, maxBytes: Math.min(MAX_BYTES, Math.max(DEFAULT_HISTORY.maxBytes, count * BYTES_PER_VERSION)) };
}

import type { Completions } from "../completion.ts";
import type { IdKeyOptions } from "../id-keys.ts";
import type { RecordRules } from "../record-rules.ts";
import type { Durability } from "../store.ts";

export interface FileStoreOptions extends IdKeyOptions {
  readonly durability: Durability;
  /** An outside change of the files replaces the data; otherwise the data replaces it, after a copy was made. */
  readonly followsOutside: boolean;
  /** A write settles when the files have it, in the same turn where they are small: programs read them themselves. */
  readonly savesAtOnce?: boolean;
  readonly warn: (text: string) => void;
  /** Told of the records that cannot be addressed at the start, instead of `warn`. */
  readonly warnOfIds?: (text: string) => void;
  /** The seed of new text ids; random without it. */
  readonly seed?: number | undefined;
  /** The most bytes of a data file; by default as many as can be read. */
  readonly maxBytes?: number | undefined;
  /** The most characters of the journal; by default as many as can be read. */
  readonly maxJournal?: number | undefined;
  readonly completions?: Completions | undefined;
  readonly rules?: RecordRules | undefined;
}

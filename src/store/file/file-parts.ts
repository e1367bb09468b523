import type { TimeSource } from "../../base/clock.ts";
import type { Completions } from "../completion.ts";
import type { HistoryLimits } from "../history.ts";
import type { IdKeyOptions } from "../id-keys.ts";
import type { LiveData } from "../memory/live-data.ts";
import type { RecordRules } from "../record-rules.ts";
import type { Durability } from "../store.ts";
import type { ConflictCopies } from "./conflict-copies.ts";
import type { DataSize } from "./data-size.ts";
import type { FileHistory } from "./history/file-history.ts";
import type { JournalWriter } from "./journal/journal-writer.ts";
import type { KnownFiles } from "./known-files.ts";
import type { Layout } from "./layout.ts";
import type { Lock } from "./lock.ts";
import type { ReceiptFile } from "./receipt-file.ts";
import type { WholeInJournal } from "./whole-in-journal.ts";
import type { WriteProtection } from "./write-protection.ts";
import type { WrittenMembers } from "./written-members.ts";

/** The parts of a store whose data is in files. */
export interface FileParts {
  readonly data: LiveData;
  readonly layout: Layout;
  readonly options: FileStoreOptions;
  readonly lock: Lock;
  readonly writer: JournalWriter;
  readonly wholeInJournal: WholeInJournal;
  readonly known: KnownFiles;
  readonly size: DataSize;
  readonly protection: WriteProtection;
  readonly conflictCopies: ConflictCopies;
  readonly receiptFile: ReceiptFile;
  /** Undefined where nothing of the past is kept. */
  readonly history: FileHistory | undefined;
  /** Where programs read the files themselves. */
  readonly written: WrittenMembers | undefined;
}

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
  /** How much of the past to keep; nothing without it. */
  readonly history?: HistoryLimits | undefined;
  /** The clock of jobs that follow from changes, where there are any. */
  readonly jobsBy?: TimeSource | undefined;
}

import type { LiveData } from "../memory/live-data.ts";
import type { ConflictCopies } from "./conflict-copies.ts";
import type { DataSize } from "./data-size.ts";
import type { FileStoreOptions } from "./file-store-options.ts";
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
  /** Where programs read the files themselves. */
  readonly written: WrittenMembers | undefined;
}

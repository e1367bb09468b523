import { existsSync } from "node:fs";
import { messageOf } from "../../base/errors.ts";
import { MAX_TEXT } from "../data-too-large.ts";
import { IdKeys } from "../id-keys.ts";
import { noJournal } from "../memory/live-data.ts";
import { MemoryStore } from "../memory/memory-store.ts";
import { State } from "../memory/state.ts";
import { ConflictCopies } from "./conflict-copies.ts";
import { DataFiles } from "./data-files.ts";
import { DataSize } from "./data-size.ts";
import { FileJournal } from "./file-journal.ts";
import type { FileParts, FileStoreOptions } from "./file-parts.ts";
import { FileHistory, type FoundPast } from "./history/file-history.ts";
import { HistoryFile, type PastContent } from "./history/history-file.ts";
import { leftChanges } from "./history/left-changes.ts";
import type { Hashes } from "./journal/journal-format.ts";
import { JournalWriter } from "./journal/journal-writer.ts";
import { hashesOf, type Recovered, recover } from "./journal/recover.ts";
import { KnownFiles } from "./known-files.ts";
import type { Layout } from "./layout.ts";
import { acquireLock } from "./lock.ts";
import { ownFile, setAside } from "./own-folder.ts";
import { areSameFiles, ReceiptFile } from "./receipt-file.ts";
import { WholeInJournal } from "./whole-in-journal.ts";
import { WriteProtection } from "./write-protection.ts";
import { WrittenMembers } from "./written-members.ts";

/** A store, and the files that follow it. */
export interface OpenFiles {
  readonly store: MemoryStore;
  readonly files: DataFiles;
}

/** Locks the files for this process and loads them, including the changes a crashed process left in its journal. */
export async function openFiles(layout: Layout, options: FileStoreOptions): Promise<MemoryStore> {
  const { store, files, adopted } = begin(layout, options);
  try {
    await adopted;
    return store;
  } catch (thrown) {
    files.abandon();
    throw thrown;
  }
}

/** The same, synchronously: files that a crashed process left beside its journal are adopted before the first save. */
export function openFilesNow(layout: Layout, options: FileStoreOptions): OpenFiles {
  const { store, files, hasLines, adopted } = begin(layout, options);
  adopted.catch((thrown) => options.warn(messageOf(thrown)));
  // Whatever the size: no program has read the files yet.
  if (options.savesAtOnce && hasLines) files.saveAtOnce();
  return { store, files };
}

/** A copy of data files in memory. Reads the files, also after they change, but never writes them. */
export function openCopy(layout: Layout, options: FileStoreOptions): MemoryStore {
  const { database, observed } = recover(layout, options.warn, "never");
  const known = new KnownFiles(layout, observed);
  return new MemoryStore(State.load(database, IdKeys.from(options), options), (data) => ({
    ...noJournal(data, `memory only (--memory); ${layout.place} is never written`),
    isFromFile: true,
    async reload(origin) {
      if (known.changedOutside().length === 0) return false;
      const loaded = layout.load({ refuseBlank: true });
      data.load(data.state.loadNext(loaded.database, options.warn), origin);
      known.replace(loaded.observed);
      data.announce({ kind: "exchange", version: data.state.version });
      return true;
    },
  }));
}

interface Begun extends OpenFiles {
  /** Whether the journal has changes that the files lack. */
  readonly hasLines: boolean;
  /** Settles when the files that a crashed process left are adopted. */
  readonly adopted: Promise<void>;
}

function begin(layout: Layout, options: FileStoreOptions): Begun {
  const lock = acquireLock(layout.anchor, options.warn);
  try {
    const recovered = recover(layout, options.warn, lock.isTaken ? "now" : "later");
    const { store, files } = compose({ layout, options, lock, recovered });
    return { store, files, hasLines: recovered.journal !== undefined, adopted: files.begin() };
  } catch (thrown) {
    lock.release();
    throw thrown;
  }
}

type Opening = Pick<FileParts, "layout" | "options" | "lock"> & { readonly recovered: Recovered };

function compose({ layout, options, lock, recovered }: Opening): OpenFiles {
  const { database, observed, bytes, journal, superseded } = recovered;
  const { warnOfIds = options.warn } = options;
  const state = State.load(database, IdKeys.from(options), { ...options, warn: warnOfIds });
  for (const receipt of recovered.receipts) state.receipts.add(receipt);
  // The largest of all lines: a note at the end has an older version than the entries before it.
  const historyFile = options.history && new HistoryFile(layout.anchor, options.history.maxBytes);
  const content = historyFile?.read(options.warn, lock.isTaken);
  const versions = [
    historyFile?.last ?? 0,
    ...(journal?.lines.map(({ version }) => version) ?? []),
    ...(superseded?.past.map(({ line }) => line.v) ?? []),
  ];
  state.version = versions.reduce((largest, one) => Math.max(largest, one), journal?.base.v ?? 0) + 1;
  const known = new KnownFiles(layout, observed);
  let isInTheWay = recovered.isInTheWay ?? false;
  const writer = new JournalWriter({
    source: layout.anchor,
    base: journal?.base ?? known.baseAt(state.version),
    toDisk: options.durability === "disk",
    onCreate: () => {
      lock.renew();
      if (isInTheWay) setOldJournalAside(layout, options.warn);
      isInTheWay = false;
    },
  });
  if (journal) writer.resume(journal.lines);
  let files: DataFiles | undefined;
  const store = new MemoryStore(state, (data) => {
    const size = new DataSize(layout, options.maxBytes ?? MAX_TEXT, bytes);
    size.expectSavable(bytes, () => data.peek());
    const history = data.history && historyFile && new FileHistory(data.history, historyFile);
    if (content) history?.resume(foundPast(recovered, content, lock.isTaken), state);
    superseded?.putAway();
    const parts: FileParts = {
      data,
      layout,
      options,
      lock,
      writer,
      wholeInJournal: new WholeInJournal(data, writer, options.warn),
      known,
      size,
      protection: new WriteProtection(layout, options.warn),
      conflictCopies: new ConflictCopies({ layout, ...options }),
      receiptFile: new ReceiptFile(layout.anchor),
      history,
      written: options.savesAtOnce ? new WrittenMembers(() => data.lend(data.baseline)) : undefined,
    };
    const dataFiles = new DataFiles(parts, { bytes, differing: journal?.files ?? new Set() });
    files = dataFiles;
    if (data.history && history) data.history.clearKept = () => dataFiles.clearHistory();
    return new FileJournal(parts, dataFiles, options.jobsBy && leftChanges((journal ?? superseded)?.entries ?? []));
  });
  return { store, files: files! };
}

/** The data must be that of the last version, or that of the journal, which leads to it. */
function foundPast(recovered: Recovered, content: PastContent, mayWrite: boolean): FoundPast {
  const { journal, superseded } = recovered;
  const { last } = content;
  const files = (): Hashes => hashesOf(recovered);
  const isSuperseded = superseded?.past.some(({ line }) => line.v > (last?.v ?? 0)) ?? false;
  const isContinuous =
    !isSuperseded &&
    (!last ||
      (journal !== undefined && areSameFiles(journal.base.hashes, last.files)) ||
      areSameFiles(files(), last.files));
  return { content, journal: (journal ?? superseded)?.past ?? [], isContinuous, files, mayWrite };
}

/** Sets aside the journal that a read-only folder kept in place at the start. */
function setOldJournalAside({ anchor }: Layout, warn: (text: string) => void): void {
  const path = ownFile(anchor, "journal");
  if (existsSync(path)) warn(`The journal of an earlier process is kept as ${setAside(path)}.`);
}

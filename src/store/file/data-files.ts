import { messageOf, StartError } from "../../base/errors.ts";
import { LOADED_VERSION } from "../memory/state.ts";
import type { Exported } from "../store.ts";
import { type CheckpointRequest, checkpoint, checkpointNow } from "./checkpoint.ts";
import { holdsSameData } from "./conflict-copies.ts";
import type { FileParts } from "./file-parts.ts";
import { isWhole } from "./formats/formats.ts";
import { RememberedFingerprints } from "./known-files.ts";
import { OutsideVersions } from "./outside-versions.ts";
import { removeOwnFolderIfEmpty } from "./own-folder.ts";
import { ReplacedFiles } from "./replaced/replaced-files.ts";
import { SaveSchedule } from "./save-schedule.ts";

/** An editor empties a file right before it writes it; one that stays empty for so long has lost its content. */
const EMPTY_MS = 1000;

/** The data as the start found it. */
export interface FoundFiles {
  readonly bytes: number;
  /** The files that a journal of an earlier process changes. */
  readonly differing: ReadonlySet<string>;
}

/**
 * The data files that follow the data in memory: a checkpoint folds the journal into them, and a version from outside is
 * loaded or kept. Operations on the files run one after the other.
 */
export class DataFiles {
  readonly #parts: FileParts;
  readonly #outside: OutsideVersions;
  readonly #replacedFiles: ReplacedFiles;
  readonly #remembered: RememberedFingerprints;
  readonly #schedule: SaveSchedule;
  #work: Promise<unknown> = Promise.resolve();
  /** An operation on the files is between two of its steps. */
  #isAtFiles = false;
  #isNoted: (() => Promise<void>) | undefined;
  #isFailing = false;
  #fillTimer: NodeJS.Timeout | undefined;

  constructor(parts: FileParts, { bytes, differing }: FoundFiles) {
    this.#parts = parts;
    const { layout, known, options } = parts;
    this.#outside = new OutsideVersions(parts, differing, () => this.#fillSoon());
    this.#replacedFiles = new ReplacedFiles({
      layout,
      known,
      wake: () => void this.#oneAtATime(() => this.#replacedFiles.settle()).catch(() => undefined),
      // Only a whole edit can be loaded; one that is kept grows under its new name.
      isWhole: ({ held, file }) => !options.followsOutside || isWhole(held.read(), file),
      onOutside: (replaced) => this.#outside.resolve(replaced),
    });
    this.#remembered = new RememberedFingerprints(layout.anchor);
    this.#schedule = new SaveSchedule(bytes, () => this.#save());
    if (parts.writer.hasLines) this.#schedule.changed();
  }

  /** Adopts files that a crashed process left beside its journal: begins in this turn, before any save. */
  begin(): Promise<void> {
    const { lock, known, protection, layout } = this.#parts;
    // Otherwise the lock has told that nothing can be written.
    if (lock.isTaken) {
      known.remember(this.#remembered);
      protection.report(layout.files());
    }
    const adopting = lock.isTaken ? this.#replacedFiles.adopt() : undefined;
    return this.#oneAtATime(async () => {
      await adopting;
      this.#outside.isServing = true;
    });
  }

  /** From now on, the journal keeps its lines until others have noted what follows from them. */
  keepUntil(isNoted: () => Promise<void>): void {
    this.#isNoted = isNoted;
  }

  /** Lets go of the files without a save. */
  abandon(): void {
    this.#schedule.stop();
    this.#replacedFiles.stop();
    this.#parts.lock.release();
  }

  /** Call before all data is replaced: throws if a file is protected, and notes that the files hold none of it. */
  beginExchange(): void {
    this.#parts.protection.expectWritable(this.#parts.known.files);
    this.#outside.differing = "all";
  }

  /** Call when the journal has a change. */
  changed(): void {
    this.#schedule.changed();
  }

  /** Frees disk space for the journal. */
  freeSpace(): void {
    this.#replacedFiles.freeSpace();
  }

  reload(): Promise<boolean> {
    return this.#oneAtATime(() => this.#atFiles(async () => (await this.#outside.load()) !== "unchanged"));
  }

  /** The same, synchronously; false when there are unsaved changes, which only `reload` can deal with. */
  reloadNow(): boolean {
    return this.#outside.loadNow();
  }

  /** Forgets all versions but the present one. */
  clearHistory(): Promise<void> {
    const { data, known, history } = this.#parts;
    return this.#oneAtATime(async () => {
      await this.#saveNow();
      history?.clear(data.state.version, known.baseAt(data.state.version).hashes);
    });
  }

  async close(): Promise<void> {
    const { data, writer, lock, layout } = this.#parts;
    this.#schedule.stop();
    clearTimeout(this.#fillTimer);
    // Not every caller awaits its writes.
    await data.settled();
    await writer.idle();
    await this.#oneAtATime(async () => {
      await this.#saveNow().catch((thrown: unknown) => this.#saveBeside(thrown));
      this.#outside.isServing = false;
      await this.#replacedFiles.close();
      await writer.idle();
      writer.close();
      this.#remembered.remove();
      lock.release();
      removeOwnFolderIfEmpty(layout.anchor);
    });
  }

  /** With --watch, a file that cannot be loaded is left to its editor: a last save goes beside it. */
  async #saveBeside(thrown: unknown): Promise<void> {
    if (!(thrown instanceof StartError)) throw thrown;
    await this.#parts.conflictCopies.saveBeside(this.#parts.data.lend(), thrown.message);
  }

  /** Saves a change in this turn where the files are small; otherwise settles when they have it. */
  saveAfter<T>(appended: Promise<T>): Promise<T> {
    if (this.#schedule.isSmall && this.saveAtOnce()) return appended;
    // A handler may respond in this turn.
    this.#parts.writer.appendNow();
    // A failed save is reported and repeated; the journal has the write.
    return appended.then((result) =>
      this.#save().then(
        () => result,
        () => result,
      ),
    );
  }

  /** Saves in this turn; false where that takes longer. */
  saveAtOnce(): boolean {
    const { protection, data, writer, history } = this.#parts;
    if (this.#isAtFiles || protection.isOn || history || data.state.receipts.size > 0 || !writer.appendNow())
      return false;
    try {
      const placing = this.#placing();
      const bytes = checkpointNow(placing);
      if (bytes === undefined) return false;
      this.#schedule.saved(bytes);
      this.#saved(placing.members);
      return true;
    } catch {
      return false;
    }
  }

  /** An emptied file gets its content back, unless a program fills it first. */
  #fillSoon(): void {
    this.#fillTimer ??= setTimeout(() => {
      this.#fillTimer = undefined;
      this.#save().catch(() => undefined);
    }, EMPTY_MS).unref();
  }

  /** Saves all changes. The schedule retries a failed save; until then the journal holds the unsaved changes. */
  async #save(): Promise<number | undefined> {
    const { warn } = this.#parts.options;
    const { place } = this.#parts.layout;
    try {
      const bytes = await this.#oneAtATime(() => this.#saveNow());
      if (this.#isFailing) warn(`${place} can be written again; everything is saved.`);
      this.#isFailing = false;
      return bytes;
    } catch (thrown) {
      this.freeSpace();
      if (!this.#isFailing) warn(`${place} cannot be written (${messageOf(thrown)}); changes are kept in the journal.`);
      this.#isFailing = true;
      throw thrown;
    }
  }

  async #saveNow(): Promise<number | undefined> {
    const { data, writer, known, receiptFile, history } = this.#parts;
    if (!writer.hasLines && known.emptied().length === 0) return undefined;
    return this.#atFiles(async () => {
      // Those of the saved data: a restore that begins meanwhile may never reach the journal.
      const { receipts } = data.state;
      const placing = this.#placing();
      const bytes = await checkpoint({
        ...placing,
        // The journal is about to drop them with its lines.
        beforeFold: async (hashes) => {
          await this.#isNoted?.();
          await receiptFile.write(hashes, receipts);
          await history?.fold(writer, placing.version, hashes);
        },
      });
      if (bytes === undefined) await this.#outside.load();
      else this.#saved(placing.members);
      return bytes;
    });
  }

  #saved(members: readonly Exported[]): void {
    this.#parts.written?.done(members);
    this.#parts.wholeInJournal.forget();
  }

  #placing(): CheckpointRequest {
    const { data, layout, options, writer, known, size, protection, conflictCopies, written } = this.#parts;
    const members = data.lend();
    size.take();
    written?.begin(members);
    const textOf = (file: string): string => [...(layout.render(data.peek()).get(file) ?? [])].join("");
    return {
      layout,
      journal: writer,
      known,
      members,
      version: data.state.version,
      replacedFiles: this.#replacedFiles,
      leavesAlone: this.#unchangedAndProtected(members),
      expectSize: (file, bytes) => size.learn(file, bytes),
      protectionOf: (file) => protection.reasonFor(file),
      mayReplace: () => !options.followsOutside || this.#isWithoutEdits(),
      keepOutside: (file, replaced) => {
        if (replaced && holdsSameData(replaced, () => textOf(file))) return;
        conflictCopies.saveOutside(file, replaced);
      },
    };
  }

  /** Files that were merely removed or emptied are no edit: they are written again. */
  #isWithoutEdits(): boolean {
    const { layout, known } = this.#parts;
    return layout.files().length === 0 || known.emptied().length === known.changedOutside().length;
  }

  /** Tells the files that are protected and hold the data, though perhaps in another format than ours. */
  #unchangedAndProtected(members: readonly Exported[]): (file: string) => boolean {
    const { layout, protection } = this.#parts;
    const { differing } = this.#outside;
    if (differing === "all" || !protection.isOn) return () => false;
    const changed = new Set(differing);
    for (const { name, version } of members) if (version > LOADED_VERSION) changed.add(layout.fileOf(name));
    return (file) => !changed.has(file) && protection.has(file);
  }

  /** Keeps `saveAtOnce` out while the steps of an operation follow each other. */
  async #atFiles<T>(work: () => Promise<T>): Promise<T> {
    this.#isAtFiles = true;
    try {
      return await work();
    } finally {
      this.#isAtFiles = false;
    }
  }

  #oneAtATime<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#work.then(work);
    this.#work = result.catch(() => undefined);
    return result;
  }
}

import { copyFileSync, existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { messageOf, StandinError, StartError } from "../../base/errors.ts";
import { realPath } from "../../base/files/atomic-write.ts";
import type { JsonObject } from "../../base/json/json.ts";
import { atOnce, inSlices, nextTurn, STEP, type Work } from "../../base/slices.ts";
import type { Completions } from "../completion.ts";
import { dataTooLarge, isTooLong, MAX_TEXT } from "../data-too-large.ts";
import { type IdKeyOptions, IdKeys } from "../id-keys.ts";
import { MemoryStore } from "../memory/memory-store.ts";
import { LOADED_VERSION, State } from "../memory/state.ts";
import type { Receipt } from "../receipts.ts";
import type { RecordRules } from "../record-rules.ts";
import type { ApplyOptions, Change, Edit, Exported, MemberEdit, Write } from "../store.ts";
import { checkpoint, type PlacingRequest } from "./checkpoint.ts";
import { checkpointNow } from "./checkpoint-now.ts";
import { ConflictCopies } from "./conflict-copies.ts";
import { DataSize, type Growth } from "./data-size.ts";
import { holdsSameData } from "./holds-same-data.ts";
import { isJson } from "./is-json.ts";
import { type Base, Journal, type Line } from "./journal/journal.ts";
import {
  encodeChange,
  encodeLargeChange,
  encodeLine,
  encodeMemberEdit,
  encodeMovedMember,
  encodeSwap,
  encodeWhole,
} from "./journal/journal-format.ts";
import type { LineText } from "./journal/long-line.ts";
import { type Recovered, recover } from "./journal/recover.ts";
import { KnownFiles } from "./known-files.ts";
import type { Layout, Loaded } from "./layout.ts";
import { acquireLock, type Lock } from "./lock.ts";
import { ownFile, removeOwnFolderIfEmpty, setAside } from "./own-folder.ts";
import { ReceiptFile } from "./receipt-file.ts";
import { RememberedFingerprints } from "./remembered-fingerprints.ts";
import type { ReplacedFile } from "./replaced/replaced-file.ts";
import { ReplacedFiles } from "./replaced/replaced-files.ts";
import { SaveSchedule } from "./save-schedule.ts";
import { WriteProtection } from "./write-protection.ts";
import { WrittenMembers } from "./written-members.ts";

/** Kind, position and brackets of an edit in the journal. */
const EDIT_LENGTH = 32;
/** An editor empties a file right before it writes it; one that stays empty for so long has lost its content. */
const EMPTY_MS = 1000;

export interface FileStoreOptions extends IdKeyOptions {
  /** `process`: an acknowledged write survives the end of this process. `disk`: it survives a power loss, too. */
  readonly durability: "process" | "disk";
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

/** A line of the journal, and how its change is taken back where it cannot be written. */
interface UndoableLine extends Line {
  readonly undo: () => void;
}

/** Data that is ready to take the place of all data. */
interface Swap {
  readonly state: State;
  /** Its line of the journal. */
  readonly text: LineText;
  readonly bytes: number;
}

interface Opening {
  readonly layout: Layout;
  readonly options: FileStoreOptions;
  readonly lock: Lock;
  readonly recovered: Recovered;
}

/**
 * The State in memory, and data files that follow it. A write is acknowledged once the journal has it; a little later a
 * checkpoint folds the journal into the files. Operations on the files run one after the other.
 */
export class FileStore extends MemoryStore {
  override readonly engine: string = "file";
  readonly isFromFile = true;
  readonly durability: "process" | "disk";
  readonly #layout: Layout;
  readonly #options: FileStoreOptions;
  readonly #lock: Lock;
  readonly #journal: Journal;
  readonly #known: KnownFiles;
  readonly #replacedFiles: ReplacedFiles;
  readonly #conflictCopies: ConflictCopies;
  readonly #receiptFile: ReceiptFile;
  readonly #remembered: RememberedFingerprints;
  readonly #protection: WriteProtection;
  readonly #size: DataSize;
  /** The growth by a large change that is about to be committed. */
  #weighed: { readonly change: Change; readonly growth: Growth } | undefined;
  readonly #schedule: SaveSchedule;
  /** Where programs read the files themselves. */
  readonly #written: WrittenMembers | undefined;
  #fileWork: Promise<unknown> = Promise.resolve();
  /** An operation on the files is between two of its steps. */
  #isAtFiles = false;
  #isFailing = false;
  #isServing = false;
  #isRefusing = false;
  #weighing: Promise<void> | undefined;
  #fillTimer: NodeJS.Timeout | undefined;
  /** Whether the files cannot be loaded, so that the journal has to hold all data, too; `kept` when it does. */
  #wholeInJournal: "unneeded" | "needed" | "kept" = "unneeded";
  /** The files that differ from the data for another reason than changes of their members since the load. */
  #differing: ReadonlySet<string> | "all" = new Set();

  /** Locks the files for this process and loads them, including the changes a crashed process left in its journal. */
  static async open(layout: Layout, options: FileStoreOptions): Promise<FileStore> {
    const { store, adopted } = FileStore.#begin(layout, options);
    try {
      await adopted;
      return store;
    } catch (thrown) {
      store.#schedule.stop();
      store.#replacedFiles.stop();
      store.#lock.release();
      throw thrown;
    }
  }

  /** The same, synchronously: files that a crashed process left beside its journal are adopted before the first save. */
  static openNow(layout: Layout, options: FileStoreOptions): FileStore {
    const { store, adopted } = FileStore.#begin(layout, options);
    adopted.catch((thrown) => options.warn(messageOf(thrown)));
    // Whatever the size: no program has read the files yet.
    if (options.savesAtOnce && store.#journal.hasLines) store.#saveAtOnce();
    return store;
  }

  static #begin(layout: Layout, options: FileStoreOptions): { store: FileStore; adopted: Promise<void> } {
    const lock = acquireLock(layout.anchor, options.warn);
    try {
      const recovered = recover(layout, options.warn, lock.isTaken ? "now" : "later");
      const store = new FileStore({ layout, options, lock, recovered });
      // Otherwise the lock has told that nothing can be written.
      if (lock.isTaken) {
        store.#known.remember(store.#remembered);
        store.#protection.report(layout.files());
      }
      // Begins in this turn, before any save.
      const adopting = lock.isTaken ? store.#replacedFiles.adopt() : undefined;
      const adopted = store.#oneAtATime(async () => {
        await adopting;
        store.#isServing = true;
      });
      return { store, adopted };
    } catch (thrown) {
      lock.release();
      throw thrown;
    }
  }

  private constructor({ layout, options, lock, recovered }: Opening) {
    const { database, observed, bytes, journal } = recovered;
    let isInTheWay = recovered.isInTheWay ?? false;
    const { warnOfIds = options.warn } = options;
    const state = State.load(database, IdKeys.from(options), { ...options, warn: warnOfIds });
    for (const receipt of recovered.receipts) state.receipts.add(receipt);
    // The largest of all lines: a note at the end has an older version than the entries before it.
    const versions = journal?.lines.map(({ version }) => version) ?? [];
    state.version = versions.reduce((largest, one) => Math.max(largest, one), journal?.base.v ?? 0) + 1;
    super(state, layout.place);
    this.#layout = layout;
    this.#options = options;
    this.durability = options.durability;
    this.#lock = lock;
    this.#known = new KnownFiles(layout, observed);
    this.#remembered = new RememberedFingerprints(layout.anchor);
    this.#journal = new Journal({
      source: layout.anchor,
      base: journal?.base ?? this.#known.baseAt(state.version),
      toDisk: options.durability === "disk",
      onCreate: () => {
        lock.renew();
        if (isInTheWay) setOldJournalAside(layout, options.warn);
        isInTheWay = false;
      },
    });
    this.#replacedFiles = new ReplacedFiles({
      layout,
      known: this.#known,
      wake: () => void this.#oneAtATime(() => this.#replacedFiles.settle()).catch(() => undefined),
      // Only a whole edit can be loaded; one that is kept grows under its new name.
      isWhole: ({ held }) => !options.followsOutside || isJson(held.read()),
      onOutside: (replaced) => this.#resolveOutside(replaced),
    });
    this.#receiptFile = new ReceiptFile(layout.anchor);
    this.#conflictCopies = new ConflictCopies({ layout, ...options });
    this.#size = new DataSize({ layout, maxBytes: options.maxBytes ?? MAX_TEXT }, bytes);
    this.#protection = new WriteProtection({ layout, warn: options.warn });
    this.#schedule = new SaveSchedule(bytes, () => this.#save());
    if (options.savesAtOnce) this.#written = new WrittenMembers(() => this.lendAll(this.baseline));
    if (journal) {
      this.#differing = journal.files;
      this.#journal.resume(journal.lines);
      this.#schedule.changed();
    }
  }

  announceAddress(url: string): void {
    this.#lock.announce(url);
  }

  override apply(write: Write, options?: ApplyOptions): Promise<Change> {
    if (!this.#size.isUnsure) return super.apply(write, options);
    this.#weighing ??= this.#size.weigh(this.lendAll()).finally(() => {
      this.#weighing = undefined;
    });
    return this.#weighing.then(() => this.apply(write, options));
  }

  protected override async encode(
    change: Change,
    receipt: Receipt | undefined,
  ): Promise<readonly string[] | undefined> {
    const { state } = this;
    const growth = await inSlices(this.#size.growthBy(change.edits));
    this.#size.expectRoom(growth);
    await inSlices(expectLine(change, receipt));
    this.#weighed = { change, growth };
    // Each removed record shifts those behind it: positions are only known after the removal, and the line is short.
    const isShifting = change.edits.length > 1 && change.edits.some(({ before }) => before);
    if (isShifting && !change.isOrdered) return undefined;
    const positionOf = (edit: Edit): number => state.positionOf(edit);
    const isSingleton = (name: string): boolean => state.singleton(name) !== undefined;
    return inSlices(encodeLargeChange(change, { positionOf, isSingleton, receipt }));
  }

  protected override carryOut(change: Change, encoded?: LineText, receipt?: Receipt): Promise<Change> {
    const { state } = this;
    this.#expectWritable(change.edits);
    const growth = this.#growthBy(change);
    if (encoded === undefined) atOnce(expectLine(change, receipt));
    this.#size.expectRoom(growth);
    this.#size.add(growth);
    let takeBack = (): void => state.undo(change);
    let positions: readonly number[] = [];
    if (encoded !== undefined && change.isOrdered) takeBack = state.commitAtOnce(change);
    else positions = state.commit(change);
    const isSingleton = (name: string): boolean => state.singleton(name) !== undefined;
    const text = encoded ?? encodeLine(encodeChange(change, { positions, isSingleton, receipt }));
    const undo = (): void => {
      takeBack();
      this.#size.add(growth, -1);
    };
    return this.#appendToJournal({ version: change.version, text, undo }, () => {
      if (receipt) state.receipts.add(receipt);
      this.announce({ kind: "change", change });
      return change;
    });
  }

  #growthBy(change: Change): Growth {
    const weighed = this.#weighed;
    this.#weighed = undefined;
    return weighed?.change === change ? weighed.growth : atOnce(this.#size.growthBy(change.edits));
  }

  protected override encodeMember(edit: MemberEdit): Promise<LineText> | undefined {
    // A line that renames by name alone needs both names in one file, as each file is recovered by itself.
    if (edit.kind !== "renamed" || this.#layout.fileOf(edit.name) === this.#layout.fileOf(edit.to)) return undefined;
    const content = this.lendAll().find(({ name }) => name === edit.name)!;
    return inSlices(encodeMovedMember(this.state.version + 1, content, edit.to));
  }

  protected override async alterNow(edit: MemberEdit, encoded?: LineText): Promise<void> {
    this.#expectFilesFor(edit.kind === "created" ? [edit.name] : edit.kind === "renamed" ? [edit.to] : []);
    this.#expectWritable(edit.kind === "renamed" ? [edit, { name: edit.to }] : [edit]);
    const { state } = this;
    const undo = state.alter(edit);
    const { version } = state;
    const text = encoded ?? encodeLine(encodeMemberEdit(version, edit));
    await this.#appendToJournal({ version, text, undo }, () => this.announce({ kind: "members", version, edit }));
    if (edit.kind === "renamed") this.#warnOfKey(edit.to);
  }

  /** Expects that members of these names can have a file each, beside all files that are there or will be. */
  #expectFilesFor(names: readonly string[]): void {
    const { fileOf, namesProblem } = this.#layout;
    if (!namesProblem || names.length === 0) return;
    const members = [...this.members().map(({ name }) => name), ...names];
    const problem = namesProblem(new Set([...this.#known.files, ...members.map(fileOf)]));
    if (problem !== undefined) throw new StandinError("COLLECTION_INVALID", `${problem} Choose another name.`);
  }

  /** Hot path: looks at the files with the first change after a save, and at each change while one is protected. */
  #expectWritable(changed: readonly { readonly name: string }[]): void {
    if (this.#journal.hasLines && !this.#protection.isOn) return;
    this.#protection.expectWritable(new Set(changed.map(({ name }) => this.#layout.fileOf(name))));
  }

  /** The files do not say which field a primary key is. */
  #warnOfKey(name: string): void {
    const idKey = this.idKeyOf(name);
    if (this.kindOf(name) !== "collection" || idKey === IdKeys.from(this.#options).of(name)) return;
    const setting = JSON.stringify({ [name]: { idKey } });
    this.#options.warn(`${name} keeps its primary key ${idKey} until the next start. Add ${setting} to "collections".`);
  }

  protected override async carryOutReceipt(receipt: Receipt): Promise<void> {
    const { state } = this;
    const change: Change = { version: state.version + 1, edits: [] };
    state.commit(change);
    const text = encodeLine(encodeChange(change, { positions: [], isSingleton: () => false, receipt }));
    const line = { version: change.version, text, undo: () => state.undo(change) };
    await this.#appendToJournal(line, () => state.receipts.add(receipt));
  }

  override async swap(database: JsonObject): Promise<void> {
    this.#expectFilesFor(Object.keys(database));
    await this.#exchangeInSlices(() => this.state.loadNext(database));
  }

  override async swapAtOnce(database: JsonObject): Promise<void> {
    this.#expectFilesFor(Object.keys(database));
    await this.#exchangeDurably(atOnce(this.#planSwap(this.state.loadNext(database))));
  }

  override async reset(): Promise<void> {
    await this.#exchangeInSlices(() => this.baseline.fork());
  }

  override reload(): Promise<boolean> {
    return this.#oneAtATime(() => this.#atFiles(async () => (await this.#reload()) !== "unchanged"));
  }

  /** The same, synchronously; false when there are unsaved changes, which only `reload` can deal with. */
  reloadNow(): boolean {
    if (this.#known.changedOutside().length === 0) return true;
    const loaded = this.#layout.load({ refuseBlank: true });
    const state = this.state.loadNext(loaded.database, this.#options.warn);
    const isDone = this.#journal.restartNow(() => this.#adopt(state, loaded));
    if (isDone) this.announceExchange();
    return isDone;
  }

  override async close(): Promise<void> {
    this.#schedule.stop();
    clearTimeout(this.#fillTimer);
    // Not every caller awaits its writes.
    await this.prepared();
    await this.#journal.idle();
    await this.#oneAtATime(async () => {
      await this.#saveNow().catch((thrown: unknown) => this.#saveBeside(thrown));
      this.#isServing = false;
      await this.#replacedFiles.close();
      await this.#journal.idle();
      this.#journal.close();
      this.#remembered.remove();
      this.#lock.release();
      removeOwnFolderIfEmpty(this.#layout.anchor);
    });
  }

  /** With --watch, a file that cannot be loaded is left to its editor: a last save goes beside it. */
  async #saveBeside(thrown: unknown): Promise<void> {
    if (!(thrown instanceof StartError)) throw thrown;
    await this.#conflictCopies.saveBeside(this.lendAll(), thrown.message);
  }

  /** Replaces all data with pauses: meanwhile reads find the data there is, and writes wait. */
  async #exchangeInSlices(next: () => State): Promise<void> {
    const { exchanged } = await this.prepareAlone(async () => {
      for (;;) {
        // The caller may have read the data in this turn.
        await nextTurn();
        const { state } = this;
        const { version } = state;
        const prepared = next();
        if (!prepared.isCreated) await prepared.create();
        const swap = await inSlices(this.#planSwap(prepared));
        // A reload may have replaced all data during a pause.
        if (this.state === state && state.version === version) return { exchanged: this.#exchangeDurably(swap) };
      }
    });
    await exchanged;
  }

  /** Encodes the next data for the journal; throws where a start could not read so much. */
  *#planSwap(state: State): Work<Swap> {
    try {
      const members = this.lendAll(state);
      const text = yield* encodeSwap(this.state.version + 1, members);
      const bytes = text.reduce((sum, { length }) => sum + length, 0);
      yield* this.#size.expectFits(bytes, members);
      return { state, text, bytes };
    } catch (thrown) {
      throw isTooLong(thrown) ? dataTooLarge("The data", undefined, MAX_TEXT) : thrown;
    }
  }

  async #exchangeDurably({ state, text, bytes }: Swap): Promise<void> {
    this.#protection.expectWritable(this.#known.files);
    this.#differing = "all";
    const before = this.state;
    this.exchange(state);
    this.#size.replace(bytes);
    const { version } = state;
    const undo = (): void => {
      this.exchange(before);
      this.#size.doubt();
    };
    const line = { version, text, undo };
    await this.#appendToJournal(line, () => this.announce({ kind: "exchange", version }));
  }

  /** Resolves to the result of `announce`, which is called when the journal has the line. */
  #appendToJournal<T>({ version, text, undo }: UndoableLine, announce: () => T): Promise<T> {
    const { maxJournal = MAX_TEXT } = this.#options;
    if (!this.#journal.hasRoomFor(text, maxJournal)) {
      undo();
      const full = new Error(`the journal of unsaved changes would have more than ${maxJournal} characters`);
      return Promise.reject(full).catch((thrown) => this.#refuse(thrown));
    }
    const appending = this.#journal.append(version, text, undo);
    // In the same write: the change alone is of no use.
    if (this.#wholeInJournal === "needed") this.#keepWhole();
    const appended = appending.then(
      () => {
        if (this.#isRefusing) this.#options.warn("Writes are accepted again.");
        this.#isRefusing = false;
        this.#schedule.changed();
        return announce();
      },
      (thrown) => this.#refuse(thrown),
    );
    if (!this.#options.savesAtOnce || (this.#schedule.isSmall && this.#saveAtOnce())) return appended;
    // A handler may respond in this turn.
    this.#journal.appendNow();
    // A failed save is reported and repeated; the journal has the write.
    return appended.then((result) =>
      this.#save().then(
        () => result,
        () => result,
      ),
    );
  }

  override staleCopies(): readonly (readonly Exported[])[] {
    return (this.#journal.hasLines && this.#written?.all()) || [];
  }

  /** With --watch, a file that cannot be loaded has lost the data that the lines of the journal build on. */
  #keepWhole(): void {
    this.#wholeInJournal = "kept";
    const again = (): void => {
      this.#wholeInJournal = "needed";
    };
    try {
      const { version } = this.state;
      this.#journal.keepWhole(version, atOnce(encodeWhole(version, this.lendAll()))).catch(again);
    } catch (thrown) {
      this.#options.warn(`The journal cannot hold all data (${messageOf(thrown)}).`);
    }
  }

  /** Saves in this turn; false where that takes longer. */
  #saveAtOnce(): boolean {
    if (this.#isAtFiles || this.#protection.isOn || this.state.receipts.size > 0) return false;
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

  #refuse(thrown: unknown): never {
    this.#replacedFiles.freeSpace();
    const reason = messageOf(thrown);
    if (!this.#isRefusing) this.#options.warn(`Writes are refused until ${this.place} can be saved (${reason}).`);
    this.#isRefusing = true;
    throw new StandinError(
      "STORE_UNAVAILABLE",
      `The change cannot be saved (${reason}). Nothing was changed; try again when the disk accepts writes.`,
      { "Retry-After": "1" },
    );
  }

  /** Saves all changes. The schedule retries a failed save; until then the journal holds the unsaved changes. */
  async #save(): Promise<number | undefined> {
    try {
      const bytes = await this.#oneAtATime(() => this.#saveNow());
      if (this.#isFailing) this.#options.warn(`${this.place} can be written again; everything is saved.`);
      this.#isFailing = false;
      return bytes;
    } catch (thrown) {
      this.#replacedFiles.freeSpace();
      if (!this.#isFailing) {
        this.#options.warn(`${this.place} cannot be written (${messageOf(thrown)}); changes are kept in the journal.`);
      }
      this.#isFailing = true;
      throw thrown;
    }
  }

  async #saveNow(): Promise<number | undefined> {
    if (!this.#journal.hasLines && this.#known.emptied().length === 0) return undefined;
    return this.#atFiles(async () => {
      // Those of the saved data: a restore that begins meanwhile may never reach the journal.
      const { receipts } = this.state;
      const placing = this.#placing();
      const bytes = await checkpoint({
        ...placing,
        // The journal is about to drop them with its lines.
        beforeFold: (hashes) => this.#receiptFile.write(hashes, receipts),
      });
      if (bytes === undefined) await this.#reload();
      else this.#saved(placing.members);
      return bytes;
    });
  }

  #saved(members: readonly Exported[]): void {
    this.#written?.done(members);
    this.#wholeInJournal = "unneeded";
  }

  #placing(): PlacingRequest {
    const members = this.lendAll();
    this.#size.take();
    this.#written?.begin(members);
    return {
      layout: this.#layout,
      journal: this.#journal,
      known: this.#known,
      members,
      version: this.state.version,
      replacedFiles: this.#replacedFiles,
      leavesAlone: this.#unchangedAndProtected(members),
      expectSize: (file, bytes) => this.#size.learn(file, bytes),
      protectionOf: (file) => this.#protection.reasonFor(file),
      mayReplace: () => !this.#options.followsOutside || this.#isWithoutEdits(),
      keepOutside: (file, replaced) => {
        if (replaced && holdsSameData(replaced, () => this.#textOf(file))) return;
        this.#conflictCopies.saveOutside(file, replaced);
      },
    };
  }

  #textOf(file: string): string {
    return [...(this.#layout.render(this.peek()).get(file) ?? [])].join("");
  }

  /** Files that were merely removed or emptied are no edit: they are written again. */
  #isWithoutEdits(): boolean {
    if (this.#layout.files().length === 0) return true;
    return this.#known.emptied().length === this.#known.changedOutside().length;
  }

  /** Tells the files that are protected and hold the data, though perhaps in another format than ours. */
  #unchangedAndProtected(members: readonly Exported[]): (file: string) => boolean {
    if (this.#differing === "all" || !this.#protection.isOn) return () => false;
    const changed = new Set(this.#differing);
    for (const { name, version } of members) if (version > LOADED_VERSION) changed.add(this.#layout.fileOf(name));
    return (file) => !changed.has(file) && this.#protection.has(file);
  }

  /** Loads the files if they changed; `copied` means that all unsaved data is in a conflict copy now. */
  async #reload(): Promise<"unchanged" | "reloaded" | "copied"> {
    if (this.#known.changedOutside().length === 0) return "unchanged";
    const loaded = this.#load();
    const state = this.state.loadNext(loaded.database, this.#options.warn);
    let unsaved: Exported[] = [];
    const journal = await this.#journal.restart(() => {
      unsaved = this.lendAll();
      return this.#adopt(state, loaded);
    });
    this.announce({ kind: "exchange", version: state.version });
    return journal && (await this.#conflictCopies.saveUnsaved(unsaved, journal)) ? "copied" : "reloaded";
  }

  /** Loads files that are not blank. A program is about to fill a blank one; otherwise it gets its content back. */
  #load(): Loaded {
    try {
      return this.#layout.load({ refuseBlank: true });
    } catch (thrown) {
      if (this.#wholeInJournal === "unneeded") this.#wholeInJournal = "needed";
      if (this.#wholeInJournal === "needed" && this.#journal.hasLines) this.#keepWhole();
      if (this.#known.emptied().length > 0) {
        this.#fillTimer ??= setTimeout(() => {
          this.#fillTimer = undefined;
          this.#save().catch(() => undefined);
        }, EMPTY_MS).unref();
      }
      throw thrown;
    }
  }

  /** Makes a state that was just loaded from the files the current one. */
  #adopt(state: State, { observed, bytes }: Loaded): Base {
    this.exchange(state);
    this.#size.replace(bytes);
    this.baseline = state.fork();
    this.#written?.restart(() => this.lendAll(this.baseline));
    this.#wholeInJournal = "unneeded";
    this.#receiptFile.remove();
    this.#known.replace(observed);
    this.#differing = new Set();
    return this.#known.baseAt(state.version);
  }

  /** Loads or copies an outside version that is in no data file any more. */
  async #resolveOutside(replaced: ReplacedFile): Promise<void> {
    if (this.#options.followsOutside && this.#isServing && (await this.#loadOutside(replaced))) return;
    this.#conflictCopies.saveOutside(replaced.file, replaced);
  }

  /** With --watch an outside edit wins, even one that was written to a file while a save replaced it. */
  async #loadOutside({ held, file }: ReplacedFile): Promise<boolean> {
    const path = realPath(join(this.#layout.folder, file));
    if (!held.isNamed || !existsSync(path) || !isJson(held.read()) || this.#known.isChanged(file)) return false;
    // The saved version loses as well. It exists nowhere else, and the journal builds on it.
    const copy = this.#conflictCopies.unusedPath("unsaved", file);
    copyFileSync(path, copy);
    try {
      held.keepAs(path);
    } catch (thrown) {
      rmSync(copy, { force: true });
      throw thrown;
    }
    // The watcher reports a file that cannot be loaded.
    const result = await this.#reload().catch(() => undefined);
    if (result === "copied") rmSync(copy, { force: true });
    else this.#options.warn(`${path} was changed from outside while changes were saved; these changes are in ${copy}.`);
    return true;
  }

  /** Keeps `#saveAtOnce` out while the steps of an operation follow each other. */
  async #atFiles<T>(work: () => Promise<T>): Promise<T> {
    this.#isAtFiles = true;
    try {
      return await work();
    } finally {
      this.#isAtFiles = false;
    }
  }

  #oneAtATime<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#fileWork.then(work);
    this.#fileWork = result.catch(() => undefined);
    return result;
  }
}

/** A change is one line of the journal, and a start reads that as one text. */
function* expectLine({ edits }: Change, receipt: Receipt | undefined): Work<void> {
  // Quotes of the response get a backslash.
  let length = 2 * (receipt?.response.json?.length ?? 0);
  for (const [position, { name, after }] of edits.entries()) {
    length += (after?.text.length ?? 0) + name.length + EDIT_LENGTH;
    if (position % STEP === STEP - 1) yield;
  }
  if (length > MAX_TEXT) throw dataTooLarge("The change", length, MAX_TEXT);
}

/** Sets aside the journal that a read-only folder kept in place at the start. */
function setOldJournalAside({ anchor }: Layout, warn: (text: string) => void): void {
  const path = ownFile(anchor, "journal");
  if (existsSync(path)) warn(`The journal of an earlier process is kept as ${setAside(path)}.`);
}

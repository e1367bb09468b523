import { createHash } from "node:crypto";
import { copyFileSync, existsSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { realPath, writeAtomically } from "../../atomic-write.ts";
import { messageOf, StandinError } from "../../errors.ts";
import type { JsonObject } from "../../json.ts";
import { inSlices } from "../../slices.ts";
import { MemoryStore } from "../memory/memory-store.ts";
import { State } from "../memory/state.ts";
import type { Change, Exported } from "../store.ts";
import { checkpoint } from "./checkpoint.ts";
import { firmLook } from "./fingerprint.ts";
import { isJson } from "./is-json.ts";
import { type Base, type Former, Journal } from "./journal/journal.ts";
import { encodeChange, encodeLargeChange, encodeLine } from "./journal/journal-format.ts";
import { type Recovered, recover } from "./journal/recover.ts";
import { KnownFiles } from "./known-files.ts";
import type { Layout, Loaded } from "./layout.ts";
import { acquireLock, type Lock } from "./lock.ts";
import { ownFile, removeOwnFolderIfEmpty, setAside } from "./own-folder.ts";
import { renderDatabase } from "./render.ts";
import { Formers, type Replaced } from "./replaced/replaced-files.ts";
import { SaveSchedule } from "./save-schedule.ts";

export interface FileStoreOptions {
  readonly idKey: string;
  /** `process`: a kept write survives the end of this process. `disk`: it survives a power loss, too. */
  readonly durability: "process" | "disk";
  /** An outside change of the files replaces the data; otherwise the data replace it, after a copy was made. */
  readonly followsOutside: boolean;
  readonly warn: (text: string) => void;
  /** What new text ids are made from; by chance without. */
  readonly seed?: number | undefined;
}

/**
 * The State in memory, and data files that follow it. A write is acknowledged when the journal has it; a little later a
 * checkpoint folds the journal into the files. Whatever touches the files does so one after the other.
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
  readonly #formers: Formers;
  readonly #schedule: SaveSchedule;
  /** How to take back each change that the journal does not have yet, oldest first. */
  #undos: (() => void)[] = [];
  #fileWork: Promise<unknown> = Promise.resolve();
  #isFailing = false;
  #isServing = false;
  #isRefusing = false;

  /** Takes the files for this process and loads them, with what a crashed process left in its journal. */
  static async open(layout: Layout, options: FileStoreOptions): Promise<FileStore> {
    const { store, adopted } = FileStore.#begin(layout, options);
    try {
      await adopted;
      return store;
    } catch (thrown) {
      store.#schedule.stop();
      store.#formers.stop();
      store.#lock.release();
      throw thrown;
    }
  }

  /** The same in this turn: what a crashed process left beside its journal is looked at before anything is saved. */
  static openNow(layout: Layout, options: FileStoreOptions): FileStore {
    const { store, adopted } = FileStore.#begin(layout, options);
    adopted.catch((thrown) => options.warn(messageOf(thrown)));
    return store;
  }

  static #begin(layout: Layout, options: FileStoreOptions): { store: FileStore; adopted: Promise<void> } {
    const lock = acquireLock(layout.anchor, options.warn);
    try {
      const recovered = recover(layout, options.warn, lock.isTaken ? "now" : "later");
      const store = new FileStore(layout, options, lock, recovered);
      const adopted = store.#oneAtATime(async () => {
        if (lock.isTaken) await store.#formers.adopt();
        store.#isServing = true;
      });
      return { store, adopted };
    } catch (thrown) {
      lock.release();
      throw thrown;
    }
  }

  private constructor(layout: Layout, options: FileStoreOptions, lock: Lock, recovered: Recovered) {
    const { database, seen, bytes, journal } = recovered;
    let isInTheWay = recovered.isInTheWay ?? false;
    const state = State.load(database, options.idKey, options.warn, undefined, options.seed);
    // Above every line: a note at the end speaks of an older version than entries before it.
    const versions = journal?.lines.map(({ version }) => version) ?? [];
    state.version = versions.reduce((largest, one) => Math.max(largest, one), journal?.base.v ?? 0) + 1;
    super(state, layout.place);
    this.#layout = layout;
    this.#options = options;
    this.durability = options.durability;
    this.#lock = lock;
    this.#known = new KnownFiles(layout, seen);
    this.#journal = new Journal({
      source: layout.anchor,
      base: journal?.base ?? this.#known.baseAt(state.version),
      toDisk: options.durability === "disk",
      onCreate: () => {
        lock.renew();
        if (isInTheWay) setOldJournalAside(layout, options.warn);
        isInTheWay = false;
      },
      onRefused: () => this.#takeBack(),
    });
    this.#formers = new Formers({
      layout,
      known: this.#known,
      wake: () => void this.#oneAtATime(() => this.#formers.settle()).catch(() => undefined),
      onOutside: (replaced) => this.#saveOutside(replaced),
    });
    this.#schedule = new SaveSchedule(bytes, () => this.#save());
    if (journal) {
      this.#journal.resume(journal.lines);
      this.#schedule.changed();
    }
  }

  protected override async describe(change: Change): Promise<string | undefined> {
    const { state } = this;
    // Where records go, each moves those behind it: positions are known when they have gone, and their line is short.
    if (change.edits.length > 1 && change.edits.some(({ before }) => before)) return undefined;
    const positions = change.edits.map((edit) => state.positionOf(edit));
    return inSlices(encodeLargeChange(change, positions, (name) => state.singleton(name) !== undefined));
  }

  protected override async carryOut(change: Change, described?: string): Promise<Change> {
    const { state } = this;
    const positions = state.commit(change);
    const line =
      described ?? encodeLine(encodeChange(change, positions, (name) => state.singleton(name) !== undefined));
    await this.#keep(change.version, line, () => state.undo(change));
    this.announce({ kind: "change", change });
    return change;
  }

  override async swap(database: JsonObject): Promise<void> {
    await this.#exchangeAndKeep(this.state.loadNext(database));
  }

  override async reset(): Promise<void> {
    await this.#exchangeAndKeep(this.baseline.fork());
  }

  override reload(): Promise<boolean> {
    return this.#oneAtATime(async () => (await this.#reload()) !== "unchanged");
  }

  /** The same in this turn; false where unsaved changes are in the way, and only `reload` can tell what to do with them. */
  reloadNow(): boolean {
    if (this.#known.changedOutside().length === 0) return true;
    const loaded = this.#layout.load({ refuseBlank: true });
    const state = this.state.loadNext(loaded.database, this.#options.warn);
    const isDone = this.#journal.restartNow(() => this.#load(state, loaded));
    if (isDone) this.announceExchange();
    return isDone;
  }

  override async close(): Promise<void> {
    this.#schedule.stop();
    // Not everyone waits for what they write.
    await this.prepared();
    await this.#journal.idle();
    await this.#oneAtATime(async () => {
      await this.#saveNow();
      this.#isServing = false;
      await this.#formers.close();
      await this.#journal.idle();
      this.#journal.close();
      this.#lock.release();
      removeOwnFolderIfEmpty(this.#layout.anchor);
    });
  }

  async #exchangeAndKeep(state: State): Promise<void> {
    const before = this.state;
    this.exchange(state);
    const line = encodeLine(`{"v":${state.version},"database":${this.#databaseText()}}`);
    await this.#keep(state.version, line, () => this.exchange(before));
    this.announce({ kind: "exchange", version: state.version });
  }

  async #keep(version: number, line: string, undo: () => void): Promise<void> {
    this.#undos.push(undo);
    try {
      await this.#journal.append(version, line);
    } catch (thrown) {
      this.#formers.letGo();
      const reason = messageOf(thrown);
      if (!this.#isRefusing) this.#options.warn(`Writes are refused until ${this.place} can be saved (${reason}).`);
      this.#isRefusing = true;
      throw new StandinError(
        "STORE_UNAVAILABLE",
        `The change cannot be saved (${reason}). Nothing was changed; try again when the disk takes it.`,
        { "Retry-After": "1" },
      );
    }
    if (this.#isRefusing) this.#options.warn("Writes are taken again.");
    this.#isRefusing = false;
    const position = this.#undos.indexOf(undo);
    if (position !== -1) this.#undos.splice(position, 1);
    this.#schedule.changed();
  }

  /** The journal refuses: everything it does not have is undone, latest first. */
  #takeBack(): void {
    for (const undo of this.#undos.splice(0).reverse()) undo();
  }

  /** A save that fails is tried again; until then the journal keeps what is unsaved. */
  async #save(): Promise<number | undefined> {
    try {
      const bytes = await this.#oneAtATime(() => this.#saveNow());
      if (this.#isFailing) this.#options.warn(`${this.place} can be written again; everything is saved.`);
      this.#isFailing = false;
      return bytes;
    } catch (thrown) {
      this.#formers.letGo();
      if (!this.#isFailing) {
        this.#options.warn(`${this.place} cannot be written (${messageOf(thrown)}); changes are kept in the journal.`);
      }
      this.#isFailing = true;
      throw thrown;
    }
  }

  async #saveNow(): Promise<number | undefined> {
    if (!this.#journal.hasLines) return undefined;
    const bytes = await checkpoint({
      layout: this.#layout,
      journal: this.#journal,
      known: this.#known,
      members: this.export(),
      version: this.state.version,
      formers: this.#formers,
      // Files that were merely taken away say nothing: they are made again.
      mayReplace: () => !this.#options.followsOutside || this.#layout.files().length === 0,
      keepOutside: (file, replaced) => this.#keepOutside(file, replaced),
    });
    if (bytes === undefined) await this.#reload();
    return bytes;
  }

  /** Says as well whether all data that were replaced are beside the file now. */
  async #reload(): Promise<"unchanged" | "reloaded" | "kept"> {
    if (this.#known.changedOutside().length === 0) return "unchanged";
    // A blank file is one that somebody is about to fill.
    const loaded = this.#layout.load({ refuseBlank: true });
    const state = this.state.loadNext(loaded.database, this.#options.warn);
    let losing: Exported[] = [];
    const former = await this.#journal.restart(() => {
      losing = this.export();
      return this.#load(state, loaded);
    });
    this.announce({ kind: "exchange", version: state.version });
    return former && (await this.#keepLosing(losing, former)) ? "kept" : "reloaded";
  }

  #load(state: State, { seen }: Loaded): Base {
    this.exchange(state);
    this.baseline = state.fork();
    this.#undos = [];
    this.#known.replace(seen);
    return this.#known.baseAt(state.version);
  }

  /** Data that an outside change has just replaced, though they were never saved, go beside the file. */
  async #keepLosing(losing: readonly Exported[], former: Former): Promise<boolean> {
    const aside = this.#versionPath("unsaved");
    const event = `${this.place} was changed from outside while changes were unsaved`;
    try {
      await writeAtomically(aside, renderDatabase(losing));
      former.discard();
      this.#options.warn(`${event}; these are in ${aside}.`);
      return true;
    } catch (thrown) {
      former.refuse(thrown);
      this.#options.warn(`${event}; these cannot be saved (${messageOf(thrown)}), but are in ${former.path}.`);
      return false;
    }
  }

  /** A version from outside that is in no data file any more. */
  async #saveOutside(replaced: Replaced): Promise<void> {
    if (this.#options.followsOutside && this.#isServing && (await this.#takeOver(replaced))) return;
    this.#keepOutside(replaced.file, replaced);
  }

  /** With --watch an outside change wins, also one that was made to a file while that was being replaced. */
  async #takeOver({ former, file }: Replaced): Promise<boolean> {
    const path = realPath(join(this.#layout.folder, file));
    if (!former.isNamed || !isJson(former.read()) || this.#known.isChanged(file)) return false;
    // What is saved loses as well, is nowhere else, and the journal builds on it.
    const aside = this.#freeVersionPath("unsaved", file);
    copyFileSync(path, aside);
    try {
      former.keepAs(path);
    } catch (thrown) {
      rmSync(aside, { force: true });
      throw thrown;
    }
    // What cannot be loaded is said when the watch finds it.
    const result = await this.#reload().catch(() => undefined);
    if (result === "kept") rmSync(aside, { force: true });
    else this.#options.warn(`${path} was changed from outside while changes were saved; these are in ${aside}.`);
    return true;
  }

  #keepOutside(file: string, replaced: Replaced | undefined): void {
    const path = join(this.#layout.folder, file);
    const aside = this.#freeVersionPath("outside", file);
    if (!replaced) copyFileSync(path, aside);
    else if (replaced.former.isNamed || replaced.isReplaced) {
      replaced.former.keepAs(aside);
      replaced.isKept = true;
    } else {
      // Nothing else keeps it beyond the end of this process. Should its writer go on, there will be another copy.
      const look = firmLook(replaced.former.stat());
      const content = replaced.former.read();
      writeFileSync(aside, content, { flag: "wx" });
      replaced.expected = { hash: createHash("sha256").update(content).digest("hex"), look };
    }
    if (replaced?.isLost) {
      this.#options.warn(
        `An earlier process that ended while it saved left a file of ${this.place} that is not there any more. ` +
          `It is kept as ${aside}; if it is missing, give it its name back.`,
      );
      return;
    }
    const advice = this.#options.followsOutside ? "" : "; use --watch to take such changes over";
    this.#options.warn(`${path} was changed from outside. That version is kept as ${aside}${advice}.`);
  }

  /** A name that is not taken. */
  #freeVersionPath(reason: string, file: string): string {
    for (let time = Date.now(); ; time++) {
      const path = this.#versionPath(reason, file, time);
      if (!existsSync(path)) return path;
    }
  }

  #versionPath(reason: string, file?: string, time = Date.now()): string {
    return join(this.#layout.folder, this.#layout.versionName(`${reason}-${time}`, file));
  }

  #databaseText(): string {
    const parts = this.export().map((member) => {
      const name = JSON.stringify(member.name);
      if (member.kind === "aside") return `${name}:${JSON.stringify(member.value)}`;
      if (member.kind === "singleton") return `${name}:${member.record.text}`;
      return `${name}:[${member.records.map((record) => record.text).join(",")}]`;
    });
    return `{${parts.join(",")}}`;
  }

  #oneAtATime<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#fileWork.then(work);
    this.#fileWork = result.catch(() => undefined);
    return result;
  }
}

/** Sets aside the journal that a read-only folder kept in place at the start. */
function setOldJournalAside({ anchor }: Layout, warn: (text: string) => void): void {
  const path = ownFile(anchor, "journal");
  if (existsSync(path)) warn(`The journal of an earlier process is kept as ${setAside(path)}.`);
}

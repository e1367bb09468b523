import { messageOf, StandinError } from "../../base/errors.ts";
import type { Eventually } from "../../base/eventually.ts";
import type { JsonObject } from "../../base/json/json.ts";
import { atOnce, inSlices, nextTurn, type Work } from "../../base/slices.ts";
import { dataTooLarge, isTooLong, MAX_TEXT } from "../data-too-large.ts";
import type { Origin } from "../history.ts";
import { IdKeys } from "../id-keys.ts";
import type { Journal } from "../memory/journal.ts";
import type { State } from "../memory/state.ts";
import type { Receipt } from "../receipts.ts";
import type { Change, Durability, Exported, KeptLog, LeftChange, MemberEdit, StoreEvent } from "../store.ts";
import type { DataFiles } from "./data-files.ts";
import type { Growth } from "./data-size.ts";
import type { FileParts } from "./file-parts.ts";
import { encodePastMember, type Noted } from "./history/past-text.ts";
import { exchangeTexts } from "./history/state-delta.ts";
import {
  encodeChange,
  encodeLargeChange,
  encodeLine,
  encodeMemberEdit,
  encodeMovedMember,
  encodeRemovedMember,
  encodeSwap,
} from "./journal/journal-format.ts";
import { encodeLongLine, type Line, type LineText } from "./journal/long-line.ts";
import { positionsOfEdits } from "./journal/positions-of-edits.ts";
import { ownFile } from "./own-folder.ts";
import { OwnLog } from "./own-log.ts";

/** Kind, position and brackets of an edit in the journal. */
const EDIT_LENGTH = 32;

/** A line of the journal, and how its change is taken back where it cannot be written. */
interface UndoableLine extends Line {
  readonly undo: () => void;
}

/** A change that is about to be committed. */
interface Prepared {
  readonly of: Change | MemberEdit;
  /** Its line of the journal; undefined where that depends on positions after the commit. */
  readonly text?: LineText | undefined;
  /** The same for the history. */
  readonly past?: LineText | undefined;
  readonly noted?: Noted | undefined;
  readonly growth?: Growth;
}

/** Data that is ready to take the place of all data. */
interface Swap {
  readonly state: State;
  /** Its line of the journal. */
  readonly text: LineText;
  /** That of the history. */
  readonly past: LineText | undefined;
  readonly bytes: number;
}

/** Acknowledges a write once the journal beside the data files has it. The files follow a little later. */
export class FileJournal implements Journal {
  readonly engine = "file";
  readonly isFromFile = true;
  readonly place: string;
  readonly durability: Durability;
  readonly leftChanges: readonly LeftChange[] | undefined;
  readonly #parts: FileParts;
  readonly #files: DataFiles;
  #prepared: Prepared | undefined;
  #weighing: Promise<void> | undefined;
  #isRefusing = false;

  constructor(parts: FileParts, files: DataFiles, leftChanges?: readonly LeftChange[]) {
    this.leftChanges = leftChanges;
    this.#parts = parts;
    this.#files = files;
    this.place = parts.layout.place;
    this.durability = parts.options.durability;
  }

  ready(): Promise<void> | undefined {
    const { size, data, wholeInJournal } = this.#parts;
    if (!size.isUnsure) return wholeInJournal.ready()?.catch((thrown) => this.#refuse(thrown));
    this.#weighing ??= size.weigh(data.lend()).finally(() => {
      this.#weighing = undefined;
    });
    return this.#weighing;
  }

  async prepare(change: Change, origin: Origin, receipt: Receipt | undefined): Promise<void> {
    const { state } = this.#parts.data;
    const noted = this.#note(origin);
    const growth = await inSlices(this.#parts.size.growthBy(change.edits));
    this.#parts.size.expectRoom(growth);
    expectLine(change, receipt);
    // Each removed record shifts those behind it: positions are only known after the removal, and the line is short.
    const isShifting = !change.isOrdered && change.edits.length > 1 && change.edits.some(({ before }) => before);
    const isSingleton = (name: string): boolean => state.singleton(name) !== undefined;
    const encode = (kept?: Receipt): Promise<LineText> => {
      const positionOf = positionsOfEdits(state, change.edits);
      return inSlices(encodeLargeChange(change, { positionOf, isSingleton, receipt: kept, noted }));
    };
    const text = isShifting ? undefined : await encode(receipt);
    // The response of a request belongs to nobody but its client.
    const past = text && this.#parts.data.history && receipt ? await encode() : text;
    this.#prepared = { of: change, growth, text, past, noted };
  }

  /** Who makes a change and when, for the history, and for jobs that a kill keeps this run from making. */
  #note(origin: Origin): Noted | undefined {
    const clock = this.#parts.data.changes ?? this.#parts.options.jobsBy;
    return clock && { origin, time: clock.now() };
  }

  #take(change: Change | MemberEdit): Prepared | undefined {
    const prepared = this.#prepared;
    this.#prepared = undefined;
    return prepared?.of === change ? prepared : undefined;
  }

  commit(change: Change, origin: Origin, receipt?: Receipt): Promise<Change> {
    const { state, changes } = this.#parts.data;
    this.#expectWritable(change.edits);
    const prepared = this.#take(change);
    const growth = prepared?.growth ?? this.#parts.size.growthNow(change.edits);
    if (!prepared) expectLine(change, receipt);
    this.#parts.size.expectRoom(growth);
    this.#parts.size.add(growth);
    let takeBack = (): void => state.undo(change);
    let positions: readonly number[] = [];
    if (prepared?.text && change.isOrdered) takeBack = state.commitAtOnce(change);
    else positions = state.commit(change);
    const noted = prepared?.noted ?? this.#note(origin);
    changes?.noteChange(change, origin, noted?.time);
    const isSingleton = (name: string): boolean => state.singleton(name) !== undefined;
    const encode = (kept?: Receipt): string =>
      encodeLine(encodeChange(change, { positions, isSingleton, receipt: kept, noted }));
    const text = prepared?.text ?? encode(receipt);
    const past = changes && (prepared?.past ?? (receipt ? encode() : text));
    const undo = (): void => {
      takeBack();
      changes?.takeBack(change.version);
      this.#parts.size.add(growth, -1);
    };
    return this.#append({ version: change.version, text, past, undo }, () => {
      if (receipt) state.receipts.add(receipt);
      this.#parts.data.announce({ kind: "change", change, time: noted?.time, depth: origin.depth });
      return change;
    });
  }

  async keep(receipt: Receipt): Promise<void> {
    const { state } = this.#parts.data;
    const change: Change = { version: state.version + 1, edits: [] };
    state.commit(change);
    const text = encodeLine(encodeChange(change, { positions: [], isSingleton: () => false, receipt }));
    const line = { version: change.version, text, undo: () => state.undo(change) };
    await this.#append(line, () => state.receipts.add(receipt));
  }

  prepareEdit(edit: MemberEdit, origin: Origin): Promise<void> | undefined {
    const { layout, data } = this.#parts;
    const noted = data.history && this.#note(origin);
    const isMoving = edit.kind === "renamed" && layout.fileOf(edit.name) !== layout.fileOf(edit.to);
    if (!isMoving && !(noted && edit.kind === "removed")) return undefined;
    const members = data.lend();
    const at = members.findIndex(({ name }) => name === edit.name);
    const content = members[at];
    if (!content) return undefined;
    const line = { version: data.state.version + 1, past: noted ? encodePastMember(edit, noted) : "" };
    // A line that renames by name alone needs both names in one file, as each file is recovered by itself.
    const encoding = isMoving
      ? encodeMovedMember(content, edit.to, line)
      : encodeRemovedMember(edit, { ...line, at, content });
    return inSlices(encoding).then((text) => {
      this.#prepared = { of: edit, text, noted };
    });
  }

  async alter(edit: MemberEdit, origin: Origin): Promise<void> {
    this.#expectFilesFor(edit.kind === "created" ? [edit.name] : edit.kind === "renamed" ? [edit.to] : []);
    this.#expectWritable(edit.kind === "renamed" ? [edit, { name: edit.to }] : [edit]);
    const undo = this.#parts.data.alterNow(edit, origin);
    const { version } = this.#parts.data.state;
    const prepared = this.#take(edit);
    const noted = prepared?.noted ?? (this.#parts.data.history && this.#note(origin));
    const text =
      prepared?.text ?? encodeLine(encodeMemberEdit(version, edit, noted ? encodePastMember(edit, noted) : ""));
    const past = noted && text;
    await this.#append({ version, text, past, undo }, () =>
      this.#parts.data.announce({ kind: "members", version, edit }),
    );
    if (edit.kind === "renamed") this.#warnOfKey(edit.to);
  }

  /** Expects that members of these names can have a file each, beside all files that are there or will be. */
  #expectFilesFor(names: readonly string[]): void {
    const { data, known, layout } = this.#parts;
    if (!layout.namesProblem || names.length === 0) return;
    const served = [...data.state.memberNames()].flatMap(([name, kind]) => (kind ? name : []));
    const files = [...known.files, ...[...served, ...names].map(layout.fileOf)];
    const problem = layout.namesProblem(new Set(files));
    if (problem !== undefined) throw new StandinError("COLLECTION_INVALID", `${problem} Choose another name.`);
  }

  /** Hot path: looks at the files with the first change after a save, and at each change while one is protected. */
  #expectWritable(changed: readonly { readonly name: string }[]): void {
    const { protection, layout } = this.#parts;
    if (this.#parts.writer.hasLines && !protection.isOn) return;
    protection.expectWritable(new Set(changed.map(({ name }) => layout.fileOf(name))));
  }

  /** The files do not say which field a primary key is. */
  #warnOfKey(name: string): void {
    const idKey = this.#parts.data.state.collection(name)?.idKey;
    if (idKey === undefined || idKey === IdKeys.from(this.#parts.options).of(name)) return;
    const setting = JSON.stringify({ [name]: { idKey } });
    this.#parts.options.warn(
      `${name} keeps its primary key ${idKey} until the next start. Add ${setting} to "collections".`,
    );
  }

  async swapNow(database: JsonObject, origin: Origin): Promise<void> {
    this.#expectFilesFor(Object.keys(database));
    await this.#exchange(atOnce(this.#planSwap(this.#parts.data.state.loadNext(database), origin)), origin);
  }

  /** Replaces all data with pauses: meanwhile reads find the data there is, and writes wait. */
  async exchange(next: () => Eventually<State>, origin: Origin, steps?: () => readonly StoreEvent[]): Promise<void> {
    const { exchanged } = await this.#parts.data.alone(async () => {
      for (;;) {
        // The caller may have read the data in this turn.
        await nextTurn();
        const isSame = this.#parts.data.watch();
        const prepared = await next();
        this.#expectFilesFor([...prepared.memberNames().keys()]);
        if (!prepared.isCreated) await prepared.create();
        const swap = await inSlices(this.#planSwap(prepared, origin));
        if (isSame()) return { exchanged: this.#exchange(swap, origin, steps) };
      }
    });
    await exchanged;
  }

  /** Encodes the next data for the journal; throws where a start could not read so much. */
  *#planSwap(state: State, origin: Origin): Work<Swap> {
    try {
      const { data, size } = this.#parts;
      const members = data.lend(state);
      const version = Math.max(state.version, data.state.version + 1);
      const noted = data.history && this.#note(origin);
      const parts = noted ? yield* exchangeTexts(data.state, state, noted) : [];
      const text = yield* encodeSwap(version, members, parts);
      const past = noted && (yield* encodeLongLine([`{"v":${version}`, ...parts, "}"]));
      const bytes = totalOf(text) - totalOf(parts);
      yield* size.expectFits(bytes, members);
      return { state, text, past, bytes };
    } catch (thrown) {
      throw isTooLong(thrown) ? dataTooLarge("The data", undefined, MAX_TEXT) : thrown;
    }
  }

  async #exchange(
    { state, text, past, bytes }: Swap,
    origin: Origin,
    steps?: () => readonly StoreEvent[],
  ): Promise<void> {
    this.#files.beginExchange();
    const takeBack = this.#parts.data.exchange(state, origin);
    this.#parts.size.replace(bytes);
    const { version } = state;
    const undo = (): void => {
      takeBack();
      this.#parts.size.doubt();
    };
    await this.#append({ version, text, past, undo }, () => this.#parts.data.announceExchange(version, steps));
  }

  /** Resolves to the result of `announce`, which is called when the journal has the line. */
  #append<T>({ undo, ...line }: UndoableLine, announce: () => T): Promise<T> {
    const { text } = line;
    const { maxJournal = MAX_TEXT, savesAtOnce } = this.#parts.options;
    if (!this.#parts.writer.hasRoomFor(text, maxJournal)) {
      undo();
      const full = new Error(`the journal of unsaved changes would have more than ${maxJournal} characters`);
      return Promise.reject(full).catch((thrown) => this.#refuse(thrown));
    }
    const appending = this.#parts.writer.append(line, undo);
    // In the same write: the change alone is of no use.
    this.#parts.wholeInJournal.keepNow();
    const appended = appending.then(
      () => {
        if (this.#isRefusing) this.#parts.options.warn("Writes are accepted again.");
        this.#isRefusing = false;
        this.#files.changed();
        return announce();
      },
      (thrown) => this.#refuse(thrown),
    );
    return savesAtOnce ? this.#files.saveAfter(appended) : appended;
  }

  #refuse(thrown: unknown): never {
    this.#files.freeSpace();
    const reason = messageOf(thrown);
    if (!this.#isRefusing) this.#parts.options.warn(`Writes are refused until ${this.place} can be saved (${reason}).`);
    this.#isRefusing = true;
    throw new StandinError(
      "STORE_UNAVAILABLE",
      `The change cannot be saved (${reason}). Nothing was changed; try again when the disk accepts writes.`,
      { "Retry-After": "1" },
    );
  }

  reload(): Promise<boolean> {
    return this.#files.reload();
  }

  staleCopies(): readonly (readonly Exported[])[] {
    const { writer, written } = this.#parts;
    return (writer.hasLines && written?.all()) || [];
  }

  announceAddress(url: string): void {
    this.#parts.lock.announce(url);
  }

  openLog(kind: string, isNoted: () => Promise<void>): KeptLog {
    const { layout, options } = this.#parts;
    this.#files.keepUntil(isNoted);
    return new OwnLog(ownFile(layout.anchor, kind), options.durability === "disk");
  }

  close(): Promise<void> {
    return this.#files.close();
  }
}

function totalOf(texts: readonly string[]): number {
  return texts.reduce((sum, { length }) => sum + length, 0);
}

/** A change is one line of the journal, and a start reads that as one text. */
function expectLine({ edits }: Change, receipt: Receipt | undefined): void {
  // Quotes of the response get a backslash.
  let length = 2 * (receipt?.response.json?.length ?? 0);
  for (const { name, after } of edits) length += (after?.text.length ?? 0) + name.length + EDIT_LENGTH;
  if (length > MAX_TEXT) throw dataTooLarge("The change", length, MAX_TEXT);
}

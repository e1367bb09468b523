import { andThen, type Eventually } from "../../base/eventually.ts";
import type { JsonObject } from "../../base/json/json.ts";
import { inSlices } from "../../base/slices.ts";
import { inBackground } from "../../base/timers.ts";
import type { Origin } from "../history.ts";
import type { Journal } from "../memory/journal.ts";
import type { LiveData } from "../memory/live-data.ts";
import type { State } from "../memory/state.ts";
import type { Receipt } from "../receipts.ts";
import type { Change, Durability, MemberEdit, PastEvent, StoreEvent } from "../store.ts";
import { BesideData, readHeld } from "./beside-data.ts";
import { type Entry, entryOf, pastEvent } from "./entry.ts";
import {
  begin,
  completionOf,
  type IdbDatabase,
  type IdbTransaction,
  isActive,
  openDatabase,
  type StoreName,
} from "./idb.ts";
import { keepData } from "./kept-data.ts";
import { type KeptMember, keepMember } from "./kept-member.ts";
import { refuseWrite } from "./refuse-write.ts";
import { versionsBefore } from "./roll-back.ts";
import {
  KEPT_CHANGES,
  type Meta,
  readData,
  readMeta,
  type StoredData,
  writeAll,
  writeEntry,
  writeMembers,
} from "./stored-data.ts";

/** How long writes rest before the changes are folded into the collections. */
const REST_MS = 1000;
/** With so many changes, waking would become slow. */
const MAX_ENTRIES = 1000;

const RELOAD: Origin = { by: "other", cause: "reload" };

export interface JournalStart {
  readonly name: string;
  readonly database: IdbDatabase;
  readonly stored: StoredData;
  /** Loads the state that a reset restores. */
  readonly load: () => Promise<State>;
  readonly durability: Durability;
  readonly now: () => number;
  readonly release: () => void;
}

/**
 * Acknowledges a write once its transaction is complete. Each one first compares the stored version with the one in memory, so
 * that two workers, as during an update, never overwrite each other.
 */
export class IndexedDbJournal implements Journal {
  readonly engine = "indexeddb";
  readonly place: string;
  readonly durability: Durability;
  readonly kept: BesideData;
  readonly past: readonly PastEvent[];
  readonly #name: string;
  readonly #data: LiveData;
  readonly #now: () => number;
  readonly #release: () => void;
  /** Undefined once the baseline is loaded. */
  #load: JournalStart["load"] | undefined;
  #database: IdbDatabase;
  #meta: Meta;
  #entries: number;
  /** A transaction whose data is known to be that in memory, for the write that has waited for it. */
  #turn: IdbTransaction | undefined;
  #resting: NodeJS.Timeout | undefined;
  #folding: Promise<void> | undefined;

  constructor(data: LiveData, { name, database, stored, load, durability, now, release }: JournalStart) {
    this.place = `IndexedDB "${name}" of this browser`;
    this.durability = durability;
    const place = {
      name,
      begin: (stores: readonly StoreName[]) => this.#transaction(stores),
      open: (stores: readonly StoreName[]) => this.#open(stores),
      branch: () => this.#data.state.branch(),
    };
    this.kept = new BesideData(place, stored);
    this.past = stored.entries.slice(-KEPT_CHANGES).flatMap(pastEvent);
    this.#name = name;
    this.#data = data;
    this.#now = now;
    this.#release = release;
    this.#database = database;
    this.#meta = stored.meta;
    this.#entries = stored.meta.version - stored.meta.folded;
    // Unchanged data is what a reset restores.
    this.#load = stored.meta.isChanged ? load : undefined;
    if (this.#entries > 0) this.#rest();
  }

  loadBaseline(): Promise<void> | undefined {
    return this.#load?.().then((state) => {
      this.#data.baseline = state;
      this.#load = undefined;
    }, refuseWrite);
  }

  ready(): Promise<void> | undefined {
    return this.#turn
      ? undefined
      : this.#begin()
          .catch(refuseWrite)
          .then(() => {});
  }

  async prepare(): Promise<void> {}

  /** Opens a transaction, after all others of this and other workers, and takes over what those have stored. */
  async #begin(opened?: IdbTransaction): Promise<IdbTransaction> {
    const transaction = opened ?? (await this.#open());
    const meta = await readMeta(transaction);
    if (meta?.version !== this.#meta.version || meta.epoch !== this.#meta.epoch) await this.#reload(transaction);
    this.#turn = transaction;
    const end = (): void => {
      if (this.#turn === transaction) this.#turn = undefined;
    };
    transaction.addEventListener("complete", end);
    transaction.addEventListener("abort", end);
    return transaction;
  }

  /** The database may have been deleted meanwhile. */
  async #open(stores?: readonly StoreName[]): Promise<IdbTransaction> {
    try {
      return this.#transaction(stores);
    } catch {
      await this.loadBaseline();
      this.#database = await openDatabase(this.#name);
      void this.kept.flush();
      return this.#transaction(stores);
    }
  }

  #transaction(stores?: readonly StoreName[]): IdbTransaction {
    return begin(this.#database, this.durability === "disk" ? "strict" : "relaxed", stores);
  }

  async #reload(transaction: IdbTransaction): Promise<void> {
    const stored = await readData(transaction, this.#data.state);
    if (stored) this.#data.takeOver(stored.state);
    else this.#data.exchange(this.#data.baseline.fork(), RELOAD);
    const { state } = this.#data;
    this.#meta = stored?.meta ?? { ...this.#metaOf(state), isChanged: false };
    this.#entries = this.#meta.version - this.#meta.folded;
    // Someone has deleted the database, so it begins anew.
    if (!stored) writeAll(transaction, state, { meta: this.#meta });
    this.#data.announce({ kind: "exchange", version: state.version });
  }

  commit(change: Change, origin: Origin, receipt?: Receipt): Promise<Change> {
    const { state } = this.#data;
    const versions = this.#isHeld ? versionsBefore(state, change) : undefined;
    const undo = this.#data.commitNow(change, origin);
    return this.#append({ ...entryOf(change, this.#now(), receipt), versions }, undo, () => {
      if (receipt) state.receipts.add(receipt);
      this.#data.announce({ kind: "change", change });
      return change;
    });
  }

  async keep(receipt: Receipt): Promise<void> {
    await this.ready();
    const { state } = this.#data;
    const change: Change = { version: state.version + 1, edits: [] };
    state.commit(change);
    const entry = entryOf(change, this.#now(), receipt);
    await this.#append(
      entry,
      () => state.undo(change),
      () => state.receipts.add(receipt),
    );
  }

  async alter(member: MemberEdit, origin: Origin): Promise<void> {
    const former = this.#isHeld ? keepData(this.#data.state) : undefined;
    const undo = this.#data.alterNow(member, origin);
    const { version } = this.#data.state;
    await this.#append({ v: version, time: this.#now(), member, former }, undo, () =>
      this.#data.announce({ kind: "members", version, edit: member }),
    );
  }

  /** Whether a sandbox needs the data before a change. */
  get #isHeld(): boolean {
    return this.kept.heldFrom !== undefined;
  }

  async #append<T>(entry: Entry, undo: () => void, done: () => T): Promise<T> {
    const meta: Meta = { ...this.#meta, version: entry.v, isChanged: true };
    await this.#store(meta, undo, (transaction) => writeEntry(transaction, entry, meta));
    this.#entries++;
    this.#rest();
    return done();
  }

  async exchange(next: () => Eventually<State>, origin: Origin, steps?: () => readonly StoreEvent[]): Promise<void> {
    await this.ready();
    await andThen(next(), (state) => this.#exchange(state, origin, steps));
  }

  swapNow(database: JsonObject, origin: Origin): Promise<void> {
    return this.#exchange(this.#data.state.loadNext(database), origin);
  }

  async #exchange(state: State, origin: Origin, steps?: () => readonly StoreEvent[]): Promise<void> {
    const { heldFrom } = this.kept;
    const former = this.#isHeld ? keepData(this.#data.state) : undefined;
    const undo = this.#data.exchange(state, origin);
    const { version } = state;
    const meta: Meta = { ...this.#metaOf(state), isChanged: origin.cause !== "reset" };
    await this.#store(meta, undo, (transaction) => {
      writeAll(transaction, state, { meta, heldFrom });
      transaction.objectStore("entries").put({ v: version, time: this.#now(), former } satisfies Entry);
    });
    this.#entries = 0;
    this.#data.announceExchange(version, steps);
  }

  #metaOf(state: State): Meta {
    const { version, epoch } = state;
    return { ...this.#meta, version, epoch, folded: version, names: namesOf(state), idKeys: state.idKeys.kept };
  }

  /** Stores a change that memory has already, in the transaction that waits for it or in another one. */
  async #store(meta: Meta, undo: () => void, write: (transaction: IdbTransaction) => void): Promise<void> {
    const before = this.#meta;
    try {
      const transaction = this.#takeTurn() ?? (await this.#beginUnchanged());
      write(transaction);
      this.#meta = meta;
      await completionOf(transaction);
    } catch (thrown) {
      if (this.#meta === meta) this.#meta = before;
      if (!(thrown instanceof OutdatedError)) undo();
      refuseWrite(thrown);
    }
  }

  #takeTurn(): IdbTransaction | undefined {
    const turn = this.#turn;
    this.#turn = undefined;
    return turn && isActive(turn) ? turn : undefined;
  }

  /** For a change that was planned too long ago to be stored if anything has changed since. */
  async #beginUnchanged(): Promise<IdbTransaction> {
    const { state } = this.#data;
    const transaction = await this.#begin();
    this.#turn = undefined;
    if (this.#data.state !== state) throw new OutdatedError("another worker has changed the data meanwhile");
    return transaction;
  }

  #rest(): void {
    clearTimeout(this.#resting);
    if (this.#entries >= MAX_ENTRIES) void this.#fold();
    else this.#resting = inBackground(setTimeout(() => void this.#fold(), REST_MS));
  }

  /** Stores the changed collections in place of the changes. One that fails is tried again after the next write. */
  #fold(): Promise<void> {
    this.#folding ??= this.#foldNow()
      .catch(() => undefined)
      .finally(() => {
        this.#folding = undefined;
      });
    return this.#folding;
  }

  async #foldNow(): Promise<void> {
    const { state } = this.#data;
    const { folded, names } = this.#meta;
    const meta = this.#metaOf(state);
    if (meta.version === folded) return;
    const changed = this.#data.lend().filter(({ name, version }) => version > folded || !names.includes(name));
    const members: KeptMember[] = [];
    for (const member of changed) members.push(await inSlices(keepMember(member)));
    // A database that was deleted meanwhile stays so: only a write creates it again.
    const transaction = await this.#begin(this.#transaction());
    this.#turn = undefined;
    const heldFrom = await readHeld(transaction);
    if (this.#data.state !== state || this.#meta.folded !== folded) return;
    for (const name of names) if (!meta.names.includes(name)) transaction.objectStore("members").delete(name);
    const next: Meta = { ...meta, version: this.#meta.version };
    writeMembers(transaction, members, { meta: next, receipts: state.receipts.values(), heldFrom });
    this.#meta = next;
    this.#entries = next.version - next.folded;
    await completionOf(transaction);
  }

  async close(): Promise<void> {
    clearTimeout(this.#resting);
    await Promise.all([this.#fold(), this.kept.flush()]);
    this.#database.close();
    this.#release();
  }
}

/** Memory has the data of another worker by now, without the change. */
class OutdatedError extends Error {}

function namesOf(state: State): string[] {
  return [...state.members()].map(([name]) => name);
}

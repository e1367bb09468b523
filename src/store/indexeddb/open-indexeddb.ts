import { MemoryStore } from "../memory/memory-store.ts";
import type { State } from "../memory/state.ts";
import type { Durability } from "../store.ts";
import { begin, completionOf, type IdbTransaction, openDatabase } from "./idb.ts";
import { IndexedDbJournal } from "./indexeddb-journal.ts";
import { type Meta, readData, type StoredData, writeAll } from "./stored-data.ts";

export interface IndexedDbOptions {
  /** Of the database. */
  readonly name: string;
  /** Of the data to begin with. */
  readonly seedHash: string;
  readonly durability: Durability;
  /** Keeps or replaces data that people have changed when the data to begin with is new. */
  readonly onNewSeed: "keep" | "replace";
  readonly now: () => number;
  /** Tells the developer what has become of it. */
  readonly note: (text: string) => void;
  /** Called when it is closed. */
  readonly release: () => void;
}

/** The data to begin with, which a reset restores. It is loaded when it is needed. */
export interface Seed {
  /** A state with the settings of this start. */
  readonly settings: State;
  load(): Promise<State>;
}

/** Opens data that outlives the page or worker. */
export async function openIndexedDb({ settings, load }: Seed, options: IndexedDbOptions): Promise<MemoryStore> {
  const { name, durability, now, release } = options;
  const database = await openDatabase(name);
  const open = async (seed?: State): Promise<StoredData | undefined> => {
    const transaction = begin(database, "relaxed");
    const done = completionOf(transaction);
    const stored = await readStored(transaction, { settings, seed }, options);
    await done;
    return stored;
  };
  const stored = (await open()) ?? (await open(await load()));
  if (!stored) throw new Error("it was deleted meanwhile");
  const start = { name, database, stored, load, durability, now, release };
  return new MemoryStore(stored.state, (data) => new IndexedDbJournal(data, start));
}

/** The stored data, unless it is to begin with the seed; undefined where that is missing. */
async function readStored(
  transaction: IdbTransaction,
  { settings, seed }: { readonly settings: State; readonly seed: State | undefined },
  { name, seedHash, onNewSeed, note }: IndexedDbOptions,
): Promise<StoredData | undefined> {
  const stored = await readData(transaction, settings);
  if (stored && (stored.meta.seed === seedHash || (stored.meta.isChanged && onNewSeed === "keep"))) {
    if (stored.meta.seed !== seedHash) note(`The data of "${name}" is new; what was changed in this browser is kept.`);
    return stored;
  }
  if (!seed) return undefined;
  if (stored?.meta.isChanged) note(`The data of "${name}" is new; it has replaced what was in this browser.`);
  const state = seed.fork();
  if (stored) state.version = stored.state.version + 1;
  const { version, epoch } = state;
  const names = [...state.members()].map(([name]) => name);
  const meta: Meta = { version, epoch, folded: version, names, idKeys: new Map(), seed: seedHash, isChanged: false };
  // Sandboxes, faults and changes belong to the former data; snapshots stay.
  transaction.objectStore("entries").clear();
  transaction.objectStore("kept").clear();
  writeAll(transaction, state, { meta });
  return { meta, state, entries: [], values: new Map() };
}

import { StandinError } from "../../base/errors.ts";

/** The parts of IndexedDB that are used here: the types of the program are those of Node. */
interface Request<T> {
  readonly result: T;
  readonly error: unknown;
  onsuccess: (() => void) | null;
  onerror: (() => void) | null;
}

interface OpenRequest extends Request<IdbDatabase> {
  onupgradeneeded: (() => void) | null;
}

interface KeyRange {
  readonly upper: unknown;
}

interface ObjectStore {
  get(key: string): Request<unknown>;
  getAll(): Request<unknown[]>;
  getAllKeys(): Request<string[]>;
  put(value: unknown, key?: string): Request<unknown>;
  delete(key: string | KeyRange): Request<unknown>;
  clear(): Request<unknown>;
}

export interface IdbTransaction {
  readonly error: { readonly name: string; readonly message: string } | null;
  objectStore(name: StoreName): ObjectStore;
  addEventListener(type: "complete" | "abort", listener: () => void): void;
  abort(): void;
}

export interface IdbDatabase {
  createObjectStore(name: StoreName, options?: { readonly keyPath: string }): unknown;
  transaction(
    names: readonly StoreName[],
    mode: "readonly" | "readwrite",
    options?: { readonly durability: "strict" | "relaxed" },
  ): IdbTransaction;
  close(): void;
  onversionchange: (() => void) | null;
}

interface Platform {
  readonly indexedDB: { open(name: string, version: number): OpenRequest } | undefined;
  readonly IDBKeyRange: { upperBound(key: number): KeyRange };
}

const platform = globalThis as unknown as Platform;

/**
 * `meta` has one value about all data, `members` one per collection or singleton, `entries` one per change, `kept` those of
 * features; `snapshots` has whole copies of the data.
 */
const STORES = ["meta", "members", "entries", "kept", "snapshots"] as const;
/** Uploaded files have a database of their own, with one store. */
export type StoreName = (typeof STORES)[number] | "files";

const OF_DATA = STORES.filter((store) => store !== "snapshots");

/** Opens the database of a name, or creates it. Gives way where a page deletes it. */
export function openDatabase(name: string): Promise<IdbDatabase> {
  return openStores(`standin:${name}`, STORES);
}

/** Opens the database for the files of a name, or creates it. */
export function openFileDatabase(name: string): Promise<IdbDatabase> {
  return openStores(`standin-files:${name}`, ["files"]);
}

const KEYS: Partial<Record<StoreName, string>> = { members: "name", entries: "v", kept: "key", files: "sha256" };

async function openStores(name: string, stores: readonly StoreName[]): Promise<IdbDatabase> {
  const opening = platform.indexedDB?.open(name, 1);
  if (!opening)
    throw new StandinError("OPTION_UNAVAILABLE", 'The option "persist" needs IndexedDB, which is not here.');
  opening.onupgradeneeded = () => {
    for (const store of stores) {
      const keyPath = KEYS[store];
      opening.result.createObjectStore(store, keyPath === undefined ? undefined : { keyPath });
    }
  };
  const database = await resultOf(opening);
  database.onversionchange = () => database.close();
  return database;
}

/** Its continuation still belongs to the transaction. */
export function resultOf<T>(request: Request<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

/** A transaction that waits for all others on these stores. */
export function begin(
  database: IdbDatabase,
  durability: "strict" | "relaxed",
  stores: readonly StoreName[] = OF_DATA,
): IdbTransaction {
  return database.transaction(stores, "readwrite", { durability });
}

/** Resolves when everything that was asked of a transaction is stored; rejects where nothing of it is. */
export function completionOf(transaction: IdbTransaction): Promise<void> {
  return new Promise((resolve, reject) => {
    transaction.addEventListener("complete", () => resolve());
    transaction.addEventListener("abort", () => reject(transaction.error ?? new Error("the transaction was aborted")));
  });
}

export function upTo(key: number): KeyRange {
  return platform.IDBKeyRange.upperBound(key);
}

/** A transaction takes no more once a turn has passed. */
export function isActive(transaction: IdbTransaction): boolean {
  try {
    transaction.objectStore("meta").get("data");
    return true;
  } catch {
    return false;
  }
}

import type { State } from "../memory/state.ts";
import type { KeptGuard } from "../shared-sandboxes.ts";
import type { KeptValues } from "../store.ts";
import type { Entry } from "./entry.ts";
import { completionOf, type IdbTransaction, resultOf, type StoreName } from "./idb.ts";
import { refuseWrite } from "./refuse-write.ts";
import { rollBack } from "./roll-back.ts";
import { SnapshotTable } from "./snapshot-table.ts";
import { readEntries, readKeptValues, type StoredData } from "./stored-data.ts";

/** How long a value waits for a later one. */
const BURST_MS = 100;
/** The name of `heldFrom`, which another worker must know, too. */
const HELD = "held";

/** The database that the values are kept in. */
interface Place {
  readonly name: string;
  /** Throws where the database was deleted. */
  begin(stores: readonly StoreName[]): IdbTransaction;
  /** Creates it again where it was deleted. */
  open(stores: readonly StoreName[]): Promise<IdbTransaction>;
  /** A copy of the main data. */
  branch(): State;
}

/** Keeps the values of features in the database of the data, each under its name. */
export class BesideData implements KeptValues {
  readonly name: string;
  readonly snapshots: SnapshotTable;
  readonly #place: Place;
  readonly #waiting = new Map<string, () => unknown>();
  #values: ReadonlyMap<string, unknown>;
  #entries: readonly Entry[];
  heldFrom: number | undefined;
  #timer: NodeJS.Timeout | undefined;
  /** The latest former version that was asked for: most often, an older one is the next. */
  #former: State | undefined;

  constructor(place: Place, { entries, values }: Pick<StoredData, "entries" | "values">) {
    this.name = place.name;
    this.#place = place;
    this.#values = values;
    this.#entries = entries;
    this.heldFrom = values.get(HELD) as number | undefined;
    this.snapshots = new SnapshotTable(() => place.open(["snapshots"]));
  }

  read(key: string): unknown {
    return this.#values.get(key);
  }

  readAll(prefix: string): ReadonlyMap<string, unknown> {
    return new Map([...this.#values].filter(([key]) => key.startsWith(prefix)));
  }

  write(key: string, value: () => unknown): void {
    this.#waiting.set(key, value);
    this.#timer ??= setTimeout(() => void this.flush(), BURST_MS);
  }

  /** Stores the values that wait. Those that cannot be stored wait for the next one. */
  async flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const values = new Map(this.#waiting);
    this.#waiting.clear();
    if (values.size === 0) return;
    try {
      // A database that was deleted stays so: only a write of data creates it again.
      const transaction = this.#place.begin(["kept"]);
      for (const [key, value] of values) put(transaction, key, value());
      await completionOf(transaction);
    } catch {
      for (const [key, value] of values) if (!this.#waiting.has(key)) this.#waiting.set(key, value);
    }
  }

  async store(values: ReadonlyMap<string, unknown>, { key, isCurrent }: KeptGuard): Promise<boolean> {
    try {
      const transaction = await this.#place.open(["kept"]);
      const stored = await resultOf(transaction.objectStore("kept").get(key));
      if (!isCurrent((stored as { value: unknown } | undefined)?.value)) return false;
      for (const [key, value] of values) put(transaction, key, value);
      put(transaction, HELD, this.heldFrom);
      await completionOf(transaction);
      return true;
    } catch (thrown) {
      return refuseWrite(thrown);
    }
  }

  async refresh(): Promise<void> {
    const transaction = await this.#place.open(["kept", "entries"]);
    [this.#values, this.#entries] = await Promise.all([readKeptValues(transaction), readEntries(transaction)]);
    this.#former = undefined;
  }

  branchAt(version: number): State {
    const known = this.#former;
    let state = known && known.version >= version ? known.branch() : this.#place.branch();
    const { version: present } = state;
    for (const entry of this.#entries.toReversed()) {
      if (entry.v > version && entry.v <= present) state = rollBack(state, entry);
    }
    state.version = version;
    this.#former = state;
    return state.branch();
  }
}

function put(transaction: IdbTransaction, key: string, value: unknown): void {
  const kept = transaction.objectStore("kept");
  if (value === undefined) kept.delete(key);
  else kept.put({ key, value });
}

/** Since which version other workers need the changes. */
export async function readHeld(transaction: IdbTransaction): Promise<number | undefined> {
  const stored = (await resultOf(transaction.objectStore("kept").get(HELD))) as { value: number } | undefined;
  return stored?.value;
}

import type { JsonObject } from "../../base/json/json.ts";
import { type Counts, countsOf, type KeptSnapshots, type Store } from "../../store/store.ts";
import { expectSnapshotName, findSnapshot, snapshotId } from "./snapshot-names.ts";
import type { Snapshot, SnapshotKeeper } from "./types.ts";

/** Snapshots in the storage of a browser, beside the data. */
export class BrowserSnapshots implements SnapshotKeeper {
  readonly place: string;
  readonly #kept: KeptSnapshots;
  readonly #now: () => number;

  constructor(kept: KeptSnapshots, place: string, now: () => number) {
    this.#kept = kept;
    this.place = place;
    this.#now = now;
  }

  /** The times of ids have the same length, so that the greatest id is the newest one. */
  async list(): Promise<Snapshot[]> {
    return (await this.#kept.ids()).sort().reverse().map(snapshotOf);
  }

  async save(store: Store, name?: string): Promise<Snapshot & { counts: Counts }> {
    expectSnapshotName(name);
    const [latest] = await this.list();
    const id = snapshotId(Math.max(this.#now(), latest ? timeIn(latest.id) + 1 : 0), name);
    const members = await store.export();
    const counts = countsOf(store);
    await this.#kept.write(id, members);
    return { ...snapshotOf(id), counts };
  }

  async restore(store: Store, idOrName: string): Promise<{ id: string; counts: Counts }> {
    const { id, data } = await this.#find(idOrName);
    await store.swap(data);
    return { id, counts: countsOf(store) };
  }

  async load(idOrName: string): Promise<JsonObject> {
    return (await this.#find(idOrName)).data;
  }

  async remove(idOrName: string): Promise<void> {
    await this.#kept.remove(findSnapshot(await this.list(), idOrName).id);
  }

  async #find(idOrName: string): Promise<{ readonly id: string; readonly data: JsonObject }> {
    const { id } = findSnapshot(await this.list(), idOrName);
    const data = await this.#kept.read(id);
    // Another tab may have removed it at this moment.
    return data ? { id, data } : this.#find(idOrName);
  }
}

function timeIn(id: string): number {
  return Number(id.split("-")[1]);
}

function snapshotOf(id: string): Snapshot {
  return { id, file: `${id}.json`, created_at: new Date(timeIn(id)).toISOString(), bytes: 0 };
}

import type { JsonObject } from "../../json.ts";
import type { Kept } from "../../store/postgres/load/stored-snapshots.ts";
import type { PostgresStore } from "../../store/postgres/postgres-store.ts";
import {
  type Counts,
  expectSnapshotName,
  findSnapshot,
  type Snapshot,
  type SnapshotKeeper,
  snapshotId,
} from "./folder-snapshots.ts";

/** Snapshots of a shared database, kept in it: every process sees them, and none goes through a process. */
export class DatabaseSnapshots implements SnapshotKeeper {
  readonly place: string;
  readonly #store: PostgresStore;

  constructor(store: PostgresStore) {
    this.#store = store;
    this.place = store.place;
  }

  async list(): Promise<Snapshot[]> {
    return (await this.#store.data.listKept()).map(snapshotOf);
  }

  async save(_store: unknown, name?: string): Promise<Snapshot & { counts: Counts }> {
    expectSnapshotName(name);
    const kept = await this.#store.data.keep(snapshotId(Date.now(), name));
    return { ...snapshotOf(kept), counts: kept.counts };
  }

  async restore(_store: unknown, idOrName: string): Promise<{ id: string; counts: Counts }> {
    const kept = await this.#store.data.listKept();
    const { id } = findSnapshot(kept.map(snapshotOf), idOrName);
    await this.#store.data.restore(id);
    return { id, counts: kept.find((one) => one.id === id)!.counts };
  }

  async load(idOrName: string): Promise<JsonObject> {
    const { id } = findSnapshot(await this.list(), idOrName);
    return this.#store.data.read(id);
  }

  async remove(idOrName: string): Promise<void> {
    const { id } = findSnapshot(await this.list(), idOrName);
    await this.#store.data.remove(id);
  }
}

function snapshotOf({ id, createdAt, bytes }: Kept): Snapshot {
  return { id, file: `${id}.json`, created_at: createdAt.toISOString(), bytes };
}

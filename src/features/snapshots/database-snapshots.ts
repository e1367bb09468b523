import type { JsonObject } from "../../json.ts";
import type { Counts, KeptSnapshot, SharedSnapshots } from "../../store/store.ts";
import {
  expectSnapshotName,
  findSnapshot,
  type Snapshot,
  type SnapshotKeeper,
  snapshotId,
} from "./folder-snapshots.ts";

/** Snapshots of a shared database, kept in it: every process sees them, and none goes through a process. */
export class DatabaseSnapshots implements SnapshotKeeper {
  readonly place: string;
  readonly #kept: SharedSnapshots;
  readonly #now: () => number;

  constructor(kept: SharedSnapshots, place: string, now: () => number = Date.now) {
    this.#kept = kept;
    this.place = place;
    this.#now = now;
  }

  async list(): Promise<Snapshot[]> {
    return (await this.#kept.listKept()).map(snapshotOf);
  }

  async save(_store: unknown, name?: string): Promise<Snapshot & { counts: Counts }> {
    expectSnapshotName(name);
    const kept = await this.#kept.keep(snapshotId(this.#now(), name));
    return { ...snapshotOf(kept), counts: kept.counts };
  }

  async restore(_store: unknown, idOrName: string): Promise<{ id: string; counts: Counts }> {
    const kept = await this.#kept.listKept();
    const { id } = findSnapshot(kept.map(snapshotOf), idOrName);
    await this.#kept.restore(id);
    return { id, counts: kept.find((one) => one.id === id)!.counts };
  }

  async load(idOrName: string): Promise<JsonObject> {
    const { id } = findSnapshot(await this.list(), idOrName);
    return this.#kept.read(id);
  }

  async remove(idOrName: string): Promise<void> {
    const { id } = findSnapshot(await this.list(), idOrName);
    await this.#kept.remove(id);
  }
}

function snapshotOf({ id, createdAt, bytes }: KeptSnapshot): Snapshot {
  return { id, file: `${id}.json`, created_at: createdAt.toISOString(), bytes };
}

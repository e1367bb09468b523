import type { JsonObject } from "../../base/json/json.ts";
import type { Counts, SharedSnapshots, StoredSnapshot } from "../../store/store.ts";
import { expectSnapshotName, findSnapshot, snapshotId } from "./snapshot-names.ts";
import type { Snapshot, SnapshotKeeper } from "./types.ts";

/** Snapshots of a shared database, kept in it: every process sees them, and none goes through a process. */
export class DatabaseSnapshots implements SnapshotKeeper {
  readonly place: string;
  readonly #stored: SharedSnapshots;
  readonly #now: () => number;

  constructor(stored: SharedSnapshots, place: string, now: () => number = Date.now) {
    this.#stored = stored;
    this.place = place;
    this.#now = now;
  }

  async list(): Promise<Snapshot[]> {
    return (await this.#stored.list()).map(snapshotOf);
  }

  async save(_store: unknown, name?: string): Promise<Snapshot & { counts: Counts }> {
    expectSnapshotName(name);
    const saved = await this.#stored.save(snapshotId(this.#now(), name));
    return { ...snapshotOf(saved), counts: saved.counts };
  }

  async restore(_store: unknown, idOrName: string, by?: string): Promise<{ id: string; counts: Counts }> {
    const { id, counts } = findSnapshot(await this.#stored.list(), idOrName);
    await this.#stored.restore(id, { by });
    return { id, counts };
  }

  async load(idOrName: string): Promise<JsonObject> {
    const { id } = findSnapshot(await this.list(), idOrName);
    return this.#stored.read(id);
  }

  async remove(idOrName: string): Promise<void> {
    const { id } = findSnapshot(await this.list(), idOrName);
    await this.#stored.remove(id);
  }
}

function snapshotOf({ id, createdAt, bytes }: StoredSnapshot): Snapshot {
  return { id, file: `${id}.json`, created_at: createdAt.toISOString(), bytes };
}

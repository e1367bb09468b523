import { StandinError } from "../../base/errors.ts";
import type { JsonObject } from "../../base/json/json.ts";
import { getHeapStatistics } from "../../base/platform/runtime.ts";
import { type Counts, contentOf, countsOf, type Exported, type Store } from "../../store/store.ts";
import { expectSnapshotName, findSnapshot, snapshotId } from "./snapshot-names.ts";
import type { Snapshot, SnapshotKeeper } from "./types.ts";

/** Each keeps the records of its time in memory. */
const MAX_SNAPSHOTS = 1000;
const HEAP_LIMIT_SHARE = 0.85;

/** Snapshots for as long as the process lives. Records are never changed once made, so one costs a pointer per record. */
export class MemorySnapshots implements SnapshotKeeper {
  readonly place = "memory";
  readonly #now: () => number;
  readonly #kept = new Map<string, { snapshot: Snapshot; members: readonly Exported[] }>();
  #lastTime = 0;

  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  list(): Snapshot[] {
    return [...this.#kept.values()].map(({ snapshot }) => snapshot).reverse();
  }

  async save(store: Store, name?: string): Promise<Snapshot & { counts: Counts }> {
    expectSnapshotName(name);
    const { used_heap_size, heap_size_limit } = getHeapStatistics();
    const isFull = this.#kept.size > 0 && used_heap_size > heap_size_limit * HEAP_LIMIT_SHARE;
    if (this.#kept.size >= MAX_SNAPSHOTS || isFull) {
      throw new StandinError(
        "SNAPSHOT_LIMIT",
        `There are ${this.#kept.size} snapshots in memory${isFull ? ", which is nearly full" : ""}. Remove some (DELETE /__snapshots__/<id>), or start with ` +
          "--snapshots <folder>.",
      );
    }
    this.#lastTime = Math.max(this.#now(), this.#lastTime + 1);
    const id = snapshotId(this.#lastTime, name);
    const members = await store.export();
    const snapshot = { id, file: `${id}.json`, created_at: new Date(this.#lastTime).toISOString(), bytes: 0 };
    this.#kept.set(id, { snapshot, members });
    return { ...snapshot, counts: countsOf(store) };
  }

  async restore(store: Store, idOrName: string, by?: string): Promise<{ id: string; counts: Counts }> {
    const { id } = findSnapshot(this.list(), idOrName);
    await store.swap(this.load(id), { by, cause: "restore" });
    return { id, counts: countsOf(store) };
  }

  load(idOrName: string): JsonObject {
    const { id } = findSnapshot(this.list(), idOrName);
    const { members } = this.#kept.get(id)!;
    return Object.fromEntries(members.map((member) => [member.name, contentOf(member)]));
  }

  remove(idOrName: string): void {
    this.#kept.delete(findSnapshot(this.list(), idOrName).id);
  }
}

import type { Eventually } from "../../base/eventually.ts";
import type { JsonObject } from "../../base/json/json.ts";
import type { Counts, Store } from "../../store/store.ts";

export interface Snapshot {
  readonly id: string;
  /** Its name in the snapshot folder. */
  readonly file: string;
  readonly created_at: string;
  readonly bytes: number;
}

/** Where snapshots of a store are kept. @internal */
export interface SnapshotKeeper {
  /** In words for a person. */
  readonly place: string;
  /** Newest first. */
  list(): Eventually<Snapshot[]>;
  save(store: Store, name?: string): Promise<Snapshot & { counts: Counts }>;
  restore(store: Store, idOrName: string, by?: string): Promise<{ id: string; counts: Counts }>;
  /** The data of a snapshot. */
  load(idOrName: string): Eventually<JsonObject>;
  remove(idOrName: string): Eventually<void>;
}

import { mkdirSync, readdirSync, rmSync, statSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { messageOf, StandinError } from "../../base/errors.ts";
import { writeAtomically } from "../../base/files/atomic-write.ts";
import { fileProblem } from "../../base/files/file-problem.ts";
import { type JsonObject, parseJson } from "../../base/json/json.ts";
import { renderDatabase } from "../../store/file/render-database.ts";
import { databaseProblem } from "../../store/memory/state.ts";
import { type Counts, countsOf, type Store } from "../../store/store.ts";
import { expectSnapshotName, findSnapshot, snapshotId } from "./snapshot-names.ts";
import type { Snapshot, SnapshotKeeper } from "./types.ts";

/** Names of files that can be snapshots: ours, and any other plain name. */
const FILE = /^[A-Za-z0-9][A-Za-z0-9._-]{0,199}\.json$/;
/** Ids that we gave ourselves (and 0.17 did). Only these are ours to remove: the folder may hold anything else, too. */
const OWN_ID = /^db-(\d{13})(-|$)/;
const EXTENSION = ".json";

/**
 * A folder of snapshots, made when it is missing: plain data files named `db-<milliseconds>[-<name>].json`, so that any of them can be served. Ids
 * come from the folder's listing, never straight from a request.
 */
export class Snapshots implements SnapshotKeeper {
  readonly folder: string;
  readonly #now: () => number;
  #lastTime = 0;

  get place(): string {
    return this.folder;
  }

  constructor(folder: string, now: () => number = Date.now) {
    this.folder = resolve(folder);
    this.#now = now;
    mkdirSync(this.folder, { recursive: true });
  }

  /** Newest first. Data files put into the folder by hand count, too. */
  list(): Snapshot[] {
    const names = this.#onDisk("The snapshots cannot be listed", () => {
      mkdirSync(this.folder, { recursive: true });
      return readdirSync(this.folder, { withFileTypes: true })
        .filter((entry) => entry.isFile() && FILE.test(entry.name))
        .map((entry) => entry.name);
    });
    const snapshots = names
      .map((name) => this.#describe(name.slice(0, -EXTENSION.length)))
      .filter((snapshot) => snapshot !== undefined);
    return snapshots.sort((a, b) => (a.created_at < b.created_at ? 1 : a.created_at > b.created_at ? -1 : 0));
  }

  /** Saves what the store holds now. */
  async save(store: Store, name?: string): Promise<Snapshot & { counts: Counts }> {
    expectSnapshotName(name);
    // Two in one millisecond get times of their own, so that an id is never taken.
    this.#lastTime = Math.max(this.#now(), this.#lastTime + 1);
    const id = snapshotId(this.#lastTime, name);
    const members = await store.export();
    const counts = countsOf(store);
    try {
      mkdirSync(this.folder, { recursive: true });
      await writeAtomically(this.#pathOf(id), renderDatabase(members));
    } catch (thrown) {
      throw new StandinError("STORE_UNAVAILABLE", `The snapshot cannot be written: ${fileProblem(thrown)}`);
    }
    const saved = this.#describe(id);
    if (!saved)
      throw new StandinError("STORE_UNAVAILABLE", `The snapshot ${id} was removed as soon as it was written.`);
    return { ...saved, counts };
  }

  /** Puts the store back to a snapshot, named by its id or by the name it was saved under (the newest of that name). */
  async restore(store: Store, idOrName: string, by?: string): Promise<{ id: string; counts: Counts }> {
    const { id } = findSnapshot(this.list(), idOrName);
    await store.swap(await this.#read(id), { by, cause: "restore" });
    return { id, counts: countsOf(store) };
  }

  async load(idOrName: string): Promise<JsonObject> {
    return this.#read(findSnapshot(this.list(), idOrName).id);
  }

  remove(idOrName: string): void {
    const { id, file } = findSnapshot(this.list(), idOrName);
    if (!OWN_ID.test(id)) {
      throw new StandinError("SNAPSHOT_NOT_FOUND", `${file} was not saved by standin; delete the file by hand.`);
    }
    this.#onDisk(`The snapshot ${id} cannot be removed`, () => rmSync(this.#pathOf(id), { force: true }));
  }

  async #read(id: string): Promise<JsonObject> {
    const damaged = (reason: string): StandinError =>
      new StandinError("SNAPSHOT_DAMAGED", `The snapshot ${id} cannot be used: ${reason}`);
    try {
      const database = parseJson(await readFile(this.#pathOf(id), "utf8"));
      const problem = databaseProblem(database);
      if (problem) throw damaged(problem);
      return database as JsonObject;
    } catch (thrown) {
      throw thrown instanceof StandinError ? thrown : damaged(messageOf(thrown));
    }
  }

  /** Undefined when the file was removed meanwhile. */
  #describe(id: string): Snapshot | undefined {
    const found = this.#onDisk(`The snapshot ${id} cannot be looked at`, () =>
      statSync(this.#pathOf(id), { throwIfNoEntry: false }),
    );
    if (!found) return undefined;
    const time = OWN_ID.exec(id)?.[1];
    const created = time === undefined ? found.mtime : new Date(Number(time));
    return { id, file: `${id}${EXTENSION}`, created_at: created.toISOString(), bytes: found.size };
  }

  #onDisk<T>(problem: string, work: () => T): T {
    try {
      return work();
    } catch (thrown) {
      throw new StandinError("STORE_UNAVAILABLE", `${problem}: ${messageOf(thrown)}.`);
    }
  }

  #pathOf(id: string): string {
    return join(this.folder, `${id}${EXTENSION}`);
  }
}

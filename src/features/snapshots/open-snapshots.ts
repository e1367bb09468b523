import { existsSync } from "node:fs";
import { messageOf, StartError } from "../../base/errors.ts";
import type { OpenFeature, Service } from "../../http/contract.ts";
import { DatabaseSnapshots } from "./database-snapshots.ts";
import { Snapshots } from "./folder-snapshots.ts";
import { MemorySnapshots } from "./memory-snapshots.ts";
import { snapshotRoutes } from "./snapshot-routes.ts";
import type { SnapshotKeeper } from "./types.ts";

/** Without a folder, snapshots stay in memory; a shared database keeps its own. */
export function openSnapshots(
  { store, now }: Service,
  folder: string | undefined,
): OpenFeature & { offer: SnapshotKeeper } {
  const keeper = store.shared
    ? new DatabaseSnapshots(store.shared.snapshots, store.place)
    : folder === undefined
      ? new MemorySnapshots(now)
      : new Snapshots(folder, now);
  return {
    name: "snapshots",
    routes: snapshotRoutes(keeper),
    describe: async (facts) => (await import("./openapi.ts")).snapshotPaths(facts),
    offer: keeper,
  };
}

/** Makes the folder if it is missing. */
export function checkFolder(folder: string, note: (text: string) => void): void {
  const isThere = existsSync(folder);
  try {
    new Snapshots(folder);
  } catch (thrown) {
    throw new StartError(`The snapshot folder ${folder} cannot be used: ${messageOf(thrown)}`);
  }
  if (!isThere) note(`the snapshot folder ${folder} did not exist and has been created`);
}

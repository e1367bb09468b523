import { existsSync } from "node:fs";
import { messageOf, StartError } from "../../base/errors.ts";
import type { OpenFeature } from "../../http/contract.ts";
import type { FeatureContext } from "../feature.ts";
import { DatabaseSnapshots } from "./database-snapshots.ts";
import { IN_MEMORY } from "./feature.ts";
import { type SnapshotKeeper, Snapshots } from "./folder-snapshots.ts";
import { MemorySnapshots } from "./memory-snapshots.ts";
import { snapshotRoutes } from "./snapshot-routes.ts";

interface SnapshotOptions {
  readonly snapshots: string | undefined;
}

export function openSnapshots({
  options,
  service,
}: FeatureContext<SnapshotOptions>): OpenFeature & { offer: SnapshotKeeper } {
  const keeper = createKeeper(options.snapshots, service);
  return {
    name: "snapshots",
    routes: snapshotRoutes(keeper),
    describe: async (facts) => (await import("./openapi.ts")).snapshotPaths(facts),
    offer: keeper,
  };
}

/** A shared database keeps its own snapshots; others go to a folder, or stay in memory. */
function createKeeper(
  place: string | undefined,
  { store, now }: FeatureContext<SnapshotOptions>["service"],
): SnapshotKeeper {
  if (store.shared) return new DatabaseSnapshots(store.shared.snapshots, store.place);
  return place === undefined || place === IN_MEMORY ? new MemorySnapshots(now) : new Snapshots(place, now);
}

/** Makes the folder if it is missing. */
export function checkFolder(folder: string, note: (text: string) => void): void {
  if (folder === IN_MEMORY) return;
  const isThere = existsSync(folder);
  try {
    new Snapshots(folder);
  } catch (thrown) {
    throw new StartError(`The snapshot folder ${folder} cannot be used: ${messageOf(thrown)}`);
  }
  if (!isThere) note(`the snapshot folder ${folder} did not exist and has been created`);
}

import { StandinError } from "../../base/errors.ts";
import { didYouMean } from "../../base/nearest.ts";
import type { Snapshot } from "./types.ts";

const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/;

/** The snapshot of this id, else the newest of this name. */
export function findSnapshot<T extends Pick<Snapshot, "id">>(snapshots: readonly T[], wanted: string): T {
  const found =
    snapshots.find(({ id }) => id === wanted) ?? snapshots.find(({ id }) => id.replace(/^db-\d+-/, "") === wanted);
  if (found) return found;
  const ids = snapshots.map(({ id }) => id);
  const there = ids.length === 0 ? "There is none yet." : `There are ${ids.slice(0, 10).join(", ")}.`;
  throw new StandinError(
    "SNAPSHOT_NOT_FOUND",
    `There is no snapshot ${JSON.stringify(wanted)}.${didYouMean(wanted, ids)} ${there}`,
  );
}

export function expectSnapshotName(name: string | undefined): void {
  if (name === undefined || NAME.test(name)) return;
  throw new StandinError(
    "SNAPSHOT_NAME_INVALID",
    `"${name}" cannot name a snapshot: use up to 100 letters, digits, dots, dashes and underscores.`,
  );
}

export function snapshotId(time: number, name: string | undefined): string {
  return `db-${time}${name === undefined ? "" : `-${name}`}`;
}

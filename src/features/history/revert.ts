import type { Service } from "../../http/contract.ts";
import type { KeptVersion } from "../../store/history.ts";
import type { Change, Store } from "../../store/store.ts";
import { historyOf } from "./history-of.ts";
import { RevertConflicts } from "./revert-conflict.ts";
import { revertMembers } from "./revert-members.ts";
import { revertOfRecords } from "./revert-records.ts";
import type { RevertOptions } from "./types.ts";
import { withoutFields, writeOnlyFieldsOf } from "./write-only-fields.ts";

export interface Reverting extends RevertOptions {
  readonly by: string;
  readonly isDryRun?: boolean;
}

/**
 * Takes exactly one version back, as a new version. Throws `REVERT_CONFLICT`, and then changes nothing. Resolves to the
 * change of records; undefined where whole collections or all data were changed.
 */
export async function revertVersion(
  service: Service,
  version: number,
  reverting: Reverting,
): Promise<Change | undefined> {
  const { store } = service;
  const kept = await historyOf(store).find(version);
  const hidden = writeOnlyFieldsOf(service);
  try {
    return await takeBack(store, kept, reverting);
  } catch (thrown) {
    throw thrown instanceof RevertConflicts
      ? thrown.asError(version, (value, name) => withoutFields(value, hidden(name)))
      : thrown;
  }
}

async function takeBack(
  store: Store,
  kept: KeptVersion,
  { by, isDryRun = false, fields = false }: Reverting,
): Promise<Change | undefined> {
  const { edits, members = [], version, kind } = kept;
  const history = historyOf(store);
  const options = { by, cause: "revert", isDryRun };
  const isLatest = kind !== "change" && version === history.latest;
  if (!isLatest && members.length === 0) return store.apply(revertOfRecords(store, { edits, fields }), options);
  if (!isLatest) await revertMembers(store, kept, options);
  // Nothing has changed since, so all data goes back to the moment before.
  else if (!isDryRun) await history.restore(version - 1, options);
  return undefined;
}

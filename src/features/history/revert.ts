import type { Service } from "../../http/contract.ts";
import type { KeptVersion } from "../../store/history.ts";
import type { Store } from "../../store/store.ts";
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

/** Takes exactly one version back, as a new version. Throws `REVERT_CONFLICT`, and then changes nothing. */
export async function revertVersion(service: Service, version: number, reverting: Reverting): Promise<void> {
  const { store } = service;
  const kept = await historyOf(store).find(version);
  const hidden = writeOnlyFieldsOf(service);
  try {
    await takeBack(store, kept, reverting);
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
): Promise<void> {
  const { edits, members = [], version, kind } = kept;
  const history = historyOf(store);
  const options = { by, cause: "revert", isDryRun };
  if (kind !== "change" && version === history.latest) {
    // Nothing has changed since, so all data goes back to the moment before.
    if (!isDryRun) await history.restore(version - 1, options);
  } else if (members.length > 0) await revertMembers(store, kept, options);
  else await store.apply(revertOfRecords(store, { edits, fields }), options);
}

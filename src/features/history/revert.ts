import type { Service } from "../../http/contract.ts";
import { withoutFields } from "../../schema/rules/rules.ts";
import { type KeptVersion, Overtaken, type StoreHistory } from "../../store/history.ts";
import type { ApplyOptions, Change, Store } from "../../store/store.ts";
import { historyOf } from "./history-of.ts";
import { RevertConflicts } from "./revert-conflict.ts";
import { revertMembers } from "./revert-members.ts";
import { revertOfRecords } from "./revert-records.ts";
import type { RevertOptions } from "./types.ts";
import { editedId } from "./version-json.ts";
import { writeOnlyFieldsOf } from "./write-only-fields-of.ts";

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
  { by, isDryRun = false, fields = false, collection, id }: Reverting,
): Promise<Change | undefined> {
  const { edits, members = [], version, kind } = kept;
  const options = { by, cause: "revert", isDryRun };
  if (id !== undefined) {
    const ofRecord = edits.filter((edit) => edit.name === collection && String(editedId(edit, store)) === String(id));
    return store.apply(revertOfRecords(store, { edits: ofRecord, fields }), options);
  }
  if (kind !== "change" && (await restoreBefore(historyOf(store), version, options))) return undefined;
  if (members.length === 0) return store.apply(revertOfRecords(store, { edits, fields }), options);
  await revertMembers(store, kept, options);
  return undefined;
}

/** If nothing has changed since a version, all data goes back to the moment before. Resolves to whether it does. */
async function restoreBefore(history: StoreHistory<Store>, version: number, options: ApplyOptions): Promise<boolean> {
  const after = await history.settled();
  if (after !== version) return false;
  if (options.isDryRun) return true;
  const { by, cause } = options;
  return history.restore(version - 1, { by, cause, after }).then(
    () => true,
    (thrown: unknown) => {
      if (thrown instanceof Overtaken) return false;
      throw thrown;
    },
  );
}

import { inSlices } from "../../base/slices.ts";
import type { KeptVersion } from "../../store/history.ts";
import type { ApplyOptions, Exported, Remake, Store } from "../../store/store.ts";
import { historyOf } from "./history-of.ts";
import { type MembersOf, mergeMembers } from "./merge-members.ts";
import { type RevertConflict, RevertConflicts } from "./revert-conflict.ts";

/**
 * Takes back that collections and singletons came, went or got another name, although other changes followed. Throws
 * `RevertConflicts`, and then changes nothing.
 */
export async function revertMembers(store: Store, kept: KeptVersion, options: ApplyOptions): Promise<void> {
  const [member, ...others] = kept.members ?? [];
  if (member?.to !== undefined && others.length === 0) {
    const { name, to } = member;
    if (store.kindOf(to) === undefined || store.kindOf(name) !== undefined)
      throw new RevertConflicts([nameTaken(name)]);
    return store.alter({ kind: "renamed", name: to, to: name }, options);
  }
  const remake = await withoutVersion(store, kept.version);
  if (options.isDryRun) await inSlices(remake(await store.export()));
  else await store.remake(remake, options);
}

/** The member has another name since, or another one has the name that it had. */
function nameTaken(collection: string): RevertConflict {
  return { collection, id: null, base: null, earlier: null, now: null };
}

/** Makes of all data what it would be if a version had never been. */
async function withoutVersion(store: Store, version: number): Promise<Remake> {
  const history = historyOf(store);
  const membersAt = async (moment: number): Promise<MembersOf> => byName(await (await history.at(moment)).export());
  const [earlier, base] = [await membersAt(version - 1), await membersAt(version)];
  return function* (members) {
    const states = { base, earlier, now: byName(members) };
    const { database, conflicts } = yield* mergeMembers(states, (name) => store.idKeyOf(name));
    if (conflicts.length > 0) throw new RevertConflicts(conflicts);
    return database;
  };
}

function byName(members: readonly Exported[]): MembersOf {
  return new Map(members.map((member) => [member.name, member]));
}

import { StandinError } from "../../base/errors.ts";
import type { Member, Store } from "../../store/store.ts";

/** The collections and singletons, in the order of the data. */
export async function listMembers(store: Store): Promise<Member[]> {
  await store.refresh();
  return store.members();
}

export async function memberOf(store: Store, name: string): Promise<Member> {
  const member = (await listMembers(store)).find((one) => one.name === name);
  if (member) return member;
  throw new StandinError("COLLECTION_NOT_FOUND", `There is no collection ${JSON.stringify(name)}.`);
}

/** The member, which must be a collection. */
export async function expectCollection(store: Store, name: string): Promise<Member> {
  const member = await memberOf(store, name);
  if (member.kind === "collection") return member;
  throw new StandinError("COLLECTION_NOT_FOUND", `${JSON.stringify(name)} is a singleton, not a collection.`);
}

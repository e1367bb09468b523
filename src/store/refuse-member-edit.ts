import { StandinError } from "../base/errors.ts";
import { didYouMean } from "../base/nearest.ts";
import type { Member, MemberEdit } from "./store.ts";

/** The top-level keys of a database; those without a kind are no routes. */
export type MemberNames = ReadonlyMap<string, Member["kind"] | undefined>;

/** More than a client may create: every one of them is a part of descriptions and of the console. A file may have more. */
const MAX_MEMBERS = 1000;

/** Throws when there is no such member, one of the new name, or no room for another one. */
export function refuseMemberEdit(edit: MemberEdit, members: MemberNames): void {
  if (edit.kind !== "created" && members.get(edit.name) === undefined) {
    const names = [...members.keys()].filter((name) => members.get(name));
    const hint = didYouMean(edit.name, names);
    throw new StandinError("COLLECTION_NOT_FOUND", `There is no collection ${JSON.stringify(edit.name)}.${hint}`);
  }
  const wanted = edit.kind === "renamed" ? edit.to : edit.kind === "created" ? edit.name : undefined;
  // Paths ignore case, and so do some file systems.
  const taken = [...members.keys()].find((name) => name.toLowerCase() === wanted?.toLowerCase());
  if (taken !== undefined) {
    throw new StandinError("COLLECTION_EXISTS", `The collection ${JSON.stringify(taken)} already exists.`);
  }
  if (edit.kind === "created" && members.size >= MAX_MEMBERS) {
    throw new StandinError(
      "COLLECTION_LIMIT",
      `There are ${members.size} collections, and at most ${MAX_MEMBERS} can be created. Remove some ` +
        "(DELETE /__collections/<name>), or add the collection to the data file.",
    );
  }
}

import type { Operation } from "../../read/api-document.ts";
import { listed } from "../bind-operations.ts";
import type { FieldKey } from "../binding.ts";
import { likeness, SURELY_ALIKE } from "../bodies/record-spots.ts";
import { created } from "../creates.ts";
import { type Group, type Groups, operationOf } from "../groups.ts";
import { handleOf } from "../ids/field-keys.ts";
import { isIdLike } from "../ids/id-key.ts";
import { type Ancestor, ancestorsOf } from "../ids/parent-keys.ts";
import { type Drafted, recordSpot } from "../join.ts";
import type { Shapes } from "../schema-shape.ts";
import { findAlike, plainName, singularOf, wordsIn } from "../words.ts";

/** Those who own things, as paths call them. */
const PEOPLE = ["user", "owner", "account"];
const GROUPS = ["org", "organization", "organisation", "workspace", "namespace"];
/** Short names of fields. */
const IN_FULL = new Map([["org", "organization"]]);

/**
 * Lists of what somebody owns: `/orgs/{org}/repos` and `/users/{username}/repos` have the repositories of
 * `/repos/{owner}/{repo}` whose `owner.login` the path names. `kept` are collections that the config names.
 */
export function joinOwnerLists(
  shapes: Shapes,
  { groups, kept }: { readonly groups: Groups; readonly kept: ReadonlySet<Drafted> },
  drafted: Drafted[],
): void {
  for (const one of [...drafted]) {
    const { candidate } = one;
    const isRead = one.drafts.some(({ action }) => action === "read");
    if (!drafted.includes(one) || candidate.form || !isRead || ancestorsOf(candidate.steps, false).length > 0) continue;
    for (const group of groups.ofNoun(candidate.segment)) joinOwnerList(shapes, { drafted, kept }, { one, group });
  }
}

function joinOwnerList(
  shapes: Shapes,
  { drafted, kept }: { readonly drafted: Drafted[]; readonly kept: ReadonlySet<Drafted> },
  { one, group }: { readonly one: Drafted; readonly group: Group },
): void {
  const { candidate } = one;
  const ancestors = ancestorsOf(group.steps, false);
  const [owner] = ancestors;
  const lister = operationOf(group, "GET");
  if (!owner || ancestors.length > 1 || group.steps.at(-2)?.kind !== "wildcard" || !lister) return;
  const creates = operationOf(group, "POST");
  const path = ownerPath(shapes, one, { ...owner, isMaker: creates !== undefined });
  const spot = path && recordSpot(shapes, group, { segment: candidate.segment, isList: true });
  if (!path || !spot || likeness(spot.shape, candidate.record) < SURELY_ALIKE) return;
  const holder = drafted.find(({ drafts }) => drafts.some(({ operation }) => operation === lister));
  if (holder === one && !one.lent?.has(lister)) return;
  if (holder && holder !== one) {
    const isOther = holder.drafts.some(({ idParameter, keys }) => idParameter !== undefined || keys.length > 0);
    if (isOther || kept.has(holder)) return;
    drafted.splice(drafted.indexOf(holder), 1);
    one.drafts.push(...holder.drafts);
    for (const operation of holder.lent ?? []) one.lent?.add(operation);
  }
  const key = { parameter: owner.parameter, path };
  one.owned ??= new Map();
  for (const operation of [lister, ...(creates ? [creates] : [])]) {
    if (!isBound(one, operation)) {
      const outcome =
        operation === lister ? listed(shapes, candidate, { operation, spot }) : created(shapes, candidate, operation);
      if (!("draft" in outcome)) continue;
      one.drafts.push(outcome.draft);
    }
    one.lent?.delete(operation);
    one.owned.set(operation, key);
  }
}

function isBound({ drafts }: Drafted, operation: Operation): boolean {
  return drafts.some((draft) => draft.operation === operation);
}

/** The field of an object in the record that says who owns it, by the name that the path has for the owner. */
function ownerPath(
  shapes: Shapes,
  { candidate: { record }, drafts }: Drafted,
  { parameter, segment = "", isMaker }: Ancestor & { readonly isMaker: boolean },
): FieldKey["path"] | undefined {
  const words = wordsIn(parameter);
  const isId = isIdLike(words);
  const nouns = [singularOf(plainName(segment)), (isId ? words.slice(0, -1) : words).join("")];
  const isOwner = nouns.some((noun) => [...PEOPLE, ...GROUPS].includes(noun));
  // What finds a record by its owner says who that is.
  const known = drafts.find(({ keys }) => keys.length > 1)?.keys[0]?.path;
  if (isOwner && !isId && known?.length === 2) return known;
  const names = nouns.filter((noun) => noun !== "").flatMap((noun) => [noun, IN_FULL.get(noun) ?? noun]);
  // What an organization lists may be owned by its members, unless it makes it.
  const isOwnerOf = isOwner && (isMaker || nouns.some((noun) => PEOPLE.includes(noun)));
  for (const name of [...names, ...(isOwnerOf ? ["owner"] : [])]) {
    const holder = findAlike(record.properties.keys(), name);
    const part = holder === undefined ? undefined : shapes.property(record, holder);
    if (holder === undefined || !part || part.properties.size === 0) continue;
    // `{customerNumber}` is the number of a customer, and `{org}` what people call one.
    const said = findAlike(part.properties.keys(), words.at(-1) ?? "", (key) => shapes.isComparable(part, key));
    const isHandle = !isId && (words.length === 1 || isOwner);
    const field = said ?? (isHandle ? handleOf(shapes, part) : undefined);
    if (field !== undefined) return [holder, field];
  }
  return undefined;
}

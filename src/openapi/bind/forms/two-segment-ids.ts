import { bindOperations } from "../bind-operations.ts";
import type { FieldKey } from "../binding.ts";
import { spotsOf } from "../bodies/body-spots.ts";
import { ALIKE, likeness } from "../bodies/record-spots.ts";
import type { Candidate } from "../candidate.ts";
import { type Group, type Groups, operationOf } from "../groups.ts";
import { twoFieldKeys } from "../ids/field-keys.ts";
import type { Drafted } from "../join.ts";
import { pathKey } from "../path-shape.ts";
import type { Shapes } from "../schema-shape.ts";
import { findAlike, isSameNoun } from "../words.ts";

/**
 * Single records at paths with two wildcards: `/repos/{owner}/{repo}` for the list `/user/repos`, and
 * `/gists/{id}/{revision}`, which sends the gist.
 */
export function joinTwoSegmentIds(shapes: Shapes, groups: Groups, drafted: readonly Drafted[]): void {
  const bound = new Set(drafted.flatMap(({ drafts }) => drafts.map(({ operation }) => operation)));
  for (const group of groups.all()) {
    const names = namesAtEnd(group);
    if (!names || group.operations.some((operation) => bound.has(operation))) continue;
    const end = { group, ...names };
    if (!joinGroup(shapes, drafted, end)) joinBelowRecord(shapes, drafted, end);
  }
}

interface EndOfPath {
  readonly segment: string;
  readonly wildcards: readonly [string, string];
}

function namesAtEnd({ steps }: Group): EndOfPath | undefined {
  const [fixed, first, second] = steps.slice(-3);
  if (fixed?.kind !== "fixed" || first?.kind !== "wildcard" || second?.kind !== "wildcard") return undefined;
  return { segment: fixed.text, wildcards: [first.name, second.name] };
}

function joinGroup(
  shapes: Shapes,
  drafted: readonly Drafted[],
  { group, segment, wildcards }: EndOfPath & { readonly group: Group },
): boolean {
  const spots = spotsOf(shapes, operationOf(group, "GET"), segment);
  if (typeof spots === "string" || !spots) return false;
  const readSpot = spots.find(({ isList, isNamed, shape }) => !isList && isNamed && shape.properties.size > 0);
  if (!readSpot) return false;
  const found = drafted
    .filter(({ candidate }) => !candidate.item && isSameNoun(candidate.segment, segment))
    .filter(({ candidate }) => likeness(candidate.record, readSpot.shape) >= ALIKE)
    .sort((a, b) => rank(b) - rank(a))[0];
  const keys = found && twoFieldKeys(shapes, found.candidate.record, wildcards);
  if (!keys) return false;
  const outcomes = bindOperations(shapes, { ...found.candidate, list: undefined, item: group, readSpot });
  for (const outcome of outcomes) {
    if ("draft" in outcome) found.drafts.push({ ...outcome.draft, idParameter: undefined, keys });
  }
  return true;
}

function joinBelowRecord(
  shapes: Shapes,
  drafted: readonly Drafted[],
  { group, segment, wildcards }: EndOfPath & { readonly group: Group },
): void {
  const above = pathKey(group.steps.slice(0, -1));
  const found = drafted.find(({ candidate }) => candidate.item?.key === above && !candidate.keyPath);
  const spots = found && spotsOf(shapes, operationOf(group, "GET"), segment);
  if (!found || typeof spots === "string") return;
  const { candidate } = found;
  const readSpot = spots?.find(({ isList, shape }) => !isList && shape.schema.place === candidate.record.schema.place);
  const keys = readSpot && keysBelow(shapes, candidate, wildcards);
  if (!keys) return;
  const operations = group.operations.filter(({ method }) => method === "GET");
  const outcomes = bindOperations(shapes, { ...candidate, list: undefined, item: { ...group, operations }, readSpot });
  for (const outcome of outcomes) {
    if ("draft" in outcome) found.drafts.push({ ...outcome.draft, idParameter: undefined, keys });
  }
}

/** The id of the record, where its own path has the same wildcard; else the fields that both wildcards are named like. */
function keysBelow(
  shapes: Shapes,
  { item, record, idKey }: Candidate,
  wildcards: readonly string[],
): readonly FieldKey[] | undefined {
  const own = item?.steps.at(-1);
  const [first = ""] = wildcards;
  if (own?.kind === "wildcard" && own.name === first) return [{ parameter: first, path: [idKey] }];
  const keys = wildcards.flatMap((parameter): FieldKey[] => {
    const field = findAlike(record.properties.keys(), parameter, (name) => shapes.isComparable(record, name));
    return field === undefined ? [] : [{ parameter, path: [field] }];
  });
  return keys.length === wildcards.length ? keys : undefined;
}

/** Records that can be created are more likely to be found by what they are named. */
function rank({ candidate, drafts }: Drafted): number {
  return (drafts.some(({ action }) => action === "create") ? 100 : 0) - candidate.steps.length;
}

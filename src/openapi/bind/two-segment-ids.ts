import { bindOperations } from "./bind-operations.ts";
import { ALIKE, spotsOf } from "./candidate.ts";
import { twoFieldKeys } from "./field-keys.ts";
import { type Group, type Groups, operationOf } from "./groups.ts";
import type { Drafted } from "./join.ts";
import { likeness } from "./record-spots.ts";
import type { Shapes } from "./schema-shape.ts";
import { isSameNoun } from "./words.ts";

/** Single records at paths with two wildcards: `/repos/{owner}/{repo}` for the list `/user/repos`. */
export function joinTwoSegmentIds(shapes: Shapes, groups: Groups, drafted: readonly Drafted[]): void {
  const bound = new Set(drafted.flatMap(({ drafts }) => drafts.map(({ operation }) => operation)));
  for (const group of groups.all()) {
    const names = namesAtEnd(group);
    if (!names || group.operations.some((operation) => bound.has(operation))) continue;
    joinGroup(shapes, drafted, { group, ...names });
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
): void {
  const spots = spotsOf(shapes, operationOf(group, "GET"), segment);
  if (typeof spots === "string" || !spots) return;
  const readSpot = spots.find(({ isList, isNamed, shape }) => !isList && isNamed && shape.properties.size > 0);
  if (!readSpot) return;
  const found = drafted
    .filter(({ candidate }) => !candidate.item && isSameNoun(candidate.segment, segment))
    .filter(({ candidate }) => likeness(candidate.record, readSpot.shape) >= ALIKE)
    .sort((a, b) => rank(b) - rank(a))[0];
  const keys = found && twoFieldKeys(shapes, found.candidate.record, wildcards);
  if (!keys) return;
  const outcomes = bindOperations(shapes, { ...found.candidate, list: undefined, item: group, readSpot });
  for (const outcome of outcomes) {
    if ("draft" in outcome) found.drafts.push({ ...outcome.draft, idParameter: undefined, keys });
  }
}

/** Records that can be created are more likely to be found by what they are named. */
function rank({ candidate, drafts }: Drafted): number {
  return (drafts.some(({ action }) => action === "create") ? 100 : 0) - candidate.steps.length;
}

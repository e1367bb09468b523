import { bindOperations } from "../bind-operations.ts";
import { spotsOf } from "../bodies/body-spots.ts";
import { isSameSchema, type RecordSpot } from "../bodies/record-spots.ts";
import type { Draft } from "../draft.ts";
import { type Group, type Groups, operationOf } from "../groups.ts";
import { findIdKey, type Naming, nounOfSchema } from "../ids/id-key.ts";
import { isGlobalId } from "../ids/own-keys.ts";
import { ancestorsOf, parentField } from "../ids/parent-keys.ts";
import type { Drafted } from "../join.ts";
import { pathKey, pathStepsOf } from "../path-shape.ts";
import type { Shapes } from "../schema-shape.ts";
import { isSameNoun, nounOf } from "../words.ts";

/**
 * Single records of a collection at a path that has no list: `/deploys/{id}` for `/sites/{id}/deploys`, also beside
 * `/sites/{id}/deploys/{deployId}`.
 */
export function joinLoneRecords(shapes: Shapes, groups: Groups, drafted: Drafted[]): void {
  const bound = new Set(drafted.flatMap(({ drafts }) => drafts.map(({ operation }) => operation)));
  for (const group of groups.all()) {
    const [before, last] = group.steps.slice(-2);
    if (before?.kind !== "fixed" || last?.kind !== "wildcard" || last.label !== undefined) continue;
    if (group.operations.some((operation) => bound.has(operation))) continue;
    joinGroup(shapes, drafted, { group, naming: { parameter: last.name, segment: before.text } });
  }
}

interface LonePath {
  readonly group: Group;
  readonly naming: Naming & { readonly parameter: string };
}

function joinGroup(shapes: Shapes, drafted: Drafted[], path: LonePath): void {
  const { group, naming } = path;
  const sender = ["GET", "PATCH", "PUT"].flatMap((method) => operationOf(group, method) ?? [])[0];
  const spots = spotsOf(shapes, sender, naming.segment);
  const spot = typeof spots === "string" ? undefined : spots?.find(({ isList, isNamed }) => !isList && isNamed);
  if (!spot || spot.shape.properties.size === 0) return;
  const all = drafted
    .filter((one) => isOf(shapes, one, { ...path, spot }))
    .sort((a, b) => depth(a) - depth(b) || shared(b, group) - shared(a, group));
  const [found, ...others] = all;
  const key = found && findIdKey(shapes, [found.candidate.record], naming);
  if (!found || key === undefined) return;
  const { candidate, drafts } = found;
  for (const one of others) {
    // Comments of maps and of spots that `/comments/{id}` changes are all comments.
    const isSame = isSameNoun(one.candidate.segment, candidate.segment) && one.candidate.idKey === candidate.idKey;
    if (!isSame || candidate.item || one.candidate.item || depth(one) === 0) continue;
    drafts.push(...one.drafts);
    drafted.splice(drafted.indexOf(one), 1);
  }
  const isId = key === candidate.idKey && (isGlobalId(key) ? !isOfOthers(drafts) : !isBelowParents(drafts));
  const readSpot = sender?.method === "GET" ? spot : undefined;
  const item = { ...candidate, list: undefined, item: group, readSpot, keyPath: undefined };
  for (const outcome of bindOperations(shapes, item)) {
    if (!("draft" in outcome)) continue;
    const parameter = outcome.draft.idParameter ?? naming.parameter;
    // What is unique below a parent only is not found by that alone.
    drafts.push(
      isId ? outcome.draft : { ...outcome.draft, idParameter: undefined, keys: [{ parameter, path: [key] }] },
    );
  }
}

function isOfOthers(drafts: readonly Draft[]): boolean {
  return drafts.some(({ action }) => action === "add");
}

function isBelowParents(drafts: readonly Draft[]): boolean {
  const named = drafts.filter(({ idParameter }) => idParameter !== undefined);
  return named.every(({ operation: { path } }) => ancestorsOf(pathStepsOf(path) ?? [], true).length > 0);
}

/** Whether a path sends a record of a collection, whose records tell of all parents that the path has. */
function isOf(
  shapes: Shapes,
  { candidate, drafts }: Drafted,
  { group, naming, spot }: LonePath & { readonly spot: RecordSpot },
): boolean {
  const { form, record, listSpot, segment } = candidate;
  const known = [record, ...(listSpot ? [listSpot.shape] : [])];
  if (form === "single" || !known.some((shape) => isSameSchema(shape, spot.shape))) return false;
  const isNamedAlike = isSameNoun(segment, naming.segment) || nounOfSchema(record.name) === nounOf(naming.segment);
  const above = new Set(
    drafts.flatMap(({ operation }) => {
      const steps = pathStepsOf(operation.path) ?? [];
      return ancestorsOf(steps, false).map((ancestor) => pathKey(ancestor.steps));
    }),
  );
  return (
    isNamedAlike &&
    ancestorsOf(group.steps, true).every(
      (one) => above.has(pathKey(one.steps)) || parentField(shapes, candidate, one).isInRecord,
    )
  );
}

function depth({ candidate }: Drafted): number {
  return ancestorsOf(candidate.steps, false).length;
}

/** How many steps of two paths are the same, from the first on. */
function shared({ candidate }: Drafted, { steps }: Group): number {
  const differs = steps.findIndex(
    (_, at) => pathKey(steps.slice(0, at + 1)) !== pathKey(candidate.steps.slice(0, at + 1)),
  );
  return differs === -1 ? steps.length : differs;
}

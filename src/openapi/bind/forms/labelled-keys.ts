import { bindOperations } from "../bind-operations.ts";
import { spotsOf } from "../bodies/body-spots.ts";
import { ALIKE, likeness, type RecordSpot } from "../bodies/record-spots.ts";
import type { Candidate } from "../candidate.ts";
import { type Group, type Groups, operationOf } from "../groups.ts";
import { namesLike } from "../ids/loose-keys.ts";
import type { Drafted } from "../join.ts";
import { pathKey, pathStepsOf } from "../path-shape.ts";
import type { Shapes } from "../schema-shape.ts";
import { findAlike, wordsIn } from "../words.ts";

/**
 * Single records that another field finds: `/carts/key={key}` and `/carts/customer-id={customerId}` below `/carts`, and
 * `/releases/tags/{tag}` below `/releases`.
 */
export function joinLabelledKeys(shapes: Shapes, groups: Groups, drafted: readonly Drafted[]): void {
  const byPath = new Map(
    drafted.flatMap((one) =>
      one.drafts.flatMap(({ operation: { path }, action }) =>
        action === "list" || action === "create" ? [[pathKey(pathStepsOf(path) ?? []), one] as const] : [],
      ),
    ),
  );
  const bound = new Set(drafted.flatMap(({ drafts }) => drafts.map(({ operation }) => operation)));
  for (const group of groups.all()) {
    const label = labelOf(group.steps);
    const found = label && byPath.get(pathKey(group.steps.slice(0, -label.length)));
    if (found && !group.operations.some((one) => bound.has(one))) joinGroup(shapes, found, { group, label });
  }
}

interface Label {
  readonly field: string;
  readonly parameter: string;
  /** The steps that it consists of. */
  readonly length: number;
}

function labelOf(steps: Group["steps"]): Label | undefined {
  const [before, last] = steps.slice(-2);
  if (last?.kind !== "wildcard") return undefined;
  const parameter = last.name;
  if (last.label !== undefined) return { field: last.label.replace(/=$/, ""), parameter, length: 1 };
  return before?.kind === "fixed" ? { field: before.text, parameter, length: 2 } : undefined;
}

function joinGroup(
  shapes: Shapes,
  { candidate, drafts }: Drafted,
  { group, label }: { readonly group: Group; readonly label: Label },
): void {
  const { record, segment } = candidate;
  const { parameter } = label;
  const key = keyOf(shapes, candidate, label);
  const spots = key === undefined ? undefined : spotsOf(shapes, operationOf(group, "GET"), segment);
  if (key === undefined || typeof spots === "string") return;
  const isRecord = ({ shape }: RecordSpot): boolean =>
    label.length === 1 ? likeness(shape, record) >= ALIKE : shape.schema.place === record.schema.place;
  const readSpot = spots?.find((spot) => !spot.isList && isRecord(spot));
  if (!readSpot) return;
  const keys = [{ parameter, path: [key] }];
  for (const outcome of bindOperations(shapes, { ...candidate, list: undefined, item: group, readSpot })) {
    if ("draft" in outcome) drafts.push({ ...outcome.draft, idParameter: undefined, keys });
  }
}

function keyOf(shapes: Shapes, { record, idKey }: Candidate, { field, parameter, length }: Label): string | undefined {
  const fits = (name: string): boolean => shapes.isComparable(record, name);
  const find = (name: string): string | undefined => findAlike(record.properties.keys(), name, fits);
  if (length === 1) return find(field);
  // `/users/by-email/{value}`, `/releases/tags/{tag}` of records with a `tag_name`.
  const words = wordsIn(field).filter((word) => word !== "by");
  const names = [parameter, words.join(""), ...namesLike(parameter)];
  return names.map(find).find((name) => name !== undefined && name !== idKey);
}

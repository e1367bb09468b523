import { bindOperations } from "./bind-operations.ts";
import { ALIKE, spotsOf } from "./candidate.ts";
import { type Group, type Groups, operationOf } from "./groups.ts";
import type { Drafted } from "./join.ts";
import { pathKey, pathStepsOf } from "./path-shape.ts";
import { likeness } from "./record-spots.ts";
import type { Shapes } from "./schema-shape.ts";
import { findAlike } from "./words.ts";

/** Single records that another field finds: `/carts/key={key}` and `/carts/customer-id={customerId}` below `/carts`. */
export function joinLabelledKeys(shapes: Shapes, groups: Groups, drafted: readonly Drafted[]): void {
  const labelled = [...groups.all()].filter(({ steps }) => labelOf(steps) !== undefined);
  if (labelled.length === 0) return;
  const byPath = new Map(
    drafted.flatMap((one) =>
      one.drafts.flatMap(({ operation: { path }, action }) =>
        action === "list" || action === "create" ? [[pathKey(pathStepsOf(path) ?? []), one] as const] : [],
      ),
    ),
  );
  for (const group of labelled) {
    const found = byPath.get(pathKey(group.steps.slice(0, -1)));
    if (found) joinGroup(shapes, found, group);
  }
}

function labelOf(steps: Group["steps"]): { readonly field: string; readonly parameter: string } | undefined {
  const last = steps.at(-1);
  if (last?.kind !== "wildcard" || last.label === undefined) return undefined;
  return { field: last.label.replace(/=$/, ""), parameter: last.name };
}

function joinGroup(shapes: Shapes, { candidate, drafts }: Drafted, group: Group): void {
  const { record, segment } = candidate;
  const { field = "", parameter = "" } = labelOf(group.steps) ?? {};
  const key = findAlike(record.properties.keys(), field, (name) => shapes.isComparable(record, name));
  const spots = spotsOf(shapes, operationOf(group, "GET"), segment);
  const readSpot =
    typeof spots === "string"
      ? undefined
      : spots?.find(({ shape, isList }) => !isList && likeness(shape, record) >= ALIKE);
  if (key === undefined || !readSpot) return;
  const keys = [{ parameter, path: [key] }];
  for (const outcome of bindOperations(shapes, { ...candidate, list: undefined, item: group, readSpot })) {
    if ("draft" in outcome) drafts.push({ ...outcome.draft, idParameter: undefined, keys });
  }
}

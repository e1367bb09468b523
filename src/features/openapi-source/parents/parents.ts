import type { Json } from "../../../base/json/json.ts";
import type { PathParts } from "../../../http/contract.ts";
import type { GivenFilter } from "../../../http/routes/list.ts";
import type { BoundCollection, BoundOperation, ParentKey } from "../../../openapi/bind/binding.ts";
import { equality } from "../../../query/operators/eq.ts";
import { nullness } from "../../../query/operators/null.ts";
import { type Path, parsePath, valueAt } from "../../../query/path.ts";
import type { Condition, Filter } from "../../../query/query.ts";

/** The records below the parents that a path names. */
export function ofParents({ parents }: BoundOperation, parts: PathParts): GivenFilter | undefined {
  const told = parents.filter(({ isOfAll }) => !isOfAll);
  const filters = told.map((parent) => ofParent(parent, parts[parent.parameter]!));
  const [only, ...more] = filters;
  const [first] = told;
  if (!only || !first) return undefined;
  return { filter: more.length === 0 ? only : { operator: "and", parts: filters }, field: first.field };
}

/** The records of one parent. */
export function ofParent(parent: ParentKey, value: string): Filter {
  const { collection, isTold, common } = parent;
  const path = pathOf(parent);
  const equalTo = (key: string): Condition => ({ ...equality(path, [key]), isFromPath: true });
  const equal = equalTo(value);
  if (collection !== undefined || isTold) return equal;
  // Generated records belong to every parent that is not served itself.
  const missing: Condition = { ...nullness(path, ["true"], path.text), isFromPath: true };
  return { operator: "or", parts: [equal, missing, ...(common === undefined ? [] : [equalTo(String(common))])] };
}

/** The path of the field that names a parent. */
export function pathOf({ holder, field }: ParentKey): Path {
  return parsePath(holder === undefined ? field : `${holder}.${field}`);
}

/** The parents in the longest path of a collection. */
export function deepestParents({ operations }: BoundCollection): readonly ParentKey[] {
  return operations.reduce<readonly ParentKey[]>(
    (most, { parents }) => (parents.length > most.length ? parents : most),
    [],
  );
}

/** Whether a record is below the parents that a path names. */
export function isOfParents({ parents }: BoundOperation, parts: PathParts, value: Json): boolean {
  return parents.every((parent) => {
    const { parameter, collection, isTold, common } = parent;
    const held = valueAt(value, pathOf(parent));
    const isOfAny = held === undefined || held === null || (common !== undefined && String(held) === String(common));
    if (isOfAny && collection === undefined && !isTold) return true;
    return String(held) === parts[parameter];
  });
}

/** Whether a record says whose it is. */
export function hasParents({ parents }: BoundOperation, value: Json): boolean {
  return parents.every((parent) => parent.isOfAll || (valueAt(value, pathOf(parent)) ?? null) !== null);
}

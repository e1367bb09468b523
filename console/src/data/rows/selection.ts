import type { JsonObject } from "../../api/json.ts";
import { idIn } from "../table/reference-labels.ts";

/** The records that were picked in a list: one by one, or all that match but for some. Ids are kept as texts. */
export interface Selection {
  readonly kind: "some" | "allBut";
  readonly ids: ReadonlySet<string>;
}

export const NOTHING: Selection = { kind: "some", ids: new Set() };
export const EVERYTHING: Selection = { kind: "allBut", ids: new Set() };

export function isSelected({ kind, ids }: Selection, id: string): boolean {
  return ids.has(id) === (kind === "some");
}

/** How many are picked of a list of this length. */
export function countSelected({ kind, ids }: Selection, total: number): number {
  return kind === "some" ? ids.size : Math.max(0, total - ids.size);
}

/** The selection with these records in it, or without them. */
export function select(selection: Selection, ids: Iterable<string>, isOn: boolean): Selection {
  const next = new Set(selection.ids);
  const isListed = isOn === (selection.kind === "some");
  for (const id of ids) {
    if (isListed) next.add(id);
    else next.delete(id);
  }
  return { kind: selection.kind, ids: next };
}

/** The id of a record as text; undefined for a record without one. */
export function idOf(record: JsonObject | undefined, idKey: string): string | undefined {
  return idIn(record?.[idKey]);
}

import { parseJson } from "../../../api/json.ts";

/** More ids than this are edited as JSON. */
const MOST_IDS = 50;

export type Id = string | number;

/** The ids in the JSON text of a list; undefined if it is something else. Empty for an empty text. */
export function idsIn(text: string): readonly Id[] | undefined {
  if (text === "") return [];
  const value = parseJson(text);
  if (!Array.isArray(value) || value.length > MOST_IDS) return undefined;
  const ids = value.filter((id) => typeof id === "string" || typeof id === "number");
  return ids.length === value.length ? ids : undefined;
}

/** The list with one more id; one that is typed is a number where the others are. */
export function withId(ids: readonly Id[], id: Id): readonly Id[] {
  if (ids.some((one) => String(one) === String(id))) return ids;
  const isNumber = typeof id === "string" && /^\d{1,15}$/.test(id) && ids.every((one) => typeof one === "number");
  return [...ids, isNumber ? Number(id) : id];
}

export function formatIds(ids: readonly Id[]): string {
  return JSON.stringify(ids, null, 2);
}

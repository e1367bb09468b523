import type { Places } from "./places.ts";

/** All data, as `/db` shows it. */
export type Database = Readonly<Record<string, unknown>>;

type Value = Readonly<Record<string, unknown>>;

interface ThreeStates {
  /** After the change. */
  readonly base: Database;
  /** Before it. */
  readonly earlier: Database;
  readonly now: Database;
  readonly places: { readonly earlier: Places; readonly now: Places };
}

interface ThreeLists {
  readonly base: readonly Value[];
  readonly earlier: readonly Value[];
  readonly now: readonly Value[];
}

/**
 * The data without a change of records, by the book: every record that the change touched goes back to what it was before
 * it. Undefined where one has changed again, unless `fields` lets all others be.
 */
export function naiveRevert(states: ThreeStates, fields: boolean): Database | undefined {
  const merged: Record<string, unknown> = {};
  for (const [name, now] of Object.entries(states.now)) {
    const { base, earlier } = { base: states.base[name], earlier: states.earlier[name] };
    const place = (of: "earlier" | "now", { id }: Value): number => states.places[of].get(name)?.get(id) ?? 0;
    const member = Array.isArray(now)
      ? revertList({ base: listOf(base), earlier: listOf(earlier), now: listOf(now) }, { fields, place })
      : revertValue({ base: base as Value, earlier: earlier as Value, now: now as Value }, fields);
    if (member === "conflict") return undefined;
    merged[name] = member;
  }
  return merged;
}

function listOf(member: unknown): readonly Value[] {
  return Array.isArray(member) ? (member as Value[]) : [];
}

function revertList(
  { base, earlier, now }: ThreeLists,
  { fields, place }: { fields: boolean; place: (of: "earlier" | "now", record: Value) => number },
): unknown[] | "conflict" {
  const at = (list: readonly Value[], id: unknown): Value | undefined => list.find((one) => one.id === id);
  const result: [place: number, record: Value][] = [];
  for (const record of now) {
    const value = revertValue({ base: at(base, record.id), earlier: at(earlier, record.id), now: record }, fields);
    if (value === "conflict") return "conflict";
    if (value) result.push([place("now", record), value]);
  }
  for (const record of earlier) {
    const left = at(base, record.id);
    if (at(now, record.id) || textOf(left) === textOf(record)) continue;
    if (left) return "conflict";
    result.push([place("earlier", record), record]);
  }
  return result.sort(([one], [other]) => one - other).map(([, record]) => record);
}

function revertValue(
  { base, earlier, now }: { base: Value | undefined; earlier: Value | undefined; now: Value | undefined },
  fields: boolean,
): Value | "conflict" | undefined {
  if (textOf(base) === textOf(earlier) || textOf(now) === textOf(earlier)) return now;
  if (textOf(now) === textOf(base)) return earlier;
  if (!fields || !base || !earlier || !now) return "conflict";
  const merged = { ...now };
  for (const field of new Set([...Object.keys(base), ...Object.keys(earlier)])) {
    if (textOf(base[field]) === textOf(earlier[field]) || textOf(now[field]) === textOf(earlier[field])) continue;
    if (textOf(now[field]) !== textOf(base[field])) return "conflict";
    if (field in earlier) merged[field] = earlier[field];
    else delete merged[field];
  }
  return merged;
}

function textOf(value: unknown): string | undefined {
  return JSON.stringify(value);
}

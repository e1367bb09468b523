import { isJsonObject, type Json, type JsonObject } from "../../base/json/json.ts";
import { MAX_AT_ONCE, STEP, type Work } from "../../base/slices.ts";

/** Rows that are sorted without a pause. */
const RUN = 1000;

interface Row {
  readonly value: JsonObject;
}

interface Key {
  readonly path: readonly string[];
  readonly isDescending: boolean;
}

type Compare<R> = (a: R, b: R) => number;

/** Sorts by `_sort` as 1.0 does: texts by the rules of the language, nothing and empty texts last, unlike values by `<`. */
export function* sortRows<R extends Row>(rows: readonly R[], sort: string): Work<readonly R[]> {
  if (sort === "") return rows;
  const keys = sort.split(",").map((text): Key => {
    const isDescending = text.startsWith("-");
    return { path: (isDescending ? text.slice(1) : text).split("."), isDescending };
  });
  const compare: Compare<R> = (a, b) => {
    for (const { path, isDescending } of keys) {
      const order = compareBy(valueAt(a.value, path), valueAt(b.value, path));
      if (order !== 0) return isDescending ? -order : order;
    }
    return 0;
  };
  return rows.length <= MAX_AT_ONCE ? rows.toSorted(compare) : yield* sortInRuns(rows, compare);
}

function compareBy(x: Json | undefined, y: Json | undefined): number {
  if (x === y) return 0;
  if (y !== 0 && !y) return -1;
  if (x !== 0 && !x) return 1;
  if (typeof x === "string" && typeof y === "string") return x.localeCompare(y);
  return (x as number) < (y as number) ? -1 : 1;
}

function valueAt(record: JsonObject, path: readonly string[]): Json | undefined {
  let at: Json | undefined = record;
  for (const name of path) {
    if (Array.isArray(at)) at = at[Number(name)];
    else if (isJsonObject(at) && Object.hasOwn(at, name)) at = at[name];
    else return undefined;
  }
  return at;
}

/** A stable merge sort that pauses, since comparing texts by a language takes long. */
function* sortInRuns<R>(rows: readonly R[], compare: Compare<R>): Work<readonly R[]> {
  let runs: R[][] = [];
  for (let from = 0; from < rows.length; from += RUN) {
    runs.push(rows.slice(from, from + RUN).sort(compare));
    yield;
  }
  while (runs.length > 1) {
    const merged: R[][] = [];
    for (let at = 0; at < runs.length; at += 2) merged.push(yield* merge(runs[at]!, runs[at + 1] ?? [], compare));
    runs = merged;
  }
  return runs[0] ?? [];
}

function* merge<R>(a: readonly R[], b: readonly R[], compare: Compare<R>): Work<R[]> {
  const merged: R[] = [];
  let atA = 0;
  let atB = 0;
  while (atA < a.length || atB < b.length) {
    const takesB = atA === a.length || (atB < b.length && compare(a[atA]!, b[atB]!) > 0);
    merged.push(takesB ? b[atB++]! : a[atA++]!);
    if (merged.length % STEP === 0) yield;
  }
  return merged;
}

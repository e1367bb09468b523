import { isJsonObject, type Json, type JsonObject } from "../../base/json/json.ts";
import { MAX_AT_ONCE, type Work } from "../../base/slices.ts";
import { mergeSort } from "../../query/order.ts";

interface Row {
  readonly value: JsonObject;
}

interface Key {
  readonly path: readonly string[];
  readonly isDescending: boolean;
}

/** Sorts by `_sort` as 1.0 does: texts by the rules of the language, nothing and empty texts last, unlike values by `<`. */
export function* sortRows<R extends Row>(rows: readonly R[], sort: string): Work<readonly R[]> {
  if (sort === "") return rows;
  const keys = sort.split(",").map((text): Key => {
    const isDescending = text.startsWith("-");
    return { path: (isDescending ? text.slice(1) : text).split("."), isDescending };
  });
  const compare = (a: R, b: R): number => {
    for (const { path, isDescending } of keys) {
      const order = compareBy(valueAt(a.value, path), valueAt(b.value, path));
      if (order !== 0) return isDescending ? -order : order;
    }
    return 0;
  };
  return rows.length <= MAX_AT_ONCE ? rows.toSorted(compare) : yield* mergeSort(rows, compare);
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

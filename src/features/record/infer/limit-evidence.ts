import type { SeenOperation, SeenOperations } from "./operations.ts";
import { isLimit, turnsPages } from "./paging-names.ts";
import { isSuccessful } from "./seen.ts";
import { listAtPath, type SeenCollection } from "./seen-collection.ts";
import { rowsAt } from "./spots.ts";

/** A response of a list: its address, its query without the parameter in question, and the number of its records. */
interface Page {
  readonly parents: string;
  readonly query: readonly (readonly [string, string])[];
  readonly count: number;
}

/**
 * Parameters that limit the records of a page although their names do not tell so, such as `amount`. A name that one
 * list has shown means the same in the others, which may be too short to show it.
 */
export function limitsShown(operations: SeenOperations, collections: readonly SeenCollection[]): ReadonlySet<string> {
  const shown = new Set<string>();
  const refuted = new Set<string>();
  for (const operation of operations.values()) {
    const pages = pagesOf(operation, collections);
    const names = new Set(pages.flatMap(({ query }) => query.map(([name]) => name)));
    const hasLimit = [...names].some(isLimit);
    for (const name of names) {
      if (turnsPages(name)) continue;
      const using = pages.filter((page) => valueIn(page, name) !== undefined);
      if (!using.every((page) => page.count <= Number(valueIn(page, name)))) refuted.add(name);
      else if (!hasLimit && cutsPages(name, using, pages)) shown.add(name);
    }
  }
  return new Set([...shown].filter((name) => !refuted.has(name)));
}

function pagesOf({ method, path, seen }: SeenOperation, collections: readonly SeenCollection[]): Page[] {
  const list = collections.map((one) => listAtPath(one, path)).find((one) => one !== undefined);
  if (!list || method !== "GET") return [];
  return seen.filter(isSuccessful).map(({ values, query, body }) => {
    return { parents: values.join("/"), query, count: rowsAt(body, list.at).length };
  });
}

/** Whether pages were full: another value showed more records of the same list, or a later page was full as well. */
function cutsPages(name: string, using: readonly Page[], pages: readonly Page[]): boolean {
  const full = using.filter((page) => page.count > 0 && page.count === Number(valueIn(page, name)));
  const isTurned = ({ query }: Page): boolean => query.some(([own]) => turnsPages(own));
  return full.some((page) => {
    const isLonger = pages.some((other) => restOf(other, name) === restOf(page, name) && other.count > page.count);
    return isLonger || (isTurned(page) && full.some((other) => !isTurned(other) && other.parents === page.parents));
  });
}

function restOf({ parents, query }: Page, name: string): string {
  return JSON.stringify([parents, query.filter(([own]) => own !== name)]);
}

function valueIn({ query }: Page, name: string): string | undefined {
  return query.find(([own]) => own === name)?.[1];
}

import { isJsonObject, type Json, stringifyJson } from "../../../base/json/json.ts";
import { NUMBERS } from "../../../openapi/bind/query/envelope-names.ts";
import { plainName } from "../../../openapi/bind/words.ts";
import type { SeenOperation } from "./operations.ts";
import { isLimit, turnsPages } from "./paging-names.ts";
import { isSuccessful } from "./seen.ts";
import { listAtPath, type SeenCollection } from "./seen-collection.ts";
import { rowsAt } from "./spots.ts";

/** The records of a page where nothing says how many there are. */
const USUAL_SIZE = 20;

interface NamedParameter {
  readonly name: string;
  /** All of the operation. */
  readonly names: readonly string[];
  /** Those that traffic has shown to limit pages. */
  readonly limits: ReadonlySet<string>;
}

/**
 * The records of a page, where no parameter says how many: as a field around the list says, or the most that there were if
 * others were on further pages. It belongs to the parameter that limits pages, else to the one that turns them.
 */
export function pageSize(
  operation: SeenOperation,
  collection: SeenCollection,
  { name, names, limits }: NamedParameter,
): number | undefined {
  const limiting = (one: string): boolean => isLimit(one) || limits.has(one);
  if (!limiting(name) && !(turnsPages(name) && !names.some(limiting))) return undefined;
  const at = listAtPath(collection, operation.path)?.at;
  if (!at) return undefined;
  const pages = operation.seen.filter(isSuccessful);
  const open = pages.filter(({ query }) => !query.some(([own]) => limiting(own)));
  const most = Math.max(0, ...open.map(({ body }) => rowsAt(body, at).length));
  if (most === 0) return undefined;
  const told = toldSize(open.map(({ body }) => body));
  if (told !== undefined && told >= most) return told;
  return most > USUAL_SIZE || hasMore({ pages, open }, collection, at) ? most : undefined;
}

/** Whether pages of one list have shown more records than any of its pages without a limit. */
function hasMore(
  { pages, open }: { readonly pages: SeenOperation["seen"]; readonly open: SeenOperation["seen"] },
  { idKey }: SeenCollection,
  at: readonly string[],
): boolean {
  return open.some(({ values, body }) => {
    const same = pages.filter((one) => one.values.join("/") === values.join("/"));
    const rows = same.flatMap((one) => rowsAt(one.body, at));
    return new Set(rows.map((row) => stringifyJson(row[idKey] ?? row))).size > rowsAt(body, at).length;
  });
}

/** The number that all bodies have in a field that is named like a limit. */
function toldSize(bodies: readonly (Json | undefined)[]): number | undefined {
  const [first, ...others] = bodies.map(limitIn);
  return first !== undefined && others.every((one) => one === first) ? first : undefined;
}

/** The limit beside a list, or in an object such as `meta`. */
function limitIn(body: Json | undefined): number | undefined {
  if (!isJsonObject(body)) return undefined;
  const names = new Map(NUMBERS).get("limit") ?? [];
  const fields = [body, ...Object.values(body).filter(isJsonObject)].flatMap(Object.entries);
  const found = fields.find(([name, value]) => names.includes(plainName(name)) && typeof value === "number");
  return Number(found?.[1] ?? NaN) || undefined;
}

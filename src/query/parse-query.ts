import { StandinError } from "../errors.ts";
import { parseCondition } from "./condition.ts";
import type { Parameters } from "./parameters.ts";
import { parsePath } from "./path.ts";
import type { Query, SortKey } from "./query.ts";
import { createWindow } from "./window.ts";

/** Parameters with a special meaning; all others are filters. jQuery adds `_` to bypass caches. */
const RESERVED = new Set([
  "q",
  "_sort",
  "_order",
  "_page",
  "_limit",
  "_start",
  "_end",
  "_embed",
  "_expand",
  "_delay",
  "callback",
  "_",
]);

/** Parses parameters into a query. Throws QUERY_INVALID, naming parameter and value, on an invalid one. */
export function parseQuery(parameters: Parameters): Query {
  const where = [];
  for (const [name, values] of parameters) if (!RESERVED.has(name)) where.push(parseCondition(name, values));
  return {
    where,
    search: (parameters.get("q")?.[0] ?? "").toLowerCase(),
    sort: parseSort(parameters),
    window: createWindow({
      page: wholeNumber(parameters, "_page"),
      limit: wholeNumber(parameters, "_limit"),
      start: wholeNumber(parameters, "_start"),
      end: wholeNumber(parameters, "_end"),
    }),
    embed: nameList(parameters, "_embed"),
    expand: nameList(parameters, "_expand"),
  };
}

/** The names in a parameter, which may be repeated, comma-separated or both. */
export function nameList(parameters: Parameters, name: string): string[] {
  const values = parameters.get(name);
  return values ? values.flatMap((value) => value.split(",")).filter((value) => value !== "") : [];
}

/** The number in a parameter's first value, truncated as in 0.17; undefined when absent or empty. */
export function wholeNumber(parameters: Parameters, name: string): number | undefined {
  const given = parameters.get(name)?.[0]?.trim();
  if (given === undefined || given === "") return undefined;
  if (!/^[+-]?\d+(\.\d*)?$/.test(given)) {
    throw new StandinError(
      "QUERY_INVALID",
      `${name}=${given}: ${name} must be a whole number, for example ${name}=10.`,
    );
  }
  return Number.parseInt(given, 10);
}

/** Parses `_sort` and `_order`. An empty name keeps its position, so that the directions still match. */
function parseSort(parameters: Parameters): SortKey[] {
  const names = (parameters.get("_sort") ?? []).join(",");
  if (names === "") return [];
  const orders = (parameters.get("_order") ?? []).join(",").split(",");
  return names.split(",").map((name, position) => ({
    path: parsePath(name),
    descending: orders[position]?.toLowerCase() === "desc",
  }));
}

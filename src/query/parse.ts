import { StandinError } from "../errors.ts";
import { parseCondition } from "./condition.ts";
import type { Parameters } from "./parameters.ts";
import { parsePath } from "./path.ts";
import type { Query, SortKey } from "./query.ts";
import { createWindow } from "./window.ts";

/** Parameters with a meaning of their own; every other one is a filter. `_` is what jQuery adds against caches. */
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

/** Parameters -> Query. Throws QUERY_INVALID, naming parameter and value, on what cannot be meant. */
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

/** The names of a parameter that may be repeated, comma-separated or both. */
export function nameList(parameters: Parameters, name: string): string[] {
  const values = parameters.get(name);
  return values ? values.flatMap((value) => value.split(",")).filter((value) => value !== "") : [];
}

/** The number a parameter gives (its first value, the fraction cut off as in 0.17); undefined when absent or empty. */
export function wholeNumber(parameters: Parameters, name: string): number | undefined {
  const given = parameters.get(name)?.[0]?.trim();
  if (given === undefined || given === "") return undefined;
  if (!/^[+-]?\d+(\.\d*)?$/.test(given)) {
    throw new StandinError("QUERY_INVALID", `${name}=${given}: ${name} wants a whole number, for example ${name}=10.`);
  }
  return Number.parseInt(given, 10);
}

/** A name left empty keeps its place in the list, so that `_order` still meets the right one. */
function parseSort(parameters: Parameters): SortKey[] {
  const names = (parameters.get("_sort") ?? []).join(",");
  if (names === "") return [];
  const orders = (parameters.get("_order") ?? []).join(",").split(",");
  return names.split(",").map((name, position) => ({
    path: parsePath(name),
    descending: orders[position]?.toLowerCase() === "desc",
  }));
}

import { nearest } from "../base/nearest.ts";
import { OPERATOR_NAMES } from "./operator-table.ts";
import { PARAMETERS } from "./parameters.ts";

/** Other servers' names of our parameters. */
const SYNONYMS: Readonly<Record<string, string>> = {
  include: "_expand",
  offset: "_start",
  pageSize: "_limit",
  perPage: "_per_page",
  search: "q",
  select: "_fields",
  size: "_limit",
  skip: "_start",
  sortBy: "_sort",
  take: "_limit",
};

/** The field, parameter or field with operator that an unknown name was probably meant to be. */
export function meantName(name: string, fields: readonly string[]): string | undefined {
  if (name.startsWith("_")) return nearest(name, [...PARAMETERS, ...fields]);
  // Other servers have `page` and `limit`.
  if (PARAMETERS.includes(`_${name}`)) return `_${name}`;
  return (
    nearest(name, fields) ?? withOperator(name, fields) ?? (Object.hasOwn(SYNONYMS, name) ? SYNONYMS[name] : undefined)
  );
}

/** The same behind `_sort`, where other servers take `price:desc` or `price desc`. */
export function meantOrder(name: string, fields: readonly string[]): string | undefined {
  const [, field = "", order] = /^(.+)[: ](asc|desc)$/i.exec(name) ?? [];
  if (!fields.includes(field)) return meantName(name, fields);
  return order?.toLowerCase() === "desc" ? `-${field}` : field;
}

/** `price_cotains` is `price:contains`. */
function withOperator(name: string, fields: readonly string[]): string | undefined {
  const [, field = "", suffix = ""] = /^(.+)[_:]([A-Za-z]+)$/.exec(name) ?? [];
  const operator = nearest(suffix, OPERATOR_NAMES);
  if (operator === undefined) return undefined;
  const known = fields.includes(field) ? field : nearest(field, fields);
  // Where neither part is known, nothing is like it.
  return known === undefined && operator !== suffix ? undefined : `${known ?? field}:${operator}`;
}

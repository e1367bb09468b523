import { isComplete } from "./condition.ts";
import { formatListQuery, type ListQuery } from "./list-query.ts";
import { whereOf } from "./where-json.ts";

/** The list as a call of the program API: conditions as an object where that says everything, else a query string. */
export function copyAsFind(collection: string, query: ListQuery): string {
  const member = /^[A-Za-z_$][\w$]*$/.test(collection) ? `.${collection}` : `[${JSON.stringify(collection)}]`;
  const where = whereObject(query) ?? JSON.stringify(formatListQuery(query));
  return `const records = await api.db${member}.find(${where === '""' ? "" : where});`;
}

/** Undefined where an object cannot say it: negation, paths, search, order, columns and groups need the query string. */
function whereObject(query: ListQuery): string | undefined {
  const { filters, wheres, search, sort, fields, grouping } = query;
  if (wheres.length > 0 || search !== "" || sort.length > 0 || fields || grouping) return undefined;
  const clauses = filters.map((clause) => clause.filter(isComplete)).filter(({ length }) => length > 0);
  const conditions = clauses.flat();
  if (conditions.length === 0 || conditions.some(({ path, operator }) => /[.[]/.test(path) || operator[0] === "!")) {
    return undefined;
  }
  const parts = clauses.map(whereOf);
  return asCode(parts.length === 1 ? parts[0] : { and: parts });
}

/** JSON as people write it in code: names without quotes where they need none. */
function asCode(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(asCode).join(", ")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const entries = Object.entries(value).map(([key, inner]) => {
    const name = /^[A-Za-z_$][\w$]*$/.test(key) ? key : JSON.stringify(key);
    return `${name}: ${asCode(inner)}`;
  });
  return `{ ${entries.join(", ")} }`;
}

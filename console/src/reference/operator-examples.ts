import { type Field, idKeyOf, type Overview } from "../api/overview.ts";

export interface OperatorExample {
  readonly operator: string;
  readonly does: string;
  /** Path and query of a request that uses it on the served data. */
  readonly address: string;
}

/** Every operator of a filter with a request for the served data; empty if there is no collection with fields. */
export function operatorExamples(overview: Overview): OperatorExample[] {
  const { members, fields } = overview;
  const collection = members.find(({ kind, name }) => kind === "collection" && (fields[name] ?? []).length > 0);
  if (!collection) return [];
  const { name } = collection;
  const known = fields[name] ?? [];
  const idKey = idKeyOf(overview, name);
  const isForeign = (field: Field): boolean =>
    overview.relations.some(({ from, field: key }) => from === name && key === field.name);
  const number =
    known.find((field) => field.types.includes("number") && field.name !== idKey && !isForeign(field))?.name ?? idKey;
  const text = known.find((field) => field.types.includes("string") && field.name !== idKey)?.name ?? idKey;
  const path = `/${encodeURIComponent(name)}`;
  const on = (field: string, operator: string, value: string, does: string): OperatorExample => ({
    operator,
    does,
    address: `${path}?${encodeURIComponent(field)}:${operator}=${value}`,
  });
  return [
    on(text, "eq", "a", "is"),
    on(text, "ne", "a", "is not"),
    on(number, "gt", "10", "is more than"),
    on(number, "gte", "10", "is at least"),
    on(number, "lt", "100", "is less than"),
    on(number, "lte", "100", "is at most"),
    on(idKey, "in", "1,2,3", "is one of"),
    on(idKey, "nin", "1,2,3", "is none of"),
    on(text, "contains", "a", "contains, in any case"),
    on(text, "startsWith", "A", "starts with"),
    on(text, "endsWith", "e", "ends with"),
    on(text, "like", "^A", "matches the pattern"),
    on(text, "null", "true", "is null or missing"),
  ];
}

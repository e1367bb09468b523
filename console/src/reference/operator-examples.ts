import { OPERATOR_TABLE } from "../api/operator-table.ts";
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
  const object = known.find((field) => field.types.includes("object"))?.name;
  const fieldFor = { id: idKey, price: number, name: text, headquarter: object };
  return OPERATOR_TABLE.flatMap(({ name: operator, description: does, field: kind, value }) => {
    const field = fieldFor[kind];
    if (field === undefined) return [];
    return [
      { operator, does, address: `/${encodeURIComponent(name)}?${encodeURIComponent(field)}:${operator}=${value}` },
    ];
  });
}

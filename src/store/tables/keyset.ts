import { type Json, stringifyJson } from "../../base/json/json.ts";
import { textOf } from "../../query/text.ts";
import { all, some } from "../postgres/sql/conditions.ts";
import { constant, type Fragment, sql } from "../postgres/sql/fragment.ts";
import type { Column, Family } from "./table.ts";

/** An expression that rows are sorted by; without a column, all rows have the same. */
export interface OrderedBy {
  readonly column: Column | undefined;
  readonly expression: Fragment;
  readonly descending: boolean;
}

/** The condition of all rows behind the one with these values. NULL is above everything. */
export function afterSql(keys: readonly OrderedBy[], values: readonly (Json | undefined)[]): Fragment {
  const ways: Fragment[] = [];
  const equal: Fragment[] = [];
  for (const [at, key] of keys.entries()) {
    if (!key.column) continue;
    const value = values[at] ?? null;
    ways.push(all([...equal, beyondSql(key, key.column, value)]));
    equal.push(
      value === null ? sql`${key.expression} IS NULL` : sql`${key.expression} = ${valueSql(key.column, value)}`,
    );
  }
  return some(ways);
}

function beyondSql({ expression, descending }: OrderedBy, column: Column, value: Json): Fragment {
  if (value === null) return descending ? sql`${expression} IS NOT NULL` : sql`false`;
  const given = valueSql(column, value);
  return descending ? sql`${expression} < ${given}` : sql`(${expression} > ${given} OR ${expression} IS NULL)`;
}

/** The types of the expressions by which columns sort; the others are texts. */
const TYPES: Partial<Readonly<Record<Family, string>>> = {
  integer: "::bigint",
  numeric: "::numeric",
  float: "::float8",
  float4: "::float4",
  boolean: "::boolean",
  uuid: "::uuid",
};

/** A value of a cursor, which anyone may have made, in the type of the expression that it is compared with. */
function valueSql({ family, type }: Column, value: Json): Fragment {
  const text = typeof value === "object" ? stringifyJson(value) : textOf(value);
  return sql`${text}::text${constant(family === "moment" ? `::${type}` : (TYPES[family] ?? ""))}`;
}

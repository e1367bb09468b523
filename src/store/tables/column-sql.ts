import { quoted } from "../postgres/connections/connection.ts";
import { constant, type Fragment, join, sql } from "../postgres/sql/fragment.ts";
import type { Column, Table } from "./table.ts";

const names = new Map<string, Fragment>();

/** The name of a column or table in SQL. Cached without limit: a database has only so many. */
export function nameSql(text: string): Fragment {
  let fragment = names.get(text);
  if (!fragment) {
    fragment = constant(quoted(text));
    names.set(text, fragment);
  }
  return fragment;
}

/** A column of the row `t`. */
export function columnSql({ name }: Column): Fragment {
  return sql`t.${nameSql(name)}`;
}

/** The text of a column's value as it appears in JSON; undefined where that is no text. */
export function textSql(column: Column): Fragment | undefined {
  const own = columnSql(column);
  switch (column.family) {
    case "text":
      return own;
    case "padded":
    case "uuid":
    case "enum":
      return sql`${own}::text`;
    case "bytes":
      return base64Sql(own);
    case "moment":
    case "other":
      return sql`(to_json(${own}) #>> '{}')`;
    default:
      return undefined;
  }
}

/** The expression by which a column sorts as its JSON does; undefined where only this process can sort. */
export function sortSql(column: Column): Fragment | undefined {
  if (column.family === "nested") return undefined;
  const isText = column.family !== "uuid" && column.family !== "moment" && textSql(column);
  return isText ? sql`${isText} COLLATE "C"` : columnSql(column);
}

/** The JSON text of the row `t`. */
export function bodySql({ columns }: Table): Fragment {
  const parts = [...columns.values()].map((column) => {
    const own = columnSql(column);
    const shown = column.family === "padded" ? sql`${own}::text` : column.family === "bytes" ? base64Sql(own) : own;
    return sql`${shown} AS ${nameSql(column.name)}`;
  });
  return sql`(SELECT row_to_json(r) FROM (SELECT ${join(parts, ", ")}) AS r)::text`;
}

/** On one line. */
function base64Sql(own: Fragment): Fragment {
  return sql`translate(encode(${own}, 'base64'), E'\n', '')`;
}

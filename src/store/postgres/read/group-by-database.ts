import { isJsonObject, type Json, type JsonObject, parseJson } from "../../../base/json/json.ts";
import { inSlices } from "../../../base/slices.ts";
import { metered } from "../../../base/work-account.ts";
import { createRow, groupRows } from "../../../query/group-rows.ts";
import { valueAt } from "../../../query/path.ts";
import type { Aggregate, Filter } from "../../../query/query.ts";
import type { Grouped, GroupQuery } from "../../store.ts";
import type { Statements } from "../connections/connection.ts";
import { OutdatedCatalogue } from "../connections/connection-errors.ts";
import { valueSql } from "../sql/conditions.ts";
import { type Fragment, inPages, join, name, run, sql } from "../sql/fragment.ts";
import { hasTrait, type KnownMember } from "../tables/catalogue.ts";
import { decodeText } from "../tables/coded-text.ts";
import { type FactsRow, type RecordRow, recordFromRow } from "../tables/row.ts";
import { factsSql, type Search, withKnownFilters } from "./find-rows.ts";
import { whereSql } from "./where-sql.ts";

/** PostgreSQL refuses a sum that is too large for a double, where JavaScript has Infinity. */
const OUT_OF_RANGE = "22003";
/** Rows fetched at a time where this process groups the records. */
const GROUPED_AT_ONCE = 2000;

/** The rows, and the requested versions. */
export interface GroupedRows extends Grouped {
  versions?: string;
}

/** Lets the database group the records of a query. */
export async function groupByDatabase(
  database: Statements,
  search: Search & { readonly query: GroupQuery },
): Promise<GroupedRows> {
  const { result, ignored } = await withKnownFilters(database, search, (where) => group(database, search, where));
  const { rows, versions } = result;
  return { rows, ignored, ...(versions !== undefined && { versions }) };
}

/** A group: its first slot, its size and, by the names of `groupSql`, the JSON texts of its values and aggregates. */
type GroupRow = FactsRow & { readonly first: string | null; readonly count: string } & {
  readonly [column: `${"group" | "sum" | "numbers" | "best"}_${number}`]: string | null;
};

async function group(database: Statements, search: Search & { readonly query: GroupQuery }, where: readonly Filter[]) {
  const { member, query, options } = search;
  const { grouping } = query;
  const [condition = sql`true`] = await whereSql(database, { member, query, where });
  const facts = factsSql(member, options.stampOf);
  // The database has other texts for some of these numbers.
  if (hasTrait(member, "exactNumbers")) return groupHere(database, search, { condition, facts });
  options.trace?.steps.push("groups in the database");
  let rows: readonly GroupRow[];
  try {
    rows = await run<GroupRow>(database, groupSql(search, { condition, facts }), false);
  } catch (thrown) {
    if ((thrown as { code?: unknown }).code !== OUT_OF_RANGE) throw thrown;
    return groupHere(database, search, { condition, facts });
  }
  const [first] = rows;
  if (first?.edition !== member.edition) throw new OutdatedCatalogue();
  const groups = first.first === null ? [] : rows;
  const nested = await nestedValues(database, search, groups);
  const made = groups.map((row) => {
    const values = grouping.paths.map((path, at): Json => {
      const value = parse(row[`group_${at}`]);
      const record = typeof value === "object" && value !== null ? nested.get(String(row.first)) : undefined;
      return record === undefined ? value : (valueAt(record, path) ?? null);
    });
    return createRow(
      grouping,
      values,
      grouping.aggregates.map((aggregate, at) => resultOf(row, aggregate, at)),
    );
  });
  // Without groups there is one row, even without records.
  const isEmpty = groups.length === 0 || Number(first.count) === 0;
  return { rows: made as readonly JsonObject[], isEmpty, versions: first.versions };
}

interface Parts {
  readonly condition: Fragment;
  readonly facts: Fragment;
}

function groupSql({ member, query }: Search & { readonly query: GroupQuery }, { condition, facts }: Parts): Fragment {
  const { paths, aggregates } = query.grouping;
  const values = [
    ...paths.map((path, at) => sql`coalesce(${valueSql(path)}, 'null'::jsonb) AS ${name(`group_${at}`)}`),
    ...aggregates.flatMap(({ path }, at) => (path ? [sql`${valueSql(path)} AS ${name(`value_${at}`)}`] : [])),
    sql`slot`,
  ];
  const keys = paths.map((_, at) => name(`group_${at}`));
  const columns = [
    sql`coalesce(min(slot), -1) AS first, count(*) AS count`,
    ...keys.map((key) => sql`${key}::text AS ${key}`),
    ...aggregates.flatMap((aggregate, at) => aggregateSql(aggregate, at)),
  ];
  const grouped =
    keys.length > 0
      ? sql`GROUP BY ${join(
          keys.map((key) => sql`v.${key}`),
          ", ",
        )}`
      : sql``;
  return sql`SELECT ${facts}, r.* FROM (SELECT version, edition FROM members WHERE number = ${member.number}) AS m
    LEFT JOIN LATERAL (SELECT ${join(columns, ", ")}
      FROM (SELECT ${join(values, ", ")} FROM ${name(member.table)} WHERE ${condition}) AS v ${grouped}
      ORDER BY 1) AS r ON true`;
}

/** Sums in the order of the data, as this process would, so that the result is the same to the last digit. */
function aggregateSql({ kind }: Aggregate, at: number): Fragment[] {
  const value = name(`value_${at}`);
  const isNumber = sql`jsonb_typeof(${value}) = 'number'`;
  switch (kind) {
    case "count":
      return [];
    case "sum":
    case "avg":
      return [
        sql`sum((CASE WHEN ${isNumber} THEN ${value}::float8 END) ORDER BY slot)::text AS ${name(`sum_${at}`)}`,
        sql`count(*) FILTER (WHERE ${isNumber}) AS ${name(`numbers_${at}`)}`,
      ];
    case "min":
    case "max": {
      const direction = kind === "min" ? sql`ASC` : sql`DESC`;
      const isComparable = sql`jsonb_typeof(${value}) IN ('number', 'string', 'boolean')`;
      const ordered = sql`array_agg(${value} ORDER BY full_key(${value}) COLLATE "C" ${direction}) FILTER (WHERE ${isComparable})`;
      return [sql`((${ordered})[1])::text AS ${name(`best_${at}`)}`];
    }
  }
}

function resultOf(row: GroupRow, { kind }: Aggregate, at: number): Json {
  switch (kind) {
    case "count":
      return Number(row.count);
    case "sum":
      return Number(row[`sum_${at}`] ?? 0);
    case "avg": {
      const numbers = Number(row[`numbers_${at}`]);
      return numbers === 0 ? null : Number(row[`sum_${at}`]) / numbers;
    }
    default:
      return parse(row[`best_${at}`]);
  }
}

/** Reads a value from its coded JSON text. */
function parse(text: string | null | undefined): Json {
  return text === null || text === undefined ? null : decodeValue(parseJson(text));
}

function decodeValue(value: Json): Json {
  if (typeof value === "string") return decodeText(value);
  if (Array.isArray(value)) return value.map(decodeValue);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [decodeText(key), decodeValue(inner)]));
}

/** The first records of groups by objects, by slot: the database does not keep the order of their keys. */
async function nestedValues(
  database: Statements,
  { member }: { readonly member: KnownMember },
  groups: readonly GroupRow[],
) {
  const slots = groups
    .filter((row) =>
      Object.entries(row).some(([key, value]) => key.startsWith("group_") && /^[[{]/.test(String(value))),
    )
    .map(({ first }) => String(first));
  if (slots.length === 0) return new Map<string, Json>();
  const rows = await run<Pick<RecordRow, "slot" | "body">>(
    database,
    sql`SELECT slot, body FROM ${name(member.table)} WHERE slot = ANY(${slots}::bigint[])`,
    false,
  );
  return new Map(rows.map((row) => [String(row.slot), parseJson<Json>(row.body as string)]));
}

/** Groups the records in this process. */
async function groupHere(
  database: Statements,
  { member, query }: Search & { readonly query: GroupQuery },
  { condition, facts }: Parts,
) {
  const [first] = await run<FactsRow>(
    database,
    sql`SELECT ${facts} FROM (SELECT version, edition FROM members WHERE number = ${member.number}) AS m`,
    false,
  );
  if (first?.edition !== member.edition) throw new OutdatedCatalogue();
  const records = [];
  const all = sql`SELECT slot, version, body FROM ${name(member.table)} WHERE ${condition} ORDER BY slot`;
  for await (const page of inPages<RecordRow>(database, all, GROUPED_AT_ONCE)) {
    query.payer?.account.expectMore();
    records.push(...page.map(recordFromRow));
  }
  const account = query.payer?.account;
  const rows = await inSlices(metered(groupRows(records, query.grouping, account), account));
  return { rows: rows as readonly JsonObject[], isEmpty: records.length === 0, versions: first.versions };
}

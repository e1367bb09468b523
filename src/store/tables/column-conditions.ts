import { meetsCondition } from "../../query/condition.ts";
import { isAscii } from "../../query/pattern-literals.ts";
import type { Condition, ConditionSql, Filter } from "../../query/query.ts";
import { all, some } from "../postgres/sql/conditions.ts";
import { constant, type Fragment, sql } from "../postgres/sql/fragment.ts";
import { columnSql, textSql } from "./column-sql.ts";
import type { Column, Table } from "./table.ts";

/** A test of rows. Where it is not exact, it keeps rows that this process must look at, too. */
export interface RowTest {
  readonly sql: Fragment;
  readonly isExact: boolean;
}

const ALWAYS: RowTest = { sql: sql`true`, isExact: true };
const NEVER: RowTest = { sql: sql`false`, isExact: true };
const UNKNOWN: RowTest = { sql: sql`true`, isExact: false };

/** The rows that meet all filters, as far as the database can tell. */
export function rowTest(table: Table, filters: readonly Filter[]): RowTest {
  const tests = filters.map((filter) => testOf(table, filter));
  return { sql: all(tests.map((test) => test.sql)), isExact: tests.every(({ isExact }) => isExact) };
}

function testOf(table: Table, filter: Filter): RowTest {
  if (filter.comparison) return columnTest(table, filter);
  if (filter.operator === "and") return rowTest(table, filter.parts);
  const tests = filter.parts.map((part) => testOf(table, part));
  return { sql: some(tests.map((test) => test.sql)), isExact: tests.every(({ isExact }) => isExact) };
}

/** The column that a path names; undefined where it leads into one, or nowhere. */
export function columnAt({ columns }: Table, path: Condition["path"]): Column | undefined {
  return columns.get(path.text) ?? (path.segments.length === 1 ? columns.get(path.segments[0] ?? "") : undefined);
}

export function columnTest(table: Table, condition: Condition): RowTest {
  const column = columnAt(table, condition.path);
  if (!column) {
    // No row has such a field, unless it is inside of one.
    if (table.columns.has(condition.path.segments[0] ?? "")) return UNKNOWN;
    return meetsCondition({}, condition) ? ALWAYS : NEVER;
  }
  if (column.family === "nested") return UNKNOWN;
  const tests = new ColumnTests(column);
  const found = condition.holdsObject ? sql`false` : condition.comparison.sql<Fragment>(tests, condition);
  if (!found) return UNKNOWN;
  if (!condition.isNegated) return { sql: found, isExact: tests.isExact };
  return tests.isExact ? { sql: sql`NOT coalesce(${found}, false)`, isExact: true } : UNKNOWN;
}

/** The tests of one column by operators of the database itself, so that its indexes serve. NULL counts as false. */
class ColumnTests implements ConditionSql<Fragment> {
  readonly sql = sql;
  readonly constant = constant;
  isExact = true;
  readonly #column: Column;
  readonly #own: Fragment;

  constructor(column: Column) {
    this.#column = column;
    this.#own = columnSql(column);
  }

  isAnyOf({ values }: Condition): Fragment {
    const texts = values.filter(isStorable);
    const own = this.#own;
    switch (this.#column.family) {
      case "integer":
        return anyOf(texts.filter(isBigint), (list) => sql`${own} = ANY(${list}::bigint[])`);
      case "numeric":
        return anyOf(texts.filter(isFiniteText), (list) => sql`${own} = ANY(${list}::text[]::numeric[])`);
      case "float":
        return anyOf(texts.filter(isNumberText), (list) => sql`${own} = ANY(${list}::text[]::float8[])`);
      case "float4":
        return anyOf(texts.filter(isNumberText), (list) => sql`${own}::text::float8 = ANY(${list}::text[]::float8[])`);
      case "boolean":
        return sql`${own}::text = ANY(${texts}::text[])`;
      case "uuid":
        return anyOf(texts.filter(isUuid), (list) => sql`${own} = ANY(${list}::text[]::uuid[])`);
      case "padded":
        return anyOf(
          texts.filter((text) => !text.endsWith(" ")),
          (list) => sql`${own} = ANY(${list}::text[]::bpchar[])`,
        );
      default:
        return anyOf(texts, (list) => sql`${textSql(this.#column)} = ANY(${list}::text[])`);
    }
  }

  isNoneOf(condition: Condition): Fragment {
    return sql`(${this.#own} IS NOT NULL AND NOT ${this.isAnyOf(condition)})`;
  }

  isWithin({ values, comparison }: Condition): Fragment {
    const { isLower, isStrict } = comparison.bound!;
    const sign = constant(`${isLower ? ">" : "<"}${isStrict ? "" : "="}`);
    const text = textSql(this.#column);
    if (text) {
      if (!values.every(isStorable)) this.isExact = false;
      return some(
        values.map((value) => (isStorable(value) ? sql`${text} COLLATE "C" ${sign} ${value}::text` : sql`true`)),
      );
    }
    const limits = values.map(Number).filter((limit) => !Number.isNaN(limit));
    return some(limits.map((limit) => this.#beyond(limit, sign, isLower !== isStrict)));
  }

  #beyond(limit: number, sign: Fragment, isCeiling: boolean): Fragment {
    const own = this.#own;
    const { family } = this.#column;
    if (family === "boolean") return sql`${own}::int ${sign} ${String(limit)}::text::float8`;
    if (!Number.isFinite(limit)) return sql`${own}::float8 ${sign} ${String(limit)}::text::float8`;
    switch (family) {
      case "integer": {
        // A whole bound lets an index serve; beyond 64 bits it is as good as the last one.
        const whole = isCeiling ? Math.ceil(limit) : Math.floor(limit);
        if (Math.abs(whole) >= 2 ** 63) return sql`${own}::float8 ${sign} ${String(limit)}::text::float8`;
        return sql`${own} ${sign} ${String(BigInt(whole))}::bigint`;
      }
      case "numeric":
        return sql`${own} ${sign} ${String(limit)}::text::numeric`;
      case "float4":
        return sql`${own}::text::float8 ${sign} ${String(limit)}::text::float8`;
      default:
        return sql`${own} ${sign} ${String(limit)}::text::float8`;
    }
  }

  /** PostgreSQL knows other lower-case letters than JavaScript beyond ASCII: this process looks at such texts. */
  isLike({ values }: Condition, before: "" | "%", after: "" | "%"): Fragment {
    const text = textSql(this.#column);
    if (!text) return sql`false`;
    this.isExact = false;
    const isBeyond = sql`octet_length(${text}) <> char_length(${text})`;
    // The sign of Kelvin is a "k" in lower case.
    const parts = values.map((value) => value.toLowerCase()).filter((part) => isAscii(part) && isStorable(part));
    const patterns = parts.map((part) => `${before}${part.replace(/[\\%_]/g, "\\$&")}${after}`);
    return some([isBeyond, ...patterns.map((pattern) => sql`lower(${text}) LIKE ${pattern}::text`)]);
  }

  matches(): undefined {}

  isNull({ holds }: Condition): Fragment {
    const [isKept, isValueKept] = [holds(true), holds(false)];
    if (isKept === isValueKept) return isKept ? sql`true` : sql`false`;
    return isKept ? sql`${this.#own} IS NULL` : sql`${this.#own} IS NOT NULL`;
  }

  objectsAt(): Fragment {
    return sql`(SELECT NULL::jsonb WHERE false) AS o(value)`;
  }
}

function anyOf(texts: readonly string[], test: (texts: readonly string[]) => Fragment): Fragment {
  return texts.length === 0 ? sql`false` : test(texts);
}

/** Whether the database can have such a text. */
export function isStorable(text: string): boolean {
  return !text.includes("\0") && !/\p{Surrogate}/u.test(text);
}

function isNumberText(text: string): boolean {
  return String(Number(text)) === text;
}

function isFiniteText(text: string): boolean {
  return isNumberText(text) && Number.isFinite(Number(text));
}

const MAX_BIGINT = 2n ** 63n;

/** Whether it is a whole number of 64 bits, written as JSON writes it. */
function isBigint(text: string): boolean {
  if (!/^(0|-?[1-9]\d{0,18})$/.test(text)) return false;
  const number = BigInt(text);
  return number < MAX_BIGINT && number >= -MAX_BIGINT;
}

function isUuid(text: string): boolean {
  return /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/.test(text);
}

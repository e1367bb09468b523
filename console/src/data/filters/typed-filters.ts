import type { Clause, Condition, Operator } from "../condition.ts";
import { joinList } from "../condition.ts";
import type { FieldKind, KnownField } from "../table/columns.ts";

export interface TypedFilters {
  readonly filters: readonly Clause[];
  /** The text without them. */
  readonly rest: string;
}

export interface TypedFields {
  readonly fields: readonly KnownField[];
  /** Whether a field has a few values, of which a whole one is meant. */
  readonly isChoice: (name: string) => boolean;
}

/** `price>400`, `status:active,draft`, `-name:"oak mug"`. */
const TOKEN = /(?<!\S)(-?)([^\s"<>=!:]+)(>=|<=|!=|>|<|=|:)("[^"]*"|[^\s"]+)(?!\S)/gu;
const SIGNS: Readonly<Record<string, Operator>> = {
  ">": "gt",
  ">=": "gte",
  "<": "lt",
  "<=": "lte",
  "=": "eq",
  "!=": "ne",
};
const OPPOSITES: Readonly<Partial<Record<Operator, Operator>>> = {
  eq: "ne",
  ne: "eq",
  in: "nin",
  contains: "!contains",
  gt: "lte",
  gte: "lt",
  lt: "gte",
  lte: "gt",
};

/** Reads filters from a search text. What names no known field stays a text to search for. */
export function readTyped(text: string, known: TypedFields): TypedFilters {
  const filters: Clause[] = [];
  const rest = text.replace(TOKEN, (token, minus: string, name: string, sign: string, value: string) => {
    const field = fieldCalled(name, known.fields);
    if (!field) return token;
    const conditions = conditionsOf(field, { sign, value: unquoted(value) }, known);
    const isRange = conditions.length > 1;
    if (conditions.length === 0 || (isRange && minus === "-")) return token;
    filters.push(...conditions.map((condition): Clause => [minus === "-" ? opposite(condition) : condition]));
    return "";
  });
  return { filters, rest: filters.length === 0 ? text : rest.replace(/\s+/g, " ").trim() };
}

/** Why a part of the text that looks like a filter is none: its field is unknown, or has other values. */
export function doubtAbout(text: string, { fields }: TypedFields): string | undefined {
  for (const [, , name = "", sign = "", value = ""] of text.matchAll(TOKEN)) {
    const field = fieldCalled(name, fields);
    if (field) {
      const doubt = misfit(field, unquoted(value));
      if (doubt !== undefined) return doubt;
      continue;
    }
    const near = fields.find((one) => isNear(name.toLowerCase(), one.name.toLowerCase()));
    // Times, links and the like have colons, too.
    if (near) return `There is no field ${name}. Did you mean ${near.name}?`;
    if (sign !== ":") return `There is no field ${name}.`;
  }
  return undefined;
}

/** Why no value of a field is like this one; undefined if one may be. */
export function misfit({ name, kind }: Pick<KnownField, "name" | "kind">, value: string): string | undefined {
  const [isRight, about] = MEANINGS[kind] ?? [];
  const parts = value.split(/\.\.|,/).map((part) => part.trim());
  const wrong = parts.find((part) => part !== "" && part !== "null" && isRight?.test(part) === false);
  return wrong === undefined ? undefined : `${name} ${about}, and ${wrong} is not one.`;
}

const DATES = [/^\d{4}(-\d\d?(-\d\d?)?)?([T ].*)?$/, "has dates such as 2026-01-31"] as const;
const MEANINGS: Readonly<Partial<Record<FieldKind, readonly [isRight: RegExp, about: string]>>> = {
  number: [/^[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$/i, "has numbers"],
  boolean: [/^(true|false)$/, "has the values true and false"],
  date: DATES,
  "date-time": DATES,
};

function unquoted(value: string): string {
  return value.replace(/^"|"$/g, "");
}

/** Whether two names differ by one letter that is missing, added, wrong or in the wrong place. */
function isNear(one: string, other: string): boolean {
  let start = 0;
  while (start < one.length && one[start] === other[start]) start++;
  const [a, b] = [one.slice(start), other.slice(start)];
  if (one.length < 3 || a === b) return false;
  const isSwapped = a[0] === b[1] && a[1] === b[0] && a.slice(2) === b.slice(2);
  return isSwapped || a.slice(1) === b || a === b.slice(1) || a.slice(1) === b.slice(1);
}

function fieldCalled(name: string, fields: readonly KnownField[]): KnownField | undefined {
  const lower = name.toLowerCase();
  return fields.find((field) => field.name === name) ?? fields.find((field) => field.name.toLowerCase() === lower);
}

function conditionsOf(
  field: KnownField,
  { sign, value }: { readonly sign: string; readonly value: string },
  { isChoice }: TypedFields,
): Condition[] {
  const { name: path, kind } = field;
  if (value === "" || misfit(field, value) !== undefined) return [];
  const operator = SIGNS[sign];
  if (operator !== undefined) return [{ path, operator, value }];
  const [, from, to] = /^(.+)\.\.(.+)$/.exec(value) ?? [];
  if (from !== undefined && to !== undefined && kind !== "text") {
    return [
      { path, operator: "gte", value: from },
      { path, operator: "lte", value: to },
    ];
  }
  if (kind === "text" && !isChoice(path)) return [{ path, operator: "contains", value }];
  const values = value.split(",").filter((one) => one !== "");
  return values.length > 1 ? [{ path, operator: "in", value: joinList(values) }] : [{ path, operator: "eq", value }];
}

function opposite(condition: Condition): Condition {
  return { ...condition, operator: OPPOSITES[condition.operator] ?? condition.operator };
}

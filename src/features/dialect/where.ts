import { isJsonObject, type Json, type JsonObject, parseJson } from "../../base/json/json.ts";
import type { Parameters } from "../../query/parameters.ts";

/** The parameters of a list that are not filters. */
const RESERVED: ReadonlySet<string> = new Set(["_sort", "_page", "_per_page", "_embed", "_where"]);
/** Names that a path must not contain: 1.0 ignores such a filter. */
const FORBIDDEN: ReadonlySet<string> = new Set(["__proto__", "prototype", "constructor"]);

/** The conditions of a list as 1.0 reads them: those of a valid `_where`, otherwise those of all other parameters. */
export function readWhere(parameters: Parameters): JsonObject {
  const given = parseObject(parameters.get("_where")?.[0]);
  if (given) return given;
  const where: JsonObject = {};
  for (const [name, values] of parameters) {
    if (RESERVED.has(name)) continue;
    const named = splitName(name);
    // Of a repeated parameter, the last one counts.
    const value = values.at(-1);
    if (named && value !== undefined) setCondition(where, named, value);
  }
  return where;
}

function parseObject(text: string | undefined): JsonObject | undefined {
  if (text === undefined) return undefined;
  try {
    const value = parseJson(text);
    return typeof value === "object" && value !== null ? (value as JsonObject) : undefined;
  } catch {
    return undefined;
  }
}

interface ConditionName {
  readonly path: string;
  readonly operator: string;
}

/** Undefined for an unknown operator, which 1.0 ignores together with its value. */
function splitName(name: string): ConditionName | undefined {
  const colon = name.lastIndexOf(":");
  if (colon !== -1) {
    const operator = name.slice(colon + 1);
    if (operator === "") return { path: name, operator: "eq" };
    return TESTS.has(operator) ? { path: name.slice(0, colon), operator } : undefined;
  }
  const [, path, suffix] = /^(.+)_([a-z]+)$/.exec(name) ?? [];
  if (path !== undefined && suffix !== undefined && TESTS.has(suffix)) return { path, operator: suffix };
  return { path: name, operator: "eq" };
}

function setCondition(where: JsonObject, { path, operator }: ConditionName, text: string): void {
  const segments = path.split(".");
  if (segments.some((segment) => FORBIDDEN.has(segment))) return;
  let at = where;
  for (const segment of segments) {
    const next = at[segment];
    if (isJsonObject(next)) at = next;
    else {
      const made: JsonObject = {};
      at[segment] = made;
      at = made;
    }
  }
  at[operator] = operator === "in" ? text.split(",").map((part) => coerce(part.trim())) : coerce(text);
}

/** The value that a text of the query stands for. */
function coerce(text: string): Json {
  if (text === "true") return true;
  if (text === "false") return false;
  if (text === "null") return null;
  if (text.trim() === "") return text;
  const number = Number(text);
  return Number.isFinite(number) ? number : text;
}

/** Whether a record meets the conditions. Quirks of 1.0 are kept, such as conditions below a missing object, which hold. */
export function meetsWhere(record: JsonObject, where: JsonObject): boolean {
  return Object.entries(where).every(([key, condition]) => {
    if (key === "or") {
      return Array.isArray(condition) && condition.some((part) => isJsonObject(part) && meetsWhere(record, part));
    }
    if (!isJsonObject(condition)) return false;
    const field = Object.hasOwn(record, key) ? record[key] : undefined;
    const tests = [...TESTS].filter(([operator]) => Object.hasOwn(condition, operator));
    if (tests.length > 0) {
      return field !== undefined && tests.every(([operator, test]) => test(field, condition[operator]!));
    }
    return !isJsonObject(field) || meetsWhere(field, condition);
  });
}

type Test = (field: Json, value: Json) => boolean;

/** Orders by JavaScript's own comparison, whatever the types are. */
const ordered =
  (test: (a: number, b: number) => boolean): Test =>
  (field, value) =>
    test(field as number, value as number);

const ofTexts =
  (test: (text: string, part: string) => boolean): Test =>
  (field, value) =>
    typeof field === "string" && test(field.toLowerCase(), String(value).toLowerCase());

/** The operators of 1.0, which compare unlike those of the same names in standin's own language. */
const TESTS: ReadonlyMap<string, Test> = new Map<string, Test>([
  ["lt", ordered((a, b) => a < b)],
  ["lte", ordered((a, b) => a <= b)],
  ["gt", ordered((a, b) => a > b)],
  ["gte", ordered((a, b) => a >= b)],
  ["eq", (field, value) => field === value],
  ["ne", (field, value) => field !== value],
  ["in", (field, value) => [value].flat().some((one) => field === one)],
  ["contains", ofTexts((text, part) => text.includes(part))],
  ["startsWith", ofTexts((text, part) => text.startsWith(part))],
  ["endsWith", ofTexts((text, part) => text.endsWith(part))],
]);

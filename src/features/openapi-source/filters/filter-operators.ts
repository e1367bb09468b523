import type { Json, JsonObject } from "../../../base/json/json.ts";

/** The words and signs of filter languages for the operators of standin. */
const WORDS: Readonly<Record<string, readonly string[]>> = {
  eq: ["=", "==", ":", ":=", "===", "is", "equals", "equal", "equalto", "any", "has", "match"],
  ne: ["!=", "<>", "!:", "!==", "neq", "not", "isnot", "notequals", "notequal", "notequalto"],
  gt: [">", "greaterthan", "after"],
  gte: [">=", "=>", "ge", "gteq", "greaterorequal", "greaterthanorequal", "greaterthanorequalto", "from"],
  lt: ["<", "lessthan", "before"],
  lte: ["<=", "=<", "le", "lteq", "lessorequal", "lessthanorequal", "lessthanorequalto", "to"],
  in: ["oneof", "anyof", "inlist", "inq"],
  nin: ["out", "notin", "noneof", "notinlist"],
  contains: [
    "~",
    "=~",
    "~=",
    "co",
    "cont",
    "cts",
    "like",
    "ilike",
    "ct",
    "substring",
    "substringof",
    "includes",
    "regex",
  ],
  notcontains: ["!~", "nco", "ncts", "notlike", "nlike", "doesnotcontain", "excludes", "notcontain"],
  startsWith: ["sw", "swc", "startswith", "beginswith", "startwith", "prefix", "^="],
  endsWith: ["ew", "ewc", "endswith", "endwith", "suffix", "$="],
  present: ["pr", "exists", "isnotnull", "notnull", "isnotempty"],
  absent: ["isnull", "isempty", "empty"],
  between: ["bt", "btw", "range"],
};
const BY_WORD = new Map(
  Object.entries(WORDS).flatMap(([own, others]) => [own, ...others].map((one) => [plain(one), own])),
);

/** The operator that a word or a sign of a filter language means. */
export function operatorMeant(word: string): string | undefined {
  return BY_WORD.get(plain(word));
}

/** `$gte`, `greater_than` and `GreaterThan` are written alike. */
function plain(word: string): string {
  const bare = word.toLowerCase().replace(/^\$(?=\w)/, "");
  return /\w/.test(bare) ? bare.replace(/[^a-z]/g, "") : bare;
}

/** A comparison in the form of `_where`. */
export function conditionOn(path: string, operator: string, values: readonly Json[]): JsonObject {
  const [first = "", second = ""] = values;
  return at(path, testOf(operator, { first, second, values }));
}

interface Operands {
  readonly first: Json;
  readonly second: Json;
  readonly values: readonly Json[];
}

function testOf(operator: string, { first, second, values }: Operands): JsonObject {
  switch (operator) {
    case "eq":
    case "ne":
      if (values.length !== 1) return { [operator === "eq" ? "in" : "nin"]: [...values] };
      return { [operator]: first };
    case "in":
    case "nin":
      return { [operator]: [...values] };
    case "present":
    case "absent":
      return { null: (operator === "absent") !== (String(first) === "false") };
    case "between":
      return { gte: first, lte: second };
    case "contains":
      return partTest(String(first));
    case "notcontains":
      return { not: partTest(String(first)) };
    default:
      return { [operator]: first };
  }
}

/** `%lamp%`, `*lamp*` and `lamp` are a part, `lamp%` and `^lamp` a beginning. */
export function partTest(text: string): JsonObject {
  const [isOpen, isLoose] = [/^(?:[*%]|\.\*)/.test(text), /(?:[*%]|\.\*)$/.test(text)];
  const inner = text.replace(/^(?:[*%^]|\.\*)/, "").replace(/(?:[*%$]|\.\*)$/, "");
  if (isOpen !== isLoose || /^\^|\$$/.test(text))
    return isOpen || text.endsWith("$") ? { endsWith: inner } : { startsWith: inner };
  return { contains: inner };
}

/** Whether a value is a pattern of the usual wildcard: `lamp*`. */
export function hasWildcard(value: Json): value is string {
  return typeof value === "string" && value.length > 1 && /^\*|\*$/.test(value);
}

function at(path: string, test: JsonObject): JsonObject {
  return path.split(".").reduceRight<JsonObject>((inner, step) => ({ [step]: inner }), test);
}

/** Conditions in one; those that say nothing are left out. */
export function combined(how: "and" | "or", parts: readonly (JsonObject | undefined)[]): JsonObject | undefined {
  const found = parts.filter((part) => part !== undefined && Object.keys(part).length > 0) as JsonObject[];
  return found.length > 1 ? { [how]: found } : found[0];
}

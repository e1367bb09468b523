import { wordsIn } from "../words.ts";

/** A filter as the name of a parameter says it. */
export interface NamedFilter {
  readonly field: string;
  /** An operator of the query language; undefined for equality. */
  readonly operator?: string;
}

/** The words of other interfaces for an operator, beside its own. */
const WORDS: Readonly<Record<string, readonly string[]>> = {
  gt: ["after", "greaterthan", "morethan", "over", "above"],
  gte: ["ge", "gteq", "onorafter", "min", "minimum", "from", "since", "start", "begin"],
  lt: ["before", "lessthan", "under", "below"],
  lte: ["le", "lteq", "onorbefore", "max", "maximum", "to", "until", "end"],
  eq: ["is", "equals"],
  ne: ["not", "isnot", "notequals"],
  nin: ["exclude", "excluded"],
  like: ["regex", "regexp"],
  contains: ["cont", "like", "match", "search", "kw", "keyword"],
  startsWith: ["startswith", "prefix"],
  endsWith: ["endswith"],
};
const OPERATORS = new Map(
  Object.entries(WORDS).flatMap(([name, words]) => [name, ...words].map((word) => [word, name] as const)),
);
/** The endings of Django's filters, as in `name__ic`, which mean something behind two underscores alone. */
const LOOKUPS: Readonly<Record<string, string>> = {
  ...{ exact: "eq", iexact: "eq", ie: "eq", in: "eq", n: "ne", nie: "ne" },
  ...{ icontains: "contains", ic: "contains", isnull: "null", empty: "null" },
  ...{ istartswith: "startsWith", isw: "startsWith", iendswith: "endsWith", iew: "endsWith" },
  ...{ nic: "!contains", nisw: "!startsWith", niew: "!endsWith", not_in: "nin", range: "between", date: "startsWith" },
};
/** All operators that a filter of a document may have. */
export const FILTER_OPERATORS: ReadonlySet<string> = new Set([...OPERATORS.values(), ...Object.values(LOOKUPS)]);
const SIGNS: Readonly<Record<string, string>> = { "<": "lte", ">": "gte" };
/** `created_after` is about `created_at`. */
const ENDINGS = ["", "At", "On", "Date", "Time"];
/** Words that compare in front of a name: `min_price`, `afterCreatedAt`, `exclude_tags`. */
const BEFORE_NAMES = /^(?:min(?:imum)?|max(?:imum)?|after|before|since|until|gte?|lte?|not|excluded?)$/;
/** The same of times: `from_settled_date`, `begin_created_at`. */
const BEFORE_TIMES = /^(?:from|to|begin|start|end)$/;
const OF_TIMES = /^(?:date|time|datetime|day|at|on)$/;
const MAX_WORDS = 3;

/**
 * The field and the comparison that a name means: `status`, `filter[status]`, `filter.status`, `price_gte`,
 * `created[gte]`, `created_after`, `min_price`, `afterCreatedAt`, `q[name_cont]`, `search[name]`, `range[price]`, and `created>` as in `created>=2024`.
 */
export function namedFilter(given: string, find: (name: string) => string | undefined): NamedFilter | undefined {
  // `filters[status][conditions][$is]`
  const name = given.replace("[conditions]", "");
  const [, way = "", inside = ""] = /^(search|range)\[(\w+)\]$/i.exec(name) ?? [];
  const asked = inside === "" ? undefined : find(inside);
  if (asked !== undefined) return { field: asked, operator: /^s/i.test(way) ? "contains" : "between" };
  const inner = /^(?:filters?|where|q)(?:\[(.+)\]|[._](.+))$/i.exec(name);
  const bare = inner?.[1] ?? inner?.[2] ?? name.replace(/\[\]$/, "");
  const field = find(bare);
  const sign = SIGNS[bare.at(-1) ?? ""];
  if (field !== undefined) return sign === undefined ? { field } : { field, operator: sign };
  const words = wordsIn(bare);
  if (words.length < 2) return undefined;
  const lookup = lookupIn(bare, find);
  if (lookup) return lookup;
  // `status.in`
  const several = /^(.+?)(?:\.in|\[in\]|\]\[\$?in)$/.exec(bare)?.[1];
  const one = several === undefined ? undefined : find(several);
  if (one !== undefined) return { field: one };
  // `nameFilter`
  const filtered = words.at(-1) === "filter" ? find(words.slice(0, -1).join("_")) : undefined;
  if (filtered !== undefined) return { field: filtered, operator: "contains" };
  for (let count = Math.min(MAX_WORDS, words.length - 1); count > 0; count--) {
    const found = compared(words.slice(0, -count), words.slice(-count).join(""), find);
    if (found) return found;
  }
  const [first = "", ...rest] = words;
  const isOfTime = rest.length > 1 && BEFORE_TIMES.test(first) && OF_TIMES.test(rest.at(-1) ?? "");
  return BEFORE_NAMES.test(first) || isOfTime ? compared(rest, first, find) : undefined;
}

function lookupIn(name: string, find: (name: string) => string | undefined): NamedFilter | undefined {
  const end = name.lastIndexOf("__");
  const ending = name.slice(end + 2);
  const operator = end > 0 && Object.hasOwn(LOOKUPS, ending) ? LOOKUPS[ending] : undefined;
  const field = operator === undefined ? undefined : find(name.slice(0, end));
  if (field === undefined || operator === undefined) return undefined;
  return operator === "eq" ? { field } : { field, operator };
}

function compared(
  words: readonly string[],
  word: string,
  find: (name: string) => string | undefined,
): NamedFilter | undefined {
  const operator = OPERATORS.get(word);
  if (operator === undefined) return undefined;
  for (const ending of ENDINGS) {
    const field = find(words.join("_") + ending);
    if (field !== undefined) return { field, operator };
  }
  return undefined;
}

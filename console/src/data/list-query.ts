import { formatParameters, type Pair } from "../api/parameters.ts";
import {
  addsUp,
  type Clause,
  type Condition,
  isComplete,
  isList,
  parameterName,
  parameterValue,
  parseCondition,
  parseConditionText,
  RESERVED,
} from "./condition.ts";
import { type Grouping, groupingParameters, parseGrouping } from "./grouping.ts";
import { formatWhere, parseWhere } from "./where-json.ts";

/** The query of a list, between the filter bar and the query string of the server. */
export interface ListQuery {
  /** A record must meet every one. */
  readonly filters: readonly Clause[];
  /** Texts of `_where` that say more than clauses can. */
  readonly wheres: readonly string[];
  readonly search: string;
  readonly sort: readonly Sort[];
  /** The columns to show; undefined: as many as fit. */
  readonly fields: readonly string[] | undefined;
  /** Columns that are not fetched, unless `fields` names those that are. */
  readonly without?: readonly string[];
  /** Given where groups are shown in place of records. */
  readonly grouping: Grouping | undefined;
}

export interface Sort {
  readonly path: string;
  readonly descending: boolean;
}

/** Longer lists of columns stay out of the URL. */
const LONGEST_FIELDS = 1_500;

/** Reads a query string such as `price:gte=10&_sort=-price`, in all spellings that the server knows. */
export function parseListQuery(text: string): ListQuery {
  const parameters = new URLSearchParams(text);
  const grouping = parseGrouping(parameters);
  const fields = (parameters.get("_fields") ?? "").split(",").filter((name) => name !== "");
  return {
    ...parseFilters(parameters),
    search: parameters.get("q") ?? "",
    sort: grouping ? [] : parseSort(parameters),
    fields: fields.length > 0 && !fields.some((name) => name.startsWith("-")) ? fields : undefined,
    grouping,
  };
}

function parseFilters(parameters: URLSearchParams): Pick<ListQuery, "filters" | "wheres"> {
  const filters: Clause[] = [];
  const wheres: string[] = [];
  /** Where the clause of a parameter stands that may be repeated. */
  const places = new Map<string, number>();
  const addAlternative = (name: string, condition: Condition): void => {
    const place = places.get(name);
    if (place !== undefined) filters[place] = merged(filters[place] as Clause, condition);
    else places.set(name, filters.push([condition]) - 1);
  };
  for (const [name, value] of parameters) {
    if (name === "_or") {
      const condition = parseConditionText(value);
      if (condition) addAlternative(name, condition);
    } else if (name === "_where") {
      const clauses = parseWhere(value);
      if (clauses) filters.push(...clauses);
      else wheres.push(value);
    } else if (!RESERVED.has(name)) {
      const condition = parseCondition(name, value);
      if (addsUp(condition.operator)) filters.push([condition]);
      else addAlternative(name, condition);
    }
  }
  return { filters: filters.map((clause) => clause.filter(isComplete)).filter(({ length }) => length > 0), wheres };
}

/** A repeated parameter is an alternative; a repeated list is one long list. */
function merged(clause: Clause, condition: Condition): Clause {
  const [first] = clause;
  const isSame = first && clause.length === 1 && first.path === condition.path && first.operator === condition.operator;
  if (!isSame || !isList(condition.operator) || addsUp(condition.operator)) return [...clause, condition];
  return [{ ...condition, value: `${first.value},${condition.value}` }];
}

function parseSort(parameters: URLSearchParams): Sort[] {
  const orders = (parameters.get("_order") ?? "").split(",");
  // Commas in the argument of an operator, such as `near(41.9,12.5)`, separate nothing.
  const names = (parameters.get("_sort") ?? "").split(/,(?![^()]{0,60}\))/);
  return names
    .map((name, at) =>
      /^-./.test(name)
        ? { path: name.slice(1), descending: true }
        : { path: name, descending: orders[at]?.toLowerCase() === "desc" },
    )
    .filter(({ path }) => path !== "");
}

/** The query string of a list; conditions without a value ask for nothing yet and are left out. */
export function formatListQuery(query: ListQuery): string {
  const { search, grouping } = query;
  const searched: Pair[] = search === "" ? [] : [["q", search]];
  return formatParameters([
    ...filterParameters(query),
    ...searched,
    ...(grouping ? groupingParameters(grouping) : tableParameters(query)),
  ]);
}

function filterParameters({ filters, wheres }: ListQuery): Pair[] {
  const parameters: Pair[] = [];
  const names = new Set<string>();
  /** Clauses that need `_or` or `_where`. */
  const combined: Clause[] = [];
  let place = 0;
  for (const clause of filters.map((conditions) => conditions.filter(isComplete))) {
    const [first, second] = clause;
    if (!first) continue;
    const name = parameterName(first);
    if (!second && (!names.has(name) || addsUp(first.operator))) {
      names.add(name);
      parameters.push([name, parameterValue(first)]);
    } else if (combined.push(clause) === 1) place = parameters.length;
  }
  return [...parameters.toSpliced(place, 0, ...combinedParameters(combined)), ...wheres.map(asWhere)];
}

function combinedParameters(clauses: readonly Clause[]): Pair[] {
  const [first] = clauses;
  if (!first) return [];
  const isOr = clauses.length === 1 && first.length > 1 && !first.some(({ path }) => path.includes("="));
  if (!isOr) return [asWhere(formatWhere(clauses))];
  return first.map((condition) => ["_or", `${parameterName(condition)}=${parameterValue(condition)}`]);
}

function asWhere(text: string): Pair {
  return ["_where", text];
}

function tableParameters({ sort, fields = [], without = [] }: ListQuery): Pair[] {
  const parameters: Pair[] = [];
  if (sort.length > 0) {
    parameters.push(["_sort", sort.map(({ path, descending }) => (descending ? `-${path}` : path)).join(",")]);
  }
  const names = fields.length > 0 ? fields : without;
  const text = (fields.length > 0 ? fields : without.map((name) => `-${name}`)).join(",");
  const canSay = names.every((name) => /^[^-,[][^,[]*$/.test(name)) && text.length <= LONGEST_FIELDS;
  if (names.length > 0 && canSay) parameters.push(["_fields", text]);
  return parameters;
}

/** The address of one window of a list. */
export function windowPath(collection: string, query: string, start: number, limit: number): string {
  return listPath(collection, query, `_start=${start}&_limit=${limit}`);
}

/** The address of a list with something added to its query. */
export function listPath(collection: string, query: string, added: string): string {
  return `/${encodeURIComponent(collection)}?${query === "" ? added : `${query}&${added}`}`;
}

/** Clicking a column: up, down, not at all. `adds`: after the columns that are sorted by already. */
export function nextSort(sort: readonly Sort[], path: string, adds = false): readonly Sort[] {
  const at = sort.findIndex((key) => key.path === path);
  const isDown = sort[at]?.descending === true;
  const next = isDown ? [] : [{ path, descending: at !== -1 }];
  if (!adds) return next;
  return at === -1 ? [...sort, ...next] : sort.toSpliced(at, 1, ...next);
}

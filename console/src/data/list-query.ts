/** The query of a list, between the filter bar and the query string of the server. */
export interface ListQuery {
  readonly filters: readonly Filter[];
  readonly search: string;
  readonly sort: Sort | undefined;
}

export interface Filter {
  /** A field, or a way into one: `headquarter.lat`. */
  readonly path: string;
  readonly operator: Operator;
  readonly value: string;
}

export interface Sort {
  readonly path: string;
  readonly descending: boolean;
}

export const OPERATORS = ["eq", "ne", "gte", "lte", "like"] as const;
export type Operator = (typeof OPERATORS)[number];

const SUFFIX = /_(ne|gte|lte|like)$/;
/** Parameters that are no filters and that the list decides for itself. */
const OTHER = new Set(["_page", "_limit", "_start", "_end", "_embed", "_expand", "_delay", "callback", "_"]);

/** Reads a query string such as `price_gte=10&_sort=price&_order=desc`. */
export function parseListQuery(text: string): ListQuery {
  const parameters = new URLSearchParams(text);
  const filters: Filter[] = [];
  for (const [name, value] of parameters) {
    if (name === "q" || name === "_sort" || name === "_order" || OTHER.has(name)) continue;
    const operator = (SUFFIX.exec(name)?.[1] ?? "eq") as Operator;
    filters.push({ path: name.replace(SUFFIX, ""), operator, value });
  }
  const [path = ""] = (parameters.get("_sort") ?? "").split(",");
  const descending = (parameters.get("_order") ?? "").split(",")[0]?.toLowerCase() === "desc";
  return { filters, search: parameters.get("q") ?? "", sort: path === "" ? undefined : { path, descending } };
}

/** The query string of a list; filters without a value ask for nothing yet and are left out. */
export function formatListQuery({ filters, search, sort }: ListQuery): string {
  const parameters: [string, string][] = [];
  for (const { path, operator, value } of filters) {
    if (value !== "") parameters.push([operator === "eq" ? path : `${path}_${operator}`, value]);
  }
  if (search !== "") parameters.push(["q", search]);
  if (sort) parameters.push(["_sort", sort.path]);
  if (sort?.descending) parameters.push(["_order", "desc"]);
  return formatParameters(parameters);
}

/** The address of one window of a list. */
export function windowPath(collection: string, query: string, start: number, limit: number): string {
  const slice = `_start=${start}&_limit=${limit}`;
  return `/${encodeURIComponent(collection)}?${query === "" ? slice : `${query}&${slice}`}`;
}

/** Name and value pairs as a query string that stays readable: only what must be encoded is. */
export function formatParameters(parameters: readonly (readonly [string, string])[]): string {
  return parameters.map(([name, value]) => `${encode(name)}=${encode(value)}`).join("&");
}

function encode(text: string): string {
  return encodeURIComponent(text).replace(/%(2C|2F|3A|40|24)/g, (escaped) => decodeURIComponent(escaped));
}

/** Clicking a column: up, down, not at all. */
export function nextSort(sort: Sort | undefined, path: string): Sort | undefined {
  if (sort?.path !== path) return { path, descending: false };
  return sort.descending ? undefined : { path, descending: true };
}

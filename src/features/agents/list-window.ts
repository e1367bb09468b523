import { DEFAULT_PAGE_LIMIT } from "../../query/window.ts";
import { MAX_RECORDS } from "./capped.ts";

/** Parameters that choose a part of a list by counting. */
const COUNTING: readonly string[] = ["_start", "_end", "_page", "_limit", "_per_page"];

/** The part of a list that a path asks for, cut down to what a result may show. */
export interface ListWindow {
  /** The path seems to name one record, so nothing was cut. */
  readonly isRecord: boolean;
  /** The path to request. */
  readonly path: string;
  /** The position of the first record; undefined where another way to continue is part of the response. */
  readonly start: number | undefined;
  /** The most records of it; undefined for a single record. */
  readonly count: number | undefined;
  /** The same part with fewer records. */
  limitedTo(count: number): string;
  /** The records behind the first `shown` of this part. */
  next(shown: number): string;
}

/** Bounds a path that may lead to a list. A single record is left alone. */
export function boundedWindow(path: string, isRecord = hasNameOfRecord(path)): ListWindow {
  if (isRecord) return { isRecord, path, start: undefined, count: undefined, limitedTo: () => path, next: () => path };
  const [bare, search] = splitQuery(path);
  const parameters = new URLSearchParams(search);
  const whole = (name: string): number | undefined => {
    const value = parameters.get(name) ?? "";
    return /^\d+$/.test(value) ? Number(value) : undefined;
  };
  const kept = search.split("&").filter((pair) => pair !== "" && !COUNTING.includes(nameIn(pair)));
  const withWindow = (window: Readonly<Record<string, number>>): string =>
    `${bare}?${[...kept, ...Object.entries(window).map(([name, value]) => `${name}=${value}`)].join("&")}`;
  if (parameters.has("_after")) {
    const limitedTo = (count: number): string => withWindow({ _limit: count });
    const limit = Math.min(whole("_limit") ?? MAX_RECORDS, MAX_RECORDS);
    return { isRecord, path: limitedTo(limit), start: undefined, count: limit, limitedTo, next: () => path };
  }
  const { start, count } = sliceOf(whole);
  const slice = (from: number, most: number): string => withWindow({ _start: from, _limit: most });
  return {
    isRecord,
    path: slice(start, count),
    start,
    count,
    limitedTo: (most) => slice(start, most),
    next: (shown) => slice(start + shown, Math.max(count, 1)),
  };
}

function sliceOf(whole: (name: string) => number | undefined): { readonly start: number; readonly count: number } {
  const [page, limit, end] = [whole("_page"), whole("_limit") ?? whole("_per_page"), whole("_end")];
  if (page !== undefined) {
    const perPage = limit || DEFAULT_PAGE_LIMIT;
    return { start: (Math.max(page, 1) - 1) * perPage, count: Math.min(perPage, MAX_RECORDS) };
  }
  const start = whole("_start") ?? 0;
  const asked = end === undefined ? (limit ?? MAX_RECORDS) : Math.max(end - start, 0);
  return { start, count: Math.min(asked, MAX_RECORDS) };
}

/** `/products/1` and `/companies/1/products/2`, but not `/products`. */
function hasNameOfRecord(path: string): boolean {
  return splitQuery(path)[0].split("/").filter(Boolean).length % 2 === 0;
}

/** Path and query string. */
export function splitQuery(path: string): [path: string, search: string] {
  const question = path.indexOf("?");
  return question === -1 ? [path, ""] : [path.slice(0, question), path.slice(question + 1)];
}

function nameIn(pair: string): string {
  const name = pair.split("=", 1)[0]!;
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

import { StandinError } from "../base/errors.ts";
import type { Parameters } from "./parameters.ts";

/** The requested part of the matches. `_page` takes precedence over `_end`, `_end` over `_limit`, as in 0.17. */
export type Window =
  | { readonly kind: "all" }
  | { readonly kind: "page"; readonly page: number; readonly limit: number }
  | { readonly kind: "slice"; readonly start: number; readonly end: number | undefined }
  | CursorWindow;

/** `_after`: the records that follow the one a cursor names; an empty cursor stands before the first. */
export interface CursorWindow {
  readonly kind: "after";
  readonly cursor: string;
  readonly limit: number;
}

/** A window whose positions depend on nothing but the number of records. */
export type CountedWindow = Exclude<Window, CursorWindow>;

export const DEFAULT_PAGE_LIMIT = 10;
/** Numbers of more digits are read with more care. */
const MAX_DIGITS = 9;

export interface WindowParameters {
  page?: number | undefined;
  limit?: number | undefined;
  start?: number | undefined;
  end?: number | undefined;
}

export function createWindow({ page, limit, start, end }: WindowParameters): CountedWindow {
  // 0.17.4: a page below 1 is page 1, and a limit of 0 together with a page is ignored.
  if (page !== undefined) return { kind: "page", page: Math.max(1, page), limit: limit || DEFAULT_PAGE_LIMIT };
  const from = start ?? 0;
  if (end !== undefined) return { kind: "slice", start: from, end };
  if (limit !== undefined) return { kind: "slice", start: from, end: from + limit };
  if (start !== undefined) return { kind: "slice", start, end: undefined };
  return { kind: "all" };
}

/** The window by `_after` or `_per_page`, where one of them is in use. */
export function laterWindow(parameters: Parameters, later: ReadonlySet<string>): Window | undefined {
  if (later.has("_after")) {
    const limit = wholeNumber(parameters, "_limit") ?? DEFAULT_PAGE_LIMIT;
    if (limit < 1) throw new StandinError("QUERY_INVALID", `_limit=${limit}: with _after it must be 1 or more.`);
    return { kind: "after", limit, cursor: parameters.get("_after")?.[0] ?? "" };
  }
  if (!later.has("_per_page")) return undefined;
  const limit = Math.max(1, wholeNumber(parameters, "_per_page") ?? DEFAULT_PAGE_LIMIT);
  return createWindow({ page: wholeNumber(parameters, "_page") ?? 1, limit });
}

/** The number in a parameter's first value, truncated as in 0.17; undefined when absent or empty. */
export function wholeNumber(parameters: Parameters, name: string): number | undefined {
  const text = parameters.get(name)?.[0];
  if (text === undefined) return undefined;
  const digits = digitsIn(text);
  if (digits !== undefined) return digits;
  const trimmed = text.trim();
  if (trimmed === "") return undefined;
  if (!/^[+-]?\d+(\.\d*)?$/.test(trimmed)) {
    throw new StandinError(
      "QUERY_INVALID",
      `${name}=${trimmed}: ${name} must be a whole number, for example ${name}=10.`,
    );
  }
  return Number.parseInt(trimmed, 10);
}

/** The number that a few digits write, as nearly all are given; undefined for any other text. */
function digitsIn(text: string): number | undefined {
  if (text === "" || text.length > MAX_DIGITS) return undefined;
  let number = 0;
  for (let at = 0; at < text.length; at++) {
    const digit = text.charCodeAt(at) - 48;
    if (digit < 0 || digit > 9) return undefined;
    number = number * 10 + digit;
  }
  return number;
}

/** The window as positions in a list of `total` records: from `from` up to, not including, `to`. */
export function positionsOf(window: CountedWindow, total: number): { from: number; to: number } {
  switch (window.kind) {
    case "all":
      return { from: 0, to: total };
    case "page":
      return clamp((window.page - 1) * window.limit, window.page * window.limit, total);
    case "slice":
      return clamp(window.start, window.end ?? total, total);
  }
}

/** Like Array.prototype.slice: a negative position counts from the end, and NaN (0 times Infinity) is 0. */
function clamp(start: number, end: number, total: number): { from: number; to: number } {
  const from = position(start, total);
  return { from, to: Math.max(from, position(end, total)) };
}

function position(at: number, total: number): number {
  return at < 0 ? Math.max(0, total + at) : Math.min(at || 0, total);
}

/** The page numbers for `Link`. Empty when all records fit on this page, or the page is past the end. */
export interface PageLinks {
  readonly first?: number | undefined;
  readonly prev?: number | undefined;
  readonly next?: number | undefined;
  readonly last?: number | undefined;
}

export function pageLinks(window: Window & { kind: "page" }, total: number): PageLinks {
  const { page, limit } = window;
  const { from, to } = positionsOf(window, total);
  if (from === to) return {};
  const isPart = to - from !== total;
  return {
    first: isPart ? 1 : undefined,
    prev: page > 1 ? page - 1 : undefined,
    next: page * limit < total ? page + 1 : undefined,
    last: isPart ? Math.ceil(total / limit) : undefined,
  };
}

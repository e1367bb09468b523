import type { Window } from "../../query/window.ts";

/** The number of the last page; there is always a first one. */
export function lastPage({ limit }: { readonly limit: number }, total: number): number {
  return Math.max(1, Math.ceil(total / limit));
}

/** Whether a page is behind the last one, in whose place json-server 1.0 has that. */
export function isBeyondLast({ window, total }: { readonly window: Window; readonly total: number }): boolean {
  return window.kind === "page" && window.page > lastPage(window, total);
}

/** `_per_page`: a page in the form of json-server 1.0. `text` holds its records, separated by commas. */
export function envelope(window: Window, total: number, text: string): string {
  if (window.kind !== "page") return `[${text}]`;
  const { page } = window;
  const last = lastPage(window, total);
  const prev = page > 1 ? page - 1 : null;
  const next = page < last ? page + 1 : null;
  return `{"first":1,"prev":${prev},"next":${next},"last":${last},"pages":${last},"items":${total},"data":[${text}]}`;
}

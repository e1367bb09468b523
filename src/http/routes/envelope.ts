import type { Window } from "../../query/window.ts";

/** The number of the last page; there is always a first one. */
export function lastPage({ limit }: { readonly limit: number }, total: number): number {
  return Math.max(1, Math.ceil(total / limit));
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

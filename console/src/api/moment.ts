import { createStore } from "./store.ts";

/**
 * The version that this page shows instead of the present data, from its address: `/__console?at=1230#/data/products`.
 * Undefined for the present. A page can go from one to another without being loaded again.
 */
export const moment = createStore<number | undefined>(momentIn(globalThis.location?.search ?? ""));

globalThis.addEventListener?.("popstate", () => moment.set(momentIn(location.search)));

function momentIn(search: string): number | undefined {
  const text = new URLSearchParams(search).get("at") ?? "";
  return /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}

/** The address of this page, or of another view, at a version. */
export function addressAt(version: number | undefined, hash: string = location.hash): string {
  const url = new URL(location.href);
  if (version === undefined) url.searchParams.delete("at");
  else url.searchParams.set("at", String(version));
  url.hash = hash;
  return url.href;
}

const READS = ["GET", "HEAD", "QUERY"];

/** The path that reads the data of the moment. Routes of our own have no past, but for the overview. */
export function pathAtMoment(method: string, path: string): string {
  const version = moment.get();
  if (version === undefined || !READS.includes(method)) return path;
  return path.startsWith("/__") && path !== "/__overview" ? path : `/__at/${version}${path}`;
}

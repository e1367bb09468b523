import { createPathMatch } from "../../http/path-pattern.ts";
import type { TrafficEntry } from "./traffic-entry.ts";

/** Selects requests. Members left out match every request. */
export interface TrafficFilter {
  readonly method?: string | undefined;
  /** Such as `/products/:id` or `/api/*`; compared before and after rewriting. */
  readonly path?: string | undefined;
  readonly status?: number | undefined;
  readonly sandbox?: string | undefined;
  /** Whether the reader may see requests to a path, before and after rewriting. */
  readonly isShown?: ((path: string) => boolean) | undefined;
}

export function createTrafficMatch(filter: TrafficFilter): (entry: TrafficEntry) => boolean {
  const { method, path, status, sandbox, isShown } = filter;
  const wanted = method?.toUpperCase();
  const matchesPath = path === undefined ? undefined : createPathMatch(path);
  return (entry) =>
    (wanted === undefined || entry.method === wanted) &&
    (status === undefined || entry.status === status) &&
    (sandbox === undefined || entry.sandbox === sandbox) &&
    (isShown === undefined || (isShown(entry.client.path) && isShown(entry.target.path))) &&
    (matchesPath === undefined || matchesPath(entry.client.path) || matchesPath(entry.target.path));
}

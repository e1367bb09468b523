import { createPathMatch } from "../../path-pattern.ts";
import type { TrafficEntry } from "./traffic-entry.ts";

/** Selects requests. Members left out match every request. */
export interface TrafficFilter {
  readonly method?: string | undefined;
  /** Such as `/products/:id` or `/api/*`; compared before and after rewriting. */
  readonly path?: string | undefined;
  readonly status?: number | undefined;
  readonly sandbox?: string | undefined;
}

export function createTrafficMatch({ method, path, status, sandbox }: TrafficFilter): (entry: TrafficEntry) => boolean {
  const wanted = method?.toUpperCase();
  const matchesPath = path === undefined ? undefined : createPathMatch(path);
  return (entry) =>
    (wanted === undefined || entry.method === wanted) &&
    (status === undefined || entry.status === status) &&
    (sandbox === undefined || entry.sandbox === sandbox) &&
    (matchesPath === undefined || matchesPath(entry.client.path) || matchesPath(entry.target.path));
}

import { createPathMatch } from "../../http/path-pattern.ts";
import type { TrafficEntry } from "./traffic-entry.ts";
import type { TrafficFilter } from "./types.ts";

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

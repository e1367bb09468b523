import type { PathStep } from "../../../openapi/bind/path-shape.ts";
import type { Routed } from "./path-templates.ts";

/** The exchanges of one operation. */
export interface SeenOperation {
  readonly method: string;
  readonly path: string;
  readonly steps: readonly PathStep[];
  readonly seen: readonly Routed[];
}

/** Operations by method and path: `GET /products`. */
export type SeenOperations = ReadonlyMap<string, SeenOperation>;

/** Only that there is nothing, or that the server failed. */
const SAYS_NOTHING: ReadonlySet<number> = new Set([404, 405, 500, 502, 503, 504]);

/** Groups exchanges by operation; paths that never were there are left out. */
export function groupOperations(routed: readonly Routed[]): SeenOperations {
  const found = new Map<string, SeenOperation & { seen: Routed[] }>();
  for (const one of routed) {
    const key = seenKey(one.method, one.path);
    const { method, path, steps } = one;
    const known = found.get(key) ?? { method, path, steps, seen: [] };
    known.seen.push(one);
    found.set(key, known);
  }
  const isThere = new Set(routed.flatMap(({ path, status }) => (SAYS_NOTHING.has(status) ? [] : path)));
  for (const [key, { path }] of found) if (!isThere.has(path)) found.delete(key);
  return found;
}

export function seenKey(method: string, path: string): string {
  return `${method} ${path}`;
}

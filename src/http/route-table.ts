import type { FoundRoute, Method, PathParts, RouteRow } from "./service.ts";

interface Candidate {
  readonly row: RouteRow;
  readonly segments: readonly string[];
}

/** Routes by the first segment of their paths: a path that begins with none of these costs one look. */
export class RouteTable {
  readonly #byFirst = new Map<string, Candidate[]>();

  constructor(rows: readonly RouteRow[]) {
    for (const row of rows) {
      const segments = row.path.split("/").slice(1);
      const first = segments[0]!;
      this.#byFirst.set(first, [...(this.#byFirst.get(first) ?? []), { row, segments }]);
    }
  }

  /** The route whose path has these segments, each decoded. With a method, only one that has a handler for it. */
  find(given: readonly string[], method?: string): FoundRoute | undefined {
    const candidates = this.#byFirst.get(given[0]!);
    if (!candidates) return undefined;
    const wanted = method === "HEAD" ? "GET" : method;
    for (const { row, segments } of candidates) {
      if (wanted !== undefined && typeof row[wanted as Method] !== "function") continue;
      const parts = partsOf(segments, given);
      if (parts) return { row, parts };
    }
    return undefined;
  }
}

function partsOf(segments: readonly string[], given: readonly string[]): PathParts | undefined {
  if (segments.length !== given.length) return undefined;
  const parts: Record<string, string> = {};
  for (const [at, segment] of segments.entries()) {
    if (segment.startsWith(":")) parts[segment.slice(1)] = given[at]!;
    else if (segment !== given[at]) return undefined;
  }
  return parts;
}

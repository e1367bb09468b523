import type { FoundRoute, Method, RouteRow } from "./contract.ts";
import { matchesSegments, namedSegments } from "./path-pattern.ts";

interface Candidate {
  readonly row: RouteRow;
  readonly segments: readonly string[];
}

/** Routes by the first segment of their paths: a path that begins with none of these costs one lookup. */
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
      if (matchesSegments(segments, given)) return { row, parts: namedSegments(segments, given) };
    }
    return undefined;
  }
}

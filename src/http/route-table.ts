import type { PathParts, RouteRow } from "./service.ts";

interface Candidate {
  readonly row: RouteRow;
  readonly segments: readonly string[];
}

export interface FoundRoute {
  readonly row: RouteRow;
  readonly parts: PathParts;
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

  /** The route whose path has these segments, each decoded. The first that was listed wins. */
  find(given: readonly string[]): FoundRoute | undefined {
    const candidates = this.#byFirst.get(given[0]!);
    if (!candidates) return undefined;
    for (const { row, segments } of candidates) {
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

import type { FoundRoute, Method, RouteRow } from "./contract.ts";

/**
 * Patterns of paths, such as `/products/:id`: `:name` stands for one segment, `*` for one or more, anything else for
 * itself. Rewrite rules have a richer language of their own (http/rewrite), and so have the paths of examples, which
 * capture parts of a segment and are ranked against each other (api-document/path-template.ts).
 */

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

/**
 * Matches paths against a pattern, without regard to case or to a slash at the end.
 *
 * @example
 * createPathMatch("/products/:id")("/products/7"); // true
 */
export function createPathMatch(pattern: string): (path: string) => boolean {
  const wanted = segmentsOf(pattern);
  return (path) => matchesSegments(wanted, segmentsOf(path));
}

/** Backtracks to the latest `*` only, so the time is bounded by the product of the lengths. */
function matchesSegments(wanted: readonly string[], given: readonly string[]): boolean {
  let at = 0;
  let star = -1;
  let taken = 0;
  for (let position = 0; position < given.length; ) {
    if (wanted[at] === "*") {
      star = at++;
      taken = ++position;
    } else if (at < wanted.length && isSame(wanted[at]!, given[position]!)) {
      at++;
      position++;
    } else if (star !== -1) {
      at = star + 1;
      position = ++taken;
    } else return false;
  }
  return at === wanted.length;
}

/** The segments that `:name` stands for, by name, in a pattern without `*` that matches. */
function namedSegments(wanted: readonly string[], given: readonly string[]): Record<string, string> {
  const named: Record<string, string> = {};
  for (const [at, segment] of wanted.entries()) if (segment.startsWith(":")) named[segment.slice(1)] = given[at]!;
  return named;
}

function isSame(wanted: string, given: string): boolean {
  return wanted.startsWith(":") ? given !== "" : wanted === given;
}

function segmentsOf(path: string): string[] {
  return path
    .replace(/(?<=.)\/$/, "")
    .toLowerCase()
    .split("/")
    .slice(1);
}

import { capturedParts, PathTree, type Segment } from "../base/path-tree.ts";
import type { FoundRoute, Method, RouteRow } from "./contract.ts";

const WILDCARD: Segment = { kind: "wildcard" };

/**
 * Patterns of paths, such as `/products/:id`: `:name` stands for one segment, `*` for one or more, anything else for
 * itself. Rewrite rules have a richer language of their own (http/rewrite).
 */

interface Candidate {
  readonly row: RouteRow;
  readonly names: readonly string[];
}

/** Routes by the segments of their paths; of those that fit, the one that is listed first wins. */
export class RouteTable {
  readonly #tree = new PathTree<Candidate[]>();
  readonly #rows: readonly RouteRow[];

  constructor(rows: readonly RouteRow[]) {
    this.#rows = rows;
    for (const row of rows) {
      const texts = row.path.split("/").slice(1);
      const names = texts.flatMap((text) => (text.startsWith(":") ? text.slice(1) : []));
      const segments = texts.map((text): Segment => (text.startsWith(":") ? WILDCARD : { kind: "literal", text }));
      this.#tree.at(segments, () => []).push({ row, names });
    }
  }

  /** The route whose path has these segments, each decoded. With a method, only one that has a handler for it. */
  find(given: readonly string[], method?: string): FoundRoute | undefined {
    const wanted = (method === "HEAD" ? "GET" : method) as Method | undefined;
    const fitting = this.#tree
      .find(given)
      .flatMap(({ target, values }) => target.map(({ row, names }) => ({ row, parts: capturedParts(names, values) })))
      .filter(({ row }) => wanted === undefined || typeof row[wanted] === "function");
    if (fitting.length < 2) return fitting[0];
    return fitting.reduce((a, b) => (this.#rows.indexOf(b.row) < this.#rows.indexOf(a.row) ? b : a));
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

import { StandinError } from "../base/errors.ts";
import { PathTree, type Segment, splitPath } from "../base/path-tree.ts";
import { decodeSegment } from "../openapi/read/path-template.ts";
import { Endpoint } from "./endpoint.ts";
import type { Example } from "./example.ts";

/** An endpoint whose path fits, and what its wildcards stand for. */
export interface PathMatch {
  readonly endpoint: Endpoint;
  readonly values: readonly string[];
}

/**
 * Every endpoint by method and path. A request finds its own in a step or two, however many there are: in a map if the path
 * is the same, otherwise in a tree that is walked segment by segment.
 */
export class Routes {
  readonly endpoints: readonly Endpoint[];
  readonly #exact = new Map<string, PathMatch>();
  readonly #trees = new Map<string, PathTree<Endpoint[]>>();

  constructor(examples: readonly Example[], hasCors: boolean) {
    const groups = new Map<string, Example[]>();
    for (const example of examples) {
      const { method, path } = example.request;
      const key = `${method} ${path.shape}`;
      const group = groups.get(key);
      if (group) group.push(example);
      else groups.set(key, [example]);
    }
    this.endpoints = [...groups.values()].map((group) => new Endpoint(group, hasCors));
    for (const endpoint of this.endpoints) this.#add(endpoint);
  }

  /** Matches, best first: the same path, then without trailing slashes, then ignoring case, then by wildcards. */
  *find(method: string, path: string): Generator<PathMatch> {
    const decoded = path.includes("%") ? decodePath(path) : path;
    const exact = this.#exact.get(`${method} ${decoded}`);
    if (exact) yield exact;
    const tree = this.#trees.get(method);
    if (!tree) return;
    const trimmed = withoutSlash(decoded);
    const segments = splitPath(trimmed);
    const hasSlash = decoded.length > trimmed.length;
    const found = tree
      .find(segments)
      .flatMap(({ target, values }) => slashFirst(target, hasSlash).map((endpoint) => ({ endpoint, values })));
    if (found.length > 1) found.sort((a, b) => distance(a.endpoint, segments) - distance(b.endpoint, segments));
    for (const match of found) if (match.endpoint !== exact?.endpoint) yield match;
  }

  #add(endpoint: Endpoint): void {
    const { method, path } = endpoint;
    if (isFixed(endpoint)) this.#exact.set(`${method} ${path.shape}`, { endpoint, values: [] });
    const tree = this.#trees.get(method) ?? new PathTree({ ignoresCase: true });
    this.#trees.set(method, tree);
    tree.at(withoutLastEmpty(path.segments), () => []).push(endpoint);
  }
}

function decodePath(path: string): string {
  try {
    decodeURIComponent(path);
  } catch {
    const message = `The path ${path} contains an invalid percent-escape; write a bare % as %25.`;
    throw new StandinError("PATH_MALFORMED", message);
  }
  return `/${splitPath(path).map(decodeSegment).join("/")}`;
}

/** Of endpoints that differ in the slash at the end only, the one that is as requested comes first. */
function slashFirst(endpoints: readonly Endpoint[], hasSlash: boolean): readonly Endpoint[] {
  if (endpoints.length === 1) return endpoints;
  const isSame = ({ path }: Endpoint): boolean => path.shape.endsWith("/") === hasSlash;
  return [...endpoints].sort((a, b) => +isSame(b) - +isSame(a));
}

function isFixed({ path }: Endpoint): boolean {
  return path.segments.every(({ kind }) => kind === "literal");
}

/** Fixed paths come before those with wildcards, and then those with fewer letters in another case. */
function distance(endpoint: Endpoint, segments: readonly string[]): number {
  const mistakes = withoutLastEmpty(endpoint.path.segments).filter(
    (segment, position) => segment.kind === "literal" && segment.text !== segments[position],
  );
  return mistakes.length + (isFixed(endpoint) ? 0 : segments.length + 1);
}

function withoutSlash(path: string): string {
  let end = path.length;
  while (end > 1 && path[end - 1] === "/") end--;
  return path.slice(0, end);
}

function withoutLastEmpty(segments: readonly Segment[]): readonly Segment[] {
  const last = segments.at(-1);
  const isEmpty = segments.length > 1 && last?.kind === "literal" && last.text === "";
  return isEmpty ? withoutLastEmpty(segments.slice(0, -1)) : segments;
}

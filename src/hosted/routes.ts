import { StandinError } from "../base/errors.ts";
import { decodeSegment, matchPattern, type Segment, splitPath } from "../openapi/read/path-template.ts";
import { Endpoint } from "./endpoint.ts";
import type { Example } from "./example.ts";

/** An endpoint whose path fits, and what its wildcards stand for. */
export interface PathMatch {
  readonly endpoint: Endpoint;
  readonly values: readonly string[];
}

/** A node of the tree of paths with wildcards: fixed segments by their text in lower case, then what fits more than one. */
interface Node {
  readonly literals: Map<string, Node>;
  readonly patterns: { texts: readonly string[]; node: Node }[];
  wildcard: Node | undefined;
  readonly endpoints: Endpoint[];
}

/**
 * Every endpoint by method and path. A request finds its own in a step or two, however many there are: fixed paths lie
 * in maps, paths with wildcards in a tree that is walked segment by segment.
 */
export class Routes {
  readonly endpoints: readonly Endpoint[];
  readonly #exact = new Map<string, PathMatch>();
  /** Without trailing slash and in lower case. */
  readonly #loose = new Map<string, PathMatch[]>();
  readonly #trees = new Map<string, Node>();

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
    for (const endpoint of this.endpoints) {
      if (endpoint.path.segments.every(({ kind }) => kind === "literal")) this.#addLiteral(endpoint);
      else this.#addToTree(endpoint);
    }
  }

  /** Matches, best first: the same path, then without trailing slashes, then ignoring case, then by wildcards. */
  *find(method: string, path: string): Generator<PathMatch> {
    const decoded = path.includes("%") ? decodePath(path) : path;
    const exact = this.#exact.get(`${method} ${decoded}`);
    if (exact) yield exact;
    const trimmed = withoutSlash(decoded);
    const others = this.#loose.get(`${method} ${trimmed.toLowerCase()}`) ?? [];
    for (const isSameCase of [true, false]) {
      for (const match of others) {
        const isSame = withoutSlash(match.endpoint.path.shape) === trimmed;
        if (match !== exact && isSame === isSameCase) yield match;
      }
    }
    const tree = this.#trees.get(method);
    if (!tree) return;
    const segments = splitPath(trimmed);
    const found = matchesIn(tree, segments, decoded.length > trimmed.length);
    if (found.length > 1) found.sort((a, b) => caseMistakes(a.endpoint, segments) - caseMistakes(b.endpoint, segments));
    yield* found;
  }

  #addLiteral(endpoint: Endpoint): void {
    const { method, path } = endpoint;
    const match: PathMatch = { endpoint, values: [] };
    this.#exact.set(`${method} ${path.shape}`, match);
    const key = `${method} ${withoutSlash(path.shape).toLowerCase()}`;
    const present = this.#loose.get(key);
    if (present) present.push(match);
    else this.#loose.set(key, [match]);
  }

  #addToTree(endpoint: Endpoint): void {
    let node = this.#trees.get(endpoint.method);
    if (!node) {
      node = createNode();
      this.#trees.set(endpoint.method, node);
    }
    for (const segment of withoutLastEmpty(endpoint.path.segments)) node = childFor(node, segment);
    node.endpoints.push(endpoint);
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

function createNode(): Node {
  return { literals: new Map(), patterns: [], wildcard: undefined, endpoints: [] };
}

function childFor(node: Node, segment: Segment): Node {
  if (segment.kind === "wildcard") {
    node.wildcard ??= createNode();
    return node.wildcard;
  }
  if (segment.kind === "pattern") {
    const same = node.patterns.find(({ texts }) => texts.join("{}") === segment.texts.join("{}"));
    if (same) return same.node;
    const child = createNode();
    node.patterns.push({ texts: segment.texts, node: child });
    return child;
  }
  const key = segment.text.toLowerCase();
  const child = node.literals.get(key) ?? createNode();
  node.literals.set(key, child);
  return child;
}

/**
 * The endpoints that the segments of a path lead to: fixed segments before patterns, patterns before wildcards. A wildcard
 * stands for one segment that is not empty. Of two that differ in the slash at the end only, the one that is as requested
 * comes first.
 */
function matchesIn(tree: Node, segments: readonly string[], hasSlash: boolean): PathMatch[] {
  const found: PathMatch[] = [];
  const walk = (node: Node, at: number, values: readonly string[]): void => {
    const segment = segments[at];
    if (segment === undefined) {
      const { endpoints } = node;
      const isSame = (endpoint: Endpoint): boolean => endpoint.path.shape.endsWith("/") === hasSlash;
      const ordered = endpoints.length > 1 ? [...endpoints].sort((a, b) => +isSame(b) - +isSame(a)) : endpoints;
      for (const endpoint of ordered) found.push({ endpoint, values });
      return;
    }
    const literal = node.literals.get(segment.toLowerCase());
    if (literal) walk(literal, at + 1, values);
    for (const { texts, node: child } of node.patterns) {
      const captured = matchPattern(texts, segment);
      if (captured) walk(child, at + 1, [...values, ...captured]);
    }
    if (node.wildcard && segment !== "") walk(node.wildcard, at + 1, [...values, segment]);
  };
  walk(tree, 0, []);
  return found;
}

function caseMistakes({ path }: Endpoint, segments: readonly string[]): number {
  return withoutLastEmpty(path.segments).filter(
    (segment, position) => segment.kind === "literal" && segment.text !== segments[position],
  ).length;
}

function withoutSlash(path: string): string {
  let end = path.length;
  while (end > 1 && path[end - 1] === "/") end--;
  return path.slice(0, end);
}

function withoutLastEmpty(segments: readonly Segment[]): readonly Segment[] {
  const last = segments.at(-1);
  return segments.length > 1 && last?.kind === "literal" && last.text === "" ? segments.slice(0, -1) : segments;
}

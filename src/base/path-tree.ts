/** A segment of a path: a fixed text, a wildcard, or a text with wildcards in it (`{name}.json`). */
export type Segment =
  | { readonly kind: "literal"; readonly text: string }
  | { readonly kind: "wildcard" }
  /** Texts around and between wildcards: one more than there are wildcards. */
  | { readonly kind: "pattern"; readonly texts: readonly string[] };

export interface FoundPath<T> {
  readonly target: T;
  /** The parts of the path that the wildcards stand for, from left to right. */
  readonly values: readonly string[];
}

interface Node<T> {
  readonly literals: Map<string, Node<T>>;
  readonly patterns: { readonly texts: readonly string[]; readonly node: Node<T> }[];
  wildcard: Node<T> | undefined;
  target: T | undefined;
}

const NOTHING: readonly string[] = [];

/**
 * Paths with wildcards as a tree of their segments. A path finds its own in a few steps, however many there are: fixed
 * segments come before patterns, and patterns before wildcards. A wildcard stands for one segment that is not empty.
 */
export class PathTree<T> {
  readonly #root: Node<T> = createNode();
  readonly #ignoresCase: boolean;

  constructor({ ignoresCase = false } = {}) {
    this.#ignoresCase = ignoresCase;
  }

  /** The target of a path, made where there is none yet. */
  at(segments: readonly Segment[], make: () => T): T {
    let node = this.#root;
    for (const segment of segments) node = this.#childFor(node, segment);
    node.target ??= make();
    return node.target;
  }

  /** The paths that fit the segments, each decoded: all of them, or as many as wanted, the best first. */
  find(segments: readonly string[], most = Number.POSITIVE_INFINITY): FoundPath<T>[] {
    const found: FoundPath<T>[] = [];
    const walk = (node: Node<T>, at: number, values: readonly string[]): void => {
      const segment = segments[at];
      if (segment === undefined) {
        if (node.target !== undefined) found.push({ target: node.target, values });
        return;
      }
      const literal = node.literals.get(this.#keyOf(segment));
      if (literal) walk(literal, at + 1, values);
      for (const { texts, node: child } of node.patterns) {
        const captured = found.length < most ? matchPattern(texts, segment) : undefined;
        if (captured) walk(child, at + 1, [...values, ...captured]);
      }
      if (node.wildcard && segment !== "" && found.length < most) walk(node.wildcard, at + 1, [...values, segment]);
    };
    walk(this.#root, 0, NOTHING);
    return found;
  }

  #childFor(node: Node<T>, segment: Segment): Node<T> {
    if (segment.kind === "wildcard") {
      node.wildcard ??= createNode();
      return node.wildcard;
    }
    if (segment.kind === "pattern") {
      const same = node.patterns.find(({ texts }) => texts.join("{}") === segment.texts.join("{}"));
      if (same) return same.node;
      const child = createNode<T>();
      node.patterns.push({ texts: segment.texts, node: child });
      return child;
    }
    const key = this.#keyOf(segment.text);
    const child = node.literals.get(key) ?? createNode<T>();
    node.literals.set(key, child);
    return child;
  }

  #keyOf(text: string): string {
    return this.#ignoresCase ? text.toLowerCase() : text;
  }
}

function createNode<T>(): Node<T> {
  return { literals: new Map(), patterns: [], wildcard: undefined, target: undefined };
}

/** The values of wildcards by their names. */
export function capturedParts(names: readonly string[], values: readonly string[]): Readonly<Record<string, string>> {
  const parts: Record<string, string> = {};
  for (let at = 0; at < names.length; at++) parts[names[at]!] = values[at]!;
  return parts;
}

/** The segments of a path, still encoded. A trailing slash is an empty last segment. */
export function splitPath(path: string): string[] {
  return (path.startsWith("/") ? path.slice(1) : path).split("/");
}

/** The values of a pattern's wildcards in a segment, ignoring case; undefined when it does not match. */
function matchPattern(texts: readonly string[], segment: string): string[] | undefined {
  const lower = segment.toLowerCase();
  const first = texts[0]!.toLowerCase();
  const last = texts.at(-1)!.toLowerCase();
  if (!lower.startsWith(first) || !lower.endsWith(last)) return undefined;
  const captured: string[] = [];
  const end = segment.length - last.length;
  let at = first.length;
  for (const text of texts.slice(1, -1)) {
    // A wildcard stands for one character at least.
    const next = text === "" ? at + 1 : lower.indexOf(text.toLowerCase(), at + 1);
    if (next === -1 || next > end) return undefined;
    captured.push(segment.slice(at, next));
    at = next + text.length;
  }
  if (at >= end) return undefined;
  return [...captured, segment.slice(at, end)];
}

import { matchPattern, type Segment } from "../../openapi/read/path-template.ts";

interface FoundPath<T> {
  readonly target: T;
  readonly values: readonly string[];
}

interface Node<T> {
  readonly literals: Map<string, Node<T>>;
  readonly patterns: { readonly texts: readonly string[]; readonly node: Node<T> }[];
  wildcard: Node<T> | undefined;
  target: T | undefined;
}

/** The paths of a document as a tree of segments: fixed ones before patterns, patterns before wildcards. */
export class PathTable<T> {
  readonly #root: Node<T> = createNode();

  add(segments: readonly Segment[], target: T): void {
    let node = this.#root;
    for (const segment of segments) node = childFor(node, segment);
    node.target ??= target;
  }

  /** The operations at a path, given by its decoded segments. */
  find(segments: readonly string[]): FoundPath<T> | undefined {
    return walk(this.#root, segments, 0, NOTHING);
  }
}

const NOTHING: readonly string[] = [];

function createNode<T>(): Node<T> {
  return { literals: new Map(), patterns: [], wildcard: undefined, target: undefined };
}

function childFor<T>(node: Node<T>, segment: Segment): Node<T> {
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
  const child = node.literals.get(segment.text) ?? createNode<T>();
  node.literals.set(segment.text, child);
  return child;
}

function walk<T>(
  node: Node<T>,
  segments: readonly string[],
  at: number,
  values: readonly string[],
): FoundPath<T> | undefined {
  const segment = segments[at];
  if (segment === undefined) return node.target === undefined ? undefined : { target: node.target, values };
  const literal = node.literals.get(segment);
  const found = literal && walk(literal, segments, at + 1, values);
  if (found) return found;
  for (const { texts, node: child } of node.patterns) {
    const captured = matchPattern(texts, segment);
    const inner = captured && walk(child, segments, at + 1, [...values, ...captured]);
    if (inner) return inner;
  }
  if (!node.wildcard || segment === "") return undefined;
  return walk(node.wildcard, segments, at + 1, [...values, segment]);
}

import type { Graph, GraphNode } from "./graph.ts";

/**
 * Sorts nodes into few ranks of few nodes. If there are too many ranks, more nodes share one, as far as the relations allow.
 */
export function rankWithin(
  nodes: readonly GraphNode[],
  edges: Graph["edges"],
  { capacity, ranks: most }: { readonly capacity: number; readonly ranks: number },
): GraphNode[][] {
  const fewest = rankNodes(nodes, edges, Infinity);
  for (let size = capacity; size < nodes.length; size++) {
    const ranks = rankNodes(nodes, edges, size);
    if (ranks.length <= Math.max(most, fewest.length)) return ranks;
  }
  return fewest;
}

/**
 * Sorts nodes into ranks: a collection comes after those that it refers to, and no rank has more than `capacity`. In a
 * circle of references, the node that waits for the fewest others goes first.
 */
function rankNodes(nodes: readonly GraphNode[], edges: Graph["edges"], capacity: number): GraphNode[][] {
  const ranks: GraphNode[][] = [];
  const rankOf = new Map<string, number>();
  const parents = new Map<string, ReadonlySet<string>>(
    nodes.map(({ name }) => [
      name,
      new Set(edges.filter((edge) => edge.from === name && edge.to !== name).map(({ to }) => to)),
    ]),
  );
  const missing = ({ name }: GraphNode): number =>
    [...(parents.get(name) ?? [])].filter((parent) => !rankOf.has(parent)).length;
  let waiting = [...nodes];
  while (waiting.length > 0) {
    const least = Math.min(...waiting.map(missing));
    const ready = waiting.filter((node) => missing(node) === least);
    // Of a circle one at a time: the others may have all they wait for then.
    const chosen = least === 0 ? ready : ready.slice(0, 1);
    for (const node of chosen) {
      const known = [...(parents.get(node.name) ?? [])].flatMap((parent) => rankOf.get(parent) ?? []);
      let rank = Math.max(-1, ...known) + 1;
      while ((ranks[rank]?.length ?? 0) >= capacity) rank++;
      ranks[rank] ??= [];
      ranks[rank]?.push(node);
      rankOf.set(node.name, rank);
    }
    waiting = waiting.filter((node) => !rankOf.has(node.name));
  }
  return ranks;
}

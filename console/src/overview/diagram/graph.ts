import { idKeyOf, type Member, type Overview } from "../../api/overview.ts";
import { linksIn } from "../../records/relations.ts";

/** The collections as a diagram shows them: each with its keys, and the key by which it refers to another. */
export interface Graph {
  readonly nodes: readonly GraphNode[];
  readonly edges: readonly GraphEdge[];
}

export interface GraphNode {
  readonly name: string;
  readonly kind: Member["kind"];
  readonly count: number;
  /** The primary key and the foreign keys; none of a singleton. */
  readonly keys: readonly GraphKey[];
}

export interface GraphKey {
  readonly field: string;
  /** The collection that it refers to; undefined for the primary key. */
  readonly to: string | undefined;
}

export interface GraphEdge {
  readonly from: string;
  readonly field: string;
  readonly to: string;
}

export function graphOf(overview: Overview): Graph {
  const names = new Set(overview.members.map(({ name }) => name));
  const edges = linksIn(overview).filter(({ from, to }) => names.has(from) && names.has(to));
  const nodes = overview.members.map(({ name, kind, count }) => ({
    name,
    kind,
    count,
    keys: [
      ...(kind === "collection" ? [{ field: idKeyOf(overview, name), to: undefined }] : []),
      ...edges.filter(({ from }) => from === name).map(({ field, to }) => ({ field, to })),
    ],
  }));
  return { nodes, edges };
}

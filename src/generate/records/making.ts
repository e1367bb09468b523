import type { Json } from "../../json.ts";
import type { Randomness } from "../randomness.ts";
import type { SchemaNode, SchemaTree } from "./schema-tree.ts";

/** From this depth on, only what is required is made. */
const DEEP = 5;

/** The tools and limits with which values are made. */
export interface Making {
  readonly tree: SchemaTree;
  readonly random: Randomness;
  /** Whether a value passes the schema at a place of the tree. */
  readonly passes: (node: SchemaNode, value: Json) => boolean;
  /** A value that passes all schemas; throws `Unsatisfiable` if none was found. */
  readonly generate: (nodes: readonly SchemaNode[], spot: Spot) => Json;
  /** Values that one record may still take, tries included. */
  readonly budget: { left: number };
}

/** Where a value is wanted. */
export interface Spot {
  /** In the record, as a JSON pointer. */
  readonly pointer: string;
  readonly depth: number;
  /** The names of the field and of what is around it, the nearest first; the last one is the collection. */
  readonly names: readonly string[];
}

export function isDeep({ depth }: Pick<Spot, "depth">): boolean {
  return depth >= DEEP;
}

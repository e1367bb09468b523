import type { Json } from "../../../base/json/json.ts";
import type { SchemaNode, SchemaSource } from "../../schema-tree.ts";
import type { Randomness } from "../randomness.ts";

/** The tools and limits with which values are made. */
export interface Making {
  readonly tree: SchemaSource;
  readonly random: Randomness;
  readonly habits: Habits;
  /** Whether a value passes the schema at a place of the tree. */
  readonly passes: (node: SchemaNode, value: Json) => boolean;
  /** A value that passes all schemas; throws `Unsatisfiable` if none was found. */
  readonly generate: (nodes: readonly SchemaNode[], spot: Spot) => Json;
  /** Values that one record may still take, tries included. */
  readonly budget: { left: number };
}

/** Decisions that schemas leave open. */
export interface Habits {
  /** From this depth on, only required values are made. */
  readonly deepFrom: number;
  /** How many of the optional fields are there. */
  readonly optionalShare: number;
  /** How many values that may be null are; a tenth unless given. */
  readonly nullShare?: number;
  /** The number of items of a list that needs at least `least`. */
  readonly items: (least: number, spot: Spot, random: Randomness) => number;
  /** Whether a schema for further fields makes an object a dictionary, which has some of them. */
  readonly isDictionary: (further: Json) => boolean;
}

/** Where a value is wanted. */
export interface Spot {
  /** In the record, as a JSON pointer. */
  readonly pointer: string;
  readonly depth: number;
  /** The names of the field and of those around it, the nearest first; the last one is the collection. */
  readonly names: readonly string[];
  /** The places of the schemas around it that references led to. */
  readonly above?: readonly string[];
  /** Whether given values are no use because another place has them. */
  readonly isVaried?: boolean;
  /** Whether optional fields are left out. */
  readonly isBare?: boolean;
}

export function isDeep({ depth }: Pick<Spot, "depth">, { habits }: Pick<Making, "habits">): boolean {
  return depth >= habits.deepFrom;
}

import type { AssumedBodies } from "./bodies/assumed-bodies.ts";
import type { RecordSpot } from "./bodies/record-spots.ts";
import type { BindOverride } from "./config/overrides.ts";
import type { Group } from "./groups.ts";
import type { PathStep } from "./path-shape.ts";
import type { SchemaShape } from "./schema-shape.ts";

/** A collection in the making. */
export interface Candidate {
  /** The last fixed segment. */
  readonly segment: string;
  /** The path of the list. */
  readonly steps: readonly PathStep[];
  readonly idKey: string;
  /** Whether the id is a field of our own. */
  readonly hidesId: boolean;
  /** Where there is one record at each path, and where there is nothing but a list of pages. */
  readonly form?: "single" | "pages" | undefined;
  /** The field that finds single records, where that is none of the record itself. */
  readonly keyPath?: readonly string[] | undefined;
  readonly record: SchemaShape;
  readonly list: Group | undefined;
  readonly item: Group | undefined;
  /** Where the list stands in its response, and the record in that of its own path. */
  readonly listSpot: RecordSpot | undefined;
  readonly readSpot: RecordSpot | undefined;
  /** Where the path of the list sends one record, as generators describe a list whose elements they forget. */
  readonly firstSpot?: RecordSpot | undefined;
  readonly assumed?: AssumedBodies | undefined;
}

/** One path and the path of single records below it, as the document has them. */
export interface Pair {
  readonly segment: string;
  readonly steps: readonly PathStep[];
  readonly list: Group | undefined;
  readonly item: Group | undefined;
  /** The same list for one value of a wildcard, such as `/reports/{kind}`. */
  readonly filtered?: readonly Group[];
  /** The words of the config about it; it is then bound even where its shape does not prove it. */
  readonly wanted?: BindOverride;
}

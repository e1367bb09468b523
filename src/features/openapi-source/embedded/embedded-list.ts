import type { BoundCollection } from "../../../openapi/bind/binding.ts";
import type { Placed, References } from "../../../schema/references.ts";

/** A list in the records of one collection that has those of another which belong to them: `items` of a subscription. */
export interface EmbeddedList {
  readonly parent: BoundCollection;
  readonly child: BoundCollection;
  /** The field of the child that names its parent. */
  readonly key: string;
  /** Property names that lead to the list: `items`, or `items` and `data`. */
  readonly at: readonly [field: string, ...inner: string[]];
  /** The schema of the parent's field. */
  readonly schema: Placed;
  readonly references: References;
  /** Fields of the child that no response shows. */
  readonly hidden: readonly string[];
}

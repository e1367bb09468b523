import { isJsonObject } from "../../base/json/json.ts";
import type { SchemaShape, Shapes } from "./schema-shape.ts";

/** A scalar, or a list of scalars, in a record. */
export interface Leaf {
  /** Its path, such as `lines.product.name`. */
  readonly path: string;
  /** Its last property. */
  readonly key: string;
  /** Properties that lead to it; those of `attributes` in JSON:API count as the record's own. */
  readonly depth: number;
  /** The shape of one value. */
  readonly shape: SchemaShape;
  /** The values that it may have, if its schema lists them. */
  readonly values: readonly string[];
}

const MAX_DEPTH = 3;
/** Records with more are known by the first of them. */
const MAX_LEAVES = 400;
/** Parts that tell nothing of the record. */
const ASIDE = /^_?(?:links?|meta|metadata|paging|pagination|errors?)$/i;
const KNOWN = new WeakMap<SchemaShape, readonly Leaf[]>();

/** All scalars of a record, nearest first. */
export function leavesIn(shapes: Shapes, record: SchemaShape): readonly Leaf[] {
  const known = KNOWN.get(record);
  if (known) return known;
  const found: Leaf[] = [];
  let holders = [{ shape: record, path: "" }];
  for (let depth = 0; depth <= MAX_DEPTH && holders.length > 0; depth++) {
    const inner: typeof holders = [];
    for (const holder of holders) {
      for (const key of holder.shape.properties.keys()) {
        if (found.length >= MAX_LEAVES) break;
        const shape = shapes.property(holder.shape, key);
        const one = shape?.kind === "array" ? shape.items && shapes.of(shape.items) : shape;
        if (!one) continue;
        const path = holder.path === "" ? key : `${holder.path}.${key}`;
        if (one.kind === "object" && ASIDE.test(key)) continue;
        if (one.kind === "object") inner.push({ shape: one, path });
        else if (one.kind !== "array")
          found.push({
            path,
            key,
            depth: path.startsWith("attributes.") ? depth - 1 : depth,
            shape: one,
            values: listedValues(one),
          });
      }
    }
    holders = inner;
  }
  KNOWN.set(record, found);
  return found;
}

/** The values that a schema lists, as texts. */
export function listedValues({ schema: { value } }: SchemaShape): readonly string[] {
  return isJsonObject(value) && Array.isArray(value.enum) ? value.enum.filter((one) => one !== null).map(String) : [];
}

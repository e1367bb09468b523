import { isJsonObject } from "../../../base/json/json.ts";
import type { SchemaShape, Shapes } from "../schema-shape.ts";

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

/** The path of the only leaf among those that are the least deep. */
export function nearestLeaf(leaves: readonly Leaf[]): string | undefined {
  const depth = Math.min(...leaves.map((leaf) => leaf.depth));
  const [first, second] = leaves.filter((leaf) => leaf.depth === depth);
  return second === undefined ? first?.path : undefined;
}

/** What a flag has for true and for false: also 1 and 0, or the "Yes/No" of its description. */
export function flagWords(shape: SchemaShape): readonly [string, string] | undefined {
  const { value } = shape.schema;
  if (shape.types.has("boolean")) return ["true", "false"];
  if (!isJsonObject(value)) return undefined;
  const listed = listedValues(shape);
  const isBit =
    listed.length === 0 ? value.minimum === 0 && value.maximum === 1 : listed.every((one) => /^[01]$/.test(one));
  if (shape.types.has("integer")) return isBit ? ["1", "0"] : undefined;
  const [, yes, no] = /\b(yes) ?(?:\/|or) ?(no)\b/i.exec(listed.length === 0 ? String(value.description) : "") ?? [];
  return shape.types.has("string") && yes !== undefined && no !== undefined ? [yes, no] : undefined;
}

/** Whether a parameter is true or false, also beside other values. */
export function asksTruth(shape: SchemaShape): boolean {
  const listed = listedValues(shape);
  return shape.types.has("boolean") || (listed.includes("true") && listed.includes("false"));
}

/** The values that a schema lists, as texts; also one by one, as `oneOf` whose schemas describe a value each. */
export function listedValues({ schema: { value } }: SchemaShape): readonly string[] {
  if (!isJsonObject(value)) return [];
  const alternatives = Array.isArray(value.oneOf) ? value.oneOf : [value];
  const lists = alternatives.map((one) =>
    isJsonObject(one) ? (one.enum ?? (one.const === undefined ? [] : [one.const])) : [],
  );
  const all = lists.every((one) => Array.isArray(one) && one.length > 0) ? lists.flat() : [];
  return all.filter((one) => one !== null).map(String);
}

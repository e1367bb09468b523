import { isJsonObject, type Json } from "../../../json.ts";
import { textOf } from "../../../query/text.ts";
import { KEPT_LENGTH } from "../sql/sort-key.ts";

/** A text of this length fits into its kept sort key however it is coded. */
const SURELY_KEPT = KEPT_LENGTH / 2;

/**
 * What is true of some record of a collection, since it was loaded. Queries on plain data are spared whatever only these
 * would need. A trait once seen stays until the collection is replaced.
 */
export const TRAIT = {
  /** A text longer than its kept sort key. */
  wide: 1,
  /** A value that is an array or an object. */
  nested: 2,
  /** An array. */
  lists: 4,
  /** An array directly in an array. */
  deep: 8,
  /** A record that is no object. */
  odd: 16,
  /** Letters beyond ASCII. */
  foreign: 32,
} as const;

/** Letters, digits and signs of ASCII, and no escape but the short ones. */
const PLAIN = /^[\x20-\x7e]*$/;

export function isPlain(body: string): boolean {
  return PLAIN.test(body) && !body.includes("\\u");
}

export function traitsOf(value: Json, body: string): number {
  let traits = isPlain(body) ? 0 : TRAIT.foreign;
  if (!isJsonObject(value)) return traits | TRAIT.odd | TRAIT.nested | TRAIT.lists | TRAIT.deep | TRAIT.wide;
  const canBeWide = body.length > SURELY_KEPT;
  const look = (inner: Json, isInArray: boolean): void => {
    if (typeof inner === "string") {
      if (canBeWide && inner.length > SURELY_KEPT) traits |= TRAIT.wide;
      return;
    }
    if (typeof inner !== "object" || inner === null) return;
    traits |= TRAIT.nested;
    if (!Array.isArray(inner)) {
      for (const key in inner) look(inner[key]!, false);
      return;
    }
    traits |= isInArray ? TRAIT.lists | TRAIT.deep : TRAIT.lists;
    if (canBeWide && textOf(inner).length > SURELY_KEPT) traits |= TRAIT.wide;
    for (const element of inner) look(element, true);
  };
  for (const key in value) look(value[key]!, false);
  return traits;
}

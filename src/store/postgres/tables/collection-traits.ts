import { isJsonObject, type Json, mayNeedDigits } from "../../../base/json/json.ts";
import { textOf } from "../../../query/text.ts";
import { MAX_KEY_LENGTH } from "../sql/sort-key.ts";

/** A text of this length fits into its sort key, however it is coded. */
const MAX_SURE_LENGTH = MAX_KEY_LENGTH / 2;

/**
 * Traits that at least one record of a collection has had since it was loaded. Queries skip the work that only these
 * require. A trait stays until the collection is replaced.
 */
export const TRAIT = {
  /** A text longer than its sort key. */
  longText: 1,
  /** A value that is an array or an object. */
  nested: 2,
  /** An array. */
  arrays: 4,
  /** An array directly in an array. */
  nestedArrays: 8,
  /** A record that is not an object. */
  nonObject: 16,
  /** Characters beyond ASCII. */
  nonAscii: 32,
  /** Perhaps a number that no double has. */
  exactNumbers: 64,
} as const;

/** Printable ASCII; `isPlain` excludes numeric escapes, too. */
const PLAIN = /^[\x20-\x7e]*$/;

export function isPlainBody(body: string): boolean {
  return PLAIN.test(body) && !body.includes("\\u");
}

export function traitsOf(value: Json, body: string): number {
  let traits = isPlainBody(body) ? 0 : TRAIT.nonAscii;
  if (mayNeedDigits(body)) traits |= TRAIT.exactNumbers;
  if (!isJsonObject(value)) {
    return traits | TRAIT.nonObject | TRAIT.nested | TRAIT.arrays | TRAIT.nestedArrays | TRAIT.longText;
  }
  const mayBeLong = body.length > MAX_SURE_LENGTH;
  const inspect = (inner: Json, isInArray: boolean): void => {
    if (typeof inner === "string") {
      if (mayBeLong && inner.length > MAX_SURE_LENGTH) traits |= TRAIT.longText;
      return;
    }
    if (typeof inner !== "object" || inner === null) return;
    traits |= TRAIT.nested;
    if (!Array.isArray(inner)) {
      for (const value of Object.values(inner)) inspect(value, false);
      return;
    }
    traits |= isInArray ? TRAIT.arrays | TRAIT.nestedArrays : TRAIT.arrays;
    if (mayBeLong && textOf(inner).length > MAX_SURE_LENGTH) traits |= TRAIT.longText;
    for (const element of inner) inspect(element, true);
  };
  for (const inner of Object.values(value)) inspect(inner, false);
  return traits;
}

import { isJsonObject } from "../../base/json/json.ts";
import { within } from "../../schema/pointer.ts";
import type { Placed, References } from "../../schema/references.ts";

/**
 * Whether a part of an `allOf` that allows no other properties refuses those of its neighbours. As JSON Schema goes, no object
 * has all of them; authors mean that the whole has no others.
 */
export function refusesItsOwn(references: References, schema: Placed): boolean {
  const parts: { readonly names: readonly string[]; readonly isClosed: boolean }[] = [];
  const seen = new Set<unknown>();
  const visit = (placed: Placed): void => {
    const { value, place } = references.resolve(placed);
    if (!isJsonObject(value) || seen.has(value)) return;
    seen.add(value);
    const names = isJsonObject(value.properties) ? Object.keys(value.properties) : [];
    parts.push({ names, isClosed: value.additionalProperties === false && value.patternProperties === undefined });
    const inner = Array.isArray(value.allOf) ? value.allOf : [];
    for (const [at, part] of inner.entries()) visit({ value: part, place: within(within(place, "allOf"), at) });
  };
  try {
    visit(schema);
  } catch {
    return false;
  }
  const all = new Set(parts.flatMap(({ names }) => names));
  return parts.some(({ names, isClosed }) => isClosed && names.length < all.size);
}

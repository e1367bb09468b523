import { isJsonObject, type Json } from "../../base/json/json.ts";
import { within } from "../../schema/pointer.ts";
import { isReference, type Placed, type References } from "../../schema/references.ts";

/** However often references double a value, it stays one that can be sent. */
const MAX_VALUES = 100_000;

/** An example in which what a `$ref` leads to takes its place. One that leads nowhere is part of the example. */
export function completeValue(references: References, { value, place }: Placed<Json>): Json {
  if (!hasReference(value)) return value;
  let left = MAX_VALUES;
  const complete = (current: Placed<Json>, above: readonly string[]): Json => {
    if (typeof current.value !== "object" || current.value === null || left-- <= 0) return current.value;
    if (isReference(current.value)) {
      const target = targetOf(references, current);
      if (!target || above.includes(target.place)) return current.value;
      return complete(target, [...above, target.place]);
    }
    if (Array.isArray(current.value)) {
      return current.value.map((inner, position) =>
        complete({ value: inner, place: within(current.place, position) }, above),
      );
    }
    const entries = Object.entries(current.value);
    return Object.fromEntries(
      entries.map(([key, inner]) => [key, complete({ value: inner, place: within(current.place, key) }, above)]),
    );
  };
  return complete({ value, place }, []);
}

function hasReference(value: Json): boolean {
  if (typeof value !== "object" || value === null) return false;
  return isReference(value) || Object.values(value).some(hasReference);
}

/** Of an Example Object, its value. */
function targetOf(references: References, reference: Placed<Json>): Placed<Json> | undefined {
  const { value, place } = references.follow(reference);
  const isExample = /#\/components\/examples\/[^/]+$/.test(place) && isJsonObject(value);
  if (isExample && value.value !== undefined) return { value: value.value, place: `${place}/value` };
  return value === undefined ? undefined : { value, place };
}

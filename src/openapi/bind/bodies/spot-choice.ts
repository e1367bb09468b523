import type { Pair } from "../candidate.ts";
import type { BindOverride } from "../config/overrides.ts";
import { idParameterOf } from "../groups.ts";
import { isIdLike } from "../ids/id-key.ts";
import { isSameNoun, wordsIn } from "../words.ts";
import { isSamePath, likeness, type RecordSpot, SURELY_ALIKE } from "./record-spots.ts";

/** So many properties are no accident. */
const MANY = 6;

/**
 * Lists that a name or the lack of others speaks for, or the one that is wanted; else the only one of what a path sends,
 * or that is named like its wildcard: `custom_fields` for `/fields/{custom_field_id}`.
 */
export function listSpots(
  spots: readonly RecordSpot[],
  { wanted, item }: Pair,
  reads: readonly RecordSpot[],
): readonly RecordSpot[] {
  const lists = spots.filter(({ isList }) => isList);
  const { at } = wanted ?? {};
  if (at) return lists.filter((spot) => isSamePath(spot.at, at));
  const named = lists.filter(({ isNamed }) => isNamed);
  if (named.length > 0) return named;
  const words = wordsIn(idParameterOf(item) ?? "");
  const owner = (isIdLike(words.slice(-1)) ? words.slice(0, -1) : words).join("");
  const isMeant = ({ at, shape }: RecordSpot): boolean =>
    (owner !== "" && isSameNoun(at.at(-1) ?? "", owner)) ||
    reads.some(
      (read) => !read.isList && read.shape.name !== undefined && read.shape.schema.place === shape.schema.place,
    );
  const [only, other] = lists.filter(isMeant);
  return only && !other ? [{ ...only, isNamed: true, rank: 0 }] : [];
}

/** Records that a name speaks for or that are what the list has, or the one that is wanted. */
export function readSpots(
  spots: readonly RecordSpot[],
  wanted: BindOverride | undefined,
  lists: readonly RecordSpot[],
): readonly RecordSpot[] {
  const { itemAt } = wanted ?? {};
  if (itemAt) return spots.filter((spot) => isSamePath(spot.at, itemAt));
  // `{ "info": { ... } }` with almost all properties that the elements of the list have
  const isListed = ({ shape }: RecordSpot): boolean =>
    lists.some(
      (list) =>
        list.shape.schema.place === shape.schema.place ||
        (Math.min(list.shape.properties.size, shape.properties.size) >= MANY &&
          likeness(list.shape, shape) >= SURELY_ALIKE),
    );
  return spots.filter((spot) => spot.isNamed || (!spot.isList && isListed(spot)));
}

/** The list that is best by its name, of those whose elements are described. */
export function bestList([best]: readonly RecordSpot[]): RecordSpot | undefined {
  return best && best.rank >= 0 && best.shape.properties.size > 0 ? best : undefined;
}

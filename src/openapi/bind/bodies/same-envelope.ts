import type { Placed } from "../../../schema/references.ts";
import type { Shapes } from "../schema-shape.ts";
import { isSameNoun } from "../words.ts";
import type { RecordSpot } from "./record-spots.ts";

/** Whether the path of a record sends the very body that has the list. */
export function isSameEnvelope(
  shapes: Shapes,
  lists: readonly RecordSpot[] | undefined,
  [list, read]: readonly (Placed | undefined)[],
): boolean {
  if (!lists?.some(({ at }) => at.length > 0) || !list || !read) return false;
  return shapes.of(list).schema.place === shapes.of(read).schema.place;
}

/** Whether the body of both has one record by its name: `/user` is no list if it sends `{ "user": {}, "tokens": [] }`, too. */
export function isAroundOne(
  segment: string,
  lists: readonly RecordSpot[] | undefined,
  reads: readonly RecordSpot[] | undefined,
): boolean {
  const isNamed = ({ at }: RecordSpot): boolean => isSameNoun(at.at(-1) ?? "", segment);
  // A record may have an object that is named so.
  return !lists?.some(isNamed) && reads?.some((read) => read.at.length === 1 && isNamed(read)) === true;
}

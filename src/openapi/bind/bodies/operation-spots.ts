import { isJsonPatchType } from "../../check/media-types.ts";
import type { MediaContent, Operation } from "../../read/api-document.ts";
import type { Candidate } from "../candidate.ts";
import type { SchemaShape, Shapes } from "../schema-shape.ts";
import { formContent, jsonContent, patchContentIn } from "./bodies.ts";
import { bodySpots, spotsOf } from "./body-spots.ts";
import { ALIKE, isRecordName, likeness, type RecordSpot, SURELY_ALIKE, sentLikeness } from "./record-spots.ts";

/** The record in the body of a request. */
export interface RequestSpot {
  readonly content: MediaContent;
  readonly spot: RecordSpot;
  /** The share of its properties that the record has too. */
  readonly share: number;
}

/** The content of a JSON Patch that is described as a record. */
export function recordAsPatch(shapes: Shapes, contents: readonly MediaContent[] | undefined): MediaContent | undefined {
  const patch = patchContentIn(contents);
  const isRecord = patch?.schema && isJsonPatchType(patch.type) && shapes.of(patch.schema).kind === "object";
  return isRecord ? patch : undefined;
}

export function requestSpot(
  shapes: Shapes,
  candidate: Candidate,
  operation: Operation,
): RequestSpot | "list" | undefined {
  const contents = operation.requestBody?.contents;
  const content = jsonContent(contents) ?? formContent(contents) ?? recordAsPatch(shapes, contents);
  const spots = content && bodySpots(shapes, content, candidate.segment);
  if (!spots || spots.length === 0) return undefined;
  if (spots.every(({ isList }) => isList)) return "list";
  // The `data` in a field `details` of the record is part of it.
  const isInside = ([first = "", deeper]: readonly string[]): boolean =>
    deeper !== undefined && candidate.record.properties.has(first);
  const ranked = spots
    .filter(({ isList, isNamed }) => !isList && isNamed)
    // `properties: { type: object }` beside other fields is one of them.
    .filter(
      ({ at, shape }) =>
        at.length === 0 ||
        shape.properties.size > 0 ||
        (isRecordName(at.at(-1) ?? "", candidate.segment) && !isInside(at)),
    )
    .map((spot) => ({ content, spot, share: sentLikeness(spot.shape, candidate.record) }))
    .sort((a, b) => b.share * 10 + b.spot.rank - (a.share * 10 + a.spot.rank) || b.spot.at.length - a.spot.at.length);
  return ranked[0];
}

export function responseSpot(shapes: Shapes, candidate: Candidate, operation: Operation): RecordSpot | undefined {
  const spots = spotsOf(shapes, operation, candidate.segment);
  return typeof spots === "string" || !spots
    ? undefined
    : bestSpot(spots, candidate, candidate.readSpot?.isList === true);
}

/** The record in a response; it is not enough to share a few common properties. */
export function bestSpot(
  spots: readonly RecordSpot[],
  { record, idKey, segment }: Candidate,
  isListAllowed: boolean,
): RecordSpot | undefined {
  let found: { spot: RecordSpot; score: number } | undefined;
  for (const spot of spots) {
    if (spot.isList && !isListAllowed) continue;
    const alike = likeness(spot.shape, record);
    // The customer of an address has a name, too.
    const least = isOtherThing(spot, segment, record) ? SURELY_ALIKE : ALIKE;
    const isRecord =
      alike >= least && (spot.shape.properties.size === 0 || spot.shape.properties.has(idKey) || alike > 0.7);
    const score = alike * 10 + spot.rank - (spot.isList ? 6 : 0);
    if (isRecord && (!found || score > found.score)) found = { spot, score };
  }
  return found?.spot;
}

/** Schemas with names are alike only if they are one. */
export function isSameRecord(one: SchemaShape, other: SchemaShape): boolean {
  const areNamed = one.name !== undefined && other.name !== undefined;
  return likeness(one, other) >= (areNamed ? 1 : SURELY_ALIKE) && (!areNamed || one.name === other.name);
}

/** Whether a record is in a field that is named like something else, and has another schema. */
function isOtherThing({ at, shape }: RecordSpot, segment: string, record: SchemaShape): boolean {
  const name = at.at(-1);
  return name !== undefined && !isRecordName(name, segment) && shape.name !== record.name;
}

import type { Candidate, Pair } from "../candidate.ts";
import { idParameterOf, operationOf } from "../groups.ts";
import { findIdKey } from "../ids/id-key.ts";
import type { SchemaShape, Shapes } from "../schema-shape.ts";
import { singularOf } from "../words.ts";
import { spotsOf } from "./body-spots.ts";
import { likeness, type RecordSpot, recordShapeOf, SURELY_ALIKE } from "./record-spots.ts";

/** Paths like those of a list that send one record, beside a path that sends the same or a POST that creates it. */
export function shownOne(
  shapes: Shapes,
  { segment, steps, list, item }: Pair,
  {
    listed,
    read,
  }: { readonly listed: readonly RecordSpot[] | undefined; readonly read: readonly RecordSpot[] | undefined },
): Candidate | undefined {
  const creates = operationOf(list, "POST");
  const isPlural = singularOf(segment) !== segment;
  if (!item || !(creates || isPlural) || operationOf(list, "PUT") || operationOf(list, "PATCH")) return undefined;
  const made = spotsOf(shapes, creates, segment);
  const [first, readSpot] = [wholeBody(listed), wholeBody(read)];
  const isOnlyRemoved = isPlural && !operationOf(item, "GET") && operationOf(item, "DELETE") !== undefined;
  const other =
    readSpot ?? (read || typeof made === "string" ? undefined : wholeBody(made)) ?? (isOnlyRemoved ? first : undefined);
  if (!first || !other) return undefined;
  const parameter = idParameterOf(item);
  const idKey = findIdKey(shapes, [other.shape, first.shape], { parameter, segment });
  if (idKey === undefined || !isPartOf(first.shape, other.shape, idKey)) return undefined;
  const isWritten = [...(list?.operations ?? []), ...item.operations].some(({ method }) => method !== "GET");
  // Where nothing else proves that it is a record, a body with a list in it is more likely to be what is around records.
  const isProven = isWritten && other !== first && first.shape.branches.length === 0;
  if (!isProven && listed?.some(({ isList, isNamed }) => isList && isNamed)) return undefined;
  const record = recordShapeOf([other.shape, first.shape], idKey);
  return { segment, steps, idKey, hidesId: false, record, list, item, listSpot: undefined, readSpot, firstSpot: first };
}

function wholeBody(spots: readonly RecordSpot[] | undefined): RecordSpot | undefined {
  return spots?.find(({ at, isList, shape }) => at.length === 0 && !isList && shape.properties.size > 0);
}

/** Whether a body has what a record has, or its id alone. */
function isPartOf(body: SchemaShape, record: SchemaShape, idKey: string): boolean {
  if (likeness(body, record) >= SURELY_ALIKE) return true;
  return body.properties.size === 1 && body.properties.has(idKey) && record.properties.has(idKey);
}

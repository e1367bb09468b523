import type { MediaContent, Operation } from "../../read/api-document.ts";
import type { Shapes } from "../schema-shape.ts";
import { bodySchema, jsonContent, successOf } from "./bodies.ts";
import { findSpots, type RecordSpot } from "./record-spots.ts";

/** Where records may stand in the response of an operation; a text says why nowhere. */
export function spotsOf(
  shapes: Shapes,
  operation: Operation | undefined,
  segment: string,
): readonly RecordSpot[] | string | undefined {
  if (!operation) return undefined;
  const success = successOf(operation);
  if (!success) return "has no successful response";
  const content = jsonContent(success.contents);
  if (!content) return success.contents.length > 0 ? "its response is not JSON" : "its response has no body";
  return bodySpots(shapes, content, segment) ?? "its response has no schema";
}

export function bodySpots(
  shapes: Shapes,
  content: MediaContent | undefined,
  segment: string,
): readonly RecordSpot[] | undefined {
  if (!content) return undefined;
  const known = SPOTS.get(content);
  if (known?.segment === segment) return known.spots;
  const schema = bodySchema(content);
  const spots = schema && findSpots(shapes, schema, segment);
  SPOTS.set(content, { segment, spots });
  return spots;
}

/** A body is looked at several times, for the sake of the same collection mostly. */
const SPOTS = new WeakMap<
  MediaContent,
  { readonly segment: string; readonly spots: readonly RecordSpot[] | undefined }
>();

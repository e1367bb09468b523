import type { Operation } from "../read/api-document.ts";
import { formContent, jsonContent, successOf } from "./bodies/bodies.ts";
import { isSameRecord, requestSpot, responseSpot } from "./bodies/operation-spots.ts";
import { ALIKE, SURELY_ALIKE } from "./bodies/record-spots.ts";
import type { Candidate } from "./candidate.ts";
import { type BindingOutcome, type Draft, draft } from "./draft.ts";
import type { Shapes } from "./schema-shape.ts";

/** `POST /orders/{id}/cancel`: an action on the record that it sends. `POST /plans/{id}/duplicate` makes another one. */
export function acted(shapes: Shapes, candidate: Candidate, operation: Operation): BindingOutcome {
  const isCopy = operation.method !== "PATCH" && COPIES.test(lastSegment(operation));
  const found = responseSpot(shapes, candidate, operation);
  // A run may be an `IncompleteRun` or more.
  const isForm = found && candidate.record.branches.includes(found.shape.schema.place);
  const spot = found && (isForm || isSameRecord(found.shape, candidate.record)) ? found : undefined;
  if (!spot && !isCopy) {
    return { operation, why: "an action that sends something else than its record" };
  }
  const sent = requestSpot(shapes, candidate, operation);
  // An object inside a request may share a few names with the record by accident.
  const least = sent !== "list" && sent && sent.spot.at.length > 0 ? SURELY_ALIKE : ALIKE;
  const request = sent === "list" || !sent || sent.share < least ? undefined : sent;
  const contents = operation.requestBody?.contents;
  const drafted = draft(shapes, candidate, { operation, action: isCopy ? "copy" : "act", spot, request });
  return { draft: { ...drafted, requestContent: jsonContent(contents) ?? formContent(contents) } };
}

const COPIES = /^(?:clone|copy|duplicate|fork|remix)(?![a-z])/i;

function lastSegment({ path: { text } }: Operation): string {
  return text.slice(text.lastIndexOf("/") + 1);
}

/** `GET /files/{id}/content`: a text or bytes, below a record that was made of a file. */
export function downloaded(shapes: Shapes, candidate: Candidate, operation: Operation): BindingOutcome {
  const contents = successOf(operation)?.contents ?? [];
  const schema = jsonContent(contents)?.schema;
  const isFile = schema ? shapes.of(schema).types.has("string") : contents.length > 0;
  if (!isFile) return { operation, why: "a part of a record" };
  const drafted = draft(shapes, candidate, { operation, action: "download", spot: undefined });
  return { draft: { ...drafted, why: "the file that was sent" } };
}

/** `PUT /pets/{id}/photo`: a body that is one file. */
export function uploaded(shapes: Shapes, candidate: Candidate, operation: Operation): Draft {
  const found = responseSpot(shapes, candidate, operation);
  const spot = found && isSameRecord(found.shape, candidate.record) ? found : undefined;
  return { ...draft(shapes, candidate, { operation, action: "upload", spot }), why: "a file of the record" };
}

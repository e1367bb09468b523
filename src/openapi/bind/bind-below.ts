import type { Operation } from "../read/api-document.ts";
import { formContent, jsonContent, successOf } from "./bodies/bodies.ts";
import { isSameRecord, requestSpot, responseSpot } from "./bodies/operation-spots.ts";
import { ALIKE, SURELY_ALIKE } from "./bodies/record-spots.ts";
import type { Candidate } from "./candidate.ts";
import { type BindingOutcome, type Draft, draft } from "./draft.ts";
import type { Shapes } from "./schema-shape.ts";

/** `POST /orders/{id}/cancel`: an action on the record that it sends. */
export function acted(shapes: Shapes, candidate: Candidate, operation: Operation): BindingOutcome {
  const spot = responseSpot(shapes, candidate, operation);
  const isNew = /^(?:clone|copy|duplicate|fork|remix)/i.test(
    operation.path.text.slice(operation.path.text.lastIndexOf("/") + 1),
  );
  if (isNew) return { operation, why: "makes another record" };
  // A run may be an `IncompleteRun` or more.
  const isForm = spot && candidate.record.branches.includes(spot.shape.schema.place);
  if (!spot || !(isForm || isSameRecord(spot.shape, candidate.record))) {
    return { operation, why: "an action that sends something else than its record" };
  }
  const found = requestSpot(shapes, candidate, operation);
  // An object inside a request may share a few names with the record by accident.
  const least = found !== "list" && found && found.spot.at.length > 0 ? SURELY_ALIKE : ALIKE;
  const request = found === "list" || !found || found.share < least ? undefined : found;
  const contents = operation.requestBody?.contents;
  const drafted = draft(shapes, candidate, { operation, action: "act", spot, request });
  return { draft: { ...drafted, requestContent: jsonContent(contents) ?? formContent(contents) } };
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

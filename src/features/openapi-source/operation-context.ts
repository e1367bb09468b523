import type { Json, JsonObject } from "../../base/json/json.ts";
import type { Reply } from "../../http/response/reply.ts";
import type { BoundCollection } from "../../openapi/bind/binding.ts";
import type { ErrorBodies } from "../../openapi/check/error-body.ts";
import type { ApiDocument, MediaContent } from "../../openapi/read/api-document.ts";
import type { Placed } from "../../schema/references.ts";
import type { Completion } from "../../store/completion.ts";
import type { EmbeddedList } from "./embedded/embedded-list.ts";
import type { OperationRequest } from "./operation-request.ts";
import type { FindViolations, ResponseWatch } from "./responses/response-watch.ts";
import type { DocumentSampling } from "./seeds/sampling.ts";
import type { RequestGuard } from "./writes/request-guard.ts";

/** The parts of a document's API that all of its operations share. */
export interface OperationContext extends DocumentSampling {
  readonly document: ApiDocument;
  readonly collections: readonly BoundCollection[];
  readonly watch: ResponseWatch;
  readonly guard: RequestGuard;
  /** Lists in records that have records of other collections. */
  embedded(): readonly EmbeddedList[];
  /** Ends the tags of its responses. */
  readonly mark: string;
  /** Errors in the form that the document declares for them. */
  readonly errorBody: ErrorBodies;
  now(): number;
  /** Checks what responses hold. */
  validator(schema: Placed): FindViolations;
  /** A whole body: an example that passes the schema, else one made from it. */
  bodyFor(content: MediaContent): Json | undefined;
  /** The fields of a request body that clients may set; `own` are those of its schema that are not read-only. */
  writable(collection: string, body: JsonObject, own: ReadonlySet<string>): JsonObject;
  /** The names of fields that a new record gets made values in, unless they are sent. */
  made(collection: string, sent: JsonObject): readonly string[];
  /** The kind of a collection's new keys, where a record is created without one. */
  keysOf(collection: string): Completion["ids"];
  /** Responds from the examples and schemas of the document, as hosted mode does. */
  respondFromExamples(request: OperationRequest): Promise<Reply>;
}

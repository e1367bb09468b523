import type { ApiDocument, MediaContent } from "../../api-document/api-document.ts";
import type { Placed } from "../../api-document/references.ts";
import type { Reply } from "../../http/response/reply.ts";
import type { Json } from "../../json.ts";
import type { OperationRequest } from "./operation-request.ts";
import type { RequestGuard } from "./request-guard.ts";
import type { ResponseWatch, ValueCheck } from "./response-watch.ts";

/** The parts of a document's API that all of its operations share. */
export interface Tools {
  readonly document: ApiDocument;
  readonly watch: ResponseWatch;
  readonly guard: RequestGuard;
  /** Makes a value that passes a schema; the same one for the same purpose. */
  sample(schema: Placed, purpose: string): Json | undefined;
  /** Checks what responses hold. */
  validator(schema: Placed): ValueCheck;
  /** A whole body: an example that passes the schema, else one made from it. */
  bodyFor(content: MediaContent): Json | undefined;
  /** Responds from the examples and schemas of the document, as hosted mode does. */
  respondFromExamples(request: OperationRequest): Promise<Reply>;
}

import type { Json } from "../../base/json/json.ts";
import type { Call } from "../../http/call.ts";
import type { PathParts, Service } from "../../http/contract.ts";
import type { Operation } from "../../openapi/read/api-document.ts";

/** A request to an operation of the document. */
export interface OperationRequest {
  readonly operation: Operation;
  readonly call: Call;
  readonly parts: PathParts;
  readonly service: Service;
}

export interface CheckedRequest extends OperationRequest {
  readonly body: Json | undefined;
}

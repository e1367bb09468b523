import type { Operation } from "../../api-document/api-document.ts";
import type { Exchange } from "../../http/exchange.ts";
import type { PathParts, Service } from "../../http/service.ts";
import type { Json } from "../../json.ts";

/** A request to an operation of the document. */
export interface OperationRequest {
  readonly operation: Operation;
  readonly exchange: Exchange;
  readonly parts: PathParts;
  readonly service: Service;
}

export interface CheckedRequest extends OperationRequest {
  readonly body: Json | undefined;
}

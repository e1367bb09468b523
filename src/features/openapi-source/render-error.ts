import type { StandinError } from "../../base/errors.ts";
import type { Call } from "../../http/call.ts";
import { declaredErrorReply } from "../../http/response/declared-error.ts";
import type { Reply } from "../../http/response/reply.ts";
import type { Api } from "./api.ts";
import type { OperationContext } from "./operation-context.ts";

/** Renders an error as the document of the requested operation describes it; undefined where it does not. */
export function renderError(
  { api, tools }: { readonly api: Api; readonly tools: OperationContext },
  call: Call,
  error: StandinError,
): Reply | undefined {
  const operation = api.operationFor(call);
  const declared = operation && tools.errorBody(operation, error);
  return declared && declaredErrorReply(declared, error);
}

import type { StandinError } from "../../../base/errors.ts";
import type { Call } from "../../../http/call.ts";
import { declaredErrorReply } from "../../../http/response/declared-error.ts";
import type { Reply } from "../../../http/response/reply.ts";
import { RecordNotFound } from "../../../store/record-not-found.ts";
import type { Api } from "../api.ts";
import { listAddress } from "../lists/list-address.ts";
import type { OperationContext } from "../operation-context.ts";

/** Renders an error as the document of the requested operation describes it; undefined where it does not. */
export function renderError(
  { api, tools }: { readonly api: Api; readonly tools: OperationContext },
  call: Call,
  error: StandinError,
): Reply | undefined {
  const operation = api.operationFor(call);
  if (!operation) return undefined;
  const isMissing = error instanceof RecordNotFound;
  const told = isMissing ? error.listedAt(listAddress({ api, tools }, error.collection)) : error;
  const declared = tools.errorBody(operation, told, call.client.path);
  if (declared) return declaredErrorReply(declared, told);
  return isMissing ? { status: told.status, json: JSON.stringify(told), headers: told.headers } : undefined;
}

import type { StandinError } from "../../base/errors.ts";
import type { Call } from "../../http/call.ts";
import type { Reply } from "../../http/response/reply.ts";
import type { Api } from "./api.ts";
import type { OperationContext } from "./operation-context.ts";

/** The header with the code of an error whose body has the document's form. */
const CODE_HEADER = "X-Standin-Code";

/** Renders an error as the document of the requested operation describes it; undefined where it does not. */
export function renderError(api: Api, tools: OperationContext, call: Call, error: StandinError): Reply | undefined {
  const operation = api.operationFor(call);
  const declared = operation && tools.errorBody(operation, error);
  if (!declared) return undefined;
  const { status, type, body } = declared;
  const headers = { ...error.headers, [CODE_HEADER]: error.code };
  if (/^text\//i.test(type)) return { status, content: { type, body: String(body) }, headers };
  const isPlain = /^application\/json\s*(;|$)/i.test(type);
  return { status, json: JSON.stringify(body), type: isPlain ? undefined : type, headers };
}

import type { StandinError } from "../../base/errors.ts";
import type { DeclaredError } from "../../openapi/check/error-body.ts";
import type { Reply } from "./reply.ts";

/** The header with the code of an error whose body has a document's form. */
const CODE_HEADER = "X-Standin-Code";

/** The response with an error in the form that a document declares. */
export function declaredErrorReply({ status, type, body }: DeclaredError, error: StandinError): Reply {
  const headers = { ...error.headers, [CODE_HEADER]: error.code };
  if (/^text\//i.test(type)) return { status, content: { type, body: String(body) }, headers };
  const isPlain = /^application\/json\s*(;|$)/i.test(type);
  return { status, json: JSON.stringify(body), type: isPlain ? undefined : type, headers };
}

import { isTextType } from "../../http/response/text-type.ts";

/** Upper bound for the kept part of a body, in characters. */
export const MAX_KEPT_TEXT = 4096;

/**
 * Why the log has a body in part or not at all:
 * - `truncated`: it is long, so only its beginning is kept.
 * - `long`: the same, but without readers of the log long bodies are not kept at all.
 * - `unread`: the response did not need the request's body, or was decided before it was read.
 * - `binary`: it is not text, or was sent as bytes by a plugin or an interceptor.
 * - `file`: it is a file of the static folder.
 * - `lost`: a fault ended the connection without a response.
 */
export type OmittedBody = "truncated" | "long" | "unread" | "binary" | "file" | "lost";

interface SentRequest {
  readonly requestHeaders: readonly string[];
  readonly requestBody: string | undefined;
  readonly requestBytes: number;
}

interface SentResponse {
  readonly method: string;
  readonly status: number;
  readonly answeredBy: string;
  readonly responseBody: string | undefined;
  readonly responseBytes: number;
}

/** Undefined if the body is there as it was sent, and if there was none. */
export function omittedRequestBody(entry: SentRequest): OmittedBody | undefined {
  const { requestBody, requestBytes, requestHeaders } = entry;
  if (requestBody !== undefined) return truncated(requestBody);
  if (requestBytes > 0) return "long";
  return announcesBody(requestHeaders) ? "unread" : undefined;
}

export function omittedResponseBody(
  entry: SentResponse,
  headers: Readonly<Record<string, string>>,
): OmittedBody | undefined {
  const { responseBody, responseBytes, method, status, answeredBy } = entry;
  if (responseBody !== undefined) return truncated(responseBody);
  if (status === 0) return "lost";
  if (responseBytes === 0 || method === "HEAD") return undefined;
  if (answeredBy === "static") return "file";
  const isText = isTextType(headers["content-type"] ?? "");
  // A short text would have been kept, so this one was sent as bytes.
  return isText && (responseBytes > MAX_KEPT_TEXT || headers["content-encoding"] !== undefined) ? "long" : "binary";
}

function truncated(text: string): OmittedBody | undefined {
  return text.length > MAX_KEPT_TEXT ? "truncated" : undefined;
}

/** Of a list of names and values in turn. */
function announcesBody(headers: readonly string[]): boolean {
  for (let at = 0; at < headers.length; at += 2) {
    const name = headers[at]!.toLowerCase();
    if (name === "transfer-encoding" || (name === "content-length" && headers[at + 1] !== "0")) return true;
  }
  return false;
}

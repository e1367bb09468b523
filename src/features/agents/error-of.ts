import { StandinError } from "../../base/errors.ts";
import { cloneJson, isJsonObject, type JsonObject, parseJson } from "../../base/json/json.ts";
import type { LocalReply } from "../../http/local-call.ts";

/** The error that a response tells of. */
export interface ReadError {
  readonly code: string;
  readonly message: string;
  /** The whole body. */
  readonly body: JsonObject;
}

/** A document that is served may shape its errors in its own way: then the code is in a header. */
export function errorOf({ status, headers, text }: LocalReply): ReadError {
  if (status === 0) {
    const dropped = "The connection was dropped before a response came, by a fault rule or because the server stopped.";
    return toldError(new StandinError("FAULT_ON_DEMAND", dropped), 0);
  }
  const body = bodyOf(text);
  const code = headers["x-standin-code"] ?? (typeof body.code === "string" ? body.code : "");
  const message = typeof body.message === "string" ? body.message : "";
  return { code, message, body: { ...body, ...(code !== "" && { code }), status } };
}

export function toldError(error: StandinError, status = error.status): ReadError {
  const body = cloneJson<unknown>(error) as JsonObject;
  return { code: error.code, message: error.message, body: { ...body, status } };
}

function bodyOf(text: string): JsonObject {
  try {
    const body = parseJson(text);
    return isJsonObject(body) ? body : { body };
  } catch {
    return text === "" ? {} : { body: text };
  }
}

import { StandinError } from "../../base/errors.ts";
import { ExactNumber } from "../../base/json/exact/exact-number.ts";
import { isJsonObject, type Json, type JsonObject } from "../../base/json/json.ts";

/** Expects a body to be an object. No body counts as an empty one, as in 0.17. */
export function asObject(body: Json | undefined): JsonObject {
  if (body === undefined) return {};
  if (isJsonObject(body)) return body;
  const found = Array.isArray(body)
    ? "an array"
    : body === null
      ? "null"
      : `a ${body instanceof ExactNumber ? "number" : typeof body}`;
  throw new StandinError("BODY_NOT_OBJECT", `A record must be a JSON object, not ${found}.`);
}

import { isJsonObject, type Json, type JsonObject } from "../api/json.ts";

/** Documents come from people: a part with another shape than OpenAPI says counts as absent. */
export function objectIn(value: Json | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}

export function listIn(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? value : [];
}

export function textIn(value: Json | undefined): string {
  return typeof value === "string" ? value : "";
}

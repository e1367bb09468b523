import { StandinError } from "../../base/errors.ts";
import type { Json } from "../../base/json/json.ts";
import type { Transform } from "../../store/store.ts";
import { applyPatch, parsePatch } from "../patch/json-patch.ts";
import { mergePatch } from "../patch/merge-patch.ts";

/** The types of PATCH bodies that are not a shallow merge, as 0.17's JSON is. */
export const MERGE_PATCH = "application/merge-patch+json";
export const JSON_PATCH = "application/json-patch+json";

/** The change that a PATCH body of one of these types describes; undefined for any other type. */
export function transformFor(contentType: string | undefined, body: Json | undefined): Transform | undefined {
  if (contentType === undefined || !contentType.includes("patch")) return undefined;
  const [type = ""] = contentType.split(";", 1);
  switch (type.trim().toLowerCase()) {
    case MERGE_PATCH:
      return (current) => mergePatch(current, expectBody(body));
    case JSON_PATCH: {
      const operations = parsePatch(expectBody(body));
      return (current) => applyPatch(current, operations);
    }
    default:
      return undefined;
  }
}

function expectBody(body: Json | undefined): Json {
  if (body !== undefined) return body;
  throw new StandinError("PATCH_INVALID", "The body is empty; send a patch.");
}

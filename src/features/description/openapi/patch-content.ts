import type { JsonObject } from "../../../base/json/json.ts";

const OPERATION: JsonObject = {
  type: "object",
  properties: {
    op: { type: "string", enum: ["add", "remove", "replace", "move", "copy", "test"] },
    path: { type: "string", description: "A JSON Pointer, such as `/price`." },
    from: { type: "string" },
    value: {},
  },
  required: ["op", "path"],
};

/** The bodies of PATCH: some fields, a merge patch (RFC 7396) or a JSON patch (RFC 6902). */
export function patchContent(fields: JsonObject): { content: JsonObject } {
  return {
    content: {
      "application/json": { schema: fields },
      "application/merge-patch+json": { schema: { type: "object" } },
      "application/json-patch+json": { schema: { type: "array", items: OPERATION } },
    },
  };
}

import type { JsonObject } from "../../../base/json/json.ts";
import type { DescribedPaths, ServerFacts } from "../../../openapi/write/facts.ts";
import { makers, responding } from "../../../openapi/write/server-operations.ts";

export function descriptionPaths(facts: ServerFacts): DescribedPaths {
  const { get, make } = makers(facts);
  return {
    paths: {
      "/__overview": get("overview", {
        summary: "What is served, from where, by which layers and rules",
        schema: { type: "object" },
      }),
      "/__openapi.json": {
        get: make("own", "standin_openApi", {
          summary: "This description",
          parameters: [{ name: "version", in: "query", schema: { enum: ["3.1", "3.0"] } }],
          ...responding({ type: "object" }),
        }),
      },
      "/__types": {
        get: make("own", "standin_types", {
          summary: "Types of the data, in TypeScript or C#",
          parameters: [{ name: "lang", in: "query", schema: { enum: ["typescript", "csharp"] } }],
          responses: textResponse("Source text"),
        }),
      },
      "/llms.txt": {
        get: make("own", "standin_llms", {
          summary: "The API in words, for AI agents",
          responses: textResponse("Markdown"),
        }),
      },
    },
  };
}

function textResponse(description: string): JsonObject {
  return { 200: { description, content: { "text/plain": { schema: { type: "string" } } } } };
}

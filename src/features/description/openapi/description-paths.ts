import type { JsonObject } from "../../../base/json/json.ts";
import type { DescribedPaths, ServerFacts } from "../../../openapi/write/facts.ts";
import { TEXT } from "../../../openapi/write/parts.ts";
import { describeRoutes } from "../../../openapi/write/server-operations.ts";

export function descriptionPaths(facts: ServerFacts): DescribedPaths {
  const choice = (name: string, choices: string[]): JsonObject[] => [{ name, in: "query", schema: { enum: choices } }];
  return {
    paths: describeRoutes(facts, {
      "/__overview": {
        get: { id: "overview", summary: "What is served, from where, by which layers and rules" },
      },
      "/__openapi.json": {
        get: { id: "openApi", summary: "This description", parameters: choice("version", ["3.1", "3.0"]) },
      },
      "/__types": {
        get: {
          id: "types",
          summary: "Types of the data, in TypeScript or C#",
          parameters: choice("lang", ["typescript", "csharp"]),
          responses: textResponse("Source text"),
        },
      },
      "/llms.txt": {
        get: { id: "llms", summary: "The API in words, for AI agents", responses: textResponse("Markdown") },
      },
    }),
  };
}

function textResponse(description: string): JsonObject {
  return { 200: { description, content: { "text/plain": { schema: TEXT } } } };
}

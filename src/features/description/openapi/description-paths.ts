import type { DescribedPaths, ServerFacts } from "../../../openapi/facts.ts";
import { makers } from "../../../openapi/server-operations.ts";

export function descriptionPaths(facts: ServerFacts): DescribedPaths {
  const { get, make } = makers(facts);
  return {
    paths: {
      "/__overview": get("overview", {
        summary: "What is served, from where, by which layers and rules",
        schema: { type: "object" },
      }),
      "/__openapi.json": get("openApi", { summary: "This description", schema: { type: "object" } }),
      "/llms.txt": {
        get: make("own", "standin_llms", {
          summary: "The API in words, for AI agents",
          responses: { 200: { description: "Markdown", content: { "text/plain": { schema: { type: "string" } } } } },
        }),
      },
    },
  };
}

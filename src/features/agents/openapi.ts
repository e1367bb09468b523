import type { DescribedPaths, ServerFacts } from "../../openapi/write/facts.ts";
import { describeRoutes } from "../../openapi/write/server-operations.ts";

const MESSAGE = { type: "object", description: "A message of JSON-RPC 2.0." };

export function agentPaths(facts: ServerFacts): DescribedPaths {
  return {
    paths: describeRoutes(facts, {
      "/__mcp": {
        post: {
          id: "mcp",
          summary: "Model Context Protocol for AI agents (streamable HTTP)",
          schema: MESSAGE,
          body: MESSAGE,
        },
        delete: { id: "endMcpSession", summary: "End a session of the Model Context Protocol" },
      },
      "/__mcp/rules": {
        get: { id: "mcpRules", summary: "The rules that records must keep: a JSON Schema for each collection" },
      },
    }),
  };
}

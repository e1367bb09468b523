import type { DescribedPaths, ServerFacts } from "../../openapi/write/facts.ts";
import { makers, responding } from "../../openapi/write/server-operations.ts";

const MESSAGE = { type: "object", description: "A message of JSON-RPC 2.0." };

export function agentPaths(facts: ServerFacts): DescribedPaths {
  const { get, post, make } = makers(facts);
  return {
    paths: {
      "/__mcp": {
        ...post("mcp", {
          summary: "Model Context Protocol for AI agents (streamable HTTP)",
          schema: MESSAGE,
          body: MESSAGE,
        }),
        delete: make("own", "standin_endMcpSession", {
          summary: "End a session of the Model Context Protocol",
          isWrite: true,
          ...responding({ type: "object" }),
        }),
      },
      "/__mcp/rules": get("mcpRules", {
        summary: "The rules that records must keep: a JSON Schema for each collection",
        schema: { type: "object" },
      }),
    },
  };
}

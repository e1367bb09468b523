import type { McpServerFactory } from "@modelcontextprotocol/server";
import { callTool } from "./call-tool.ts";
import { errorOf } from "./error-of.ts";
import type { Sdk } from "./mcp-sdk.ts";
import { LISTED_RESOURCES, readResource } from "./resources.ts";
import { type AgentContext, ToolFailure } from "./scope.ts";
import { LISTED_TOOLS } from "./tools.ts";

const INSTRUCTIONS =
  "A REST API for development and tests, served from a data file. You work in a sandbox, a private copy of the data: " +
  "nothing you do there changes what others see. Call describe first. Point the code under test at the URL of the " +
  "sandbox, then check with requests what it asked for. Use promote only when the user wants your changes in the shared data.";

const INVALID_PARAMS = -32602;

/** Makes servers of the protocol. `contextOf` finds the context of a request by its id. */
export function agentServers(
  { Server }: Sdk,
  version: string,
  contextOf: (id: string | number) => AgentContext,
): McpServerFactory {
  return () => {
    const server = new Server(
      { name: "standin", version },
      { capabilities: { tools: {}, resources: {} }, instructions: INSTRUCTIONS },
    );
    server.setRequestHandler("tools/list", () => ({ tools: LISTED_TOOLS }));
    server.setRequestHandler("tools/call", ({ params }, { mcpReq }) =>
      callTool(params.name, params.arguments, contextOf(mcpReq.id)),
    );
    server.setRequestHandler("resources/list", () => ({ resources: LISTED_RESOURCES }));
    server.setRequestHandler("resources/templates/list", () => ({ resourceTemplates: [] }));
    server.setRequestHandler("resources/read", async ({ params }, { mcpReq }) => {
      const found = await readResource(params.uri, contextOf(mcpReq.id).send).catch((thrown: unknown) => {
        throw thrown instanceof ToolFailure ? protocolError(errorOf(thrown.response).message) : thrown;
      });
      if (found) return found;
      const known = LISTED_RESOURCES.map(({ uri }) => uri).join(", ");
      throw protocolError(`There is no resource ${JSON.stringify(params.uri)}. There are ${known}.`);
    });
    return server;
  };
}

function protocolError(message: string): Error {
  return Object.assign(new Error(message), { code: INVALID_PARAMS });
}

import { defineFeature } from "../feature.ts";
import type { Agents } from "./open-agents.ts";

/** Serves one agent on a pair of streams, in front of any server. */
export const loadStdio = async () => (await import("./serve-on-stdio.ts")).serveOnStdio;

/** Lets AI agents use the server by the Model Context Protocol, each in a sandbox of its own. */
export const agentsFeature = defineFeature({
  name: "agents",
  options: {},
  needsData: true,
  reserves: ["__mcp"],
  open({ service }) {
    if (!service.settings.console) return { name: "agents" };
    // Loaded with the first request: most servers see none.
    let opening: Promise<Agents> | undefined;
    const agents = (): Promise<Agents> => {
      opening ??= import("./open-agents.ts").then(({ openAgents }) => openAgents(service));
      return opening;
    };
    return {
      name: "agents",
      routes: [
        {
          path: "/__mcp",
          // Each tool call is judged by what it does.
          harmless: ["POST", "DELETE"],
          POST: async (call) => (await agents()).respond(call),
          DELETE: async (call) => (await agents()).end(call),
        },
        { path: "/__mcp/rules", GET: async () => (await agents()).rules() },
      ],
      describe: async (facts) => (await import("./openapi.ts")).agentPaths(facts),
      close: async () => (await opening)?.close(),
    };
  },
});

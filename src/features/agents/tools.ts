import type { Tool } from "./tool.ts";
import { describeTool } from "./tools/describe.ts";
import { faultTool } from "./tools/fault.ts";
import { queryTool } from "./tools/query.ts";
import { requestsTool } from "./tools/requests.ts";
import { sandboxTool } from "./tools/sandbox.ts";
import { snapshotTool } from "./tools/snapshot.ts";
import { undoTool } from "./tools/undo.ts";
import { writeTool } from "./tools/write.ts";

export const TOOLS: ReadonlyMap<string, Tool> = new Map(
  [describeTool, queryTool, writeTool, undoTool, sandboxTool, faultTool, requestsTool, snapshotTool].map((tool) => [
    tool.name,
    tool,
  ]),
);

/** The tools as the protocol lists them. */
export const LISTED_TOOLS = [...TOOLS.values()].map(
  ({ name, title, description, properties, required = [], annotations = {} }) => ({
    name,
    title,
    description,
    inputSchema: {
      type: "object" as const,
      properties: properties as Record<string, Record<string, never>>,
      ...(required.length > 0 && { required: [...required] }),
      additionalProperties: false,
    },
    annotations,
  }),
);

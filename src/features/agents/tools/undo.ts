import { expectSuccess, sandboxOfCall } from "../scope.ts";
import type { Tool } from "../tool.ts";

export const undoTool: Tool = {
  name: "undo",
  title: "Undo changes",
  description:
    "Revert the latest changes of a sandbox, the last one first. Each write call, and each request of a client in the " +
    "sandbox, is one change. Up to 100 are kept; reset and restore forget them.",
  properties: {
    count: { type: "integer", minimum: 1, description: "How many; default 1" },
    sandbox: { type: "string" },
  },
  annotations: { readOnlyHint: false, destructiveHint: true, openWorldHint: false },
  async run(call) {
    const sandbox = await sandboxOfCall(call, "sandbox");
    const { text } = await expectSuccess(call.send, {
      method: "POST",
      path: `/__sandboxes/${encodeURIComponent(sandbox)}/undo`,
      body: { count: call.args.count ?? 1 },
    });
    return `{"sandbox":${JSON.stringify(sandbox)},${text.slice(1)}`;
  },
};

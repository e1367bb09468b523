import { StandinError } from "../../../base/errors.ts";
import { expectSuccess, sandboxOfCall, type ToolCall } from "../scope.ts";
import type { Tool } from "../tool.ts";

interface UndoArguments {
  readonly version?: number;
  readonly count?: number;
  readonly shared?: boolean;
  readonly fields?: boolean;
}

export const undoTool: Tool = {
  name: "undo",
  title: "Undo changes",
  description:
    "Revert the latest changes of a sandbox, the last one first. Each write call, and each request of a client in the " +
    "sandbox, is one change. Or revert exactly one `version`, also of the shared data: query /__history lists them. " +
    "Ask the user before you revert shared data.",
  properties: {
    count: { type: "integer", minimum: 1, description: "How many; default 1" },
    version: { type: "integer", minimum: 1, description: "Revert this version alone" },
    fields: { type: "boolean", description: "With version: keep later changes of other fields" },
    sandbox: { type: "string" },
    shared: { type: "boolean", description: "With version: of the data that everyone shares" },
  },
  annotations: { readOnlyHint: false, destructiveHint: true, openWorldHint: false },
  async run(call) {
    const { version, count = 1, shared = false } = call.args as UndoArguments;
    if (shared) return revert(call, version, undefined);
    const sandbox = await sandboxOfCall(call, "sandbox");
    if (version !== undefined) return revert(call, version, sandbox);
    const path = `/__sandboxes/${encodeURIComponent(sandbox)}/undo`;
    const { text } = await expectSuccess(call.send, { method: "POST", path, body: { count } });
    return `{"sandbox":${JSON.stringify(sandbox)},${text.slice(1)}`;
  },
};

async function revert(call: ToolCall, version: number | undefined, sandbox: string | undefined): Promise<string> {
  const { sandbox: given, fields = false } = call.args as UndoArguments & { readonly sandbox?: string };
  if (version === undefined) {
    throw new StandinError(
      "TOOL_INVALID",
      'Shared data is reverted by version: give "version"; query /__history lists them.',
    );
  }
  if (sandbox === undefined && given !== undefined) {
    throw new StandinError("TOOL_INVALID", 'Give "sandbox" or "shared", not both.');
  }
  const prefix = sandbox === undefined ? "" : `/__sandbox/${encodeURIComponent(sandbox)}`;
  const path = `${prefix}/__history/${version}/revert`;
  const { text } = await expectSuccess(call.send, { method: "POST", path, body: { fields } });
  const scope = sandbox === undefined ? '"shared":true' : `"sandbox":${JSON.stringify(sandbox)}`;
  return `{${scope},"reverted":${version},"new_version":${text}}`;
}

import { StandinError } from "../../../base/errors.ts";
import { createSandbox, expectSuccess, sandboxOfCall, type ToolCall } from "../scope.ts";
import { firstLines, type Tool } from "../tool.ts";

export const sandboxTool: Tool = {
  name: "sandbox",
  title: "Manage sandboxes",
  description:
    "A sandbox is a private copy of all data at a URL of its own; the first call of a session makes one. create: a new " +
    "one, which later calls use. reset: back to its start. remove: delete it. promote: apply its changes to the shared " +
    "data as one change, or list the conflicts and change nothing. Ask the user before you promote.",
  properties: {
    action: { enum: ["create", "reset", "remove", "promote"] },
    name: { type: "string", description: "Default: the sandbox of this session" },
    from: {
      description: 'For create: "current" (default), "empty", or {"snapshot":"<name>"}',
      type: ["string", "object"],
    },
    renumber: { type: "boolean", description: "For promote: new ids for records whose id was taken meanwhile" },
  },
  required: ["action"],
  annotations: { readOnlyHint: false, destructiveHint: true, openWorldHint: false },
  async run(call) {
    const { action } = call.args as { action: "create" | "reset" | "remove" | "promote" };
    if (action === "create") return create(call);
    const name = await sandboxOfCall(call, "name");
    const path = `/__sandboxes/${encodeURIComponent(name)}`;
    if (action === "remove") {
      await expectSuccess(call.send, { method: "DELETE", path });
      if ((await call.session.sandboxName()) === name) call.session.forget();
      return JSON.stringify({ removed: name });
    }
    const body = action === "promote" ? { renumber: call.args.renumber ?? false } : undefined;
    const { text } = await expectSuccess(call.send, { method: "POST", path: `${path}/${action}`, body });
    return firstLines(text, "Cut here.");
  },
};

async function create({ args, send, session }: ToolCall): Promise<string> {
  const { name, from } = args;
  const made = await createSandbox(send, { ...(name !== undefined && { name }), ...(from !== undefined && { from }) });
  if (made.name === undefined) throw new StandinError("SANDBOXES_OFF", made.reason);
  session.adopt(made);
  const note = session.isKept ? "Later calls of this session use it." : "Pass this name in later calls.";
  return JSON.stringify({ sandbox: made.name, url: made.url, note });
}

import { StandinError } from "../../../base/errors.ts";
import { type Json, parseJson, stringifyJson } from "../../../base/json/json.ts";
import { createSandbox, EXISTING, expectSuccess, inSandbox, sandboxOfCall, type ToolCall } from "../scope.ts";
import { firstLines, fitting, objectText, type Tool } from "../tool.ts";

export const sandboxTool: Tool = {
  name: "sandbox",
  title: "Manage sandboxes",
  description:
    "A sandbox is a private copy of all data at a URL of its own; the first call of a session makes one. create: a new " +
    "one, which later calls use. reset: back to its start. remove: delete it. promote: apply its changes to the shared " +
    "data as one change, or list the conflicts and change nothing. Ask the user before you promote. advance: move its clock " +
    "on; webhooks and timeline steps that become due on the way have run when the call returns.",
  properties: {
    action: { enum: ["create", "reset", "remove", "promote", "advance"] },
    name: { type: "string", description: "Default: the sandbox of this session" },
    from: {
      description: 'For create: "current" (default), "empty", or {"snapshot":"<name>"}',
      type: ["string", "object"],
    },
    by: { type: "string", description: "For advance: how far, such as 90s, 1h or 2d" },
    renumber: { type: "boolean", description: "For promote: new ids for records whose id was taken meanwhile" },
  },
  required: ["action"],
  annotations: { readOnlyHint: false, destructiveHint: true, openWorldHint: false },
  async run(call) {
    const { action } = call.args as { action: "create" | "reset" | "remove" | "promote" | "advance" };
    if (action === "create") return create(call);
    const name = await sandboxOfCall(call, "name");
    const path = `/__sandboxes/${encodeURIComponent(name)}`;
    if (action === "advance") return advance(call, name);
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

/** Only the clock of a sandbox: that of the shared data is everyone's. */
async function advance({ args, send }: ToolCall, name: string): Promise<string> {
  const { prefix } = inSandbox(name, {});
  const headers = { prefer: EXISTING };
  if (args.by === undefined) throw new StandinError("TOOL_INVALID", 'advance needs "by": how far, such as "1h".');
  const body = { advance: args.by };
  const { text } = await expectSuccess(send, { method: "POST", path: `${prefix}/__clock`, headers, body });
  const due = await expectSuccess(send, { method: "GET", path: `${prefix}/__jobs`, headers });
  const { jobs } = parseJson<{ jobs: Json[] }>(due.text);
  const texts = jobs.map((job) => stringifyJson(job));
  return objectText(
    { sandbox: name, due: jobs.length },
    { clock: text, next: `[${texts.slice(0, fitting(texts)).join(",")}]` },
  );
}

async function create({ args, send, session }: ToolCall): Promise<string> {
  const { name, from } = args;
  const made = await createSandbox(send, { ...(name !== undefined && { name }), ...(from !== undefined && { from }) });
  if (made.name === undefined) throw new StandinError("SANDBOXES_OFF", made.reason);
  session.adopt(made);
  const note = session.isKept ? "Later calls of this session use it." : "Pass this name in later calls.";
  return JSON.stringify({ sandbox: made.name, url: made.url, note });
}

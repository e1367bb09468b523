import { StandinError } from "../../../base/errors.ts";
import { EXISTING, expectSuccess, SCOPE, scopeOf } from "../scope.ts";
import { firstLines, objectText, type Tool } from "../tool.ts";

type Action = "save" | "list" | "restore" | "compare" | "remove";

const HEADERS = { prefer: EXISTING };
const METHODS: Readonly<Record<Action, string>> = {
  save: "POST",
  list: "GET",
  restore: "PUT",
  compare: "GET",
  remove: "DELETE",
};

export const snapshotTool: Tool = {
  name: "snapshot",
  title: "Save and restore data",
  description:
    "save the data of the sandbox under a name, restore it there, compare a snapshot with the data (what was added, " +
    "changed, removed), list snapshots. remove deletes one for everyone and needs shared: true. " +
    'Example: {"action":"save","name":"before-import"}',
  properties: {
    action: { enum: ["save", "list", "restore", "compare", "remove"] },
    name: { type: "string", description: "Name or id; not needed for list" },
    ...SCOPE,
  },
  required: ["action"],
  annotations: { readOnlyHint: false, destructiveHint: true, openWorldHint: false },
  async run(call) {
    const { action, name } = call.args as { action: Action; name?: string };
    if (name === undefined && action !== "list" && action !== "save") {
      throw new StandinError("TOOL_INVALID", `"name" is needed to ${action} a snapshot.`);
    }
    if (action === "remove" && call.args.shared !== true) {
      throw new StandinError("TOOL_INVALID", 'Snapshots belong to everyone. Removing one needs "shared": true.');
    }
    const scope = await scopeOf(call, action === "restore" ? "write" : "read");
    const one = name === undefined || action === "list" || action === "save" ? "" : `/${encodeURIComponent(name)}`;
    const { text } = await expectSuccess(call.send, {
      method: METHODS[action],
      path: `${scope.prefix}/__snapshots__${one}${action === "compare" ? "/comparison" : ""}`,
      headers: HEADERS,
      body: action === "save" ? { ...(name !== undefined && { name }) } : undefined,
    });
    return firstLines(objectText(scope.facts, { [action]: text }), "Cut here.");
  },
};

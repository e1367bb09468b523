import { type Json, parseJson, stringifyJson } from "../../../base/json/json.ts";
import { EXISTING, expectSuccess, SCOPE, scopeOf } from "../scope.ts";
import { fitting, objectText, type Tool } from "../tool.ts";

const HEADERS = { prefer: EXISTING };

export const faultTool: Tool = {
  name: "fault",
  title: "Break responses on purpose",
  description:
    "Make requests to a sandbox's URL fail or slow down, to try how a client copes. query and describe meet the faults, " +
    "too, and count as hits; write does not. Without arguments, or after a change: the rules in force, each with its id and hits.",
  properties: {
    add: {
      type: "object",
      description:
        "One rule. fault: latency {ms}, status {status, body?, headers?}, timeout {ms?}, reset, empty-reply, malformed-json, " +
        "truncated-body {bytes?}, slow-body {bytesPerSecond}. Which requests: method, path (/products/:id, /api/*), " +
        'probability, skip, count. Example: {"fault":"status","status":503,"path":"/products","count":2}',
    },
    remove: { type: "string", description: "Id of the rule to remove" },
    clear: { type: "boolean", description: "Remove all rules first" },
    ...SCOPE,
  },
  annotations: { readOnlyHint: false, destructiveHint: false, openWorldHint: false },
  async run(call) {
    const { add, remove, clear } = call.args as { add?: Json; remove?: string; clear?: boolean };
    const isWrite = add !== undefined || remove !== undefined || clear === true;
    const scope = await scopeOf(call, isWrite ? "write" : "read");
    const path = `${scope.prefix}/__faults`;
    const send = (method: string, at: string, body?: Json) =>
      expectSuccess(call.send, { method, path: at, headers: HEADERS, body });
    if (clear) await send("DELETE", path);
    if (remove !== undefined) await send("DELETE", `${path}/${encodeURIComponent(remove)}`);
    if (add !== undefined) await send("POST", path, add);
    const { faults } = parseJson((await send("GET", path)).text) as { faults: Json[] };
    const texts = faults.map((fault) => stringifyJson(fault));
    const shown = fitting(texts);
    return objectText(scope.facts, {
      faults: `[${texts.slice(texts.length - shown).join(",")}]`,
      not_shown:
        shown === texts.length ? undefined : `{"count":${texts.length - shown},"note":"The oldest are left out."}`,
    });
  },
};

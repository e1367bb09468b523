import type { JsonObject } from "../../../json.ts";
import { fitting, objectText } from "../capped.ts";
import { EXISTING, SCOPE, scopeOf } from "../scope.ts";
import { expectSuccess, type Tool, type ToolCall } from "../tool.ts";
import { USER_AGENT } from "../user-agent.ts";

const HEADERS = { prefer: EXISTING };
/** As many as one response of the server may hold. */
const LIMIT = 100_000;
const MAX_WAIT_MS = 60_000;

interface Entry extends JsonObject {
  readonly id: number;
  readonly requestHeaders: Readonly<Record<string, string>>;
  readonly responseHeaders: Readonly<Record<string, string>>;
}

export const requestsTool: Tool = {
  name: "requests",
  title: "See what clients asked",
  description:
    "The requests that clients sent to the sandbox, oldest first, with bodies and statuses: check what the code under " +
    "test did. Requests of these tools are left out.",
  properties: {
    method: { type: "string" },
    path: { type: "string", description: "Such as /products/:id or /products/*" },
    status: { type: "integer" },
    after: { type: "integer", description: "Only those after this id" },
    wait_ms: { type: "integer", maximum: MAX_WAIT_MS, description: "Wait so long for a first one" },
    headers: { type: "boolean", description: "Show headers, too" },
    tools: { type: "boolean", description: "Show requests of these tools, too" },
    clear: { type: "boolean", description: "Forget them after reading" },
    ...SCOPE,
  },
  annotations: { readOnlyHint: true, openWorldHint: false },
  async run(call) {
    const scope = await scopeOf(call, "read");
    const path = `${scope.prefix}/__requests`;
    const { text } = await expectSuccess(call.send, {
      method: "GET",
      path: `${path}?${search(call)}`,
      headers: HEADERS,
    });
    const entries = (JSON.parse(text) as { requests: Entry[] }).requests.filter(
      ({ requestHeaders }) => call.args.tools === true || requestHeaders["user-agent"] !== USER_AGENT,
    );
    if (call.args.clear) await expectSuccess(call.send, { method: "DELETE", path, headers: HEADERS });
    const texts = entries.map((entry) => JSON.stringify(trimmed(entry, call.args.headers === true)));
    const shown = fitting(texts);
    const { clear: _, ...rest } = call.args;
    return objectText(
      { ...scope.facts, total: texts.length },
      {
        requests: `[${texts.slice(0, shown).join(",")}]`,
        next: shown === texts.length ? undefined : JSON.stringify({ ...rest, after: entries[shown - 1]?.id ?? 0 }),
      },
    );
  },
};

function search({ args }: ToolCall): string {
  const parameters = new URLSearchParams({ limit: String(LIMIT) });
  for (const [name, given] of Object.entries({ ...args, wait: args.wait_ms })) {
    if (["method", "path", "status", "after", "wait"].includes(name) && given !== undefined) {
      parameters.set(name, String(given));
    }
  }
  return parameters.toString();
}

function trimmed(
  { requestHeaders, responseHeaders, requestBytes, responseBytes, ...entry }: Entry,
  hasHeaders: boolean,
) {
  return hasHeaders ? { ...entry, requestHeaders, responseHeaders } : entry;
}

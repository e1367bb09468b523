import type { Json, JsonObject } from "../../../base/json/json.ts";
import { USER_AGENT } from "../../../http/node/send-over-http.ts";
import { EXISTING, expectSuccess, SCOPE, scopeOf, type ToolCall } from "../scope.ts";
import { fitting, MAX_BYTES, objectText, type Tool } from "../tool.ts";

const HEADERS = { prefer: EXISTING };
/** As many as one response of the server may hold. */
const LIMIT = 100_000;
const MAX_WAIT_MS = 60_000;
const MAX_ENTRY = MAX_BYTES / 2;

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
    method: { type: "string", description: "Only this method, such as POST" },
    path: { type: "string", description: "Only this path, such as /products/:id or /products/*" },
    status: { type: "integer", description: "Only this status, such as 404" },
    after: { type: "integer", description: "Only those after this id" },
    wait_ms: {
      type: "integer",
      minimum: 0,
      maximum: MAX_WAIT_MS,
      description: "Wait up to this long for the first one",
    },
    headers: { type: "boolean", description: "Show headers, too" },
    tools: { type: "boolean", description: "Show requests of these tools, too" },
    clear: { type: "boolean", description: "Forget all requests once the last one was shown" },
    ...SCOPE,
  },
  annotations: { readOnlyHint: false, destructiveHint: false, openWorldHint: false },
  async run(call) {
    const scope = await scopeOf(call, "read");
    const path = `${scope.prefix}/__requests`;
    const entries = await entriesOf(call, path);
    const texts = entries.map((entry) => textOf(entry, call.args.headers === true));
    const shown = fitting(texts);
    const isAll = shown === texts.length;
    // Requests that were not shown yet must not be forgotten.
    if (call.args.clear && isAll) await expectSuccess(call.send, { method: "DELETE", path, headers: HEADERS });
    const { wait_ms: _, ...rest } = call.args;
    return objectText(
      { ...scope.facts, total: texts.length },
      {
        requests: `[${texts.slice(0, shown).join(",")}]`,
        next: isAll ? undefined : JSON.stringify({ ...rest, after: entries[shown - 1]?.id ?? 0 }),
      },
    );
  },
};

/** Requests of tools do not end the wait. */
async function entriesOf(call: ToolCall, path: string): Promise<Entry[]> {
  const endsAt = Date.now() + ((call.args.wait_ms as number | undefined) ?? 0);
  let after = call.args.after;
  for (;;) {
    const wait = Math.max(0, endsAt - Date.now());
    const { text } = await expectSuccess(call.send, {
      method: "GET",
      path: `${path}?${search({ ...call.args, after, wait })}`,
      headers: HEADERS,
    });
    const { requests } = JSON.parse(text) as { requests: Entry[] };
    const shown = requests.filter(
      ({ requestHeaders }) => call.args.tools === true || requestHeaders["user-agent"] !== USER_AGENT,
    );
    const last = requests.at(-1);
    if (shown.length > 0 || !last || wait === 0) return shown;
    after = last.id;
  }
}

function search(args: Readonly<Record<string, Json | undefined>>): string {
  const parameters = new URLSearchParams({ limit: String(LIMIT) });
  for (const [name, given] of Object.entries(args)) {
    if (["method", "path", "status", "after", "wait"].includes(name) && given !== undefined) {
      parameters.set(name, String(given));
    }
  }
  return parameters.toString();
}

/** A request that alone would fill the result is shown without headers and bodies. */
function textOf(entry: Entry, hasHeaders: boolean): string {
  const { requestHeaders, responseHeaders, requestBytes, responseBytes, ...others } = entry;
  const text = JSON.stringify(hasHeaders ? { ...others, requestHeaders, responseHeaders } : others);
  if (text.length <= MAX_ENTRY) return text;
  const { requestBody, responseBody, ...brief } = others;
  return JSON.stringify({
    ...brief,
    requestBytes,
    responseBytes,
    note: "Its headers and bodies are too long to show.",
  });
}

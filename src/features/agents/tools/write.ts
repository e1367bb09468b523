import { StandinError } from "../../../base/errors.ts";
import { isJsonObject, type Json, type JsonObject, parseJson, stringifyJson } from "../../../base/json/json.ts";
import type { LocalReply } from "../../../http/local-call.ts";
import { errorOf } from "../error-of.ts";
import { EXISTING, expectSuccess, SCOPE, scopeOf, type ToolCall, ToolFailure, type ToolScope } from "../scope.ts";
import { fitting, MAX_BYTES, objectText, type Tool } from "../tool.ts";

/** The longest response to one request that is shown in full. */
const MAX_RESPONSE = MAX_BYTES / 2;

interface InnerResponse {
  readonly status: number;
  readonly body: Json;
}

export const writeTool: Tool = {
  name: "write",
  title: "Change records",
  description:
    "Run writes as one change: all of them or none. POST /products creates (an array creates many), PUT replaces, " +
    "PATCH merges, DELETE removes; PATCH or DELETE /products?field=value affects all matches. A request named by `as` " +
    'can be referred to later: {"order_id":"{{order.id}}"}. undo reverts it; each new collection is a change of its own. ' +
    'Example: {"requests":[{"method":"POST","path":"/products","body":{"name":"Lamp"}}]}',
  properties: {
    requests: {
      type: "array",
      maxItems: 1000,
      items: {
        type: "object",
        properties: {
          method: { enum: ["POST", "PUT", "PATCH", "DELETE", "GET"] },
          path: { type: "string" },
          body: { description: "A record, or an array of records for POST" },
          headers: { type: "object", description: "If-Match, Prefer, Content-Type" },
          as: { type: "string" },
        },
        required: ["method", "path"],
      },
    },
    collections: {
      type: "array",
      items: { type: "string" },
      description: "Collections to create first, unless they exist",
    },
    dry_run: { type: "boolean", description: "Answer as usual, but change nothing" },
    idempotency_key: { type: "string", description: "A repeated call with the same key is carried out once" },
    ...SCOPE,
  },
  annotations: { readOnlyHint: false, destructiveHint: false, openWorldHint: false },
  async run(call) {
    const { requests = [], collections = [], dry_run: isDry = false } = call.args as WriteArguments;
    if (requests.length === 0 && collections.length === 0) {
      throw new StandinError("TOOL_INVALID", 'Give "requests", "collections" or both.');
    }
    const scope = await scopeOf(call, "write");
    if (isDry && collections.length > 0 && scope.sandbox === undefined) {
      throw new StandinError(
        "TOOL_INVALID",
        "A dry run creates collections only in a sandbox, not in the shared data.",
      );
    }
    const created = await createCollections(call, scope, collections);
    const undoCreation = async (): Promise<void> => {
      for (const name of created.toReversed()) {
        await call.send({ method: "DELETE", path: `${scope.prefix}/__collections/${encodeURIComponent(name)}` });
      }
    };
    let text: string;
    try {
      text = requests.length === 0 ? objectText(scope.facts, {}) : await runBatch(call, scope, requests);
    } catch (thrown) {
      await undoCreation();
      throw thrown;
    }
    if (isDry) await undoCreation();
    if (created.length === 0) return text;
    const changes = created.length + (requests.length === 0 ? 0 : 1);
    const canUndo = !isDry && scope.sandbox !== undefined;
    const facts = { created_collections: created, ...(canUndo && { undo: { count: changes } }) };
    return `${text.slice(0, -1)},${JSON.stringify(facts).slice(1)}`;
  },
};

interface WriteArguments {
  readonly requests?: readonly JsonObject[];
  readonly collections?: readonly string[];
  readonly dry_run?: boolean;
  readonly idempotency_key?: string;
}

/** Resolves to the names of those that did not exist. */
async function createCollections(
  { send }: ToolCall,
  { prefix }: ToolScope,
  names: readonly string[],
): Promise<string[]> {
  const created: string[] = [];
  for (const name of names) {
    const headers = { prefer: EXISTING };
    const response = await send({ method: "POST", path: `${prefix}/__collections`, headers, body: { name } });
    if (response.status === 201) created.push(name);
    else if (errorOf(response).code !== "COLLECTION_EXISTS") throw new ToolFailure(response);
  }
  return created;
}

async function runBatch(call: ToolCall, scope: ToolScope, requests: readonly JsonObject[]): Promise<string> {
  const { dry_run: isDry, idempotency_key: key } = call.args as WriteArguments;
  const headers = {
    prefer: isDry ? `${EXISTING}, tx=rollback` : EXISTING,
    ...(key !== undefined && { "idempotency-key": key }),
  };
  const body = { requests: requests as Json[] };
  const response = await call.send({ method: "POST", path: `${scope.prefix}/__batch`, headers, body });
  const responses = await responsesIn(response, () => sendAlone(call, scope, { headers, requests }));
  const texts = responses.map(textOf);
  const shown = fitting(texts);
  const facts = { ...scope.facts, ...(isDry && { dry_run: true }) };
  return objectText(facts, {
    responses: `[${texts.slice(0, shown).join(",")}]`,
    not_shown: shown === texts.length ? undefined : JSON.stringify(restOf(responses.slice(shown), isDry)),
  });
}

async function responsesIn(
  response: LocalReply,
  sendAlone: () => Promise<InnerResponse | undefined>,
): Promise<readonly InnerResponse[]> {
  if (response.status === 200) return parseJson<{ responses: InnerResponse[] }>(response.text).responses;
  const alone = errorOf(response).code === "BATCH_UNAVAILABLE" ? await sendAlone() : undefined;
  if (alone) return [alone];
  throw new ToolFailure(response);
}

/** Where interceptors or plugins must see each request there are no batches, but a single one can go by itself. */
async function sendAlone(
  { send }: ToolCall,
  { prefix }: ToolScope,
  { headers, requests }: { readonly headers: { readonly prefer: string }; readonly requests: readonly JsonObject[] },
): Promise<InnerResponse | undefined> {
  const [{ method, path, body, headers: own } = {} as JsonObject] = requests;
  if (requests.length > 1 || typeof path !== "string" || !/^\/(?!__|login\b)/i.test(path)) return undefined;
  const given = isJsonObject(own)
    ? Object.entries(own).map(([name, value]) => [name.toLowerCase(), String(value)])
    : [];
  const { prefer, ...others } = Object.fromEntries(given) as Record<string, string>;
  const response = await expectSuccess(send, {
    method: String(method),
    path: `${prefix}${path}`,
    headers: { ...others, ...headers, prefer: prefer === undefined ? headers.prefer : `${headers.prefer}, ${prefer}` },
    body,
  });
  return { status: response.status, body: response.text === "" ? null : parseJson(response.text) };
}

/** Of many records that one request has created: how many, the first and the last. */
function textOf({ status, body }: InnerResponse): string {
  const text = stringifyJson({ status, body });
  if (text.length <= MAX_RESPONSE) return text;
  if (!Array.isArray(body)) return JSON.stringify({ status, bytes: Buffer.byteLength(text) });
  const brief = stringifyJson({ status, count: body.length, first: body[0], last: body.at(-1) });
  return brief.length <= MAX_RESPONSE ? brief : JSON.stringify({ status, count: body.length });
}

/** Of the responses that do not fit: their statuses, and that `query` shows what is there now. */
function restOf(responses: readonly InnerResponse[], isDry = false): JsonObject {
  const statuses: Record<string, number> = {};
  for (const { status } of responses) statuses[status] = (statuses[status] ?? 0) + 1;
  const note = isDry ? "Nothing was changed." : "All were carried out. Read the records with query.";
  return { count: responses.length, statuses, note };
}

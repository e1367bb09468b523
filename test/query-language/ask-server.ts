import { Agent } from "node:http";
import type { Json, JsonObject } from "../../src/base/json/json.ts";
import type { Write } from "../../src/store/store.ts";
import { type Answer, type AskOptions, askAt } from "../support/api.ts";
import type { Subject } from "./comparison.ts";
import type { Outcome } from "./question.ts";
import { type Pair, toSearch } from "./spelling.ts";

const METHODS = { create: "POST", replace: "PUT", patch: "PATCH", remove: "DELETE" } as const;

/** A server as the subject of a comparison. Takes turns with GET, QUERY with a form, and QUERY with JSON. */
export function serverSubject(
  url: string,
  load: (records: readonly JsonObject[]) => Promise<void>,
  sandbox?: string,
): Subject & { close(): void } {
  const agent = new Agent({ keepAlive: true });
  const headers = { ...(sandbox !== undefined && { "X-Standin-Sandbox": sandbox }), Prefer: "count=exact" };
  let turn = 0;
  const send = (line: string, options: AskOptions = {}): Promise<Answer> =>
    askAt(url, line, { ...options, agent, headers: { ...headers, ...options.headers } });
  const list = async (pairs: readonly Pair[]): Promise<Answer> => {
    const form = "application/x-www-form-urlencoded";
    const ways = [
      () => send(`GET /things?${toSearch(pairs)}`),
      () => send("QUERY /things", { body: toSearch(pairs), headers: { "Content-Type": form } }),
      () => send("QUERY /things", { body: toJson(pairs) }),
    ];
    const answer = await ways[turn++ % ways.length]!();
    if (answer.status !== 200) throw new Error(answer.text);
    return answer;
  };
  return {
    load,
    write: async (write) => {
      const { line, body } = requestOf(write);
      const before = write.kind === "create" ? undefined : (await send(`GET ${line}`)).body;
      const answer = await send(`${METHODS[write.kind as "create"]} ${line}`, body === undefined ? {} : { body });
      if (answer.status >= 300) throw new Error(answer.text);
      const after = write.kind === "remove" ? undefined : (answer.body as JsonObject);
      return { before: before as JsonObject | undefined, after };
    },
    ask: async (pairs, isWalk) => (isWalk ? walk(list, pairs) : outcomeOf(await list(pairs))),
    close: () => agent.destroy(),
  };
}

function requestOf(write: Write): { line: string; body?: unknown } {
  if (write.kind === "create") return { line: "/things", body: write.bodies[0] };
  if (write.kind === "remove") return { line: `/things/${write.id}` };
  if (write.kind === "replace" || write.kind === "patch") return { line: `/things/${write.id}`, body: write.body };
  throw new Error(write.kind);
}

function outcomeOf({ body, headers }: Answer): Outcome {
  const list = Array.isArray(body) ? body : (body as { data: Json[] }).data;
  return { total: Number(headers.get("x-total-count")), list };
}

async function walk(list: (pairs: readonly Pair[]) => Promise<Answer>, pairs: readonly Pair[]): Promise<Outcome> {
  const found: Json[] = [];
  for (let after: string | undefined = ""; after !== undefined; ) {
    const answer: Answer = await list([...pairs, ["_after", after]]);
    found.push(...(answer.body as Json[]));
    after = /[?&]_after=([^&>]*)[^>]*>; rel="next"/.exec(answer.headers.get("link") ?? "")?.[1];
  }
  return { total: found.length, list: found };
}

/** Parameters as JSON, the conditions of `_where` as objects and the elements of lists without their escapes. */
function toJson(pairs: readonly Pair[]): JsonObject {
  const json: Record<string, Json[]> = {};
  for (const [name, value, isElement] of pairs) {
    json[name] ??= [];
    if (name === "_where") json[name].push(JSON.parse(value) as Json);
    else json[name].push(isElement ? value.replaceAll("\\,", ",") : value);
  }
  return Object.fromEntries(
    Object.entries(json).map(([name, values]) => [name, values.length > 1 ? values : values[0]!]),
  );
}

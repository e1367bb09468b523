import { Agent } from "node:http";
import { expect } from "vitest";
import { type Answer, askAt } from "./api.ts";

/** A request as it was read from a file, with its variables filled in. */
export interface SentRequest {
  readonly name: string;
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
}

/** Puts values in place of `{{name}}`; a name without a value is a mistake of the file. */
export function fill(text: string, variables: ReadonlyMap<string, string>): string {
  return text.replace(/\{\{(\w+)\}\}/g, (_, name: string) => {
    const value = variables.get(name);
    if (value === undefined) throw new Error(`{{${name}}} is not defined.`);
    return value;
  });
}

/** Most of these files have a hundred requests. */
const agent = new Agent({ keepAlive: true });

export function send(request: SentRequest): Promise<Answer> {
  const { method, url, headers, body } = request;
  const { origin } = new URL(url);
  return askAt(origin, `${method} ${url.slice(origin.length) || "/"}`, {
    headers: { "content-type": undefined, ...headers },
    agent,
    ...(body !== undefined && { body }),
  });
}

/** Sends each, one after another: all succeed, and no list that is read is empty, except those of `empty` members. */
export async function expectAllWork(requests: readonly SentRequest[], empty: readonly string[] = []): Promise<void> {
  for (const request of requests) {
    const answer = await send(request);
    const what = `${request.method} ${request.url} ${request.body ?? ""}`;
    expect(isSuccess(answer.status), `${what}: ${answer.status} ${answer.text}`).toBe(true);
    const { pathname } = new URL(request.url);
    const isData = !pathname.startsWith("/__");
    const list = listIn(answer.body);
    const last = decodeURIComponent(pathname.split("/").at(-1)!);
    if (request.method === "GET" && isData && list && !empty.includes(last))
      expect([what, list]).not.toEqual([what, []]);
  }
}

function isSuccess(status: number): boolean {
  return status === 200 || status === 201;
}

/** The records of a list, also of one with pages. */
function listIn(body: unknown): unknown[] | undefined {
  if (Array.isArray(body)) return body;
  const { data } = (typeof body === "object" && body !== null ? body : {}) as { data?: unknown };
  return Array.isArray(data) ? data : undefined;
}

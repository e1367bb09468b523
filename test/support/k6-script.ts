import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { createFolder } from "./cli.ts";
import { type SentRequest, send } from "./sent-request.ts";

/** Responses come later than in k6, so checks are kept until they are there. */
const STUBS = {
  "k6.mjs": `
    export const group = (name, run) => { globalThis.__K6.groups.push(name); run(); };
    export const check = (response, checks) => { response.checks = checks; return true; };
  `,
  "k6-http.mjs": `
    const request = (method, url, body, params = {}) => {
      const response = { request: { method, url, body, params }, checks: {} };
      globalThis.__K6.responses.push(response);
      return response;
    };
    const expectedStatuses = (...statuses) => statuses;
    export default { request, del: (url, body, params) => request("DELETE", url, body, params), expectedStatuses };
  `,
};

interface StubbedResponse {
  readonly request: {
    readonly method: string;
    readonly url: string;
    readonly body: string | null;
    readonly params: {
      readonly headers: Readonly<Record<string, string>>;
      readonly tags: { readonly name: string };
      readonly responseCallback: readonly number[];
    };
  };
  readonly checks: Readonly<Record<string, (response: { status: number }) => boolean>>;
}

export interface K6Run {
  readonly options: { readonly scenarios: object; readonly thresholds: object };
  readonly groups: readonly string[];
  /** The requests, in their order. */
  readonly sent: readonly SentRequest[];
  readonly passed: number;
  /** The checks that failed, and the requests with a status that was not expected. */
  readonly failed: readonly string[];
}

/** Runs a script for k6 as virtual users do, one after another, with stand-ins for its modules. */
export async function runK6(
  file: string,
  { env, users, iterations }: { env: Readonly<Record<string, string>>; users: number; iterations: number },
): Promise<K6Run> {
  const folder = createFolder(STUBS);
  const text = readFileSync(file, "utf8")
    .replace('from "k6"', 'from "./k6.mjs"')
    .replace('"k6/http"', '"./k6-http.mjs"');
  writeFileSync(join(folder, "script.mjs"), text);
  const stage = { groups: [] as string[], responses: [] as StubbedResponse[] };
  Object.assign(globalThis, { __K6: stage, __ENV: env, __VU: 0 });
  const script = await import(/* @vite-ignore */ pathToFileURL(join(folder, "script.mjs")).href);
  for (let user = 1; user <= users; user++) {
    Object.assign(globalThis, { __VU: user });
    for (let count = 0; count < iterations; count++) script.default();
  }
  const failed: string[] = [];
  const sent: SentRequest[] = [];
  let passed = 0;
  for (const { request, checks } of stage.responses) {
    const { method, url, body, params } = request;
    const one = { name: params.tags.name, method, url, headers: params.headers, body: body ?? undefined };
    sent.push(one);
    const { status } = await send(one);
    if (!params.responseCallback.includes(status)) failed.push(`${method} ${url}: ${status}`);
    for (const [name, holds] of Object.entries(checks)) {
      if (holds({ status })) passed++;
      else failed.push(`${name} (${status})`);
    }
  }
  return { options: script.options, groups: stage.groups, sent, passed, failed };
}

import { expect, onTestFinished, test } from "vitest";
import type { FaultRule } from "../../../console/src/api/faults.ts";
import type { Overview } from "../../../console/src/api/overview.ts";
import { csharpCode } from "../../../console/src/lab/faults/code/csharp-code.ts";
import { playwrightCode } from "../../../console/src/lab/faults/code/playwright-code.ts";
import { testCaseOf } from "../../../console/src/lab/faults/code/test-case.ts";
import { vitestCode } from "../../../console/src/lab/faults/code/vitest-code.ts";
import { createStandin } from "../../../src/index.ts";
import { askAt, startApi } from "../../support/api.ts";
import { createFolder } from "../../support/cli.ts";
import { COPIED_RULES } from "./copied-rules.ts";

/** The parts of the overview that test code is made from. */
const OVERVIEW = {
  store: { kind: "memory", place: "memory only", durability: null },
  members: [
    { name: "products", kind: "collection", count: 12, idKey: "id" },
    { name: "settings", kind: "singleton", count: 1 },
  ],
} as unknown as Overview;

type Body = (...given: unknown[]) => Promise<void>;

/** Runs a program whose imports are handed over. */
async function runProgram(code: string, given: Readonly<Record<string, unknown>>): Promise<void> {
  const AsyncFunction = (async () => {}).constructor as new (...parts: string[]) => Body;
  await new AsyncFunction(...Object.keys(given), code.replace(/^import .*;$/gm, ""))(...Object.values(given));
}

/** The test of copied code: its title and body. */
async function collect(code: string, given: Readonly<Record<string, unknown>>): Promise<[string, Body]> {
  const found: [string, Body][] = [];
  await runProgram(code, { ...given, expect, test: (title: string, body: Body) => found.push([title, body]) });
  expect(found).toHaveLength(1);
  return found[0]!;
}

for (const [name, rule] of Object.entries(COPIED_RULES)) {
  test.concurrent(`the code for Vitest passes: ${name}`, async ({ onTestFinished: whenOver }) => {
    const given = { createStandin, onTestFinished: whenOver };
    const [, body] = await collect(vitestCode(testCaseOf(rule, OVERVIEW), OVERVIEW), given);
    await body();
  });

  test.concurrent(`the C# passes: ${name}`, async ({ onTestFinished: whenOver }) => {
    const server = await createStandin({ data: { products: [{ id: 1 }] } });
    whenOver(() => server.close());
    await runCsharp(csharpCode(testCaseOf(rule, OVERVIEW), server.url));
  });
}

test("the code for Playwright passes, and leaves the server as it was for others", async () => {
  const { request } = await import("playwright-core");
  const api = await startApi();
  const sender = await request.newContext();
  onTestFinished(() => sender.dispose());
  const named: Record<string, string>[] = [];
  const page = { setExtraHTTPHeaders: async (headers: Record<string, string>) => named.push(headers) };
  for (const [testId, rule] of Object.entries(COPIED_RULES)) {
    const [, body] = await collect(playwrightCode(testCaseOf(rule, OVERVIEW), api.url), {});
    await body({ page, request: sender }, { testId, retry: 0 });
  }
  expect(named[0]).toEqual({ "X-Standin-Sandbox": `${Object.keys(COPIED_RULES)[0]}-0` });
  expect((await api.ask("GET /products")).status).toBe(200);
});

test("a served file is the data of the copied test, which does not write to it", async () => {
  const folder = createFolder({ "db.json": { products: [{ id: 1 }] } });
  const store = { ...OVERVIEW.store, kind: "file", place: `${folder}/db.json` };
  const rule: FaultRule = { fault: "reset", method: "POST", after: true };
  const code = vitestCode(testCaseOf(rule, OVERVIEW), { ...OVERVIEW, store });
  expect(code).toContain(`createStandin({ source: ${JSON.stringify(store.place)} })`);
  const [title, body] = await collect(code, { createStandin, onTestFinished });
  expect(title).toBe("All POST requests: Connection reset");
  await body();
});

/** Enough of .NET and xUnit to send the requests of a test and to judge by it; nothing is compiled. */
async function runCsharp(code: string): Promise<void> {
  const [, body = ""] = /MeetsTheFault\(\)\n {4}\{\n(.*)\n {4}\}\n\}/s.exec(code) ?? [];
  const statements = body
    .replace(/"""(.*?)"""/g, (_all, text: string) => JSON.stringify(text))
    .replace(/new HttpClient \{ BaseAddress = (.*?) \};/, "new HttpClient($1);")
    .replace(/\b(?:using )?var (\w+) =/g, "const $1 =")
    .replace(/Async<\w+>/g, "Async")
    .replaceAll("(int)", "");
  expect(statements).toContain("Assert.");
  await runProgram(statements, DOTNET);
}

type Sent = { method: string; path: string; body?: string };

class HttpClient {
  readonly #url: string;
  readonly #headers: Record<string, string> = {};
  readonly DefaultRequestHeaders = {
    Add: (name: string, value: string) => {
      this.#headers[name] = value;
    },
  };

  constructor({ href }: URL) {
    this.#url = href.replace(/\/$/, "");
  }

  GetAsync(path: string, signal?: AbortSignal) {
    return this.SendAsync({ method: "GET", path }, signal);
  }

  DeleteAsync(path: string) {
    return this.SendAsync({ method: "DELETE", path });
  }

  PostAsync(path: string, body: string) {
    return this.SendAsync({ method: "POST", path, body });
  }

  async GetStringAsync(path: string) {
    return (await this.GetAsync(path)).Content.ReadAsStringAsync();
  }

  async SendAsync({ method, path, body }: Sent, signal?: AbortSignal) {
    const left = new Promise<never>((_resolve, reject) =>
      signal?.addEventListener("abort", () => reject(signal.reason)),
    );
    const sent = askAt(this.#url, `${method} ${path}`, { headers: this.#headers, ...(body !== undefined && { body }) });
    const { status, headers, text } = await Promise.race([sent, left]);
    return {
      StatusCode: status,
      Headers: { GetValues: (name: string) => ({ First: () => headers.get(name) }) },
      Content: { ReadAsStringAsync: async () => text, ReadFromJsonAsync: async () => JSON.parse(text) },
    };
  }
}

const throws = (work: () => Promise<unknown>): Promise<void> => expect(work()).rejects.toThrow();

const DOTNET = {
  HttpClient,
  Uri: URL,
  HttpMethod: String,
  HttpRequestMessage: function HttpRequestMessage(method: string, path: string) {
    return { method: String(method), path };
  },
  StringContent: function StringContent(text: string) {
    return Buffer.from(text);
  },
  Encoding: {},
  Guid: { NewGuid: () => ({ ToString: () => crypto.randomUUID().replaceAll("-", "") }) },
  Stopwatch: {
    StartNew() {
      const startedAt = performance.now();
      return {
        get ElapsedMilliseconds() {
          return performance.now() - startedAt;
        },
      };
    },
  },
  CancellationTokenSource: function CancellationTokenSource(ms: number) {
    return { Token: AbortSignal.timeout(ms) };
  },
  Assert: {
    Equal: (wanted: unknown, given: unknown) => expect(given).toBe(wanted),
    NotEqual: (other: unknown, given: unknown) => expect(given).not.toBe(other),
    True: (given: unknown) => expect(given).toBe(true),
    Contains: (part: string, given: string) => expect(given).toContain(part),
    ThrowsAsync: throws,
    ThrowsAnyAsync: throws,
  },
};

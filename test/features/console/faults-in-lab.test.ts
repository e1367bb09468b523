import { describe, expect, onTestFinished, test } from "vitest";
import type { FaultRule } from "../../../console/src/api/faults.ts";
import type { Overview } from "../../../console/src/api/overview.ts";
import { csharpCode } from "../../../console/src/lab/faults/code/csharp-code.ts";
import { testCaseOf } from "../../../console/src/lab/faults/code/test-case.ts";
import { vitestCode } from "../../../console/src/lab/faults/code/vitest-code.ts";
import { formOf, rulesOf, withKind } from "../../../console/src/lab/faults/fault-form.ts";
import { effectOf, limitsOf, scopeOf } from "../../../console/src/lab/faults/fault-words.ts";
import { PRESETS } from "../../../console/src/lab/faults/presets.ts";
import { roughTime, timeLeft } from "../../../console/src/lab/sandboxes/time-left.ts";
import { createStandin } from "../../../src/index.ts";
import { askAt, startApi } from "../../support/api.ts";
import { createFolder } from "../../support/cli.ts";
import { COPIED_RULES, collect, runProgram } from "./copied-code.ts";

/** The parts of the overview that test code is made from. */
const OVERVIEW = {
  store: { kind: "memory", place: "memory only", durability: null },
  members: [
    { name: "products", kind: "collection", count: 12, idKey: "id" },
    { name: "settings", kind: "singleton", count: 1 },
  ],
} as unknown as Overview;

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
    expect(server.faults.list()).toEqual([]);
  });
}

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

describe("the builder of faults", () => {
  test("the server takes every preset as the builder makes it", async () => {
    const api = await startApi();
    for (const { name, rules } of PRESETS) {
      const made = rulesOf(formOf(rules));
      expect([name, made]).toEqual([name, rules]);
      expect([name, (await api.ask("POST /__faults", { body: made })).status]).toEqual([name, 201]);
    }
  });

  test.each(Object.entries(COPIED_RULES))("shows a rule and makes the same one again: %s", (_name, rule) => {
    const method = rule.method === undefined ? {} : { method: [rule.method].flat() };
    expect(rulesOf(formOf([rule]))).toEqual([{ ...rule, ...method }]);
  });

  test("another kind keeps what both have; a latency gets a time, a time-out needs none", () => {
    const [effect] = formOf([{ fault: "status", status: 404 }]).effects;
    const late = withKind(effect!, "latency");
    expect(rulesOf({ ...formOf([]), effects: [late] })).toEqual([{ fault: "latency", ms: 1000 }]);
    expect(rulesOf({ ...formOf([]), effects: [withKind(late, "timeout")] })).toEqual([{ fault: "timeout" }]);
    expect(withKind(late, "status").status).toBe("404");
  });

  const words: [FaultRule, string, string, string[]][] = [
    [{ fault: "status", status: 503, method: ["POST"], collection: "products" }, "Status 503", "POST /products", []],
    [{ fault: "latency", ms: 2000, probability: 0.05 }, "2 s late", "All requests", ["5 % of requests"]],
    [{ fault: "latency", ms: { min: 100, max: 1500 } }, "100 ms to 1.5 s late", "All requests", []],
    [
      { fault: "reset", method: "DELETE", after: true, count: 1, sandbox: "ann" },
      "Connection reset",
      "All DELETE requests",
      ["in ann", "at most 1 time", "carried out first"],
    ],
    [{ fault: "timeout", method: ["POST", "PUT", "PATCH", "DELETE"] }, "No response", "All writes", []],
    [{ fault: "slow-body", bytesPerSecond: 5000, path: "/a/*" }, "Body at 5 kB/s", "/a/*", []],
  ];
  test.each(words)("%j is said as %s", (rule, effect, scope, limits) => {
    expect([effectOf(rule), scopeOf(rule), limitsOf(rule)]).toEqual([effect, scope, limits]);
  });
});

test("the time that a sandbox has left is told to the second in its last ten minutes", () => {
  expect([3_600_000, 1_799_000, 599_000, 61_000, 400, -5].map(timeLeft)).toEqual([
    "1 h",
    "30 min",
    "9:59 min",
    "1:01 min",
    "0:01 min",
    "0:00 min",
  ]);
  expect([59_000, 3_599_000, 86_400_000, 200_000_000].map(roughTime)).toEqual(["59 s", "59 min", "24 h", "2 d"]);
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

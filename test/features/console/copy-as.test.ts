import { execFile, spawnSync } from "node:child_process";
import { promisify } from "node:util";
import { describe, expect, onTestFinished, test } from "vitest";
import type { FaultRule } from "../../../console/src/api/faults.ts";
import type { Overview } from "../../../console/src/api/overview.ts";
import { formatListQuery, parseListQuery } from "../../../console/src/data/list-query.ts";
import { csharpCode } from "../../../console/src/lab/faults/code/csharp-code.ts";
import { testCaseOf } from "../../../console/src/lab/faults/code/test-case.ts";
import { vitestCode } from "../../../console/src/lab/faults/code/vitest-code.ts";
import { formOf, rulesOf, withKind } from "../../../console/src/lab/faults/fault-form.ts";
import { effectOf, limitsOf, scopeOf } from "../../../console/src/lab/faults/fault-words.ts";
import { PRESETS } from "../../../console/src/lab/faults/presets.ts";
import { roughTime, timeLeft } from "../../../console/src/lab/sandboxes/time-left.ts";
import { scenarioCode } from "../../../console/src/lab/scenarios/scenario-code.ts";
import { copyAs } from "../../../console/src/request/copy-as.ts";
import { addressOf, draftOfRequest, readyRequest, splitAddress } from "../../../console/src/request/request-draft.ts";
import { createStandin } from "../../../src/index.ts";
import { askAt, startApi } from "../../support/api.ts";
import { createFolder } from "../../support/cli.ts";
import { IS_SOAK, testAtLength } from "../../support/soak.ts";
import { COPIED_RULES, collect } from "./copied-code.ts";
import { runCsharp } from "./copied-csharp.ts";

const run = promisify(execFile);
const ORIGIN = "http://localhost:3000";

describe("a request from the builder", () => {
  test("an address brings its query along, and leaves the host behind", () => {
    expect(splitAddress("http://elsewhere:1/products?name=a%20b&x=1#top")).toEqual({
      path: "/products",
      parameters: [
        ["name", "a b"],
        ["x", "1"],
      ],
    });
    expect(addressOf(draftOfRequest("GET", "/products?name=a%20b"))).toBe("/products?name=a%20b");
    // As typed by a user, without a query.
    for (const path of ["http://localhost:3000/products/1", "products/1"]) {
      expect(addressOf({ ...draftOfRequest("GET", "/"), path })).toBe("/products/1");
    }
  });

  test("rows not filled in are left out; own headers win; a body gets a content type", () => {
    const draft = draftOfRequest(
      "POST",
      "/products?=&a=1",
      [
        ["x-api-key", "mine"],
        ["", "y"],
      ],
      '{"a":1}',
    );
    expect(
      readyRequest(draft, ORIGIN, [
        ["X-API-KEY", "tab"],
        ["Authorization", "Bearer t"],
      ]),
    ).toEqual({
      method: "POST",
      url: `${ORIGIN}/products?a=1`,
      headers: [
        ["x-api-key", "mine"],
        ["Authorization", "Bearer t"],
        ["Content-Type", "application/json"],
      ],
      body: '{"a":1}',
    });
  });

  test("a GET has no body, whatever the input", () => {
    expect(readyRequest(draftOfRequest("GET", "/", [], "x"), ORIGIN, []).body).toBeUndefined();
  });
});

const PATCH = readyRequest(
  draftOfRequest("PATCH", "/products/1", [["X-Note", 'it\'s "q"']], '{"name":"O\'Hat"}'),
  ORIGIN,
  [],
);

describe("copy as", () => {
  test("curl", () => {
    expect(copyAs("curl", PATCH)).toBe(
      [
        "curl -X PATCH 'http://localhost:3000/products/1' \\",
        "  -H 'X-Note: it'\\''s \"q\"' \\",
        "  -H 'Content-Type: application/json' \\",
        "  --data-raw '{\"name\":\"O'\\''Hat\"}'",
      ].join("\n"),
    );
    const list = readyRequest(draftOfRequest("GET", "/products?a[]=1&_limit=2"), ORIGIN, []);
    expect(copyAs("curl", list)).toBe("curl 'http://localhost:3000/products?a%5B%5D=1&_limit=2'");
  });

  test("C# HttpClient", () => {
    expect(copyAs("C#", PATCH)).toBe(
      [
        "using System.Text;",
        "",
        "using var client = new HttpClient();",
        'using var request = new HttpRequestMessage(HttpMethod.Patch, "http://localhost:3000/products/1");',
        'request.Headers.TryAddWithoutValidation("X-Note", "it\'s \\"q\\"");',
        'request.Content = new StringContent("{\\"name\\":\\"O\'Hat\\"}", Encoding.UTF8, "application/json");',
        "",
        "using var response = await client.SendAsync(request);",
        "Console.WriteLine((int)response.StatusCode);",
        "Console.WriteLine(await response.Content.ReadAsStringAsync());",
      ].join("\n"),
    );
  });

  test("what is copied for JavaScript changes the record when it runs", async () => {
    const { url, ask } = await startApi();
    const request = readyRequest(draftOfRequest("PATCH", "/products/1", [], '{"name":"O\'Hat </script>"}'), url, []);
    await run(process.execPath, ["--input-type=module", "-e", copyAs("JavaScript", request)]);
    expect((await ask("GET /products/1")).body).toMatchObject({ name: "O'Hat </script>", price: 10 });
  });

  test("C# gets no line break inside a text", () => {
    const odd = readyRequest(draftOfRequest("POST", "/products", [], '{"name":"a\u2028b\u0085c\nd"}'), ORIGIN, []);
    expect(copyAs("C#", odd)).toContain('"{\\"name\\":\\"a\\u2028b\\u0085c\\nd\\"}"');
  });

  const hasPython = spawnSync("python3", ["--version"]).status === 0;
  test.skipIf(!hasPython)("what is copied for Python changes the record when it runs (needs python3)", async () => {
    const { url, ask } = await startApi();
    const body = { name: "O'Hat \\ \u2028 😀", tags: [true, null, []], at: { x: 1.5 } };
    const request = readyRequest(draftOfRequest("PATCH", "/products/1", [], JSON.stringify(body)), url, []);
    const { stdout } = await run("python3", ["-c", copyAs("Python", request)]);
    expect(stdout).toMatch(/^200 /);
    expect((await ask("GET /products/1")).body).toMatchObject({ ...body, price: 10 });
    const list = readyRequest(draftOfRequest("GET", "/products?_limit=1"), ORIGIN, [["X-API-KEY", "k"]]);
    expect(copyAs("Python", list)).toBe(
      [
        "import urllib.request",
        "",
        "request = urllib.request.Request(",
        '    "http://localhost:3000/products?_limit=1",',
        "    headers={",
        '        "X-API-KEY": "k",',
        "    },",
        ")",
        "with urllib.request.urlopen(request) as response:",
        "    print(response.status, response.read().decode())",
      ].join("\n"),
    );
  });

  const hasCurl = spawnSync("curl", ["--version"]).status === 0;
  test.skipIf(!hasCurl)("what is copied for a shell changes the record when it runs (needs curl)", async () => {
    const { url, ask } = await startApi();
    const request = readyRequest(draftOfRequest("PATCH", "/products/1", [], '{"name":"$HOME `x` O\'Hat"}'), url, []);
    await run("sh", ["-c", copyAs("curl", request)]);
    expect((await ask("GET /products/1")).body).toMatchObject({ name: "$HOME `x` O'Hat" });

    const list = formatListQuery(parseListQuery("_or=name:in=O'Hat,x%5C,y&_or=name:contains=%24HOME%20%60x%60%20O%27"));
    const listed = readyRequest(draftOfRequest("GET", `/products?${list}&_fields=id`), url, []);
    expect((await run("sh", ["-c", `${copyAs("curl", listed)} -s`])).stdout).toBe('[{"id":1}]');
    const conditions = `{"_where":{"name":{"endsWith":"O'Hat"}},"_fields":"id"}`;
    const search = readyRequest(draftOfRequest("QUERY", "/products", [], conditions), url, []);
    expect((await run("sh", ["-c", `${copyAs("curl", search)} -s`])).stdout).toBe('[{"id":1}]');
  });
});

/** The parts of the overview that test code is made from. */
const OVERVIEW = {
  store: { kind: "memory", place: "memory only", durability: null },
  members: [
    { name: "products", kind: "collection", count: 12, idKey: "id" },
    { name: "settings", kind: "singleton", count: 1 },
  ],
} as unknown as Overview;

// Each runs a test of its own; the soak runs one for every rule.
for (const [name, rule] of Object.entries(COPIED_RULES).slice(0, IS_SOAK ? undefined : 1)) {
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

test("the C# of a scenario passes: a sequence of statuses, then the data of a snapshot", async () => {
  const folder = createFolder({ "db.json": { products: [{ id: 1 }] } });
  const server = await createStandin({ source: `${folder}/db.json`, snapshots: `${folder}/snapshots` });
  onTestFinished(() => server.close());
  await askAt(server.url, "POST /__snapshots__", { body: { name: "winter" } });
  const steps = [
    { snapshot: "", faults: "2 x 503, then ok" },
    { snapshot: "winter", faults: "429" },
  ];
  const scenario = { name: 'winter "outage"', steps };
  await runCsharp(scenarioCode("C#", scenario, { server: server.url, path: "/products/1" }));
  expect(server.faults.list()).toEqual([]);
  const other = { ...scenario, steps: [{ snapshot: "", faults: "404" }] };
  const code = scenarioCode("C#", other, { server: server.url, path: "/products/1" });
  await expect(runCsharp(code.replace("{ 404 }", "{ 200 }"))).rejects.toThrow();
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

describe("the builder of faults", () => {
  testAtLength("the server takes every preset as the builder makes it", async () => {
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
    "1 s",
    "0 s",
  ]);
  expect([59_000, 3_599_000, 86_400_000, 200_000_000].map(roughTime)).toEqual(["59 s", "59 min", "24 h", "2 d"]);
});

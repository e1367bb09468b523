import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import type { Reporter } from "../../src/base/reporter.ts";
import { type Api, type AskOptions, codeOf } from "../support/api.ts";
import { createFolder } from "../support/cli.ts";
import { openHostedWith, startHosted } from "../support/hosted.ts";

const HTML: AskOptions = { headers: { accept: "text/html,application/xhtml+xml,*/*;q=0.8" } };
const EVIL = `<img src=x onerror="alert('1')">`;

const mockOf = (body: unknown, path = "/a", more: object = {}): object => ({
  examples: [{ name: "one", request: { path }, response: { body } }],
  ...more,
});
const POSTMAN = { name: "x", schema: "https://schema.getpostman.com/json/collection/v2.1.0/collection.json" };
const collectionOf = (body: string): object => ({
  info: POSTMAN,
  item: [
    { name: "Saved", request: "{{base}}/a", response: [{ name: "saved", code: 200, body }] },
    { name: "Not saved", request: { method: "PUT", url: "{{base}}/a/:id" } },
  ],
});

const FILES = {
  "shop.json": {
    examples: [
      { name: EVIL, request: { path: "/a/{{id}}", query: { q: "x y" } }, response: { body: { id: "{{id}}" } } },
      { name: "gone", request: { path: "/a/{{id}}", query: { q: "x y" } }, response: { status: 410, body: {} } },
      { name: "made", request: { method: "POST", path: "/a" }, response: { status: 201, body: { ok: true } } },
    ],
  },
  "My teas.postman_collection.json": collectionOf('{"in":"{{currency}}"}'),
  "My teas.postman_environment.json": { name: "e", values: [{ key: "currency", value: "CHF" }] },
  "root.examples.json": mockOf("hello", "/"),
  "api.v1.yaml":
    "openapi: 3.0.0\ninfo: { title: x, version: '1' }\npaths:\n  /p: { get: { responses: { '200': { description: x, content: { application/json: { example: { p: 1 } } } } } } }\n",
  "vault.json": mockOf({ secret: true }),
  "vault.keys": "# for the team\nkey-of-vault-1\n\n  key-of-vault-2  \n",
  "open.json": mockOf(1),
  "open.keys": "# nothing yet\n",
  "broken.json": '{ "examples": [',
  "__own.json": mockOf(1),
  "notes.txt": "hello",
  "data.json": { products: [] },
  "coffee.keys": "k",
  ".hidden.json": mockOf(1),
};

const log = (said: string[]): Reporter => ({
  note: (text) => void said.push(text),
  done: (text) => void said.push(text),
  warn: (text) => void said.push(text),
  fault: (text, thrown) => {
    throw new Error(text, { cause: thrown });
  },
  request: undefined,
});

describe("a folder of mocks", () => {
  let api: Api & { close(): Promise<void> };
  beforeAll(async () => {
    api = await openHostedWith([createFolder(FILES)]);
  });
  afterAll(() => api.close());

  const key = (value: string): AskOptions => ({ headers: { "x-api-key": value } });
  const cases: readonly [line: string, status: number, body: unknown, options?: AskOptions][] = [
    ["GET /shop/a/7?q=x+y", 200, { id: 7 }],
    ["GET /%73hop/a/7", 200, { id: 7 }],
    ["GET /shop/b", 404, "EXAMPLE_NOT_FOUND"],
    ["GET /My-teas/a", 200, { in: "CHF" }],
    ["GET /api.v1/p", 200, { p: 1 }],
    ["GET /root", 200, "hello"],
    ["GET /root/", 200, "hello"],
    ["GET /vault/a", 401, "API_KEY_MISSING"],
    ["GET /vault", 401, "API_KEY_MISSING"],
    ["GET /vault/a", 403, "API_KEY_INVALID", key("key-of-vault-3")],
    ["GET /vault/a", 200, { secret: true }, key("key-of-vault-1")],
    ["GET /vault/a", 200, { secret: true }, key("key-of-vault-2")],
    ["GET /vault/a", 403, "API_KEY_INVALID", key("# for the team")],
    ["GET /open/a", 503, "MOCK_UNAVAILABLE"],
    ["GET /broken/a", 503, "MOCK_UNAVAILABLE"],
    ["GET /__own/a", 503, "MOCK_UNAVAILABLE"],
    ["GET /data/products", 404, "EXAMPLE_NOT_FOUND"],
    ["GET /a", 404, "EXAMPLE_NOT_FOUND"],
    ["GET /constructor/a", 404, "EXAMPLE_NOT_FOUND"],
    ["POST /", 404, "EXAMPLE_NOT_FOUND"],
  ];
  for (const [line, status, body, options] of cases) {
    test(`${line} ${options?.headers ? JSON.stringify(options.headers) : ""} -> ${status}`, async () => {
      const response = await api.ask(line, options);
      expect(response.status, response.text).toBe(status);
      if (typeof body === "string" && /^[A-Z_]+$/.test(body)) expect(codeOf(response)).toBe(body);
      else if (typeof body === "string") expect(response.text).toBe(body);
      else expect(response.body).toEqual(body);
    });
  }

  test("/ lists mocks, operations and examples for programs", async () => {
    const { body } = await api.ask("GET /");
    const { mocks, skipped, requests } = body as {
      mocks: { name: string; problem?: string }[];
      skipped: string[];
      requests: string;
    };
    expect(mocks.map(({ name }) => name)).toEqual([
      "My-teas",
      "__own",
      "api.v1",
      "broken",
      "open",
      "root",
      "shop",
      "vault",
    ]);
    const mock = (name: string): unknown => mocks.find((one) => one.name === name);
    expect(mock("shop")).toMatchObject({
      access: "public",
      url: `${api.url}/shop/`,
      operations: [
        {
          method: "GET",
          path: "/a/{{id}}",
          url: `${api.url}/shop/a/1?q=x+y`,
          examples: [
            { name: EVIL, status: 200, type: "application/json" },
            { name: "gone", status: 410, type: "application/json" },
          ],
        },
        { method: "POST", path: "/a", examples: [{ name: "made", status: 201 }] },
      ],
    });
    expect(mock("My-teas")).toMatchObject({
      operations: [{ path: "/a" }, { method: "PUT", path: "/a/{{id}}", examples: [] }],
      notes: ["left out: 1 request without a saved example: PUT /a/{{id}}"],
    });
    expect(mock("vault")).toEqual({
      name: "vault",
      access: "private",
      url: `${api.url}/vault/`,
      notes: [],
      source: expect.stringContaining("vault.json (examples file)"),
    });
    expect(mock("broken")).toMatchObject({ problem: expect.stringMatching(/broken\.json is not valid JSON/) });
    expect(mock("open")).toMatchObject({ problem: expect.stringMatching(/open\.keys contains no key/) });
    expect(skipped).toEqual([
      expect.stringMatching(/^data\.json: it is neither/),
      "coffee.keys: there is no mock named coffee.",
      "notes.txt: it is neither JSON nor YAML.",
    ]);
    expect(requests).toBe(`${api.url}/__requests`);
    const known = (await api.ask("GET /", key("key-of-vault-1"))).body as { mocks: { name: string }[] };
    expect(known.mocks.find(({ name }) => name === "vault")).toHaveProperty("operations");
    expect(((await api.ask("GET /shop/")).body as { mocks: unknown[] }).mocks).toEqual([mock("shop")]);
  });

  test("/ is a page for browsers, with everything escaped and nothing loaded", async () => {
    const { headers, text } = await api.ask("GET /", HTML);
    expect(headers.get("content-type")).toBe("text/html; charset=utf-8");
    expect(headers.get("content-security-policy")).toMatch(/^default-src 'none'; style-src 'sha256-[^']+'; /);
    expect(headers.get("cache-control")).toBe("no-store");
    expect(text).not.toContain("<img");
    expect(text).toContain("&#60;img src=x onerror=&#34;alert(&#39;1&#39;)&#34;&#62;");
    expect(text).toContain('href="/shop/a/1?q=x+y"');
    expect(text).toContain("Not served: ");
    expect(text).toContain("notes.txt: it is neither JSON nor YAML.");
    expect(text).not.toMatch(/<script|<img|http-equiv|url\(/);
    // A single quote in a name cannot end the word of the shell.
    expect(text).toContain(
      "x-mock-response-name: &#60;img src=x onerror=&#34;alert(&#39;\\&#39;&#39;1&#39;\\&#39;&#39;)&#34;&#62;&#39;",
    );
  });

  describe("/__requests", () => {
    test("shows the latest requests without secrets, and not those of private mocks", async () => {
      await api.ask("DELETE /__requests");
      const secret = {
        authorization: "Bearer abcdefgh12345678",
        cookie: "sid=abcdefgh12345678",
        "x-api-key": "key-of-vault-1",
      };
      await api.ask("POST /shop/a?token=abcdefgh12345678", {
        headers: secret,
        body: { name: "Pot", password: "abcdefgh12345678" },
      });
      await api.ask("GET /vault/a", { headers: secret });
      const asked = await api.ask("GET /__requests");
      expect((asked.body as { requests: unknown[] }).requests).toMatchObject([
        {
          method: "POST",
          status: 201,
          requestBody: expect.stringContaining('"name":"Pot"'),
          responseBody: '{"ok":true}',
        },
      ]);
      for (const text of [asked.text, (await api.ask("GET /", HTML)).text]) {
        expect(text).not.toContain("abcdefgh12345678");
        expect(text).not.toContain("key-of-vault-1");
        expect(text).not.toContain("/vault/a");
        expect(text).toContain("/shop/a?token=...");
      }
      const all = await api.ask("GET /__requests?method=GET", key("key-of-vault-1"));
      expect((all.body as { requests: unknown[] }).requests).toMatchObject([{ url: "/vault/a", status: 200 }]);
    });

    const refused: readonly [what: string, headers: Record<string, string>, code: string][] = [
      ["a foreign host", { host: "evil.example" }, "HOST_FORBIDDEN"],
      ["a page of another origin", { origin: "https://evil.example" }, "CROSS_ORIGIN"],
    ];
    for (const [what, headers, code] of refused) {
      test(`is not for ${what}, and neither are the requests on the page`, async () => {
        await api.ask("GET /shop/a/9");
        for (const line of ["GET /__requests", "DELETE /__requests"]) {
          const response = await api.ask(line, { headers });
          expect([response.status, codeOf(response)]).toEqual([403, code]);
        }
        const { status, text } = await api.ask("GET /", { headers: { ...headers, ...HTML.headers } });
        expect(status).toBe(200);
        expect(text).not.toContain("Latest requests");
        expect((await api.ask("GET /shop/a/9", { headers })).status).toBe(200);
      });
    }

    test("knows GET and DELETE only", async () => {
      expect(codeOf(await api.ask("POST /__requests", { body: {} }))).toBe("METHOD_NOT_ALLOWED");
    });
  });
});

describe("the root of a single mock", () => {
  test("is an index, and a page for browsers", async () => {
    const api = await startHosted(mockOf({ a: 1 }));
    expect((await api.ask("GET /")).body).toMatchObject({ mocks: [{ name: "", operations: [{ path: "/a" }] }] });
    expect((await api.ask("GET /", HTML)).text).toContain("<h1>standin</h1>");
    expect((await api.ask("HEAD /")).status).toBe(200);
    expect(codeOf(await api.ask("GET /b", HTML))).toBe("EXAMPLE_NOT_FOUND");
  });

  test("is its own where it has an example for it", async () => {
    const api = await startHosted(mockOf({ root: true }, "/"));
    expect((await api.ask("GET /", HTML)).body).toEqual({ root: true });
    const own = await startHosted(mockOf({ mine: true }, "/__requests"));
    expect((await own.ask("GET /__requests", { headers: { origin: "https://a.example" } })).body).toEqual({
      mine: true,
    });
  });

  test("is a 404 with --no-console, and so is the log", async () => {
    const folder = createFolder({ "x.json": mockOf(1) });
    for (const [args, index, requests] of [
      [["--no-console"], 404, 404],
      [["--traffic", "0"], 200, 404],
    ] as const) {
      const api = await openHostedWith([join(folder, "x.json"), ...args]);
      onTestFinished(() => api.close());
      expect([(await api.ask("GET /")).status, (await api.ask("GET /__requests")).status]).toEqual([index, requests]);
    }
  });
});

describe("--private for a folder", () => {
  test("guards all mocks; key files add keys to their own", async () => {
    const folder = createFolder({ "a.json": mockOf("a"), "b.json": mockOf("b"), "b.keys": "key-b" });
    const api = await openHostedWith([folder, "--private", "--api-key", "key-all"]);
    onTestFinished(() => api.close());
    const status = async (path: string, key: string) =>
      (await api.ask(`GET ${path}`, { headers: { "x-api-key": key } })).status;
    expect(await Promise.all(["/a/a", "/b/a"].map((path) => status(path, "key-all")))).toEqual([200, 200]);
    expect(await Promise.all(["/a/a", "/b/a"].map((path) => status(path, "key-b")))).toEqual([403, 200]);
    expect((await api.ask("GET /a/a")).status).toBe(401);
    const { mocks } = (await api.ask("GET /")).body as { mocks: object[] };
    expect(mocks.map((mock) => "operations" in mock)).toEqual([false, false]);
  });

  test("says what is wrong with a private mock, and notes about it, only to those who have its key", async () => {
    const note = { openapi: "3.0.0", info: {}, paths: { "/secret": { get: { responses: {} } } } };
    const folder = createFolder({ "a.json": "{", "a.keys": "key-a", "b.json": note, "b.keys": "key-b" });
    const api = await openHostedWith([folder]);
    onTestFinished(() => api.close());
    const statuses = await Promise.all(
      [{}, { "x-api-key": "key-a" }].map(async (headers) => (await api.ask("GET /a/a", { headers })).status),
    );
    expect(statuses).toEqual([401, 503]);
    const { mocks } = (await api.ask("GET /")).body as { mocks: object[] };
    for (const mock of mocks) expect(mock).toMatchObject({ access: "private", notes: [] });
    expect(mocks[0]).not.toHaveProperty("problem");
  });
});

test("an interceptor cannot lead a request past the key of a mock", async () => {
  const folder = createFolder({
    "open.json": mockOf("open"),
    "vault.json": mockOf("vault"),
    "vault.keys": "key-vault",
  });
  const file = join(
    createFolder({ "lead.cjs": "module.exports = (req, res, next) => { req.url = '/vault/a'; next(); };" }),
    "lead.cjs",
  );
  const api = await openHostedWith([folder, "--middlewares", file]);
  onTestFinished(() => api.close());
  expect((await api.ask("GET /open/a")).status).toBe(401);
  expect((await api.ask("GET /open/a", { headers: { "x-api-key": "key-vault" } })).text).toBe("vault");
});

test("two files with one name are refused", async () => {
  const folder = createFolder({ "shop.json": mockOf(1), "shop.openapi.json": mockOf(2), "shop.yaml": "products: []" });
  await expect(openHostedWith([folder])).rejects.toThrow(
    "shop.json and shop.openapi.json would both be served at /shop. Rename one of them.",
  );
  rmSync(join(folder, "shop.openapi.json"));
  const api = await openHostedWith([folder]);
  onTestFinished(() => api.close());
  expect((await api.ask("GET /shop/a")).text).toBe("1");
});

test("--watch follows files that are added, changed, broken and removed", async () => {
  const folder = createFolder({ "a.json": mockOf(1), "part.d/size.yaml": "const: 7" });
  const said: string[] = [];
  const content = { "application/json": { schema: { $ref: "part.d/size.yaml" } } };
  const sized = { openapi: "3.1.0", info: {}, paths: { "/a": { get: { responses: { 200: { content } } } } } };
  const api = await openHostedWith([folder, "--watch"], log(said));
  onTestFinished(() => api.close());
  const write = (name: string, content: unknown): void =>
    writeFileSync(join(folder, name), typeof content === "string" ? content : JSON.stringify(content));
  const steps: readonly [what: () => void, path: string, response: unknown, says: RegExp | undefined][] = [
    [() => {}, "/a/a", "1", undefined],
    [() => write("b.json", mockOf(2)), "/b/a", "2", /^Serving \/b \(b\.json\)\.$/],
    [() => write("b.json", mockOf(3)), "/b/a", "3", /^Reloaded b\.json \(changed on disk\)\.$/],
    [() => write("b.json", "{"), "/b/a", "3", /^Kept the current examples: .*b\.json is not valid JSON/],
    [() => write("b.keys", "key-b"), "/b/a", 200, /^Kept the current examples/],
    [() => write("b.json", mockOf(4)), "/b/a", 401, /^Reloaded b\.json/],
    [() => rmSync(join(folder, "b.keys")), "/b/a", 401, /^The key file of \/b is gone\. The mock keeps its keys/],
    [() => rmSync(join(folder, "b.json")), "/b/a", 404, /^Removed \/b \(b\.json is gone\)\.$/],
    [() => write("c.json", "{"), "/c/a", 503, /c\.json is not valid JSON/],
    [() => write("c.json", mockOf(5)), "/c/a", "5", /c\.json/],
    [() => write("c.yaml", mockOf(6)), "/c/a", "5", /^Kept the current mocks: c\.json and c\.yaml would both/],
    [() => rmSync(join(folder, "c.json")), "/c/a", "6", /^Removed \/c|^Serving \/c/],
    [() => write("d.json", sized), "/d/a", "7", /^Serving \/d/],
    [() => write("part.d/size.yaml", "const: 8"), "/d/a", "8", /^Reloaded d\.json/],
  ];
  for (const [act, path, response, says] of steps) {
    said.length = 0;
    act();
    await api.check();
    const { status, text } = await api.ask(`GET ${path}`);
    expect(typeof response === "number" ? status : text, said.join("\n")).toBe(response);
    if (says) expect(said).toContainEqual(expect.stringMatching(says));
    else expect(said).toEqual([]);
  }
  said.length = 0;
  await api.check();
  expect(said).toEqual([]);
});

describe("the body limit", () => {
  test("--maxBodyBytes, 10 MB by default", async () => {
    const folder = createFolder({
      "x.json": { examples: [{ request: { method: "POST", path: "/a" }, response: { body: 1 } }] },
    });
    const api = await openHostedWith([join(folder, "x.json"), "--maxBodyBytes", "1000"]);
    onTestFinished(() => api.close());
    const post = (url: string, body: string | ReadableStream, headers = {}): Promise<Response> =>
      fetch(`${url}/a`, {
        method: "POST",
        body,
        headers,
        ...(typeof body !== "string" && { duplex: "half" }),
      } as RequestInit);
    const chunked = (count: number): ReadableStream => new Blob(["x".repeat(count)]).stream();
    expect((await post(api.url, "x".repeat(1000))).status).toBe(200);
    expect(await (await post(api.url, "x".repeat(1001))).json()).toMatchObject({ code: "BODY_TOO_LARGE" });
    expect((await post(api.url, chunked(1000))).status).toBe(200);
    expect((await post(api.url, chunked(1001))).status).toBe(413);
    // A body that is not what it says does not matter to an example.
    expect((await post(api.url, "not gzip", { "content-encoding": "gzip" })).status).toBe(200);
    const usual = await openHostedWith([join(folder, "x.json")]);
    onTestFinished(() => usual.close());
    expect((await post(usual.url, "x".repeat(10 * 1024 * 1024 + 1))).status).toBe(413);
  });
});

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { JsonObject } from "../../../src/base/json/json.ts";
import { HttpSessions } from "../../../src/features/agents/http-sessions.ts";
import { createStandin, type Standin } from "../../../src/index.ts";
import { askAt, codeOf } from "../../support/api.ts";
import { createFolder } from "../../support/cli.ts";
import { shelter } from "../document/documents.ts";
import { connectOverHttp, ERAS } from "./agent.ts";

const DATA = {
  products: Array.from({ length: 120 }, (_, at) => ({
    id: at + 1,
    name: `p${at + 1}`,
    price: at,
    company_id: (at % 3) + 1,
  })),
  companies: [
    { id: 1, name: "A" },
    { id: 2, name: "B" },
    { id: 3, name: "C" },
  ],
  large: [
    { id: 1, name: "a", text: "x".repeat(15_000) },
    { id: 2, name: "b", text: "y".repeat(15_000) },
    { id: 3, name: "c", text: "z".repeat(30_000) },
  ],
  settings: { theme: "dark" },
};

let api: Standin;

beforeAll(async () => {
  api = await createStandin<JsonObject>({ data: structuredClone(DATA), routes: { "/api/*": "/$1" } });
});

afterAll(() => api.close());

const shared = async (path: string): Promise<unknown> => (await askAt(api.url, `GET ${path}`)).body;

describe.each(ERAS)("tools, by revision %s of the protocol", (era) => {
  test("a task in six calls: collections, related records, a query, a fault, what was asked, a snapshot, promoted", async () => {
    const agent = await connectOverHttp(api.url, era);
    const made = await agent.call("write", {
      collections: ["authors", "books"],
      requests: [
        { method: "POST", path: "/authors", body: { name: "Ada" }, as: "ada" },
        ...Array.from({ length: 49 }, (_, at) => ({
          method: "POST",
          path: "/books",
          body: { title: `Book ${at}`, author_id: "{{ada.id}}" },
        })),
      ],
    });
    expect(made.body).toMatchObject({ created_collections: ["authors", "books"], undo: { count: 3 } });
    expect(made.body.responses).toHaveLength(50);
    const found = await agent.call("query", { path: "/authors?_embed=books" });
    expect(found.body.records[0].books).toHaveLength(49);
    const fault = { fault: "status", status: 503, path: "/books", count: 1 };
    expect((await agent.call("fault", { add: fault })).body.faults).toMatchObject([{ ...fault, hits: 0 }]);
    // The code under test asks the sandbox by its address.
    const { url } = made.body;
    expect((await fetch(`${url}/books`)).status).toBe(503);
    expect((await fetch(`${url}/books?title=Book%207`)).status).toBe(200);
    const { body } = await agent.call("requests", { path: "/books" });
    expect(body.requests.map((one: { status: number; answeredBy: string }) => [one.status, one.answeredBy])).toEqual([
      [503, "fault"],
      [200, "route"],
    ]);
    expect((await agent.call("snapshot", { action: "save", name: `books-${era}` })).body.save.counts.books).toBe(49);
    expect(await shared("/__overview")).not.toMatchObject({ members: expect.arrayContaining([{ name: "books" }]) });
    const promoted = await agent.call("sandbox", { action: "promote" });
    expect(promoted.body).toMatchObject({ created: 50, changed: 0, removed: 0 });
    expect(await shared("/books?author_id=1&_limit=100")).toHaveLength(49);
    await api.collections.remove("books");
    await api.collections.remove("authors");
  });

  test("undo takes one version back, also of the shared data, and names the session", async () => {
    const agent = await connectOverHttp(api.url, era);
    const before = (await askAt(api.url, "GET /db")).text;
    const requests = [{ method: "PATCH", path: "/settings", body: { theme: `shared ${era}` } }];
    await agent.call("write", { requests, shared: true });
    const { versions } = (await askAt(api.url, "GET /__history")).body as {
      versions: { version: number; by: string }[];
    };
    const version = versions[0]?.version;
    expect(versions[0]?.by).toMatch(/^agent:[\w-]+$/);
    expect((await agent.call("query", { path: "/__history", shared: true })).text).toContain('"summary"');
    expect((await agent.call("undo", { shared: true })).body.code).toBe("TOOL_INVALID");
    const undone = await agent.call("undo", { version, shared: true });
    expect(undone.body).toMatchObject({ shared: true, reverted: version, new_version: { cause: "revert" } });
    expect((await askAt(api.url, "GET /db")).text).toBe(before);
    expect((await agent.call("describe")).text).toContain("/__history");
  });

  test("a write stays in the sandbox, and undo takes it back, byte for byte", async () => {
    const agent = await connectOverHttp(api.url, era);
    const before = (await askAt(api.url, "GET /db")).text;
    await agent.call("write", { requests: [{ method: "DELETE", path: "/products?price:gte=100" }] });
    await agent.call("write", { requests: [{ method: "PATCH", path: "/settings", body: { theme: "light" } }] });
    const inside = async (): Promise<string> => (await askAt(api.url, `GET /__sandbox/${agent.sandbox}/db`)).text;
    expect(await inside()).not.toBe(before);
    expect((await agent.call("undo", { count: 2 })).body).toMatchObject({
      undone: [{ changed: { settings: { updated: 1 } } }, { changed: { products: { removed: 20 } } }],
      left: 0,
    });
    expect(await inside()).toBe(before);
    expect((await askAt(api.url, "GET /db")).text).toBe(before);
  });

  test("reads of the shared data, and writes with shared: true", async () => {
    const agent = await connectOverHttp(api.url, era);
    const created = await agent.call("write", {
      requests: [{ method: "POST", path: "/companies", body: { id: 99, name: era } }],
      shared: true,
    });
    expect(created.body).toMatchObject({ shared: true, responses: [{ status: 201 }] });
    expect((await agent.call("query", { path: "/companies/99", shared: true })).body.record).toEqual({
      id: 99,
      name: era,
    });
    expect(await shared("/companies/99")).toEqual({ id: 99, name: era });
    await askAt(api.url, "DELETE /companies/99");
  });

  test("an expired sandbox is an error, never a fresh copy", async () => {
    const agent = await connectOverHttp(api.url, era);
    await agent.call("query", { path: "/products/1" });
    await askAt(api.url, `DELETE /__sandboxes/${agent.sandbox}`);
    for (const [tool, args] of [
      ["query", { path: "/products/1" }],
      ["describe", {}],
      ["write", { requests: [{ method: "DELETE", path: "/products/1" }] }],
      ["write", { collections: ["orders"] }],
      ["undo", {}],
      ["fault", {}],
      ["requests", {}],
      ["snapshot", { action: "save", sandbox: agent.sandbox }],
      ["sandbox", { action: "reset" }],
    ] as const) {
      const { isError, body } = await agent.call(tool, args);
      expect([isError, body.code, body.hint], tool).toEqual([
        true,
        "SANDBOX_NOT_FOUND",
        { tool: "sandbox", arguments: { action: "create" } },
      ]);
    }
    expect((await agent.callPlainly("sandbox", { action: "create" })).body.sandbox).toMatch(/^agent-/);
  });
});

describe("writing and describing", () => {
  test("a dry run responds as usual and changes nothing, new collections included", async () => {
    const agent = await connectOverHttp(api.url, ERAS[0]);
    const write = { requests: [{ method: "POST", path: "/orders", body: { n: 1 } }], collections: ["orders"] };
    expect((await agent.call("write", { ...write, dry_run: true })).body.responses).toEqual([
      { status: 201, body: { n: 1, id: 1 } },
    ]);
    const failing = await agent.call("write", {
      collections: ["orders"],
      requests: [...write.requests, { method: "PATCH", path: "/orders/9", body: {} }],
    });
    expect(failing.body).toMatchObject({ code: "RECORD_NOT_FOUND", failed: 1 });
    expect((await agent.call("query", { path: "/orders" })).body.code).toBe("COLLECTION_NOT_FOUND");
    // A record that was created for a moment is nothing to undo.
    expect((await agent.call("undo")).body).toMatchObject({ undone: [], left: 0 });
    expect((await agent.call("write", { ...write, dry_run: true, shared: true })).body.code).toBe("TOOL_INVALID");
  });

  test("a repeated write with the same key is carried out once", async () => {
    const agent = await connectOverHttp(api.url, ERAS[0]);
    const write = { requests: [{ method: "POST", path: "/companies", body: { name: "D" } }], idempotency_key: "once" };
    const first = await agent.call("write", write);
    expect((await agent.call("write", write)).body.responses).toEqual(first.body.responses);
    expect((await agent.call("query", { path: "/companies?name=D" })).body.total).toBe(1);
  });

  test("describe shows hooks and timeline, and advance moves the clock of the sandbox alone", async () => {
    await using timed = await createStandin<JsonObject>({
      data: { orders: [] },
      clock: "2030-01-01T00:00:00Z",
      hooks: [{ name: "told", on: "*", to: "http://localhost:4000/hook", sign: { as: "hmac", secret: "unseen" } }],
      timeline: [
        { name: "pay", on: "orders.created", after: "30m", set: { status: "paid" } },
        { name: "ship", on: "orders.created", after: "2h", set: { status: "sent" } },
      ],
    });
    const agent = await connectOverHttp(timed.url, ERAS[0]);
    const { text } = await agent.call("describe");
    expect(text).toContain('- {"name":"told","on":"*"');
    expect(text).toContain('"after":"30m","set":{"status":"paid"}');
    expect(text).not.toContain("unseen");
    await agent.call("write", { requests: [{ method: "POST", path: "/orders", body: { status: "new" } }] });
    expect((await agent.call("sandbox", { action: "advance", by: "1h" })).body).toMatchObject({
      sandbox: agent.sandbox,
      clock: { now: "2030-01-01T01:00:00.000Z" },
      due: 1,
      next: [{ rule: "ship" }],
    });
    expect((await agent.call("query", { path: "/orders/1" })).text).toContain('"status":"paid"');
    expect(timed.clock.now().toISOString()).toBe("2030-01-01T00:00:00.000Z");
    expect((await agent.call("sandbox", { action: "advance" })).body.code).toBe("TOOL_INVALID");
    expect((await agent.call("sandbox", { action: "advance", by: "soon" })).body.code).toBe("CLOCK_INVALID");
  });

  test("describe: the guide with the address of the sandbox, and one collection", async () => {
    const agent = await connectOverHttp(api.url, ERAS[0]);
    const { text } = await agent.call("describe");
    expect(text).toContain(`${api.url}/__sandbox/${agent.sandbox}`);
    expect(text).toContain("- /products: 120 records");
    const { body } = await agent.call("describe", { collection: "products" });
    expect(body).toMatchObject({ count: 120, relations: [{ field: "company_id", to: "companies" }] });
    expect(body.samples).toHaveLength(3);
  });
});

describe("results are capped, and say how to continue", () => {
  test("50 records at a time, up to the last", async () => {
    const agent = await connectOverHttp(api.url, ERAS[0]);
    for (const path of [
      "/products?_sort=-price",
      "/api/products?_sort=-price",
      "/products?_sort=-price&_page=1&_per_page=40",
      "/products?_sort=-price&_after=",
      "/products?_sort=-price&_page=1&_limit=90",
    ]) {
      const ids: number[] = [];
      let args: Record<string, unknown> | undefined = { path };
      let calls = 0;
      while (args && calls++ < 10) {
        const { body } = await agent.call("query", args);
        expect(body.records.length).toBeLessThanOrEqual(50);
        ids.push(...body.records.map(({ id }: { id: number }) => id));
        args = body.next;
      }
      expect(ids, path).toEqual(DATA.products.map(({ id }) => id).reverse());
    }
  });

  test("20 kB: as many records as fit; of a larger one its fields, and how to select them", async () => {
    const agent = await connectOverHttp(api.url, ERAS[0]);
    for (const path of ["/large", "/large?_after="]) {
      const first = await agent.call("query", { path });
      expect(first.body.records).toEqual([DATA.large[0]]);
      const second = await agent.call("query", first.body.next);
      expect(second.body.records).toEqual([DATA.large[1]]);
      const third = await agent.call("query", second.body.next);
      expect(third.body).toMatchObject({ too_large: { bytes_by_field: { text: 30_002 } } });
      expect((await agent.call("query", third.body.next)).body.records).toEqual([{ id: 3, name: "c" }]);
      expect(Buffer.byteLength(first.text)).toBeLessThan(21_000);
    }
    const record = await agent.call("query", { path: "/large/3" });
    expect((await agent.call("query", record.body.next)).body.record).toEqual({ id: 3, name: "c" });
  });

  test("writes: the first responses, and the count of the others", async () => {
    const agent = await connectOverHttp(api.url, ERAS[0]);
    const requests = Array.from({ length: 80 }, (_, at) => ({
      method: "POST",
      path: "/companies",
      body: { name: `n${at}` },
    }));
    const { body } = await agent.call("write", { requests });
    expect(body.responses).toHaveLength(50);
    expect(body.not_shown).toMatchObject({ count: 30, statuses: { 201: 30 } });
  });

  test("writes: of many records in one request the count, the first and the last", async () => {
    const agent = await connectOverHttp(api.url, ERAS[0]);
    const body = Array.from({ length: 400 }, (_, at) => ({ name: `n${at}`, text: "x".repeat(100) }));
    const made = await agent.call("write", { requests: [{ method: "POST", path: "/companies", body }] });
    expect(made.body.responses).toMatchObject([{ status: 201, count: 400, first: { id: 4 }, last: { id: 403 } }]);
  });

  test("requests: the first ones, and those after; nothing is forgotten before it was shown", async () => {
    const agent = await connectOverHttp(api.url, ERAS[0]);
    const { url } = (await agent.call("sandbox", { action: "create" })).body;
    for (let at = 0; at < 60; at++) await askAt(url, `GET ${new URL(url).pathname}/companies/${at}`);
    const { body } = await agent.call("requests", { path: "/companies/:id", clear: true });
    expect(body.total).toBe(60);
    expect(body.requests.length).toBeLessThanOrEqual(50);
    expect((await agent.call("requests", body.next)).body.requests).toHaveLength(60 - body.requests.length);
    expect((await agent.call("requests")).body.total).toBe(0);
  });

  test("requests: those of tools do not end the wait", async () => {
    const agent = await connectOverHttp(api.url, ERAS[0]);
    const { body } = await agent.call("query", { path: "/companies/1" });
    const waiting = agent.call("requests", { path: "/companies/:id", wait_ms: 30_000 });
    await agent.call("query", { path: "/companies/1" });
    await fetch(`${body.url}/companies/2`);
    expect((await waiting).body.requests).toMatchObject([{ method: "GET", status: 200 }]);
  });

  test("conflicts: as many as fit, with their number", async () => {
    const agent = await connectOverHttp(api.url, ERAS[0]);
    const text = "x".repeat(300);
    await agent.call("write", { requests: [{ method: "PATCH", path: "/products?_all=true", body: { text } }] });
    await askAt(api.url, "PATCH /products?_all=true", { body: { text: "y".repeat(300) } });
    const { body, text: whole } = await agent.call("sandbox", { action: "promote" });
    expect([body.code, body.total, body.hint]).toEqual(["SANDBOX_CONFLICT", 120, undefined]);
    expect(body.conflicts.length).toBeGreaterThan(5);
    expect(Buffer.byteLength(whole)).toBeLessThan(21_000);
    await api.reset();
  });

  test("tools/list is short enough to be read with every conversation", async () => {
    const { client } = await connectOverHttp(api.url, ERAS[0]);
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name).sort()).toEqual([
      "describe",
      "fault",
      "query",
      "requests",
      "sandbox",
      "snapshot",
      "undo",
      "write",
    ]);
    expect(JSON.stringify({ tools }).length).toBeLessThan(12_000);
  });
});

describe("an error holds the call that would have been right", () => {
  const cases: readonly [tool: string, args: object, code: string, hint: unknown][] = [
    ["query", { path: "/prodcts/1" }, "COLLECTION_NOT_FOUND", { path: "/products/1" }],
    [
      "query",
      { path: "/products?pric:lt=3&_limit=1" },
      "QUERY_FIELD_UNKNOWN",
      { path: "/products?price:lt=3&_limit=1" },
    ],
    ["query", { path: "/products?price:ltt=3" }, "QUERY_INVALID", { path: "/products?price:lt=3" }],
    ["query", { path: "/products?_srt=price" }, "QUERY_FIELD_UNKNOWN", { path: "/products?_sort=price" }],
    ["query", { path: "/products?_expand=compny" }, "QUERY_INVALID", { path: "/products?_expand=company" }],
    [
      "query",
      { path: "/products", where: { pric: { lt: 3 } } },
      "QUERY_FIELD_UNKNOWN",
      { path: "/products", where: { price: { lt: 3 } } },
    ],
    ["query", { path: "/products?_after=x" }, "CURSOR_INVALID", { path: "/products?_after=" }],
    ["query", { paht: "/products" }, "TOOL_INVALID", { path: "/products" }],
    ["describe", { collection: "compnies" }, "COLLECTION_NOT_FOUND", { collection: "companies" }],
    ["sandbox", { action: "creat" }, "TOOL_INVALID", { action: "create" }],
    ["fault", { add: { falt: "reset", fault: "reset" } }, "FAULT_INVALID", undefined],
    ["fault", { add: { fault: "reset", pth: "/x" } }, "FAULT_INVALID", undefined],
    [
      "write",
      { requests: [{ method: "DELETE", path: "/products" }] },
      "FILTER_REQUIRED",
      { requests: [{ method: "DELETE", path: "/products?_all=true" }] },
    ],
    [
      "write",
      { requests: [{ method: "POST", path: "/companies", body: { id: 1, name: "x" } }] },
      "ID_TAKEN",
      { requests: [{ method: "POST", path: "/companies", body: { name: "x" } }] },
    ],
    [
      "write",
      { requests: [{ method: "PATCH", path: "/prodcts/1", body: {} }] },
      "COLLECTION_NOT_FOUND",
      { requests: [{ method: "PATCH", path: "/products/1", body: {} }] },
    ],
    [
      "write",
      { requests: [{ method: "POST", path: "/orders", body: { n: 1 } }] },
      "COLLECTION_NOT_FOUND",
      { requests: [{ method: "POST", path: "/orders", body: { n: 1 } }], collections: ["orders"] },
    ],
    [
      "query",
      { path: "/products?name=pric&pric:lt=3" },
      "QUERY_FIELD_UNKNOWN",
      { path: "/products?name=pric&price:lt=3" },
    ],
    ["snapshot", { action: "remove", name: "x" }, "TOOL_INVALID", undefined],
    ["write", {}, "TOOL_INVALID", undefined],
    ["query", { path: "/__overview" }, "TOOL_INVALID", undefined],
    ["undo", { count: 0 }, "TOOL_INVALID", undefined],
    ["query", { path: "/products", sandbox: "a", shared: true }, "TOOL_INVALID", undefined],
  ];
  test("each of them, and it is right indeed", async () => {
    const agent = await connectOverHttp(api.url, ERAS[0]);
    for (const [tool, args, code, hint] of cases) {
      const name = `${tool} ${JSON.stringify(args)}`;
      const { isError, body } = await agent.call(tool, args as Record<string, unknown>);
      expect([isError, body.code, body.message], name).toEqual([true, code, expect.any(String)]);
      if (hint === undefined) continue;
      expect(body.hint, name).toEqual({ tool, arguments: hint });
      expect((await agent.call(tool, body.hint.arguments)).isError, name).toBe(false);
      await agent.call("undo", { count: 2 });
    }
  });

  test("promote: new ids where they would help, a new sandbox where the data was exchanged", async () => {
    const agent = await connectOverHttp(api.url, ERAS[0]);
    const requests = [{ method: "POST", path: "/companies", body: { name: "mine" } }];
    await agent.call("write", { requests });
    await askAt(api.url, "POST /companies", { body: { name: "theirs" } });
    const { body } = await agent.call("sandbox", { action: "promote" });
    expect(body.hint).toEqual({ tool: "sandbox", arguments: { action: "promote", renumber: true } });
    expect((await agent.call("sandbox", body.hint.arguments)).body.renumbered).toHaveLength(1);
    await agent.call("write", { requests });
    await api.reset();
    const exchanged = await agent.call("sandbox", { action: "promote" });
    expect([exchanged.body.code, exchanged.body.hint]).toEqual([
      "SANDBOX_CONFLICT",
      { tool: "sandbox", arguments: { action: "create" } },
    ]);
  });

  test("the name of a sandbox: where a tool wants it, and that it is needed", async () => {
    const agent = await connectOverHttp(api.url, ERAS[1]);
    const { body } = await agent.callPlainly("sandbox", { action: "create" });
    const named = await agent.callPlainly("sandbox", { action: "reset", sandbox: body.sandbox });
    expect(named.body.hint).toEqual({ tool: "sandbox", arguments: { action: "reset", name: body.sandbox } });
    expect((await agent.callPlainly("sandbox", named.body.hint.arguments)).isError).toBe(false);
    expect((await agent.callPlainly("undo")).body.message).toContain('in "sandbox"');
    expect((await agent.callPlainly("sandbox", { action: "reset" })).body.message).toContain('in "name"');
  });

  test("a response that a fault has damaged is an error of the tool, not of the server", async () => {
    const agent = await connectOverHttp(api.url, ERAS[0]);
    await agent.call("fault", { add: { fault: "truncated-body", path: "/large" } });
    expect((await agent.call("query", { path: "/large" })).body.code).toBe("FAULT_ON_DEMAND");
    await agent.call("fault", { clear: true, add: { fault: "reset" } });
    expect((await agent.call("query", { path: "/large" })).body.code).toBe("FAULT_ON_DEMAND");
    // A batch is a route of the server, so a write gets through.
    const write = { requests: [{ method: "PATCH", path: "/products/1", body: { name: "x" } }] };
    expect((await agent.call("write", write)).isError).toBe(false);
  });

  test("the one request of several that has to change; a list in a batch; an unknown tool", async () => {
    const agent = await connectOverHttp(api.url, ERAS[0]);
    const several = await agent.call("write", {
      requests: [
        { method: "DELETE", path: "/companies/1" },
        { method: "DELETE", path: "/products" },
      ],
    });
    expect(several.body.hint).toEqual({
      tool: "write",
      replace: { index: 1, request: { method: "DELETE", path: "/products?_all=true" } },
    });
    const list = await agent.call("write", { requests: [{ method: "GET", path: "/products" }] });
    expect(list.body.hint).toEqual({ tool: "query", arguments: { path: "/products" } });
    expect((await agent.call("qery", { path: "/products" })).body.hint).toEqual({
      tool: "query",
      arguments: { path: "/products" },
    });
  });
});

test("20 sessions that write the same record see only their own writes", async () => {
  const agents = await Promise.all(Array.from({ length: 20 }, (_, at) => connectOverHttp(api.url, ERAS[at % 2]!)));
  await Promise.all(agents.map((agent) => agent.call("query", { path: "/products/1" })));
  await Promise.all(
    agents.map(async (agent, at) => {
      const body = { name: `of ${at}` };
      await agent.call("write", { requests: [{ method: "PATCH", path: "/products/1", body }] });
      expect((await agent.call("query", { path: "/products/1" })).body.record.name).toBe(body.name);
    }),
  );
  expect(new Set(agents.map(({ sandbox }) => sandbox)).size).toBe(20);
  expect(await shared("/products/1")).toEqual(DATA.products[0]);
});

test("resources: guide, OpenAPI, types and rules", async () => {
  for (const era of ERAS) {
    const { client } = await connectOverHttp(api.url, era);
    const { resources } = await client.listResources();
    const texts = await Promise.all(
      resources.map(async ({ uri }) => {
        const { contents } = await client.readResource({ uri });
        return [uri, (contents[0] as { text: string }).text];
      }),
    );
    const byUri = Object.fromEntries(texts);
    expect(byUri["standin://guide"]).toContain("- GET /products?_limit=10");
    expect(JSON.parse(byUri["standin://openapi"]).paths).toHaveProperty("/__mcp");
    expect(byUri["standin://types"]).toContain("export interface Product {");
    expect(byUri["standin://rules"]).toBe("{}");
    await expect(client.readResource({ uri: "standin://none" })).rejects.toThrow(/There is no resource/);
  }
});

const INITIALIZE = {
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "test", version: "1" } },
};
const ENVELOPE = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientInfo": { name: "test", version: "1" },
  "io.modelcontextprotocol/clientCapabilities": {},
};
const MODERN = { "MCP-Protocol-Version": "2026-07-28", "Mcp-Method": "tools/call", "Mcp-Name": "query" };

const modernCall = (id: unknown, params: object = {}) => ({
  jsonrpc: "2.0",
  id,
  method: "tools/call",
  params: { name: "query", arguments: { path: "/products/1", shared: true }, _meta: ENVELOPE, ...params },
});

describe("the endpoint", () => {
  test.each([
    ["a foreign Origin", { Origin: "https://evil.example" }, "CROSS_ORIGIN"],
    ["the Origin of a file", { Origin: "null" }, "CROSS_ORIGIN"],
    ["a foreign Host", { Host: "evil.example" }, "HOST_FORBIDDEN"],
  ])("%s is refused", async (_name, headers, code) => {
    for (const method of ["POST", "DELETE"]) {
      expect(codeOf(await askAt(api.url, `${method} /__mcp`, { headers, body: INITIALIZE }))).toBe(code);
    }
    expect((await askAt(api.url, "GET /__mcp", { headers })).status).toBeGreaterThanOrEqual(403);
  });

  test("a page of its own may use it", async () => {
    const headers = { Origin: api.url, Host: new URL(api.url).host };
    expect((await askAt(api.url, "POST /__mcp", { headers, body: INITIALIZE })).status).toBe(200);
  });

  test("a session begins with initialize, is named by each request, and ends with DELETE", async () => {
    const begun = await askAt(api.url, "POST /__mcp", { body: INITIALIZE });
    const session = { "Mcp-Session-Id": begun.headers.get("mcp-session-id")! };
    const list = { jsonrpc: "2.0", id: "a", method: "tools/list" };
    const post = (body: unknown, headers = {}) => askAt(api.url, "POST /__mcp", { body, headers });
    expect((await post({ jsonrpc: "2.0", method: "notifications/initialized" }, session)).status).toBe(202);
    expect((await post(list, session)).body).toMatchObject({ id: "a", result: { tools: expect.any(Array) } });
    // Of revision 2025-03-26.
    expect((await post([list, { ...list, id: "b" }], session)).body).toMatchObject([{ id: "a" }, { id: "b" }]);
    expect((await post(list)).status).toBe(400);
    expect((await post(list, { "Mcp-Session-Id": "other" })).status).toBe(404);
    expect((await post({ jsonrpc: "2.0", id: 2, method: "none" }, session)).body).toMatchObject({
      error: { code: -32601 },
    });
    const call = { ...list, method: "tools/call", params: { name: "describe", arguments: {} } };
    const withMeta = { ...call, params: { ...call.params, _meta: { progressToken: 1 } } };
    expect((await post(withMeta, session)).body).toMatchObject({ id: "a", result: { content: [{ type: "text" }] } });
    expect((await post(call, { ...session, "MCP-Protocol-Version": "1999-01-01" })).status).toBe(400);
    for (const args of ["x", [1], null]) {
      const wrong = { ...call, params: { name: "describe", arguments: args } };
      expect((await post(wrong, session)).body, String(args)).toMatchObject({ error: { code: -32602 } });
    }
    for (const wrong of [[null], [], 5, { ...list, jsonrpc: "1.0" }, { ...list, id: {} }, { ...list, params: 5 }]) {
      expect((await post(wrong, session)).status, JSON.stringify(wrong)).toBe(400);
    }
    expect((await askAt(api.url, "DELETE /__mcp", { headers: session })).status).toBe(204);
    expect((await post(list, session)).status).toBe(404);
    expect((await askAt(api.url, "DELETE /__mcp", { headers: session })).status).toBe(404);
    expect((await askAt(api.url, "GET /__mcp")).status).toBe(405);
  });

  test.each([
    ["fits", MODERN, modernCall(1), 200],
    ["has no Mcp-Method", { ...MODERN, "Mcp-Method": undefined }, modernCall(1), 400],
    ["has no Mcp-Name", { ...MODERN, "Mcp-Name": undefined }, modernCall(1), 400],
    ["names another tool", { ...MODERN, "Mcp-Name": "write" }, modernCall(1), 400],
    ["names another method", { ...MODERN, "Mcp-Method": "tools/list" }, modernCall(1), 400],
    ["has an encoded name", { ...MODERN, "Mcp-Name": "=?base64?cXVlcnk=?=" }, modernCall(1), 200],
    [
      "is of an unknown revision",
      { ...MODERN, "MCP-Protocol-Version": "2031-01-01" },
      modernCall(1, { _meta: { ...ENVELOPE, "io.modelcontextprotocol/protocolVersion": "2031-01-01" } }),
      400,
    ],
    ["is no message", MODERN, { hello: 1 }, 400],
    [
      "asks to listen",
      { ...MODERN, "Mcp-Method": "subscriptions/listen", "Mcp-Name": undefined },
      { jsonrpc: "2.0", id: 1, method: "subscriptions/listen", params: { _meta: ENVELOPE, notifications: {} } },
      404,
    ],
  ])("a request without a session that %s", async (_name, headers, body, status) => {
    expect((await askAt(api.url, "POST /__mcp", { headers, body })).status).toBe(status);
  });

  test("requests with the same id at the same time get their own responses", async () => {
    const ids = [1, 2, 3, 4, 5];
    const answers = await Promise.all(
      ids.map((id) =>
        askAt(api.url, "POST /__mcp", {
          headers: MODERN,
          body: modernCall("same", { arguments: { path: `/products/${id}`, shared: true } }),
        }),
      ),
    );
    for (const [at, { body }] of answers.entries()) {
      expect(body).toMatchObject({
        id: "same",
        result: { content: [{ text: expect.stringContaining(`"id":${ids[at]},`) }] },
      });
    }
  });

  test("a broken body and a body that is no JSON are 4xx", async () => {
    expect(codeOf(await askAt(api.url, "POST /__mcp", { body: "{" }))).toBe("BODY_MALFORMED");
    expect((await askAt(api.url, "POST /__mcp", { body: "x", headers: { "Content-Type": "text/plain" } })).status).toBe(
      415,
    );
    expect((await askAt(api.url, "POST /__mcp")).status).toBe(400);
  });

  test("an address in a sandbox is that sandbox's, as long as it exists", async () => {
    await askAt(api.url, "POST /__sandboxes", { body: { name: "mine" } });
    const agent = await connectOverHttp(`${api.url}/__sandbox/mine`, ERAS[0]);
    expect((await agent.call("query", { path: "/products/1" })).body.sandbox).toBe("mine");
    await askAt(api.url, "DELETE /__sandboxes/mine");
    expect((await agent.call("query", { path: "/products/1" })).body.code).toBe("SANDBOX_NOT_FOUND");
  });
});

describe("guards, read-only mode, interceptors and other servers", () => {
  const start = (options: object): Promise<Standin> =>
    createStandin<JsonObject>({ data: structuredClone(DATA), ...options });
  const keys = [{ key: "reader-key-01", permissions: ["read"] }, "writer-key-01"];

  test("a guard holds for the endpoint and for each call", async () => {
    const layers = { "api-key": { keys }, bearer: { token: "secret-token" } };
    await using guarded = await start({ middlewares: ["api-key", "bearer"], layers });
    const headers = { "X-API-KEY": "writer-key-01", Authorization: "Bearer secret-token" };
    expect(codeOf(await askAt(guarded.url, "POST /__mcp", { body: INITIALIZE }))).toBe("API_KEY_MISSING");
    const reader = { ...headers, "X-API-KEY": "reader-key-01" };
    expect(codeOf(await askAt(guarded.url, "POST /__mcp", { body: INITIALIZE, headers: reader }))).toBe(
      "FORBIDDEN_WRITE",
    );
    for (const era of ERAS) {
      const agent = await connectOverHttp(guarded.url, era, headers);
      expect((await agent.call("query", { path: "/products/1" })).body.record).toEqual(DATA.products[0]);
      const requests = [{ method: "DELETE", path: "/products/1" }];
      expect((await agent.call("write", { requests })).body.responses[0].status).toBe(200);
    }
  });

  test("a public endpoint does not open the data behind it", async () => {
    const layers = { bearer: { token: "secret-token", publicRoutes: ["/__mcp"] } };
    await using guarded = await start({ middlewares: ["bearer"], layers });
    const agent = await connectOverHttp(guarded.url, ERAS[0]);
    for (const args of [{ path: "/products/1" }, { path: "/products/1", shared: true }]) {
      const { body } = await agent.call("query", args);
      expect([body.code, body.hint]).toEqual(["AUTH_REQUIRED", expect.stringContaining("STANDIN_TOKEN")]);
    }
  });

  test("a signed token is judged for each call", async () => {
    const users = [{ id: "1", email: "a@example.com", password: "pw" }];
    await using guarded = await start({ middlewares: ["signed-token"], layers: { "signed-token": { users } } });
    expect(codeOf(await askAt(guarded.url, "POST /__mcp", { body: INITIALIZE }))).toBe("TOKEN_REQUIRED");
    const login = await askAt(guarded.url, "POST /login", { body: { email: "a@example.com", password: "pw" } });
    const { accessToken } = login.body as { accessToken: string };
    const agent = await connectOverHttp(guarded.url, ERAS[1], { Authorization: `Bearer ${accessToken}` });
    const requests = [{ method: "DELETE", path: "/products/1" }];
    expect((await agent.call("write", { requests })).body.responses[0].status).toBe(200);
  });

  test("a read-only server: reads of the shared data, and no write", async () => {
    await using server = await start({ readOnly: true });
    const agent = await connectOverHttp(server.url, ERAS[0]);
    expect((await agent.call("query", { path: "/products/1" })).body).toMatchObject({
      shared: true,
      record: { id: 1 },
    });
    const requests = [{ method: "DELETE", path: "/products/1" }];
    expect((await agent.call("write", { requests })).body).toMatchObject({ code: "READ_ONLY" });
    expect((await agent.call("write", { requests })).body).not.toHaveProperty("hint");
    expect((await agent.call("write", { requests, shared: true })).body.code).toBe("READ_ONLY");
  });

  test("no sandboxes: writes need shared: true, and the hint says so", async () => {
    await using server = await start({ sandboxes: { count: 0 } });
    const agent = await connectOverHttp(server.url, ERAS[0]);
    expect((await agent.call("query", { path: "/products/1" })).body.shared).toBe(true);
    const requests = [{ method: "DELETE", path: "/products/1" }];
    const { body } = await agent.call("write", { requests, sandbox: "none" });
    expect([body.code, body.hint]).toEqual(["SANDBOXES_OFF", { tool: "write", arguments: { requests, shared: true } }]);
    expect((await agent.call("write", body.hint.arguments)).body.responses[0].status).toBe(200);
    expect((await agent.call("write", { requests })).body.hint).toEqual(body.hint);
  });

  test("interceptors see the requests of tools", async () => {
    const seen: string[] = [];
    const middleware = (req: { method: string; url: string }, _res: unknown, next: () => void): void => {
      seen.push(`${req.method} ${req.url}`);
      next();
    };
    await using server = await start({ middlewares: [middleware as never] });
    const agent = await connectOverHttp(server.url, ERAS[0]);
    expect((await agent.call("query", { path: "/products/1" })).body.record).toEqual(DATA.products[0]);
    const write = { method: "PATCH", path: "/products/1", body: { name: "x" }, headers: { "If-Match": "*" } };
    expect((await agent.call("write", { requests: [write] })).body.responses).toMatchObject([
      { status: 200, body: { name: "x" } },
    ]);
    const several = await agent.call("write", { requests: [write, write] });
    expect([several.body.code, several.body.hint]).toEqual([
      "BATCH_UNAVAILABLE",
      expect.stringContaining("once for each"),
    ]);
    expect(seen).toEqual(expect.arrayContaining(["GET /products/1", "PATCH /products/1"]));
  });

  test("rules judge the writes of tools, and are a resource", async () => {
    const rules = { products: { properties: { price: { minimum: 0 } }, "x-unique": ["name"] } };
    await using server = await start({ rules });
    const agent = await connectOverHttp(server.url, ERAS[0]);
    const requests = [{ method: "PATCH", path: "/products/1", body: { price: -1 } }];
    expect((await agent.call("write", { requests })).body).toMatchObject({
      code: "RECORD_INVALID",
      errors: [{ pointer: "/price", rule: "minimum" }],
    });
    const { contents } = await agent.client.readResource({ uri: "standin://rules" });
    expect(JSON.parse((contents[0] as { text: string }).text)).toEqual(rules);
  });

  test("without the console there is no endpoint", async () => {
    await using server = await start({ console: false });
    expect((await askAt(server.url, "POST /__mcp", { body: INITIALIZE })).status).toBe(404);
  });

  test("promote lists conflicts with both versions, and changes nothing", async () => {
    await using server = await start({});
    const agent = await connectOverHttp(server.url, ERAS[0]);
    await agent.call("write", { requests: [{ method: "PATCH", path: "/products/1", body: { name: "mine" } }] });
    await askAt(server.url, "PATCH /products/1", { body: { name: "theirs" } });
    const { isError, body } = await agent.call("sandbox", { action: "promote" });
    expect([isError, body.code]).toEqual([true, "SANDBOX_CONFLICT"]);
    expect(body.conflicts).toMatchObject([{ main: { name: "theirs" }, sandbox: { name: "mine" } }]);
    expect((await askAt(server.url, "GET /products/1")).body).toMatchObject({ name: "theirs" });
  });
});

test("sessions that are not used end: after a day, or when there are more than a thousand", () => {
  let now = 0;
  let closed = 0;
  const sessions = new HttpSessions<{ close(): Promise<void> }>(() => now);
  const create = () => sessions.create({ close: async () => void closed++ });
  const [first, second] = [create(), create()];
  now = 23 * 3600 * 1000;
  expect(sessions.use(first.id)).toBe(first);
  now += 2 * 3600 * 1000;
  expect([sessions.use(second.id), sessions.use(first.id), closed]).toEqual([undefined, first, 1]);
  for (let more = 0; more < 1000; more++) create();
  expect([sessions.use(first.id), closed]).toEqual([undefined, 2]);
});

test("records behind an OpenAPI document are read without its envelopes", async () => {
  const source = join(createFolder({ "api.json": shelter }), "api.json");
  await using server = await createStandin({ source });
  const agent = await connectOverHttp(server.url, ERAS[0]);
  const { body } = await agent.call("query", { path: "/pets?_sort=-id&_limit=2" });
  expect(body.records.map(({ id }: JsonObject) => id)).toEqual([12, 11]);
});

test("the package ships a page for agents", () => {
  const { files } = JSON.parse(readFileSync("package.json", "utf8")) as { files: string[] };
  expect(files).toContain("AGENTS.md");
  expect(readFileSync("AGENTS.md", "utf8")).toContain("createStandin");
});

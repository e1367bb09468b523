import { describe, expect, test } from "vitest";
import { type Api, codeOf, startApi } from "../support/api.ts";

interface Told {
  requests: { method: string; url: string; status: number; answeredBy: string; requestBody?: string }[];
}

async function requestsOf(api: Api, search = ""): Promise<Told["requests"]> {
  const { status, body, text } = await api.ask(`GET /__requests${search}`);
  expect(status, text).toBe(200);
  return (body as Told).requests;
}

async function changesOf(api: Api, search = "", options = {}): Promise<{ version: number; edits?: object[] }[]> {
  const { status, body, text } = await api.ask(`GET /__changes${search}`, options);
  expect(status, text).toBe(200);
  return (body as { changes: { version: number; edits?: object[] }[] }).changes;
}

describe("GET /__requests", () => {
  const cases = [
    ["?method=POST", ["POST /api/products"]],
    ["?method=post", ["POST /api/products"]],
    ["?path=/products", ["GET /products", "POST /api/products"]],
    ["?path=/api/products", ["POST /api/products"]],
    ["?path=/products/:id", ["DELETE /products/99"]],
    ["?path=/*", ["GET /products", "POST /api/products", "DELETE /products/99", "GET /companies/1"]],
    ["?status=404", ["DELETE /products/99"]],
    ["?method=GET&path=/companies/*", ["GET /companies/1"]],
    ["?method=PUT", []],
  ] as const;
  for (const [search, expected] of cases) {
    test(`${search} tells of ${expected.join(", ") || "nothing"}`, async () => {
      const api = await startApi({ routes: { "/api/*": "/$1" } });
      await api.ask("GET /products");
      await api.ask("POST /api/products", { body: { name: "new" } });
      await api.ask("DELETE /products/99");
      await api.ask("GET /companies/1");
      expect((await requestsOf(api, search)).map(({ method, url }) => `${method} ${url}`)).toEqual(expected);
    });
  }

  test("wait: responds when the awaited request has arrived", async () => {
    const api = await startApi();
    const waiting = requestsOf(api, "?method=POST&wait=5000&count=2");
    await api.ask("POST /products", { body: { n: 1 } });
    await api.ask("GET /products");
    await api.ask("POST /products", { body: { n: 2 } });
    expect((await waiting).map(({ requestBody }) => requestBody)).toEqual(['{"n":1}', '{"n":2}']);
  });

  test("wait: existing entries are returned at once, and waiting ends after the timeout", async () => {
    const api = await startApi();
    await api.ask("GET /products");
    expect(await requestsOf(api, "?path=/products&wait=60000")).toHaveLength(1);
    expect(await requestsOf(api, "?method=POST&wait=30")).toEqual([]);
    for (const wait of ["-1", "60001", "soon"]) {
      expect(codeOf(await api.ask(`GET /__requests?wait=${wait}`)), wait).toBe("QUERY_INVALID");
    }
  });

  test("requests that a fault made fail are recorded, too", async () => {
    const api = await startApi();
    await api.ask("POST /__faults", {
      body: [
        { fault: "reset", count: 1 },
        { fault: "status", status: 503 },
      ],
    });
    await api.ask("GET /products").catch(() => undefined);
    await api.ask("GET /products");
    expect(await requestsOf(api)).toMatchObject([
      { status: 0, answeredBy: "fault" },
      { status: 503, answeredBy: "fault" },
    ]);
  });
});

describe("GET /__changes", () => {
  test("lists what was changed, by collection and from a version on", async () => {
    const api = await startApi();
    await api.ask("PATCH /products/1", { body: { price: 1 } });
    await api.ask("DELETE /companies/3");
    await api.ask("POST /__reset");
    const changes = await changesOf(api);
    expect(changes).toMatchObject([
      { edits: [{ name: "products", kind: "changed", id: 1, before: { price: 10 }, after: { price: 1 } }] },
      { edits: [{ name: "companies", kind: "removed", id: 3 }] },
      { reset: true },
    ]);
    expect(await changesOf(api, "?collection=companies")).toMatchObject([{ edits: [{ id: 3 }] }, { reset: true }]);
    expect(await changesOf(api, `?after=${changes[1]!.version}`)).toMatchObject([{ reset: true }]);
    expect(codeOf(await api.ask("GET /__changes?collection=nothing"))).toBe("QUERY_INVALID");
  });

  test("within a sandbox, those of the sandbox, from its birth on", async () => {
    const api = await startApi();
    const options = { headers: { "X-Standin-Sandbox": "a" } };
    await api.ask("PATCH /products/1", { ...options, body: { price: 1 } });
    await api.ask("PATCH /products/2", { body: { price: 2 } });
    expect(await changesOf(api, "", options)).toMatchObject([{ edits: [{ id: 1 }] }]);
    expect(await changesOf(api)).toMatchObject([{ edits: [{ id: 2 }] }]);
  });

  test("waits for the first", async () => {
    const api = await startApi();
    const waiting = changesOf(api, "?collection=companies&wait=5000");
    await api.ask("DELETE /products/1");
    await api.ask("DELETE /companies/1");
    expect(await waiting).toMatchObject([{ edits: [{ name: "companies" }] }]);
  });

  test("is there without the console, too", async () => {
    const api = await startApi({ console: false });
    await api.ask("DELETE /products/1");
    expect(await changesOf(api)).toMatchObject([{ edits: [{ name: "products", kind: "removed" }] }]);
  });
});

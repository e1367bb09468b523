import type { RequestHandler } from "express";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { createStandin, definePlugin, type Standin, StandinError, type StandinOptions } from "../../src/index.ts";
import { type Answer, askAt, startApi } from "../support/api.ts";
import { startLayered } from "../support/layers.ts";
import { askRaw } from "../support/raw.ts";
import { checkBatches, MODEL_START } from "./batch-model.ts";
import { transfer } from "./transfers.ts";

const READER = "reader-key-1";
const WRITER = "writer-key-1";
const KEYS = {
  "api-key": {
    keys: [{ key: READER, permissions: ["read"] }, WRITER],
    publicRoutes: ["/public/products"],
  },
};
const DATA = {
  products: [{ id: 1, name: "Pot", company_id: 1 }],
  public: [{ id: "products" }],
  companies: [{ id: 1, name: "Acme" }],
  login: [],
};
const patch = (path: string): object => ({ method: "PATCH", path, body: { name: "New" } });
const withKey = (key: string): { headers: Record<string, string> } => ({ headers: { "X-API-KEY": key } });

type Ask = (line: string, options?: object) => Promise<Answer>;

/** The status and code of a batch, and the request that failed. */
async function outcomeOf(ask: Ask, requests: readonly object[], options: object = {}): Promise<unknown[]> {
  const { status, body } = await ask("POST /__batch", { body: { requests }, ...options });
  const { code, failed } = body as { code?: string; failed?: number };
  return code === undefined ? [status] : failed === undefined ? [status, code] : [status, code, failed];
}

describe("layers", () => {
  test("api-key judges the batch and every request in it", async () => {
    const { ask } = await startLayered({ middlewares: ["api-key"], layers: KEYS, data: DATA });
    expect(await outcomeOf(ask, [patch("/products/1")])).toEqual([401, "API_KEY_MISSING"]);
    expect(await outcomeOf(ask, [patch("/products/1")], withKey(READER))).toEqual([403, "FORBIDDEN_WRITE"]);
    expect(await outcomeOf(ask, [patch("/products/1")], withKey(WRITER))).toEqual([200]);
  });

  test("where the batch is public, its requests are not", async () => {
    const layers = { "api-key": { ...KEYS["api-key"], publicRoutes: ["/__batch", "/public/products"] } };
    const { ask } = await startLayered({ middlewares: ["api-key"], layers, data: DATA });
    const open = { ...patch("/public/products"), as: "open" };
    expect(await outcomeOf(ask, [open])).toEqual([200]);
    expect(await outcomeOf(ask, [open, patch("/products/1")])).toEqual([401, "API_KEY_MISSING", 1]);
    expect(await outcomeOf(ask, [open, patch("/{{open.id}}/1")])).toEqual([400, "BATCH_REFERENCE_INVALID", 1]);
    expect(await outcomeOf(ask, [open, patch("/public/{{open.name}}")])).toEqual([401, "API_KEY_MISSING", 1]);
    expect(await outcomeOf(ask, [open, patch("/public/{{open.id}}")])).toEqual([200]);
    expect(await outcomeOf(ask, [open, patch("/products/1")], withKey(READER))).toEqual([403, "FORBIDDEN_WRITE", 1]);
    expect(await outcomeOf(ask, [{ method: "GET", path: "/products/1" }], withKey(READER))).toEqual([200]);
    const reaching = { method: "DELETE", path: "/public/products?_dependent=companies" };
    expect(await outcomeOf(ask, [reaching])).toEqual([401, "API_KEY_MISSING", 0]);
  });

  test("bearer and signed-token judge them, too, and no batch logs in", async () => {
    const publicRoutes = ["/__batch"];
    const bearer = await startLayered({
      middlewares: ["bearer"],
      layers: { bearer: { token: "t", publicRoutes } },
      data: DATA,
    });
    expect(await outcomeOf(bearer.ask, [patch("/products/1")])).toEqual([401, "AUTH_REQUIRED", 0]);
    const right = { headers: { Authorization: "Bearer t" } };
    expect(await outcomeOf(bearer.ask, [patch("/products/1")], right)).toEqual([200]);
    const users = [{ email: "a@b.c", password: "pw" }];
    const secret = "a secret of thirty-two bytes, ok";
    const signed = await startLayered({
      middlewares: ["signed-token"],
      layers: { "signed-token": { secret, users } },
      data: DATA,
    });
    expect(await outcomeOf(signed.ask, [patch("/products/1")])).toEqual([401, "TOKEN_REQUIRED"]);
    const { accessToken } = (await signed.ask("POST /login", { body: users[0] })).body as { accessToken: string };
    const token = { headers: { Authorization: `Bearer ${accessToken}` } };
    expect(await outcomeOf(signed.ask, [patch("/products/1")], token)).toEqual([200]);
    const login = { method: "POST", path: "/login", body: users[0] };
    expect(await outcomeOf(signed.ask, [login], token)).toEqual([400, "BATCH_INVALID", 0]);
  });

  test("rate-limit and latency count and delay the batch once", async () => {
    const layers = { "rate-limit": { limit: 2 }, latency: { minMs: 1, maxMs: 1 } };
    const { ask } = await startLayered({ middlewares: ["rate-limit", "latency", "logger"], layers, data: DATA });
    const requests = Array.from({ length: 50 }, () => patch("/products/1"));
    const { headers } = await ask("POST /__batch", { body: { requests } });
    expect([headers.get("x-ratelimit-remaining"), headers.get("x-simulated-delay")]).toEqual(["1", "1ms"]);
    expect(await outcomeOf(ask, requests)).toEqual([200]);
    expect(await outcomeOf(ask, requests)).toEqual([429, "RATE_LIMIT_EXCEEDED"]);
  });

  test("rewrite rules lead the requests, before the layers judge them", async () => {
    const rules = { "/api/*": "/$1", "/wipe": "/__reset", "/first/:id": "/products/:id" };
    const { ask } = await startLayered({
      middlewares: ["bearer"],
      layers: { bearer: { token: "t" } },
      data: DATA,
      rules,
    });
    const right = { headers: { Authorization: "Bearer t" } };
    const { body } = await ask("POST /api/__batch", {
      ...right,
      body: { requests: [{ method: "POST", path: "/api/products", body: {}, as: "a" }, patch("/first/{{a.id}}")] },
    });
    expect(body).toMatchObject({
      responses: [
        { headers: { Location: expect.stringMatching(/\/api\/products\/2$/) } },
        { body: { id: 2, name: "New" } },
      ],
    });
    expect(await outcomeOf(ask, [{ method: "POST", path: "/wipe" }], right)).toEqual([400, "BATCH_INVALID", 0]);
    expect(await outcomeOf(ask, [{ method: "POST", path: "/api/login" }], right)).toEqual([400, "BATCH_INVALID", 0]);
  });

  test("interceptors and steps of plugins must see requests: 403", async () => {
    const start = async (options: Partial<StandinOptions>): Promise<Ask> => {
      const api = await createStandin({ data: DATA, ...options } as StandinOptions);
      onTestFinished(() => api.close());
      return (line, more) => askAt(api.url, line, more);
    };
    const seeing = await start({ middlewares: [((_req, _res, next) => next()) as RequestHandler] });
    expect(await outcomeOf(seeing, [patch("/products/1")])).toEqual([403, "BATCH_UNAVAILABLE"]);
    const stepping = await start({ plugins: [definePlugin({ name: "step", step: (_context, next) => next() })] });
    expect(await outcomeOf(stepping, [patch("/products/1")])).toEqual([403, "BATCH_UNAVAILABLE"]);
    const routes = { "PATCH /companies/:id": () => ({ by: "plugin" }) };
    const routing = await start({ plugins: [definePlugin({ name: "routes", routes })] });
    expect(await outcomeOf(routing, [patch("/products/1"), patch("/companies/1")])).toEqual([
      403,
      "BATCH_UNAVAILABLE",
      1,
    ]);
    expect(await outcomeOf(routing, [patch("/products/1")])).toEqual([200]);
  });

  test("guards and interceptors see writes by filter and upserts as any other", async () => {
    const users = [{ email: "a@b.c", password: "pw" }];
    const settings = {
      ...KEYS,
      bearer: { token: "t" },
      "signed-token": { secret: "a secret of thirty-two bytes, ok", users },
    };
    const writes: [line: string, options: object][] = [
      ["PATCH /products?id=1", { body: { name: "New" } }],
      ["DELETE /products?id=1", {}],
      ["POST /products", { body: { id: 1, name: "New" }, headers: { Prefer: "resolution=merge-duplicates" } }],
    ];
    for (const [name, layer] of Object.entries(settings)) {
      const { ask } = await startLayered({ middlewares: [name], layers: { [name]: layer }, data: DATA });
      for (const [line, options] of writes) expect((await ask(line, options)).status, `${name} ${line}`).toBe(401);
    }
    const { ask } = await startLayered({
      middlewares: ["rate-limit"],
      layers: { "rate-limit": { limit: 3 } },
      data: DATA,
    });
    for (const [line, options] of writes) expect((await ask(line, options)).status, line).toBeLessThan(300);
    expect((await ask(...writes[0]!)).status).toBe(429);
  });

  test("read-only servers refuse it", async () => {
    const { ask } = await startApi({ readOnly: true });
    expect(await outcomeOf(ask, [{ method: "GET", path: "/products/1" }])).toEqual([403, "READ_ONLY"]);
    expect((await ask("DELETE /products?id=1")).body).toMatchObject({ code: "READ_ONLY" });
    const upsert = { body: { id: 1 }, headers: { Prefer: "resolution=merge-duplicates" } };
    expect((await ask("POST /products", upsert)).body).toMatchObject({ code: "READ_ONLY" });
  });
});

describe("in one place with the rest", () => {
  let api: Standin<object>;
  const ask: Ask = (line, options) => askAt(api.url, line, options);
  beforeAll(async () => {
    api = await createStandin({ data: DATA, routes: { "/b": "/__batch" } });
  });
  afterAll(() => api.close());

  test("pages of other origins and under other host names may send it, as any write to the data", async () => {
    const headers = { Origin: "http://shop.test" };
    const { status, headers: sent } = await ask("POST /__batch", {
      headers,
      body: { requests: [patch("/products/1")] },
    });
    expect([status, sent.get("access-control-allow-origin")]).toEqual([200, "http://shop.test"]);
    const body = JSON.stringify({ requests: [] });
    const head = ["Host: shop.test", "Content-Type: application/json", `Content-Length: ${body.length}`];
    for (const path of ["/__batch", "/__batch/", "/b"]) {
      expect((await askRaw(api.port, `POST ${path}`, head, body)).status, path).toBe(200);
    }
    for (const path of ["/__batches", "/__batch/x", "/__reset"]) {
      expect((await askRaw(api.port, `POST ${path}`, head, body)).status, path).toBe(403);
    }
  });

  test("other methods are not offered, and other bodies refused", async () => {
    expect((await ask("GET /__batch")).headers.get("allow")).toBe("POST, OPTIONS");
    for (const body of ["[]", "null", "{}", '{"requests":{}}', '{"requests":[],"x":1}', "{"]) {
      const { status } = await ask("POST /__batch", { body, headers: { "Content-Type": "application/json" } });
      expect(status, body).toBe(400);
    }
    const deep = `{"requests":[{"method":"POST","path":"/products","body":${"[".repeat(500)}${"]".repeat(500)}}]}`;
    const { body } = await ask("POST /__batch", { body: deep, headers: { "Content-Type": "application/json" } });
    expect(body).toMatchObject({ code: "BODY_TOO_DEEP" });
  });

  test("references that grow without end are refused", async () => {
    const first = { method: "PUT", path: "/companies/1", body: { v: "x".repeat(1000), d: {} }, as: "r0" };
    const doubling = (body: (name: string) => object, count = 60): object[] => [
      first,
      ...Array.from({ length: count }, (_, at) => ({ ...first, body: body(`r${at}`), as: `r${at + 1}` })),
    ];
    const texts = doubling((name) => ({ v: `{{${name}.v}}{{${name}.v}}` }));
    expect(await outcomeOf(ask, texts)).toEqual([413, "BODY_TOO_LARGE", expect.any(Number)]);
    const values = doubling((name) => ({ d: { a: `{{${name}.d}}`, b: `{{${name}.d}}` } }));
    expect(await outcomeOf(ask, values)).toEqual([413, "BODY_TOO_LARGE", expect.any(Number)]);
    const levels = doubling((name) => ({ d: { a: `{{${name}.d}}` } }), 210);
    expect(await outcomeOf(ask, levels)).toEqual([400, "BODY_TOO_DEEP", expect.any(Number)]);
  });

  test("it is one change, and Location is below the sandbox", async () => {
    const sandbox = api.sandbox("one");
    const requests = [
      { method: "POST", path: "/companies", body: { name: "Co" }, as: "co" },
      { method: "POST", path: "/companies/{{co.id}}/products", body: {} },
      patch("/products/1"),
    ];
    const { body } = await askAt(api.url, "POST /__sandbox/one/__batch", { body: { requests } });
    const { responses } = body as { responses: { headers: { Location: string } }[] };
    expect(responses[0]!.headers.Location).toBe(`${sandbox.url}/companies/2`);
    const changes = await sandbox.changes();
    expect(changes).toHaveLength(1);
    expect(changes[0]).toMatchObject({ edits: [{ name: "companies" }, { name: "products" }, { name: "products" }] });
    expect((await ask("GET /companies/2")).status).toBe(404);
    expect(sandbox.requests()).toMatchObject([{ method: "POST", url: "/__sandbox/one/__batch", status: 200 }]);
  });

  test("a batch that fails changes nothing and sends no event", async () => {
    const before = [await api.changes(), (await ask("GET /db")).text];
    expect(await outcomeOf(ask, [patch("/products/1"), patch("/products/9")])).toEqual([404, "RECORD_NOT_FOUND", 1]);
    expect([await api.changes(), (await ask("GET /db")).text]).toEqual(before);
  });

  test("overlapping batches keep the sum of all accounts", async () => {
    const accounts = Array.from({ length: 5 }, (_, at) => ({ id: at + 1, money: 100 }));
    await using bank = await createStandin({ data: { accounts, log: [] as { from: number }[] } });
    const done = await Promise.all(Array.from({ length: 5 }, (_, at) => transfer([bank.url], { count: 8, seed: at })));
    const all = await bank.db.accounts.find();
    expect(all.reduce((sum, { money }) => sum + money, 0)).toBe(500);
    expect(await bank.db.log.find()).toHaveLength(done.reduce((sum, count) => sum + count, 0));
  });

  test("a record may be created and removed before others are found by their ids", async () => {
    const data = { tags: [{ id: 1, n: 5 }] };
    await using other = await createStandin({ data });
    const requests = [
      { method: "POST", path: "/tags", body: { n: 0 } },
      { method: "DELETE", path: "/tags?n:lt=1" },
      { method: "PATCH", path: "/tags/1", body: { n: 6 } },
      { method: "POST", path: "/tags", body: { id: 2, n: 7 } },
    ];
    expect((await askAt(other.url, "POST /__batch", { body: { requests } })).status).toBe(200);
    expect(await other.db.tags.find()).toEqual([
      { id: 1, n: 6 },
      { id: 2, n: 7 },
    ]);
  });

  test("random batches do what a model does, one request after the other", async () => {
    await using other = await createStandin({ data: MODEL_START });
    await checkBatches((line, options) => askAt(other.url, line, options), { runs: 150, seed: 54106 });
  });
});

describe("api.batch", () => {
  interface Shop {
    products: { id: number; name: string }[];
    lines: { id: number; product_id: number }[];
  }

  test("resolves to the responses, or rejects with the request that failed", async () => {
    await using api = await createStandin<Shop>({
      data: { products: [{ id: 1, name: "Pot" }], lines: [] },
      middlewares: ["bearer"],
      layers: { bearer: { token: "t" } },
    });
    const sandbox = api.sandbox("s");
    for (const scope of [api, sandbox]) {
      const [product, line] = await scope.batch<[Shop["products"][number], Shop["lines"][number]]>([
        { method: "POST", path: "/products", body: { name: "Mug", size: undefined }, as: "product" },
        { method: "POST", path: "/lines", body: { product_id: "{{product.id}}" } },
      ]);
      expect([product.body, line.body.product_id]).toEqual([{ id: 2, name: "Mug" }, 2]);
      expect([product.status, product.headers.Location]).toEqual([201, `${scope.url}/products/2`]);
      expect(await scope.changes()).toHaveLength(1);
    }
    const failing = api.batch([
      { method: "DELETE", path: "/products/1" },
      { method: "PATCH", path: "/products/9", body: {} },
    ]);
    await expect(failing).rejects.toBeInstanceOf(StandinError);
    await expect(failing).rejects.toMatchObject({ code: "RECORD_NOT_FOUND", failed: 1 });
    expect(await api.db.products.find()).toHaveLength(2);
  });
});

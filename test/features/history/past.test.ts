import type { RequestHandler } from "express";
import { describe, expect, test } from "vitest";
import { type Answer, type Api, codeOf, idsOf, startApi } from "../../support/api.ts";
import { createFolder } from "../../support/cli.ts";

const DATA = {
  products: Array.from({ length: 30 }, (_, at) => ({
    id: at + 1,
    name: `p${at + 1}`,
    price: at,
    company_id: (at % 3) + 1,
  })),
  companies: [{ id: 1 }, { id: 2 }, { id: 3 }],
  settings: { theme: "dark" },
};

type Options = NonNullable<Parameters<typeof startApi>[0]>;

/** A server with one moment behind it, at which product 2 was there and product 31 was not. */
async function startWithPast(options: Options = {}): Promise<{ api: Api; moment: number }> {
  const api = await startApi({ data: DATA, ...options });
  const { base = "" } = options;
  const overview = await api.ask(`GET ${base}/__overview`, { headers: HEADERS });
  const { history } = overview.body as { history: { latest: number } };
  const writes = [
    ["DELETE /products/2"],
    ["POST /products", { name: "new", price: 1000 }],
    ["PATCH /products/3", { price: 999 }],
    ["PATCH /settings", { theme: "light" }],
    ["POST /__collections", { name: "orders" }],
  ] as const;
  for (const [line, body] of writes) {
    const answer = await api.ask(line.replace(" ", ` ${base}`), { body, headers: HEADERS });
    expect(answer.status, answer.text).toBeLessThan(300);
  }
  return { api, moment: history.latest };
}

const HEADERS = { "X-API-Key": "writer-key-1" };

test("a field that only the past has is found there, though the present has told that there is none", async () => {
  const api = await startApi({
    data: {
      products: [
        { id: 1, price: 5 },
        { id: 2, "price:gt": "1", price: 0 },
      ],
    },
  });
  const { latest } = (await api.ask("GET /__history")).body as { latest: number };
  await api.ask("PUT /products/2", { body: { price: 3 } });
  expect(idsOf(await api.ask("GET /products?price:gt=1"))).toEqual([1, 2]);
  // By its very name, such a field comes before the operator.
  expect(idsOf(await api.ask(`GET /products?price:gt=1&_at=${latest}`))).toEqual([2]);
});

describe("any read, in either form", () => {
  const READS = [
    "/products",
    "/products/2",
    "/products?_sort=-price&_limit=3",
    "/products?price:gt=20&_fields=id",
    "/products?_group=company_id&_aggregate=count,sum:price",
    "/companies/2/products",
    "/companies?_embed=products",
    "/products?_after=&_limit=2",
    "/settings",
    "/db",
    "/stats",
  ];

  test.each(READS)("%s is as a fresh server shows it", async (path) => {
    const { api, moment } = await startWithPast();
    const fresh = await startApi({ data: DATA });
    const expected = await fresh.ask(`GET ${path}`);
    const byPath = await api.ask(`GET /__at/${moment}${path}`);
    const byParameter = await api.ask(`GET ${path}${path.includes("?") ? "&" : "?"}_at=${moment}`);
    expect([byPath.status, byPath.text]).toEqual([200, expected.text]);
    expect([byParameter.status, byParameter.text]).toEqual([200, expected.text]);
    expect((await api.ask(`HEAD /__at/${moment}${path}`)).headers.get("content-length")).toBe(
      expected.headers.get("content-length"),
    );
  });

  test("QUERY, with its parameters in the body", async () => {
    const { api, moment } = await startWithPast();
    const body = { "price:gt": 20, _sort: "-price" };
    const found = await api.ask(`QUERY /products?_at=${moment}`, { body });
    expect([found.status, idsOf(found)[0]]).toEqual([200, 30]);
    expect(idsOf(await api.ask(`QUERY /__at/${moment}/products`, { body }))).toEqual(idsOf(found));
  });

  test("the description and the overview show the collections of then", async () => {
    const { api, moment } = await startWithPast();
    const paths = async (line: string) => Object.keys(((await api.ask(line)).body as { paths: object }).paths);
    expect(await paths("GET /__openapi.json")).toContain("/orders");
    expect(await paths(`GET /__at/${moment}/__openapi.json`)).not.toContain("/orders");
    const { members } = (await api.ask(`GET /__at/${moment}/__overview`)).body as { members: { count: number }[] };
    expect(members.map(({ count }) => count)).toEqual([30, 3, 1]);
  });

  test("a time, and an age", async () => {
    let now = Date.parse("2030-01-01T10:00:00Z");
    const api = await startApi({ data: DATA, clock: () => now });
    now += 60_000;
    await api.ask("DELETE /products/2");
    now += 60_000;
    expect(idsOf(await api.ask("GET /products?_at=2030-01-01T10:00:30Z"))).toContain(2);
    expect(idsOf(await api.ask("GET /products?_at=2030-01-01T11:00:30+01:00"))).toContain(2);
    expect(idsOf(await api.ask("GET /__at/2030-01-01T10:00:30Z/products"))).toContain(2);
    expect(idsOf(await api.ask("GET /products?_at=-1s"))).not.toContain(2);
    expect(idsOf(await api.ask("GET /products?_at=-60s"))).not.toContain(2);
    expect(idsOf(await api.ask("GET /products?_at=-61s"))).toContain(2);
    expect(idsOf(await api.ask("GET /products?_at=-2m"))).toContain(2);
  });
});

describe("addresses", () => {
  test("of a sandbox come first; the other order leads nowhere", async () => {
    const { api, moment } = await startWithPast();
    await api.ask("DELETE /__sandbox/bob/products/5");
    const { history } = (await api.ask("GET /__sandbox/bob/__overview")).body as { history: { oldest: number } };
    expect((await api.ask(`GET /__sandbox/bob/__at/${history.oldest}/products/5`)).status).toBe(200);
    expect((await api.ask("GET /__sandbox/bob/products/5")).status).toBe(404);
    expect((await api.ask(`GET /__at/${moment}/__sandbox/bob/products`)).status).toBe(404);
    const byHeader = { headers: { "X-Standin-Sandbox": "bob" } };
    expect((await api.ask(`GET /__at/${history.oldest}/products/5`, byHeader)).status).toBe(200);
    expect((await api.ask(`GET /products/5?_at=${history.oldest}`, byHeader)).status).toBe(200);
  });

  test("are rewritten below the moment", async () => {
    const { api, moment } = await startWithPast({ routes: { "/api/*": "/$1" } });
    expect((await api.ask(`GET /__at/${moment}/api/products/2`)).status).toBe(200);
    expect((await api.ask(`GET /api/products/2?_at=${moment}`)).status).toBe(200);
  });

  test("in links stay in the past, below a base as well", async () => {
    const { api, moment } = await startWithPast({ base: "/api" });
    const { url } = api;
    const linkOf = async (line: string) => (await api.ask(line)).headers.get("link") ?? "";
    const next = (link: string) => /<([^>]*)>; rel="next"/.exec(link)?.[1];
    const byPath = await linkOf(`GET /api/__at/${moment}/products?_page=1`);
    expect(next(byPath)).toBe(`${url}/__at/${moment}/products?_page=2`);
    expect(next(await linkOf(`GET /api/products?_page=1&_at=${moment}`))).toBe(`${url}/products?_page=2&_at=${moment}`);
    const cursor = next(await linkOf(`GET /api/__at/${moment}/products?_after=&_limit=5`));
    expect(idsOf(await api.ask(`GET ${cursor?.slice(url.length - 4)}`))).toEqual([6, 7, 8, 9, 10]);
  });

  test.each([
    "/",
    "/__console",
    "/__requests",
    "/__history",
    "/__events",
    "/__snapshots__",
    "/__sandboxes",
    "/health-check",
    "/llms.txt",
    "/__at/1/products",
  ])("%s has no past", async (path) => {
    const { api, moment } = await startWithPast();
    const answer = await api.ask(`GET /__at/${moment}${path}`, { headers: { Accept: "text/html" } });
    expect([answer.status, codeOf(answer)]).toEqual([404, "ROUTE_NOT_FOUND"]);
  });

  test("of files have no past either", async () => {
    const staticFolder = createFolder({ "note.txt": "a file" });
    const { api, moment } = await startWithPast({ static: staticFolder });
    expect((await api.ask("GET /note.txt")).text).toBe("a file");
    expect((await api.ask(`GET /__at/${moment}/note.txt`)).status).toBe(404);
    expect((await api.ask(`GET /__at/${moment}/products`)).status).toBe(200);
  });
});

describe("refusals", () => {
  test.each([
    "POST /products",
    "PUT /products/1",
    "PATCH /products/1",
    "DELETE /products/1",
    "PATCH /settings",
    "POST /__reset",
  ])("%s cannot be sent to the past", async (line) => {
    const { api, moment } = await startWithPast();
    const [method, path] = line.split(" ");
    const before = (await api.ask("GET /db")).text;
    const refused = await api.ask(`${method} /__at/${moment}${path}`, { body: {} });
    expect([refused.status, codeOf(refused)]).toEqual([405, "HISTORY_READ_ONLY"]);
    expect(refused.headers.get("allow")).toBe("GET, HEAD, QUERY, OPTIONS");
    if (!path?.startsWith("/__")) {
      expect(codeOf(await api.ask(`${line}?_at=${moment}`, { body: {} }))).toBe("HISTORY_READ_ONLY");
    }
    expect((await api.ask("GET /db")).text).toBe(before);
  });

  test.each([
    ["_at=99999", 400, "HISTORY_INVALID"],
    ["_at=2999-01-01T00:00:00Z", 400, "HISTORY_INVALID"],
    ["_at=yesterday", 400, "HISTORY_INVALID"],
    ["_at=-5y", 400, "HISTORY_INVALID"],
    ["_at=", 400, "HISTORY_INVALID"],
    ["_at=1&_at=2", 400, "HISTORY_INVALID"],
    ["_at=2001-01-01T00:00:00Z", 410, "HISTORY_GONE"],
    ["_at=-900d", 410, "HISTORY_GONE"],
  ])("%s: %i %s", async (search, status, code) => {
    const { api } = await startWithPast();
    const answer = await api.ask(`GET /products?${search}`);
    expect([answer.status, codeOf(answer)]).toEqual([status, code]);
    if (status === 410) expect(answer.body).toMatchObject({ oldest: expect.any(Number) });
  });

  test("a batch reads the present alone", async () => {
    const { api, moment } = await startWithPast();
    const body = { requests: [{ method: "GET", path: `/products/2?_at=${moment}` }] };
    expect(codeOf(await api.ask("POST /__batch", { body }))).toBe("BATCH_INVALID");
  });

  test("a field of that name is filtered by, as ever", async () => {
    const data = {
      logs: [
        { id: 1, _at: "5" },
        { id: 2, _at: "6" },
      ],
      others: [{ id: 1 }],
    };
    const api = await startApi({ data });
    expect(idsOf(await api.ask("GET /logs?_at=5"))).toEqual([1]);
    expect((await api.ask("PATCH /logs?_at=5", { body: { seen: true } })).body).toMatchObject({ count: 1 });
    expect((await api.ask("GET /others?_at=99999")).status).toBe(400);
    const strict = { headers: { Prefer: "handling=strict" } };
    expect((await api.ask("GET /others?_at=0", strict)).status).not.toBe(200);
  });
});

describe("guards", () => {
  const guarded = {
    middlewares: ["api-key"],
    layers: {
      "api-key": {
        keys: [
          { key: "writer-key-1", name: "Ann" },
          { key: "reader-key-1", permissions: ["read"] },
          { key: "inbox-key-1", permissions: ["write"] },
        ],
        publicRoutes: ["/companies"],
      },
    },
  };
  const as = (key: string) => ({ headers: { "X-API-Key": key } });

  test("judge the inner path of the past, and the history like data", async () => {
    const { api, moment } = await startWithPast(guarded);
    const status = async (line: string, options?: Parameters<Api["ask"]>[1]) => (await api.ask(line, options)).status;
    expect(await status(`GET /__at/${moment}/companies`)).toBe(200);
    expect(await status(`GET /companies?_at=${moment}`)).toBe(200);
    expect(await status(`GET /__at/${moment}/products`)).toBe(401);
    expect(await status(`GET /products?_at=${moment}`)).toBe(401);
    expect(await status(`GET /__at/${moment}/companies/1/products`)).toBe(401);
    expect(await status(`GET /__at/${moment}/companies?_embed=products`)).toBe(401);
    expect(await status(`GET /__at/${moment}/products`, as("reader-key-1"))).toBe(200);
    expect(await status(`GET /__at/${moment}/products`, as("inbox-key-1"))).toBe(403);
    expect(await status("GET /__history")).toBe(401);
    expect(await status(`GET /__history/${moment + 1}`, as("inbox-key-1"))).toBe(403);
    expect(await status("GET /__history", as("reader-key-1"))).toBe(200);
    expect(await status(`POST /__history/${moment + 1}/revert`, as("reader-key-1"))).toBe(403);
    expect(await status("POST /__history/restore", { ...as("reader-key-1"), body: { at: moment } })).toBe(403);
    expect(await status(`POST /__history/${moment + 1}/revert`, as("writer-key-1"))).toBe(200);
  });

  test("make responses private", async () => {
    const { api, moment } = await startWithPast(guarded);
    const { headers } = await api.ask(`GET /__at/${moment}/products`, as("reader-key-1"));
    expect(headers.get("cache-control")).toMatch(/^private, max-age=\d+$/);
  });

  test("of our own routes keep pages of other origins away from the history, not from the past", async () => {
    const { api, moment } = await startWithPast();
    const foreign = { headers: { Origin: "https://evil.test" } };
    expect(codeOf(await api.ask("GET /__history", foreign))).toBe("CROSS_ORIGIN");
    expect(codeOf(await api.ask(`POST /__history/${moment + 1}/revert`, foreign))).toBe("CROSS_ORIGIN");
    expect((await api.ask(`GET /__at/${moment}/products`, foreign)).status).toBe(200);
    expect(codeOf(await api.ask(`GET /__at/${moment}/__overview`, foreign))).toBe("CROSS_ORIGIN");
  });

  test("as interceptors are asked, too", async () => {
    const seen: string[] = [];
    const see: RequestHandler = (req, _res, next) => {
      seen.push(req.url);
      next();
    };
    const { api, moment } = await startWithPast({ middlewares: [see] });
    expect((await api.ask(`GET /__at/${moment}/products/2`)).status).toBe(200);
    expect((await api.ask(`GET /products/2?_at=${moment}`)).status).toBe(200);
    expect(seen.slice(-2)).toEqual(["/products/2", `/products/2?_at=${moment}`]);
  });
});

test("a response from the past says which version it shows", async () => {
  const { api, moment } = await startWithPast();
  const shown = async (line: string) => (await api.ask(line)).headers.get("x-standin-at");
  expect(await shown(`GET /__at/${moment}/products`)).toBe(String(moment));
  expect(await shown(`GET /products/2?_at=${moment}`)).toBe(String(moment));
  const { latest } = (await api.ask("GET /__history")).body as { latest: number };
  expect(await shown("GET /products?_at=-0s")).toBe(String(latest));
  expect(await shown("GET /products")).toBeNull();
});

describe("caching", () => {
  const cache = ({ headers }: Answer) => [headers.get("cache-control"), headers.get("etag")];

  test("of a version: a strong tag, for a while; of a time: none", async () => {
    const { api, moment } = await startWithPast();
    for (const line of [`GET /__at/${moment}/products`, `GET /products?_at=${moment}`, `GET /__at/${moment}/db`]) {
      const answer = await api.ask(line);
      expect(cache(answer), line).toEqual([
        expect.stringMatching(/^public, max-age=\d+$/),
        expect.stringMatching(/^"/),
      ]);
      expect(answer.headers.get("vary"), line).toMatch(/X-Standin-Sandbox/);
      const tag = answer.headers.get("etag") ?? "";
      const again = await api.ask(line, { headers: { "If-None-Match": tag } });
      expect([again.status, again.headers.get("etag")], line).toEqual([304, tag]);
    }
    expect(cache(await api.ask("GET /products?_at=-0s"))[0]).toBe("no-cache");
    expect(cache(await api.ask(`GET /__at/${moment}/__overview`))[0]).toBe("no-cache");
    expect(cache(await api.ask(`GET /__at/${moment}/products/99`))[0]).toBe("no-cache");
    expect(cache(await api.ask("GET /products"))[0]).toBe("no-cache");
  });

  test("no tag of the past is one of the present", async () => {
    const { api, moment } = await startWithPast();
    const { headers } = await api.ask(`GET /__at/${moment}/products/3`);
    const tag = headers.get("etag") ?? "";
    expect((await api.ask("GET /products/3", { headers: { "If-None-Match": tag } })).status).toBe(200);
    const write = await api.ask("PATCH /products/3", { body: { price: 1 }, headers: { "If-Match": tag } });
    expect(write.status).toBe(412);
  });
});

import { describe, expect, test } from "vitest";
import { createRewriter } from "../../src/http/rewrite/rewriter.ts";
import * as jsonServer from "../../src/json-server/module.ts";
import { idsOf, startApi } from "../support/api.ts";
import { catalog } from "../support/catalog.ts";
import { createFolder } from "../support/cli.ts";
import { serveKept } from "../support/kept-process.ts";
import { startLayered } from "../support/layers.ts";

const RULES = {
  "/api/*": "/$1",
  "/articles\\?id=:id": "/products/:id",
  "/items?id=:id": "/products/:id",
  "/products\\?maker=:maker": "/companies/:maker/products",
  "/search\\?text=:text&from=:from": "/products?name_like=:text&price_gte=:from",
  "/find\\?*": "/products?$1",
  "/shelf/:name\\?page=:page": "/products?name_like=:name&_page=:page&_limit=2",
  "/cheap": "/products?price:lt=10",
};

describe("a rule that names a query", () => {
  const cases: [path: string, ids: number | number[] | 404][] = [
    ["/articles?id=3", 3],
    ["/articles?ID=3", 3],
    ["/items?id=3", 3],
    ["/api/articles?id=3", 3],
    ["/articles", 404],
    ["/articles?other=3", 404],
    ["/articles?x=1&id=3", 404],
    ["/products?maker=3", [4, 6, 9, 12]],
    ["/products?id=3", [3]],
    ["/search?text=steel&from=20", [3, 12]],
    ["/search?text=steel&from=20&_limit=1", [3]],
    ["/search?from=20&text=steel", 404],
    ["/find?name_like=steel&_sort=price&_order=desc", [3, 12, 1]],
    ["/find?name=Steel%20Hat", [1]],
    ["/shelf/steel?page=2", [12]],
    ["/shelf/a%26_limit=9?page=1", []],
  ];
  for (const [path, ids] of cases) {
    test(`GET ${path} -> ${JSON.stringify(ids)}`, async () => {
      const api = await startApi({ routes: RULES });
      const answer = await api.ask(`GET ${path}`);
      if (ids === 404) expect(answer.status).toBe(404);
      else if (Array.isArray(ids)) expect(idsOf(answer)).toEqual(ids);
      else expect(answer.body).toMatchObject({ id: ids });
    });
  }

  test("is rewritten for every method", async () => {
    const api = await startApi({ routes: RULES });
    expect((await api.ask("PATCH /articles?id=3", { body: { price: 1 } })).body).toMatchObject({ id: 3, price: 1 });
    expect((await api.ask("DELETE /items?id=3")).status).toBe(200);
    expect((await api.ask("GET /products/3")).status).toBe(404);
  });

  test("is shown by /__rules as it was written, and tried by /__rewrite", async () => {
    const api = await startApi({ routes: RULES });
    expect((await api.ask("GET /__rules")).body).toEqual(RULES);
    expect((await api.ask("POST /__rewrite", { body: { path: "/api/articles?id=3" } })).body).toEqual({
      path: "/products/3?id=3",
      rules: ["/api/*", "/articles\\?id=:id"],
    });
  });

  test("works in a sandbox", async () => {
    const api = await startApi({ routes: RULES });
    await api.ask("PATCH /__sandbox/one/articles?id=3", { body: { price: 1 } });
    expect((await api.ask("GET /__sandbox/one/articles?id=3")).body).toMatchObject({ id: 3, price: 1 });
    expect((await api.ask("GET /articles?id=3")).body).toMatchObject({ id: 3, price: 99.99 });
  });

  test("Location is the record's own address, Link the client's", async () => {
    const api = await startApi({ routes: { "/list\\?kind=*": "/products?name_like=$1", ...RULES } });
    const { headers } = await api.ask("POST /products?maker=2", { body: { name: "x" } });
    expect(headers.get("location")).toBe(`${api.url}/products/13`);
    const link = (await api.ask("GET /list?kind=steel&_page=1&_limit=2")).headers.get("link") ?? "";
    const next = /<([^>]+)>; rel="next"/.exec(link)?.[1] ?? "";
    expect(next).toBe(`${api.url}/list?kind=steel&_page=2&_limit=2`);
    expect(idsOf(await api.ask(`GET ${next.slice(api.url.length)}`))).toEqual([12]);
  });

  test("a guard looks at the path the client sent", async () => {
    const api = await startLayered({
      middlewares: ["api-key"],
      layers: { "api-key": { keys: ["some-secret-key"], publicRoutes: ["/health"] } },
      rules: { "/health\\?of=:id": "/products/:id", "/open\\?of=:id": "/health" },
    });
    expect((await api.ask("GET /health?of=3")).status).toBe(200);
    expect((await api.ask("GET /open?of=3")).status).toBe(401);
  });
});

describe("a login that differs by its query alone", () => {
  const data = () => ({
    users: [
      { id: 1, email: "a@x.example", password: "one" },
      { id: 2, email: "b@x.example", password: "two" },
    ],
    session: { user: "nobody" },
  });
  const named = { "/login\\?email=:email&password=:password": "/users?email=:email&password=:password" };
  const rest = { "/login": "/session" };

  for (const [order, rules] of [
    ["before", { ...named, ...rest }],
    ["after", { ...rest, ...named }],
  ] as const) {
    test(`the rule that names the query stands ${order} the one for the path`, async () => {
      const api = await startApi({ data: data(), routes: rules });
      expect(idsOf(await api.ask("GET /login?email=b@x.example&password=two"))).toEqual([2]);
      expect((await api.ask("POST /login?email=c@x.example&password=three", { body: { email: "c" } })).status).toBe(
        201,
      );
      expect((await api.ask("GET /session")).body).toEqual({ user: "nobody" });
      expect((await api.ask("GET /login")).body).toEqual({ user: "nobody" });
      expect((await api.ask("GET /login?remember=1")).body).toEqual({ user: "nobody" });
    });
  }
});

describe("a question mark that makes optional", () => {
  const cases: [from: string, path: string, as: string][] = [
    ["/p/:id?", "/p/3", "/products/3"],
    ["/p/:id?", "/p?_limit=1", "/products?_limit=1"],
    ["/p/:id?", "/p/3?x=1", "/products/3"],
    ["/p/:id(\\d+)?", "/p/3?x=1", "/products/3"],
  ];
  for (const [from, path, as] of cases) {
    test(`${from}: GET ${path} responds like GET ${as}`, async () => {
      const api = await startApi({ routes: { [from]: "/products/:id" } });
      expect((await api.ask(`GET ${path}`)).body).toEqual((await api.ask(`GET ${as}`)).body);
    });
  }
});

test("a rule may begin with what it captures", async () => {
  const api = await startApi({ routes: { "*/latest": "/products?_sort=id&_order=desc&_limit=1" } });
  expect(idsOf(await api.ask("GET /any/thing/latest"))).toEqual([12]);
});

test("a word behind a colon in the target's query stays when the left side does not capture it", async () => {
  expect(createRewriter(RULES).rewrite({ path: "/cheap", search: "" })).toMatchObject({
    path: "/products",
    search: "price:lt=10",
  });
});

test("the module's rewriter() shows the new address and its query to what follows", async () => {
  const app = jsonServer.create().use(jsonServer.rewriter(RULES));
  app.use((req, res) => void res.json({ path: req.path, query: req.query }));
  const http = app.listen(0);
  const { port } = http.address() as { port: number };
  const ask = async (path: string) => (await fetch(`http://127.0.0.1:${port}${path}`)).json();
  try {
    expect(await ask("/articles?id=3")).toEqual({ path: "/products/3", query: { id: "3" } });
    expect(await ask("/search?text=a&from=2")).toEqual({
      path: "/products",
      query: { name_like: "a", price_gte: "2" },
    });
  } finally {
    http.close();
  }
});

test("the terminal lists it", async () => {
  const folder = createFolder({ "db.json": catalog(), "routes.json": { "/articles\\?id=:id": "/products/:id" } });
  const served = await serveKept(["db.json", "--routes", "routes.json"], folder);
  expect(await (await fetch(`${served.url}/articles?id=3`)).json()).toMatchObject({ id: 3 });
  await served.stop();
  expect(served.output.stdout).toContain("/articles\\?id=:id -> /products/:id");
});

import { basename, resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { startLayered } from "../support/layers.ts";
import { askRaw } from "../support/raw.ts";

const KEY = "my-key-0123456789";
const TOKEN = "the-one-fixed-token";
const PUBLIC_ROUTES = ["/public/products", "/products", "/health"];
const LAYERS = {
  "api-key": { keys: [KEY, { key: "reader-0123456789", permissions: ["read"] }], publicRoutes: PUBLIC_ROUTES },
  bearer: { token: TOKEN, publicRoutes: PUBLIC_ROUTES },
};
const RULES = {
  "/public/products": "/products",
  "/public/products/with/:relation/:name": "/products?:relation=:name",
  "/public/products/:id": "/products/:id",
  "/health": "/health-check",
};
const data = () => ({
  products: [{ id: 1, name: "Clay Pot", company_id: 1, review_ids: [1] }],
  companies: [{ id: 1, name: "Closed Company" }],
  reviews: [{ id: 1, text: "Closed Review", product_id: 1 }],
});
const OWN_QUERY = resolve("test/fixtures/middlewares/change-query.cjs");
const GUARDS = [
  ["api-key", "API_KEY_MISSING", { "X-API-KEY": KEY }],
  ["bearer", "AUTH_REQUIRED", { Authorization: `Bearer ${TOKEN}` }],
] as const;

const refused = [
  "GET /public/products?_expand=company",
  "GET /public/products?_embed=reviews",
  "GET /public/products/1?_expand=company",
  "GET /public/products/1?_embed=reviews",
  "GET /products?_embed=reviews",
  "GET /products/1?_expand=company&_embed=reviews",
  "GET /products/1/?_embed=reviews",
  "GET /products?_embed=company",
  "GET /products?_embed=company.products",
  "GET /products/1?_expand=company.products.reviews",
  "GET /products/1?_embed=reviews.product.company",
  "GET /products?_expand=reviews",
  "GET /products?_embed%5B%5D=reviews.product",
  "HEAD /products/1?_embed=reviews",
  "GET http://localhost/products?_embed=reviews",
  "GET /__sandbox/a/products?_embed=reviews",
  "GET /products?_limit=1&_embed=&_embed=reviews",
  "GET /products?_embed=,reviews",
  "GET /products?_embed[]=reviews",
  "GET /products?_embed[0]=reviews",
  "GET /products?_embed[0][0]=reviews",
  "GET /products?[_embed]=reviews",
  "GET /products?_embed%5B%5D=reviews",
  "GET /products?%5Fembed=reviews",
  "GET /products?%5f%65%6d%62%65%64=reviews",
  "GET /products?_%65xpand=company",
  "GET /products?callback=show&_expand=company",
  "GET /products?x=%&_expand=company",
  `GET /products?${"a=1&".repeat(999)}_embed=reviews`,
  "GET /public/products/with/_embed/reviews",
  "GET /public/products/with/_expand/company",
  "DELETE /products/1?_dependent=reviews",
  "DELETE /public/products/1?_dependent=reviews",
  "DELETE /products/1?_dependent[]=reviews",
  "DELETE /products/1?%5fdependent=reviews",
  "GET /products?_dependent=reviews",
  "PATCH /products/1?_embed=reviews",
  "GET /health?_embed=reviews",
];

const WAYS: [name: string, around: (guard: string) => string[]][] = [
  ["alone", (guard) => [guard]],
  ["before an interceptor that changes the query", (guard) => [guard, OWN_QUERY]],
  ["behind an interceptor that changes the query", (guard) => [OWN_QUERY, guard]],
];

describe("a public route alone opens no other collection", () => {
  for (const [guard, code] of GUARDS) {
    for (const [way, around] of WAYS) {
      test(`${guard} ${way}: ${refused.length} requests -> 401 ${code}`, async () => {
        const { port } = await startLayered({ middlewares: around(guard), layers: LAYERS, rules: RULES, data: data() });
        for (const line of refused) {
          const { status, body } = await askRaw(port, line, ["Content-Length: 0"]);
          expect(status, line).toBe(401);
          if (!line.startsWith("HEAD")) expect(body, line).toContain(code);
          expect(body, line).not.toContain("Closed");
        }
        const credentials = [`X-API-KEY: ${KEY}`, `Authorization: Bearer ${TOKEN}`];
        expect(JSON.parse((await askRaw(port, "GET /db", credentials)).body)).toMatchObject(data());
      });
    }
  }

  test("a DELETE by method override is no way around", async () => {
    const { port } = await startLayered({ middlewares: ["api-key"], layers: LAYERS, rules: RULES, data: data() });
    const headers = ["X-HTTP-Method-Override: DELETE", "Content-Length: 0"];
    expect((await askRaw(port, "POST /products/1?_dependent=reviews", headers)).status).toBe(401);
  });

  test("an interceptor in front that adds the parameter opens nothing either", async () => {
    const embedding = resolve("test/fixtures/middlewares/embed-reviews.cjs");
    const layered = { middlewares: [embedding, "api-key"], layers: LAYERS, rules: RULES, data: data() };
    const api = await startLayered(layered);
    expect((await api.ask("GET /products")).status).toBe(401);
  });
});

describe("behind a rewrite rule that uses the query up", () => {
  const rules = { "/articles\\?id=:id&*": "/products/:id", "/list\\?*": "/products" };
  const publicRoutes = ["/articles", "/list"];
  const layers = { "api-key": { keys: [KEY], publicRoutes }, bearer: { token: TOKEN, publicRoutes } };
  const reaching = [
    "GET /articles?id=1&_embed=reviews",
    "GET /articles?id=1&x=1&_expand=company",
    "GET /articles?id=1&%5Fembed%5B%5D=reviews",
    "GET /__sandbox/a/articles?id=1&_embed=reviews",
    "GET /list?_embed=reviews",
    `GET /list?${"a=1&".repeat(999)}_embed=reviews`,
    "DELETE /articles?id=1&_dependent=reviews",
  ];
  const pass = resolve("test/fixtures/middlewares/pass.cjs");

  for (const [guard, code, headers] of GUARDS) {
    for (const middlewares of [[guard], [guard, pass], [pass, guard], [guard, OWN_QUERY]]) {
      test(`${middlewares.map((one) => basename(one)).join(", ")}: a parameter that the route reads counts`, async () => {
        const api = await startLayered({ middlewares, layers, rules, data: data() });
        for (const line of reaching) {
          const { status, body } = await askRaw(api.port, line, ["Content-Length: 0"]);
          expect([status, body], line).toEqual([401, expect.stringContaining(code)]);
        }
        expect((await api.ask("GET /articles?id=1&_fields=name")).status).toBe(200);
        expect((await api.ask("GET /list?_limit=1")).status).toBe(200);
        expect((await api.ask("GET /articles?id=1&_embed=reviews", { headers })).text).toContain("Closed Review");
      });
    }
  }
});

describe("what stays open", () => {
  for (const [guard, , headers] of GUARDS) {
    test(`${guard}: credentials open relations at a public route as anywhere else`, async () => {
      const api = await startLayered({ middlewares: [guard], layers: LAYERS, rules: RULES, data: data() });
      const { body } = await api.ask("GET /public/products/1?_expand=company&_embed=reviews", { headers });
      expect(body).toMatchObject({ company: { name: "Closed Company" }, reviews: [{ text: "Closed Review" }] });
    });

    test(`${guard}: other parameters, also with such a name inside, need none`, async () => {
      const api = await startLayered({ middlewares: [guard], layers: LAYERS, rules: RULES, data: data() });
      for (const path of ["/products?_limit=1", "/products/1", "/products?video_embed=x", "/products?name=_embed"]) {
        expect((await api.ask(`GET ${path}`)).status, path).toBe(200);
      }
      expect((await api.ask("DELETE /public/products/1")).status).toBe(200);
    });
  }

  test("the usual refusals apply: a wrong key is 403, a key for reading removes no dependents", async () => {
    const api = await startLayered({ middlewares: ["api-key"], layers: LAYERS, rules: RULES, data: data() });
    const ask = async (line: string, key: string) => (await api.ask(line, { headers: { "X-API-KEY": key } })).body;
    expect(await ask("GET /products?_embed=reviews", "wrong-key-0123456789")).toMatchObject({
      code: "API_KEY_INVALID",
    });
    expect(await ask("DELETE /products/1?_dependent=reviews", "reader-0123456789")).toMatchObject({
      code: "FORBIDDEN_WRITE",
    });
  });
});

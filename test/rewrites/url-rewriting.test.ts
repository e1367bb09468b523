import { describe, expect, test } from "vitest";
import { createStandin } from "../../src/index.ts";
import { type Answer, idsOf, startApi } from "../support/api.ts";
import { catalog } from "../support/catalog.ts";
import { createFolder } from "../support/cli.ts";
import { runKept, serveKept } from "../support/kept-process.ts";
import { askRaw } from "../support/raw.ts";

/** The rule shapes of the service description, in its order. */
const RULES = {
  "/api/v1/*": "/$1",
  "/api/products/search/:term": "/products?name_like=:term",
  "/api/companies/:id/full": "/companies/:id?_embed=products",
  "/health": "/health-check",
  "/api/dashboard/stats": "/stats",
};

describe("the five rule shapes", () => {
  const same: [path: string, as: string][] = [
    ["/api/v1/products", "/products"],
    ["/api/v1/products/3", "/products/3"],
    ["/api/v1/products?_page=2&_limit=5", "/products?_page=2&_limit=5"],
    ["/api/v1/companies/2/products?price_gte=100", "/companies/2/products?price_gte=100"],
    ["/API/V1/products", "/products"],
    ["/api/v1/products/", "/products"],
    ["/api/v1/", "/"],
    ["/api/products/search/steel", "/products?name_like=steel"],
    ["/api/products/search/steel/", "/products?name_like=steel"],
    ["/api/companies/2/full", "/companies/2?_embed=products"],
    ["/api/dashboard/stats", "/stats"],
    ["/products", "/products"],
  ];
  for (const [path, as] of same) {
    test(`GET ${path} responds like GET ${as}`, async () => {
      const api = await startApi({ routes: RULES });
      const [rewritten, plain] = [await api.ask(`GET ${path}`), await api.ask(`GET ${as}`)];
      expect([rewritten.status, rewritten.body]).toEqual([200, plain.body]);
    });
  }

  test("GET /health responds like GET /health-check", async () => {
    const api = await startApi({ routes: RULES });
    for (const path of ["/health", "/health/", "/health?probe=1"]) {
      expect((await api.ask(`GET ${path}`)).body, path).toMatchObject({ status: "ok", store: "memory" });
    }
  });

  for (const path of ["/api/v1", "/api/v2/products", "/healthy", "/api/companies/2", "/api/products/search/a/b"]) {
    test(`GET ${path} is no rule's -> 404`, async () => {
      const api = await startApi({ routes: RULES });
      expect((await api.ask(`GET ${path}`)).status).toBe(404);
    });
  }

  test("every method is rewritten", async () => {
    const api = await startApi({ routes: RULES });
    expect((await api.ask("POST /api/v1/products", { body: { name: "x" } })).status).toBe(201);
    expect((await api.ask("PUT /api/v1/products/13", { body: { name: "y" } })).body).toEqual({ name: "y", id: 13 });
    expect((await api.ask("PATCH /api/v1/products/13", { body: { z: 1 } })).body).toEqual({ name: "y", id: 13, z: 1 });
    expect((await api.ask("DELETE /api/v1/products/13")).status).toBe(200);
    expect((await api.ask("HEAD /api/v1/products")).status).toBe(200);
  });
});

describe("the query of the client is kept and merged with the target's", () => {
  const cases: [path: string, ids: number[]][] = [
    ["/api/products/search/steel?_limit=1", [1]],
    ["/api/products/search/steel?company_id=3", [12]],
    ["/api/products/search/steel?_sort=price&_order=desc", [3, 12, 1]],
    // The target wins.
    ["/api/products/search/steel?name_like=hat", [1, 3, 12]],
    ["/api/products/search/steel?name%5Flike=hat", [1, 3, 12]],
    ["/api/products/search/steel?name_like[]=hat", [1, 3, 12]],
    ["/api/products/search/steel?&&_limit=2&", [1, 3]],
    ["/cheap", [6, 7, 11]],
    ["/cheap?price_lte=1000&name_like=ball", [7]],
  ];
  for (const [path, ids] of cases) {
    test(`GET ${path} -> ${JSON.stringify(ids)}`, async () => {
      const { port } = await startApi({ routes: { ...RULES, "/cheap": "/products?price_lte=9.5" } });
      const { body } = await askRaw(port, `GET ${path}`);
      expect((JSON.parse(body) as { id: number }[]).map(({ id }) => id)).toEqual(ids);
    });
  }

  test("GET /api/companies/2/full?_expand=x keeps both", async () => {
    const api = await startApi({ routes: RULES });
    const { body } = await api.ask("GET /api/companies/2/full?_delay=1");
    expect(body).toMatchObject({ id: 2, products: [{ id: 3 }, { id: 5 }, { id: 8 }, { id: 11 }] });
  });
});

describe("a capture goes in as one encoded value", () => {
  const names = ["a&_limit=0", "a=b", "a+b", "50%", "ä/ö", "a?b", "#1", "plain", "(x)"];

  for (const name of names) {
    test(`/find/${encodeURIComponent(name)} finds the product named ${name}`, async () => {
      const data = { products: names.map((each, index) => ({ id: index + 1, name: each })) };
      const api = await startApi({ data, routes: { "/find/:name": "/products?name=:name" } });
      const { body } = await api.ask(`GET /find/${encodeURIComponent(name)}`);
      expect(body).toEqual([{ id: names.indexOf(name) + 1, name }]);
    });
  }

  test("so a client cannot smuggle a parameter in", async () => {
    const { port } = await startApi({ routes: RULES });
    const { body } = await askRaw(port, "GET /api/products/search/steel&_limit=1");
    expect(JSON.parse(body)).toEqual([]);
  });

  test("a broken escape in a capture stays what it is", async () => {
    const { port } = await startApi({
      data: { products: [{ id: 1, name: "50%" }] },
      routes: { "/find/:n": "/products?name=:n" },
    });
    expect(JSON.parse((await askRaw(port, "GET /find/50%")).body)).toEqual([{ id: 1, name: "50%" }]);
  });

  test("$1 and :name both stand for captures, in path and query", async () => {
    const rules = {
      "/by/:field/:value": "/products?:field=:value",
      "/c/*/p/*": "/companies/$1/products?price_gte=$2",
    };
    const api = await startApi({ routes: rules });
    expect(idsOf(await api.ask("GET /by/company_id/2"))).toEqual([3, 5, 8, 11]);
    expect(idsOf(await api.ask("GET /c/2/p/100"))).toEqual([5, 8]);
  });

  test("an id with a slash in it reaches its record", async () => {
    const api = await startApi({ data: { products: [{ id: "a/b" }] }, routes: { "/p/:id": "/products/:id" } });
    expect((await api.ask("GET /p/a%2Fb")).body).toEqual({ id: "a/b" });
  });
});

describe("rules are tried in order; later ones see what earlier ones made", () => {
  test("/a -> /b and /b -> /products: /a responds like /products", async () => {
    const api = await startApi({ routes: { "/a": "/b", "/b": "/products" } });
    expect((await api.ask("GET /a")).body).toEqual(catalog().products);
  });

  test("but not the other way round", async () => {
    const api = await startApi({ routes: { "/b": "/products", "/a": "/b" } });
    expect((await api.ask("GET /a")).status).toBe(404);
    expect((await api.ask("GET /b")).status).toBe(200);
  });

  test("a rule that leads to itself ends", async () => {
    const api = await startApi({ routes: { "/products": "/products?_limit=1", "/products/*": "/products/$1" } });
    expect(idsOf(await api.ask("GET /products"))).toEqual([1]);
    expect((await api.ask("GET /products/2")).status).toBe(200);
  });

  test("queries add up along the chain", async () => {
    const rules = { "/v1/*": "/$1", "/dear": "/products?price_gte=60", "/products": "/products?_sort=price" };
    const api = await startApi({ routes: rules });
    expect(idsOf(await api.ask("GET /v1/dear?_limit=2"))).toEqual([9, 3]);
  });
});

describe("GET /__rules", () => {
  test("the active rules, as they were given and in their order", async () => {
    const api = await startApi({ routes: RULES });
    expect((await api.ask("GET /__rules")).text).toBe(JSON.stringify(RULES));
  });

  test("{} when there are none", async () => {
    const api = await startApi({ routes: {} });
    expect((await api.ask("GET /__rules")).text).toBe("{}");
  });
});

describe("addresses in the response are the client's", () => {
  const located: [line: string, location: string][] = [
    ["POST /api/v1/products", "/api/v1/products/13"],
    ["POST /api/v1/products/", "/api/v1/products/13"],
    ["POST /api/v1/products?x=1", "/api/v1/products/13"],
    ["POST /things", "/things/13"],
    // There is no rule for one of these, so it is the plain address.
    ["POST /new-product", "/products/13"],
    ["POST /api/v1/companies/1/products", "/products/13"],
    ["POST /products", "/products/13"],
  ];
  for (const [line, location] of located) {
    test(`${line} -> Location: ${location}, and the record is there`, async () => {
      const rules = { ...RULES, "/things/*": "/products/$1", "/things": "/products", "/new-product": "/products" };
      const api = await startApi({ routes: rules });
      const { headers } = await api.ask(line, { body: { name: "x" } });
      expect(headers.get("location")).toBe(`${api.url}${location}`);
      expect((await api.ask(`GET ${location}`)).body).toMatchObject({ name: "x", id: 13 });
    });
  }

  test("Link shows the address that the client used", async () => {
    const api = await startApi({ routes: RULES });
    expect(linkOf(await api.ask("GET /api/v1/products?_page=1&_limit=5"), "next")).toBe(
      `${api.url}/api/v1/products?_page=2&_limit=5`,
    );
    expect(linkOf(await api.ask("GET /api/products/search/steel?_page=1&_limit=1"), "last")).toBe(
      `${api.url}/api/products/search/steel?_page=3&_limit=1`,
    );
  });

  test("Link of a page that the rule asks for leads to the other pages all the same", async () => {
    const api = await startApi({ routes: { "/pages": "/products?_limit=5&_page=1", "/part": "/products?_limit=5" } });
    const link = linkOf(await api.ask("GET /part?_page=1"), "next")!.replace(api.url, "");
    expect(idsOf(await api.ask(`GET ${link}`))).toEqual([6, 7, 8, 9, 10]);
  });

  test("a refusal names the address that the client used", async () => {
    const api = await startApi({ routes: RULES });
    expect((await api.ask("PUT /api/v1/products", { body: {} })).body).toMatchObject({
      message: expect.stringContaining("/api/v1/products"),
    });
  });
});

describe("a rule that cannot be meant stops the start, and is named", () => {
  const mistakes: [from: string, to: string, reason: RegExp][] = [
    ["/api/*", "$1", /begins? with \//],
    ["/api/*", "http://elsewhere.example/$1", /begins? with \//],
    ["/api/:id", "/products/:key", /:key/],
    ["/api/*", "/products/$2", /\$2/],
    ["/api/:id(*)", "/products", /not a valid pattern/],
  ];
  for (const [from, to, reason] of mistakes) {
    test(`"${from}" -> "${to}"`, async () => {
      const failure = await createStandin({ data: {}, routes: { [from]: to } }).catch((thrown: unknown) => thrown);
      expect(failure).toMatchObject({ name: "StartError", message: expect.stringMatching(reason) });
      expect((failure as Error).message).toContain(`"${from}" -> "${to}"`);
    });
  }

  test("from the command line: one line with file and rule, exit code 1", async () => {
    const folder = createFolder({ "db.json": catalog(), "routes.json": { "/api/*": "/$2" } });
    const { exit, output } = runKept(["db.json", "--port", "0", "--routes", "routes.json"], folder);
    expect(await exit).toBe(1);
    expect(output.stderr).toMatch(/routes\.json.*"\/api\/\*" -> "\/\$2".*\$2/);
    expect(output.stderr.trim().split("\n")).toHaveLength(1);
  });

  const files: [name: string, content: string, reason: RegExp][] = [
    ["no JSON", "{", /line 1, column 2/],
    ["no object", "[]", /JSON object/],
  ];
  for (const [name, content, reason] of files) {
    test(`a rewrite file with ${name}`, async () => {
      const folder = createFolder({ "db.json": catalog(), "routes.json": content });
      const { exit, output } = runKept(["db.json", "--port", "0", "--routes", "routes.json"], folder);
      expect(await exit).toBe(1);
      expect(output.stderr).toMatch(reason);
      expect(output.stderr).toContain("routes.json");
    });
  }
});

test("a rewrite file is read by --routes, and its rules are printed", async () => {
  const folder = createFolder({ "db.json": catalog(), "routes.json": RULES });
  const served = await serveKept(["db.json", "--routes", "routes.json"], folder);
  expect(await (await fetch(`${served.url}/__rules`)).json()).toEqual(RULES);
  expect((await fetch(`${served.url}/health`)).status).toBe(200);
  await served.stop();
  expect(served.output.stdout).toMatch(/\/api\/v1\/\*.*\/\$1/);
});

function linkOf({ headers }: Answer, relation: string): string | undefined {
  return new RegExp(`<([^>]+)>; rel="${relation}"`).exec(headers.get("link") ?? "")?.[1];
}

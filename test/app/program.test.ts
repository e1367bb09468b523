import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, expectTypeOf, test, vi } from "vitest";
import type { JsonObject } from "../../src/base/json/json.ts";
import { createStandin, type DataChange } from "../../src/index.ts";
import { askAt } from "../support/api.ts";
import { createFolder } from "../support/cli.ts";

interface Product {
  id: number;
  name: string;
  price: number;
  tags?: string[];
}

function shop(): { products: Product[]; profile: { theme: string; size: number } } {
  return {
    products: [
      { id: 1, name: "Hat", price: 10, tags: ["felt"] },
      { id: 2, name: "Mug", price: 8 },
      { id: 3, name: "Pot", price: 12 },
    ],
    profile: { theme: "light", size: 3 },
  };
}

const json = async (url: string): Promise<unknown> => (await fetch(url)).json();

describe("db", () => {
  test("finds by fields, by query, by function; knows the fields", async () => {
    await using api = await createStandin({ data: shop() });
    const { products } = api.db;
    expect(await products.find()).toEqual(shop().products);
    expect(await products.find({ name: "Mug" })).toEqual([{ id: 2, name: "Mug", price: 8 }]);
    expect(await products.find({ tags: ["felt"] })).toMatchObject([{ id: 1 }]);
    expect((await products.find("price_gte=9&_sort=price&_order=desc")).map(({ name }) => name)).toEqual([
      "Pot",
      "Hat",
    ]);
    expect((await products.find(({ price }) => price < 10)).map(({ id }) => id)).toEqual([2]);
    expect(await products.get(1)).toMatchObject({ name: "Hat" });
    expect(await products.get(99)).toBeUndefined();
    expectTypeOf(await products.get(1)).toEqualTypeOf<Product | undefined>();
    expectTypeOf(api.db.profile.get).returns.resolves.toEqualTypeOf<{ theme: string; size: number }>();
    // @ts-expect-error: there is no such field.
    await products.find({ nmae: "Hat" });
    // @ts-expect-error: the price is missing.
    await products.create({ name: "Cap" });
    // @ts-expect-error: there is no such collection.
    expect(api.db.things).toBeUndefined();
  });

  test("writes what requests see, and sees what requests write", async () => {
    await using api = await createStandin({ data: shop() });
    expect(await api.db.products.create({ name: "Cap", price: 5 })).toEqual({ name: "Cap", price: 5, id: 4 });
    expect(await api.db.products.update(1, { price: 11 })).toMatchObject({ name: "Hat", price: 11 });
    expect(await api.db.products.replace(2, { name: "Jug", price: 9 })).toEqual({ name: "Jug", price: 9, id: 2 });
    await api.db.products.remove(3);
    expect(await json(`${api.url}/products?_sort=id`)).toMatchObject([{ price: 11 }, { name: "Jug" }, { id: 4 }]);
    expect(await api.db.profile.update({ theme: "dark" })).toEqual({ theme: "dark", size: 3 });
    expect(await api.db.profile.replace({ theme: "blue", size: 1 })).toEqual(await json(`${api.url}/profile`));
    await askAt(api.url, "PATCH /profile", { body: { size: 9 } });
    expect(await api.db.profile.get()).toEqual({ theme: "blue", size: 9 });
  });

  test("what is read is a copy, and what is given stays the program's", async () => {
    const data = shop();
    await using api = await createStandin({ data });
    const [hat] = await api.db.products.find();
    hat!.name = "spoilt";
    const tags = ["new"];
    await api.db.products.update(2, { tags });
    tags.push("spoilt");
    expect(await json(`${api.url}/products/1`)).toMatchObject({ name: "Hat" });
    expect(await json(`${api.url}/products/2`)).toMatchObject({ tags: ["new"] });
    expect(data).toEqual(shop());
  });

  test("what a request would be refused for is refused here, with the same code", async () => {
    await using api = await createStandin({ data: shop() });
    await expect(api.db.products.create({ id: 1, name: "x", price: 1 })).rejects.toMatchObject({ code: "ID_TAKEN" });
    await expect(api.db.products.update(99, {})).rejects.toMatchObject({ code: "RECORD_NOT_FOUND" });
    await expect(api.db.products.find("_page=x")).rejects.toMatchObject({ code: "QUERY_INVALID" });
    await expect(api.db.products.create(5 as never)).rejects.toMatchObject({ code: "BODY_NOT_OBJECT" });
  });
});

describe("state", () => {
  test("reset leads back to the start: data, requests, changes and faults of tests", async () => {
    const always = { fault: "status", status: 418, path: "/teapot" } as const;
    await using api = await createStandin({ data: shop(), faults: [always] });
    await api.db.products.remove(1);
    api.faults.add({ fault: "status", status: 503 });
    await fetch(`${api.url}/products`);
    await api.reset();
    expect(await json(`${api.url}/products`)).toEqual(shop().products);
    expect(api.faults.list()).toMatchObject([always]);
    expect(api.requests()).toHaveLength(1);
    expect(await api.changes()).toEqual([]);
  });

  test("snapshots in memory, by name; over HTTP, too", async () => {
    await using api = await createStandin({ data: shop() });
    await api.db.products.remove(1);
    await api.snapshot("without-hat");
    await api.reset();
    await api.restore("without-hat");
    expect(await json(`${api.url}/products`)).toHaveLength(2);
    await api.db.products.remove(2);
    await askAt(api.url, "PUT /__snapshots__/without-hat");
    expect(await api.db.products.find()).toHaveLength(2);
    expect((await askAt(api.url, "GET /__snapshots__")).body).toHaveLength(1);
    await askAt(api.url, "DELETE /__snapshots__/without-hat");
    await expect(api.restore("without-hat")).rejects.toMatchObject({ code: "SNAPSHOT_NOT_FOUND" });
    await expect(api.snapshot("a/b")).rejects.toMatchObject({ code: "SNAPSHOT_NAME_INVALID" });
  });

  test("snapshots in a folder outlive the server", async () => {
    const snapshots = createFolder();
    const first = await createStandin({ data: shop(), snapshots });
    await first.db.products.remove(1);
    await first.snapshot("kept");
    await first.close();
    await using second = await createStandin({ data: shop(), snapshots });
    await second.restore("kept");
    expect(await second.db.products.find()).toHaveLength(2);
  });

  test("a source is read, and written only when asked to", async () => {
    const folder = createFolder({ "db.json": { products: [{ id: 1 }] } });
    const source = join(folder, "db.json");
    const products = (): unknown => JSON.parse(readFileSync(source, "utf8")).products;
    const copy = await createStandin<{ products: { id: number }[] }>({ source });
    await copy.db.products.create({});
    await copy.close();
    expect(products()).toEqual([{ id: 1 }]);
    const kept = await createStandin<{ products: { id: number }[] }>({ source, persist: true });
    await kept.db.products.create({});
    await kept.close();
    expect(products()).toEqual([{ id: 1 }, { id: 2 }]);
  });

  test("on tells of changes, however they come about, until it is stopped", async () => {
    await using api = await createStandin({ data: shop() });
    const seen: DataChange[] = [];
    const stop = api.on("change", (change) => seen.push(change));
    await api.db.products.update(1, { price: 1 });
    await askAt(api.url, "DELETE /products/2");
    stop();
    await api.db.products.remove(3);
    expect(seen).toMatchObject([
      { edits: [{ name: "products", kind: "changed", id: 1, before: { price: 10 }, after: { price: 1 } }] },
      { edits: [{ kind: "removed", id: 2 }] },
    ]);
    expect(await api.changes()).toHaveLength(3);
  });
});

describe("requests", () => {
  test("what was asked, with its body", async () => {
    await using api = await createStandin({ data: shop() });
    await askAt(api.url, "POST /products", { body: { name: "Cap", price: 5 } });
    await fetch(`${api.url}/products/1?x=1`);
    expect(api.requests({ method: "POST", path: "/products" })).toMatchObject([
      { method: "POST", url: "/products", status: 201, body: { name: "Cap", price: 5 }, answeredBy: "route" },
    ]);
    expect(api.requests({ path: "/products/:id" }).map(({ url }) => url)).toEqual(["/products/1?x=1"]);
    const [first] = api.requests();
    expect(api.requests({ after: first!.id })).toHaveLength(1);
  });

  test("waitForRequest finds what was or will be asked, and says what came instead", async () => {
    await using api = await createStandin({ data: shop() });
    const waiting = api.waitForRequest({ method: "DELETE" });
    await fetch(`${api.url}/products`);
    await fetch(`${api.url}/products/1`, { method: "DELETE" });
    expect(await waiting).toMatchObject({ method: "DELETE", url: "/products/1" });
    expect(await api.waitForRequest({ method: "GET" })).toMatchObject({ url: "/products" });
    await expect(api.waitForRequest({ method: "PUT" }, { timeoutMs: 30 })).rejects.toThrow(
      'No request like {"method":"PUT"} came within 30 ms. What came: GET /products, DELETE /products/1.',
    );
  });

  test("waitForRequest gives up before a test runner does", async () => {
    await using api = await createStandin({ data: shop() });
    const timer = vi.spyOn(globalThis, "setTimeout");
    const waiting = api.waitForRequest();
    await vi.waitFor(() => expect(timer.mock.calls.map(([, ms]) => ms)).toContain(3000));
    timer.mockRestore();
    await fetch(`${api.url}/products`);
    await waiting;
  });

  test("nothing is recorded if nothing can read it", async () => {
    await using api = await createStandin({ data: shop(), console: false });
    expect(() => api.requests()).toThrow(/Requests are not kept/);
  });
});

describe("sandboxes", () => {
  test("one by name, by header or address; everything in it is its own", async () => {
    await using api = await createStandin({ data: shop() });
    const cart = api.sandbox("cart");
    await cart.db.products.remove(1);
    cart.faults.add({ fault: "status", status: 503, path: "/products/2" });
    expect((await fetch(`${cart.url}/products/1`)).status).toBe(404);
    expect((await fetch(`${api.url}/products/1`, { headers: cart.headers })).status).toBe(404);
    expect((await fetch(`${cart.url}/products/2`)).status).toBe(503);
    expect((await fetch(`${api.url}/products/2`)).status).toBe(200);
    expect(cart.requests()).toHaveLength(3);
    expect(await cart.changes()).toHaveLength(1);
    expect(await api.changes()).toEqual([]);
    expect(api.sandbox("cart").name).toBe("cart");
    await cart.reset();
    expect(await cart.db.products.find()).toHaveLength(3);
    expect(cart.faults.list()).toEqual([]);
    expect(cart.requests()).toEqual([]);
    await cart.snapshot("of-cart");
    await api.restore("of-cart");
  });

  test("one without a name gets one, and is gone with its block", async () => {
    await using api = await createStandin({ data: shop() });
    let name = "";
    {
      await using own = api.sandbox();
      name = own.name;
      expect((await askAt(api.url, "GET /__sandboxes")).body).toMatchObject({ sandboxes: [{ name }] });
    }
    expect((await askAt(api.url, `GET /__sandboxes/${name}`)).status).toBe(404);
  });
});

describe("faults", () => {
  test("are added, counted, taken away, and refused with their key", async () => {
    await using api = await createStandin({ data: shop() });
    const stop = api.faults.add({ fault: "status", status: 500, count: 5 });
    expect((await fetch(`${api.url}/products`)).status).toBe(500);
    expect(api.faults.list()).toMatchObject([{ hits: 1, status: 500 }]);
    stop();
    stop();
    expect((await fetch(`${api.url}/products`)).status).toBe(200);
    expect(() => api.faults.add({ fault: "status", status: 5 })).toThrow('"status" is 5');
  });
});

describe("servers", () => {
  test("many in one process, each with its own data", async () => {
    const servers = await Promise.all(
      Array.from({ length: 20 }, (_, i) => createStandin({ data: { things: [{ id: i }] } })),
    );
    expect(new Set(servers.map(({ port }) => port)).size).toBe(20);
    for (const [i, { url }] of servers.entries()) expect(await json(`${url}/things`)).toEqual([{ id: i }]);
    await Promise.all(servers.map((server) => server.close()));
    await expect(fetch(`${servers[0]!.url}/things`)).rejects.toThrow();
  });

  test("layers and interceptors, by name, path and function", async () => {
    const folder = createFolder({ "stamp.cjs": "module.exports = (q, s, n) => { s.setHeader('X-File', '1'); n(); };" });
    type Next = () => void;
    type Response = { setHeader(name: string, value: string): void };
    const stamp = (_req: unknown, res: Response, next: Next): void => {
      res.setHeader("X-Function", "1");
      next();
    };
    const warnings: string[] = [];
    await using api = await createStandin({
      data: shop(),
      middlewares: ["cors", join(folder, "stamp.cjs"), stamp as never, "bearer"],
      layers: { bearer: { token: "a-token-of-some-length" }, latency: {} },
      warn: (text) => warnings.push(text),
    });
    const headers = { Authorization: "Bearer a-token-of-some-length" };
    const answer = await askAt(api.url, "GET /products/1", { headers });
    expect([answer.status, answer.headers.get("x-file"), answer.headers.get("x-function")]).toEqual([200, "1", "1"]);
    expect(answer.headers.get("access-control-allow-origin")).toBe("*");
    expect((await askAt(api.url, "GET /products/1")).status).toBe(401);
    expect(warnings).toEqual(['"layers.latency" has settings, but "latency" is not in middlewares.']);
  });

  const wrong: [JsonObject | undefined, RegExp][] = [
    [{ data: 5 }, /the data must be an object/],
    [{ data: { products: 5 } }, /"products" must be an array/],
    [{ data: {}, middlewares: ["beerer"] }, /there is no layer "beerer"/],
    [{ data: {}, middlewares: ["bearer"] }, /The bearer layer needs "token": .* to createStandin\./],
    [{ data: {}, routes: { "/x": "y" } }, /begins with \//],
    [{ data: {}, faults: [{ fault: "status", status: 5 }] }, /"faults\[0\]\.status" is 5/],
    [{ source: "/nowhere/db.json" }, /ENOENT|does not exist|no such file/],
    [undefined, /^createStandin needs data or a source/],
    [{ data: {}, dealy: 5 }, /^createStandin has no option "dealy"\. Did you mean "delay"\?$/],
    [{ data: {}, latency: 10 }, /^createStandin has no option "latency"\. Did you mean "delay"\?$/],
    [{ db: {} }, /^createStandin has no option "db"\. Did you mean "data"\?$/],
    [{ data: {}, watch: true }, /^createStandin has no option "watch"\. Only the command line has it\.$/],
    [{ data: {}, port: 99_999 }, /^createStandin: "port" is 99999; it must be a whole number from 0 to 65535\.$/],
    [{ data: {}, port: "auto" }, /^createStandin: "port" is auto; it must be a whole number from 0 to 65535\.$/],
    [{ data: {}, traffic: 1e6 }, /^createStandin: "traffic" is 1000000; it must be a whole number from 0 to 100000\.$/],
    [{ data: {}, delay: "1s" }, /^createStandin: "delay" is 1s; it must be a whole number from 0 to 2147483647\.$/],
    [{ source: "db.xml" }, /no command, file or folder "db\.xml"/],
  ];
  for (const [options, reason] of wrong) {
    test(`${JSON.stringify(options)} is refused`, async () => {
      await expect(createStandin(options as never)).rejects.toThrow(reason);
    });
  }

  test("a request to a server without data learns how to begin", async () => {
    await using api = await createStandin({ data: {} });
    const response = await fetch(`${api.url}/x`);
    expect([response.status, ((await response.json()) as { message: string }).message]).toEqual([
      404,
      'There is no collection "x". There are none yet. Create one with POST /__collections { "name": "products" }, or data with standin generate.',
    ]);
  });

  test("a POST to a collection that is not there learns how to create it", async () => {
    await using api = await createStandin({ data: { products: [] } });
    const post = (name: string) => fetch(`${api.url}/${name}`, { method: "POST" }).then((response) => response.json());
    expect(await post("orders")).toMatchObject({
      message:
        'There is no collection "orders". POST /__collections { "name": "orders" } creates it. Available: /products.',
    });
    expect(await post("product")).toMatchObject({
      message: 'There is no collection "product". Did you mean "products"? Available: /products.',
    });
  });

  test("a closed server leaves nothing behind that keeps a process alive", async () => {
    const api = await createStandin({ data: shop() });
    api.sandbox("a");
    const stream = await fetch(`${api.url}/__events`);
    await api.close();
    await expect(stream.text()).resolves.toContain(": standin");
  });
});

interface RuledProduct {
  id: number;
  name: string;
  price: number;
  sku: string;
  company_id: number;
}

const PRODUCT_RULES = {
  products: {
    required: ["name", "price", "sku", "company_id"],
    properties: {
      name: { type: "string", minLength: 1 },
      price: { type: "number", minimum: 0 },
      sku: { type: "string", pattern: "^[A-Z]\\d$" },
      company_id: { type: "integer" },
    },
    "x-unique": ["sku"],
    "x-references": { company_id: "companies" },
  },
  users: { properties: { id: { type: "string", pattern: "^usr_[a-z]{6}$" } }, required: ["id"] },
};
const ruledData = (): { products: RuledProduct[]; companies: { id: number }[]; users: { id: string }[] } => ({
  products: [{ id: 7, name: "Hat", price: 1, sku: "A1", company_id: 2 }],
  companies: [{ id: 2 }, { id: 3 }],
  users: [],
});

describe("make", () => {
  test("creates valid records with the fields given, through the ordinary write", async () => {
    await using api = await createStandin({ data: ruledData(), rules: PRODUCT_RULES });
    const products = await api.db.products.make({ price: 1.25 }, 20);
    expectTypeOf(products).toEqualTypeOf<RuledProduct[]>();
    expect(products.map(({ id, price }) => [id, price])).toEqual(products.map((_, at) => [at + 8, 1.25]));
    expect(new Set(["A1", ...products.map(({ sku }) => sku)]).size).toBe(21);
    expect(products.filter(({ company_id }) => ![2, 3].includes(company_id))).toEqual([]);
    expect(await (await fetch(`${api.url}/products/27`)).json()).toEqual(products[19]);
    const one = await api.db.products.make();
    expectTypeOf(one).toEqualTypeOf<RuledProduct>();
    expect(one).toMatchObject({ id: 28 });
    expect(await api.changes()).toHaveLength(2);
    expect(await api.db.users.make({}, 2)).toMatchObject([{ id: expect.stringMatching(/^usr_/) }, {}]);
    expect(await api.db.products.make({}, 0)).toEqual([]);
    // @ts-expect-error: there is no such field.
    await api.db.products.make({ prize: 1 });
  });

  test("the same seed makes the same records, again after a reset, and others with each call", async () => {
    const make = async (seed?: number) => {
      await using api = await createStandin({
        data: ruledData(),
        rules: PRODUCT_RULES,
        ...(seed !== undefined && { seed }),
      });
      const first = await api.db.products.make({}, 3);
      const second = await api.db.products.make({}, 3);
      await api.reset();
      expect(await api.db.products.make({}, 3)).toEqual(first);
      expect(await api.sandbox("other").db.products.make({}, 3)).not.toEqual(second);
      expect(second.map(({ name }) => name)).not.toEqual(first.map(({ name }) => name));
      return first;
    };
    const unseeded = await make();
    expect(await make()).toEqual(unseeded);
    expect(await make(5)).not.toEqual(unseeded);
  });

  test("fields that break a rule are refused, and nothing is written", async () => {
    await using api = await createStandin({ data: ruledData(), rules: PRODUCT_RULES });
    const refused = api.db.products.make({ price: -1 }, 3);
    await expect(refused).rejects.toMatchObject({
      code: "RECORD_INVALID",
      message: expect.stringContaining("/price (rule minimum)"),
    });
    await expect(api.db.products.make({ sku: "A1" })).rejects.toMatchObject({ code: "RECORD_INVALID" });
    await expect(api.db.products.make({}, -1)).rejects.toThrow("-1 is not a number of records");
    expect(await api.db.products.find()).toHaveLength(1);
  });

  test("without rules, records take the shape of those that are there", async () => {
    const products = Array.from({ length: 4 }, (_, at) => ({
      id: at + 1,
      name: `Hat ${at}`,
      sku: `S${at}`,
      price: at / 2,
      company_id: 2,
      status: at % 2 === 0 ? "new" : "old",
    }));
    await using api = await createStandin({
      data: { products, companies: [{ id: 2 }, { id: 3 }], empty: [] as { id: number }[] },
    });
    const made = await api.db.products.make({ name: "Cap" }, 5);
    for (const record of made) {
      expect(Object.keys(record).sort()).toEqual(["company_id", "id", "name", "price", "sku", "status"]);
      expect([2, 3]).toContain(record.company_id);
      expect(["new", "old"]).toContain(record.status);
      expect(record).toMatchObject({ name: "Cap", price: expect.any(Number) });
    }
    expect(new Set(made.map(({ sku }) => sku)).size).toBe(5);
    await expect(api.db.empty.make()).rejects.toThrow("make: empty has neither rules nor records whose shape");
  });
});

describe("requests without a port", () => {
  const data = { products: [{ id: 1, name: "Hat" }], companies: [] };

  test("respond as over HTTP: status, headers, body, and are in the traffic", async () => {
    await using api = await createStandin({ data });
    const over = await fetch(`${api.url}/products?_page=1&_limit=1`);
    const within = await api.fetch("/products?_page=1&_limit=1");
    expect(within.status).toBe(over.status);
    for (const name of ["content-type", "etag", "x-total-count", "link", "vary", "cache-control"]) {
      expect([name, within.headers.get(name)]).toEqual([name, over.headers.get(name)]);
    }
    expect(await within.json()).toEqual(await over.json());
    expect(api.requests().map(({ method, status }) => [method, status])).toEqual([
      ["GET", 200],
      ["GET", 200],
    ]);
  });

  test("write, are refused, and meet faults", async () => {
    await using api = await createStandin({ data });
    const made = await api.request("POST /products", { body: { name: "Cap" } });
    expect([made.status, made.body]).toEqual([201, { id: 2, name: "Cap" }]);
    expect(made.headers.get("location")).toBe(`${api.url}/products/2`);
    expect(await api.request("GET /nothing")).toMatchObject({ status: 404, body: { code: "COLLECTION_NOT_FOUND" } });
    expect(await api.request("POST /products", { body: [] })).toMatchObject({ status: 201, body: [] });
    const remove = api.faults.add({ fault: "reset" });
    await expect(api.fetch("/products")).rejects.toMatchObject({ code: "FAULT_ON_DEMAND" });
    remove();
    expect((await api.request("DELETE /products/2")).status).toBe(200);
    await expect(api.request("products")).rejects.toThrow('"products" is not a request');
  });

  test("have the form that the server and the request want", async () => {
    await using api = await createStandin({ data, pretty: true });
    for (const path of ["/products?callback=show", "/products/1", "/products?_fields=name"]) {
      const over = await fetch(`${api.url}${path}`);
      const within = await api.fetch(path);
      expect(within.headers.get("content-type")).toBe(over.headers.get("content-type"));
      expect(await within.text()).toBe(await over.text());
    }
    const preflight = { method: "OPTIONS", headers: { "Access-Control-Request-Method": "PUT" } };
    const [over, within] = [await fetch(`${api.url}/products`, preflight), await api.fetch("/products", preflight)];
    expect(within.status).toBe(204);
    expect(within.headers.get("cache-control")).toBe(over.headers.get("cache-control"));
    expect(within.headers.get("access-control-allow-methods")).toBe(over.headers.get("access-control-allow-methods"));
  });

  test("of a sandbox see its data alone", async () => {
    await using api = await createStandin({ data });
    const sandbox = api.sandbox("one");
    await sandbox.request("POST /products", { body: { name: "Cap" } });
    expect((await sandbox.request("GET /products")).body).toHaveLength(2);
    expect((await api.request("GET /products")).body).toHaveLength(1);
  });

  test("take a Request with a body that streams, and give events", async () => {
    await using api = await createStandin({ data });
    const request = new Request(`${api.url}/products`, {
      method: "POST",
      body: new Blob(['{"name":"Cap"}']).stream(),
      duplex: "half",
    } as RequestInit);
    expect((await api.fetch(request)).status).toBe(201);
    const events = await api.fetch("/__events");
    const reader = events.body!.getReader();
    expect(new TextDecoder().decode((await reader.read()).value)).toMatch(/^(:|retry|event|id)/);
    await reader.cancel();
  });
});

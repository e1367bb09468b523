import { describe, expect, test } from "vitest";
import { Sandboxes } from "../../../src/features/sandboxes/sandboxes.ts";
import { DEFAULT_HISTORY } from "../../../src/store/history.ts";
import { MemoryStore } from "../../../src/store/memory/memory-store.ts";
import { State } from "../../../src/store/memory/state.ts";
import type { Store } from "../../../src/store/store.ts";
import { type Api, type AskOptions, codeOf, idsOf, startApi } from "../../support/api.ts";
import { catalog } from "../../support/catalog.ts";
import { createFolder } from "../../support/cli.ts";
import { serveKept } from "../../support/kept-process.ts";
import { startLayered } from "../../support/layers.ts";

const within = (name: string, body?: unknown): AskOptions => ({ headers: { "X-Standin-Sandbox": name }, body });
const nameOf = (answer: { body: unknown }): unknown => (answer.body as { name: unknown }).name;

async function rename(api: Api, address: string, name: string, options: AskOptions = {}): Promise<void> {
  const { status } = await api.ask(`PATCH ${address}`, { ...options, body: { name } });
  expect(status).toBe(200);
}

describe("the three ways to name a sandbox", () => {
  const ways = [
    ["a header", "/products/1", { headers: { "X-Standin-Sandbox": "a" } }],
    ["a cookie", "/products/1", { headers: { Cookie: "theme=dark; standin-sandbox=a; x=1" } }],
    ["a path", "/__sandbox/a/products/1", {}],
  ] as const;
  for (const [way, address, options] of ways) {
    test(`${way}: a write stays inside, and is seen by every other way`, async () => {
      const api = await startApi();
      await rename(api, address, "Felt Hat", options);
      for (const [, otherAddress, otherOptions] of ways) {
        expect(nameOf(await api.ask(`GET ${otherAddress}`, otherOptions))).toBe("Felt Hat");
      }
      expect(nameOf(await api.ask("GET /products/1"))).toBe("Steel Hat");
      expect(nameOf(await api.ask("GET /products/1", within("b")))).toBe("Steel Hat");
    });
  }

  test("the path wins over the header, the header over the cookie", async () => {
    const api = await startApi();
    await rename(api, "/products/1", "by path", within("path"));
    await rename(api, "/products/1", "by header", within("header"));
    const headers = { "X-Standin-Sandbox": "header", Cookie: "standin-sandbox=cookie" };
    expect(nameOf(await api.ask("GET /__sandbox/path/products/1", { headers }))).toBe("by path");
    expect(nameOf(await api.ask("GET /products/1", { headers }))).toBe("by header");
  });

  for (const name of ["", "..", "a b", "-x", "ü", "x".repeat(101), "a/b"]) {
    test(`the name ${JSON.stringify(name.slice(0, 10))} is refused`, async () => {
      const api = await startApi();
      const answer = await api.ask("POST /__sandboxes", { body: { name } });
      expect([answer.status, codeOf(answer)]).toEqual([400, "SANDBOX_INVALID"]);
    });
  }

  test("a path without a name is refused", async () => {
    const api = await startApi();
    for (const path of ["/__sandbox/", "/__sandbox//products", "/__sandbox/%2e%2e/products"]) {
      expect(codeOf(await api.ask(`GET ${path}`)), path).toBe("SANDBOX_INVALID");
    }
  });
});

describe("what a sandbox sees", () => {
  test("the state in which it was created, even if others write", async () => {
    const api = await startApi();
    expect(idsOf(await api.ask("GET /products", within("a")))).toHaveLength(12);
    await api.ask("DELETE /products/3");
    await api.ask("POST /products", { body: { name: "late" } });
    expect(nameOf(await api.ask("GET /products/3", within("a")))).toBe("steel bottle");
    expect(idsOf(await api.ask("GET /products", within("a")))).toHaveLength(12);
    // Each side gives away its own next id.
    const created = await api.ask("POST /products", within("a", { name: "inside" }));
    expect(created.body).toEqual({ name: "inside", id: 13 });
    expect(nameOf(await api.ask("GET /products/13"))).toBe("late");
    expect((await api.ask("GET /products/3")).status).toBe(404);
  });

  test("collections, singletons, nested routes, relations, /db and /stats are all its own", async () => {
    const api = await startApi({ data: { ...catalog(), profile: { theme: "light" } } });
    const ask = (line: string, body?: unknown) => api.ask(line, within("a", body));
    await ask("PUT /profile", { theme: "dark" });
    await ask("POST /companies/1/products", { name: "nested" });
    await ask("DELETE /companies/2?_dependent=products");
    expect((await ask("GET /profile")).body).toEqual({ theme: "dark" });
    expect(idsOf(await ask("GET /companies/1/products"))).toEqual([1, 2, 7, 10, 13]);
    expect((await ask("GET /companies/1?_embed=products")).text).toContain("nested");
    expect((await ask("GET /products/13?_expand=company")).text).toContain("Acme");
    expect((await ask("GET /stats")).body).toMatchObject({ products: { count: 9 } });
    expect((await ask("GET /db")).text).toContain("nested");
    expect((await api.ask("GET /profile")).body).toEqual({ theme: "light" });
    expect((await api.ask("GET /stats")).body).toMatchObject({ products: { count: 12 } });
    expect((await api.ask("GET /db")).text).not.toContain("nested");
  });

  test("tags of one side are never taken for those of another", async () => {
    const api = await startApi();
    const tag = (await api.ask("GET /products/1")).headers.get("etag") as string;
    const inside = await api.ask("GET /products/1", within("a"));
    expect(inside.headers.get("etag")).not.toBe(tag);
    const headers = { "X-Standin-Sandbox": "a", "If-Match": tag };
    expect((await api.ask("PATCH /products/1", { headers, body: { price: 1 } })).status).toBe(412);
    expect((await api.ask("GET /products/1", { headers: { ...headers, "If-None-Match": tag } })).status).toBe(200);
  });

  test("a reset within a sandbox leads back to its birth, one outside leaves it alone", async () => {
    const api = await startApi();
    await rename(api, "/products/1", "before birth");
    await rename(api, "/products/1", "inside", within("a"));
    await api.ask("POST /__reset");
    expect(nameOf(await api.ask("GET /products/1", within("a")))).toBe("inside");
    expect((await api.ask("POST /__reset", within("a"))).status).toBe(200);
    expect(nameOf(await api.ask("GET /products/1", within("a")))).toBe("before birth");
    expect(nameOf(await api.ask("GET /products/1"))).toBe("Steel Hat");
  });
});

describe("addresses below the prefix", () => {
  test("Location, Link and the list of what is served stay below it", async () => {
    const api = await startApi({ routes: { "/api/*": "/$1" } });
    const created = await api.ask("POST /__sandbox/a/products", { body: {} });
    expect(created.headers.get("location")).toBe(`${api.url}/__sandbox/a/products/13`);
    const rewritten = await api.ask("POST /__sandbox/a/api/products", { body: {} });
    expect(rewritten.headers.get("location")).toBe(`${api.url}/__sandbox/a/api/products/14`);
    const page = await api.ask("GET /__sandbox/a/api/products?_page=2&_limit=5");
    expect(page.headers.get("link")).toContain(`<${api.url}/__sandbox/a/api/products?_page=3&_limit=5>; rel="next"`);
    const index = await api.ask("GET /__sandbox/a");
    expect(index.text).toContain(`"${api.url}/__sandbox/a/products"`);
    const plain = await startApi({ console: false });
    const html = await plain.ask("GET /__sandbox/a/", { headers: { Accept: "text/html" } });
    expect(html.text).toContain('href="/__sandbox/a/products"');
    expect(html.text).toContain('href="/__sandbox/a/db"');
  });

  test("layers see the address behind it, so public routes stay public and guards guard", async () => {
    const api = await startLayered({
      middlewares: ["bearer"],
      layers: { bearer: { token: "a-token-of-some-length" } },
      rules: { "/health": "/health-check" },
    });
    expect((await api.ask("GET /__sandbox/a/health")).status).not.toBe(401);
    expect((await api.ask("GET /__sandbox/a/products")).status).toBe(401);
    expect((await api.ask("GET /__sandbox/health/products")).status).toBe(401);
  });

  test("interceptors see the address behind it", async () => {
    const folder = createFolder({
      "db.json": catalog(),
      "seen.cjs": "module.exports = (req, res, next) => { res.setHeader('X-Seen', req.url); next(); };",
    });
    const server = await serveKept(["db.json", "--middlewares", "./seen.cjs"], folder);
    const answer = await fetch(`${server.url}/__sandbox/a/products/1?x=1`);
    expect(answer.headers.get("x-seen")).toBe("/products/1?x=1");
    await fetch(`${server.url}/__sandbox/a/products/1`, { method: "DELETE" });
    expect((await fetch(`${server.url}/products/1`)).status).toBe(200);
    expect((await fetch(`${server.url}/__sandbox/a/products/1`)).status).toBe(404);
    await server.stop();
  });

  test("a file of the static folder is served below it, so that a page lives in its sandbox", async () => {
    const folder = createFolder({ "page.html": "<p>hello</p>" });
    const api = await startApi({ static: folder });
    expect((await api.ask("GET /__sandbox/a/page.html")).text).toBe("<p>hello</p>");
  });
});

describe("/__sandboxes", () => {
  test("creates, lists, shows, resets, removes", async () => {
    const api = await startApi();
    const created = await api.ask("POST /__sandboxes", { body: { name: "a" } });
    expect(created.status).toBe(201);
    expect(created.headers.get("location")).toBe(`${api.url}/__sandboxes/a`);
    expect(created.body).toMatchObject({ name: "a", url: `${api.url}/__sandbox/a`, bytes: 0 });
    expect(created.body).toMatchObject({ counts: { products: 12, companies: 3 } });
    await api.ask("DELETE /products/1", within("a"));
    expect((await api.ask("GET /__sandboxes/a")).body).toMatchObject({ counts: { products: 11 } });
    expect((await api.ask("POST /__sandboxes/a/reset")).body).toMatchObject({ counts: { products: 12 } });
    expect((await api.ask("GET /__sandboxes")).body).toMatchObject({ sandboxes: [{ name: "a" }] });
    expect((await api.ask("DELETE /__sandboxes/a")).status).toBe(200);
    expect((await api.ask("GET /__sandboxes")).body).toEqual({ sandboxes: [] });
    for (const line of ["GET /__sandboxes/a", "DELETE /__sandboxes/a", "POST /__sandboxes/a/reset"]) {
      expect(codeOf(await api.ask(line)), line).toBe("SANDBOX_NOT_FOUND");
    }
  });

  test("gives a name to one that has none, and refuses a second of one name", async () => {
    const api = await startApi();
    expect((await api.ask("POST /__sandboxes")).body).toMatchObject({ name: expect.stringMatching(/^\w{7}$/) });
    await api.ask("POST /__sandboxes", { body: { name: "a" } });
    const second = await api.ask("POST /__sandboxes", { body: { name: "a" } });
    expect([second.status, codeOf(second)]).toEqual([409, "SANDBOX_EXISTS"]);
  });

  test("an empty one has every collection and no record", async () => {
    const api = await startApi({ data: { ...catalog(), profile: { theme: "light" } } });
    await api.ask("POST /__sandboxes", { body: { name: "a", from: "empty" } });
    expect((await api.ask("GET /db", within("a"))).body).toEqual({ products: [], companies: [], profile: {} });
    expect((await api.ask("POST /products", within("a", { name: "first" }))).body).toEqual({ name: "first", id: 1 });
    await api.ask("POST /__reset", within("a"));
    expect(idsOf(await api.ask("GET /products", within("a")))).toEqual([]);
  });

  for (const body of [{ name: 5 }, { from: "here" }, { from: { snapshot: 1 } }, { from: null }, []]) {
    test(`${JSON.stringify(body)} is refused`, async () => {
      const api = await startApi();
      expect((await api.ask("POST /__sandboxes", { body })).status).toBe(400);
      expect((await api.ask("GET /__sandboxes")).body).toEqual({ sandboxes: [] });
    });
  }

  test("a misspelt key is refused with the nearest, not ignored", async () => {
    const api = await startApi();
    await api.ask("GET /products", within("a"));
    for (const [path, body, message] of [
      ["", { nam: "b" }, '"nam" is not a setting; allowed are name, from. Did you mean "name"?'],
      ["/a/promote", { renumbr: true }, 'Did you mean "renumber"?'],
      ["/a/undo", { cout: 2 }, 'Did you mean "count"?'],
    ]) {
      const answer = await api.ask(`POST /__sandboxes${path}`, { body });
      expect([answer.status, codeOf(answer)]).toEqual([400, "SANDBOX_INVALID"]);
      expect((answer.body as { message: string }).message).toContain(message);
    }
    expect((await api.ask("GET /__sandboxes")).body).toMatchObject({ sandboxes: [{ name: "a" }] });
  });

  test("removing all of them leaves none, even when asked from within one", async () => {
    const api = await startApi();
    for (const name of ["a", "b"]) await api.ask("GET /products", within(name));
    await api.ask("DELETE /__sandboxes", within("a"));
    expect((await api.ask("GET /__sandboxes", within("c"))).body).toEqual({ sandboxes: [] });
  });

  test("a page of another origin cannot make or remove one", async () => {
    const api = await startApi();
    const headers = { Origin: "http://elsewhere.example" };
    expect(codeOf(await api.ask("POST /__sandboxes", { headers, body: {} }))).toBe("CROSS_ORIGIN");
    expect(codeOf(await api.ask("DELETE /__sandbox/x/__sandboxes", { headers }))).toBe("CROSS_ORIGIN");
    expect((await api.ask("POST /__sandbox/a/products", { headers, body: {} })).status).toBe(201);
  });

  test("a request rejected by a guard creates no sandbox", async () => {
    const folder = createFolder({ "db.json": catalog() });
    const config = { middlewares: ["bearer"], layers: { bearer: { token: "a-token-of-some-length" } } };
    const server = await serveKept(
      ["db.json", "--config", "c.json"],
      createFolder({ "db.json": catalog(), "c.json": config }),
    );
    expect(folder).toBeDefined();
    await fetch(`${server.url}/__sandbox/a/products`);
    const headers = { Authorization: "Bearer a-token-of-some-length" };
    expect(await (await fetch(`${server.url}/__sandboxes`, { headers })).json()).toEqual({ sandboxes: [] });
    await server.stop();
  });
});

describe("bounds", () => {
  const sandboxesOver = (limits: ConstructorParameters<typeof Sandboxes>[1], now?: () => number, options = {}) =>
    new Sandboxes(new MemoryStore(State.load(catalog(), "id", options)), limits, now);

  test("no more than the limit at a time", () => {
    const sandboxes = sandboxesOver({ count: 2 });
    sandboxes.use("a");
    sandboxes.use("b");
    expect(() => sandboxes.use("c")).toThrow(/There are 2 sandboxes already/);
    sandboxes.use("a");
    sandboxes.remove("a");
    expect(sandboxes.use("c").name).toBe("c");
    sandboxes.clear();
  });

  test("one that was not used for a while is removed, and created anew when it is used again", async () => {
    let time = 0;
    const sandboxes = sandboxesOver({ expirySeconds: 10 }, () => time);
    const gone: string[] = [];
    sandboxes.subscribe((event, { name }) => event === "removed" && gone.push(name));
    await sandboxes.use("a").store.apply({ kind: "remove", collection: "products", id: "1", dependents: [] });
    sandboxes.use("b");
    time = 8000;
    sandboxes.use("a");
    time = 16_000;
    expect(sandboxes.list().map(({ name }) => name)).toEqual(["a"]);
    expect(sandboxes.use("a").store.get("products", "1")).toBeUndefined();
    time = 30_000;
    expect(sandboxes.use("a").store.get("products", "1")).toBeDefined();
    expect(gone).toEqual(["b", "a"]);
    sandboxes.clear();
  });

  test("writes beyond the memory of all sandboxes are refused until some is given back", async () => {
    const sandboxes = sandboxesOver({ megabytes: 1 });
    const write = (name: string) =>
      sandboxes
        .use(name)
        .store.apply({ kind: "create", collection: "products", bodies: [{ text: "x".repeat(100_000) }] });
    for (let i = 0; i < 3; i++) await write("a");
    await expect(write("b")).rejects.toThrow(/may hold 1 MB/);
    await sandboxes.get("a").store.reset();
    await write("b");
    const { bytes } = sandboxes.get("b").journal;
    expect(bytes).toBeGreaterThan(400_000);
    await sandboxes.get("b").store.apply({ kind: "remove", collection: "products", id: "13", dependents: [] });
    // It can be undone, so the record stays until a reset.
    expect(sandboxes.get("b").journal.bytes).toBeGreaterThan(400_000);
    await sandboxes.get("b").store.reset();
    expect(sandboxes.get("b").journal.bytes).toBeLessThan(1000);
    sandboxes.clear();
  });

  test("a history counts, and gives way to writes", async () => {
    const sandboxes = sandboxesOver({ megabytes: 1 }, undefined, { history: DEFAULT_HISTORY });
    const { store, journal } = sandboxes.use("a");
    const write = (text: string) =>
      store.apply({ kind: "patch", collection: "products", id: "1", body: { text: text.repeat(60_000) } });
    await write("x");
    const { bytes } = journal;
    await write("y");
    expect(journal.bytes, "the former text is kept").toBeGreaterThan(1.9 * bytes);
    await journal.undo(1);
    expect(journal.bytes, "and so is the one that was undone").toBeGreaterThan(2.8 * bytes);
    await store.reset();
    expect(journal.bytes, "a reset can be reverted").toBeGreaterThan(2.8 * bytes);
    const later = sandboxes.use("b");
    for (const id of ["1", "2", "3"]) {
      await later.store.apply({ kind: "patch", collection: "products", id, body: { text: "z".repeat(60_000) } });
    }
    expect(journal.bytes).toBeLessThan(1000);
    expect(await journal.undo(1)).toEqual({ undone: [], left: 0 });
    sandboxes.clear();
  });

  test("a history has the records of the main data for free", async () => {
    const text = "x".repeat(60_000);
    const main = State.load({ products: [{ id: 1, text }], notes: [{ id: 1, text }] }, "id");
    const sandboxes = new Sandboxes(new MemoryStore(main), { megabytes: 1 });
    const { store, journal } = sandboxes.use("a");
    await store.apply({ kind: "patch", collection: "products", id: "1", body: { text: "short" } });
    await store.alter({ kind: "removed", name: "notes" });
    expect(journal.bytes).toBeLessThan(1000);
    expect(await journal.undo(2)).toMatchObject({ left: 0 });
    expect(journal.bytes).toBeLessThan(1000);
    sandboxes.clear();
  });

  test("what is written to a sandbox that is gone takes no memory from others", async () => {
    const sandboxes = sandboxesOver({ megabytes: 1 });
    const { store } = sandboxes.use("a");
    sandboxes.remove("a");
    for (let i = 0; i < 4; i++) {
      await store.apply({ kind: "create", collection: "products", bodies: [{ text: "x".repeat(100_000) }] });
    }
    await sandboxes.use("b").store.apply({ kind: "create", collection: "products", bodies: [{}] });
    sandboxes.clear();
  });

  test("a restored snapshot counts, too", async () => {
    const sandboxes = sandboxesOver({ megabytes: 1 });
    const { store, journal } = sandboxes.use("a");
    await store.swap({ notes: Array.from({ length: 6000 }, (_, id) => ({ id, text: "some words that take room" })) });
    expect(journal.bytes).toBeGreaterThan(1_000_000);
    sandboxes.remove("a");
    await sandboxes.use("b").store.apply({ kind: "create", collection: "products", bodies: [{}] });
    sandboxes.clear();
  });

  test("a store that has its data elsewhere refuses with the reason", () => {
    const elsewhere = { place: "a database server", members: () => [] } as unknown as Store;
    expect(() => new Sandboxes(elsewhere).use("a")).toThrow(/need the data in memory/);
  });
});

describe("indexes", () => {
  const products = Array.from({ length: 2000 }, (_, i) => ({ id: i + 1, price: i % 7 }));

  test("a write in a sandbox keeps the shared indexes of the others; the sandbox builds its own", async () => {
    const base = new MemoryStore(State.load({ products }, "id"));
    const sandboxes = new Sandboxes(base);
    const query = { where: [], search: "", sort: [], window: { kind: "all" }, embed: [], expand: [] } as never;
    await base.find("products", query);
    base.related("products", { field: "price", isList: false }, new Set(["3"]));
    const before = base.indexes("products");
    expect(before).toEqual(["equality of price"]);
    const { store } = sandboxes.use("a");
    expect(store.indexes("products")).toEqual(before);
    await store.apply({ kind: "create", collection: "products", bodies: [{ price: 3 }] });
    expect(base.indexes("products")).toEqual(before);
    expect(store.indexes("products")).toEqual([]);
    const groups = await store.related("products", { field: "price", isList: false }, new Set(["3"]));
    expect(groups.get("3")).toHaveLength(287);
    sandboxes.clear();
  });
});

import { cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { JsonObject } from "../../../src/base/json/json.ts";
import { createStandin, type Standin, type StandinOptions } from "../../../src/index.ts";
import { decodeJournal, encodeLine } from "../../../src/store/file/journal/journal-format.ts";
import { hashFile } from "../../../src/store/file/read-data-file.ts";
import { planChange } from "../../../src/store/memory/plan-change.ts";
import { State } from "../../../src/store/memory/state.ts";
import { databaseOf, opened } from "../../durability/opened.ts";
import { askAt, codeOf } from "../../support/api.ts";
import { createFolder } from "../../support/cli.ts";
import { type Ask, DATA, END, REQUESTS, runThrough } from "./cases.ts";

const READER = { key: "reader-12345", permissions: ["read"] };
const FOLDER = Object.fromEntries(
  Object.entries(DATA).map(([name, value]) => [`${name}.json`, JSON.stringify(value, null, 2)]),
);

describe("collections at run time", () => {
  let api: Standin<JsonObject>;
  beforeAll(async () => {
    api = await createStandin<JsonObject>({ data: DATA, collections: { orders: { id: "prefix:o_" } } });
  });
  afterAll(() => api.close());
  /** Asks in a sandbox of its own. */
  const sandboxed = (): Ask => {
    const path = new URL(api.sandbox().url).pathname;
    return (line, options) => askAt(api.url, line.replace(" ", ` ${path}`), options);
  };

  test("in memory: created, renamed and removed, and gone with a reset", async () => {
    await using own = await createStandin({ data: DATA });
    const ask: Ask = (line, options) => askAt(own.url, line, options);
    await runThrough(ask);
    expect((await ask("GET /db")).body).toEqual(END);
    expect((await ask("GET /__collections")).body).toEqual({
      collections: [
        { name: "companies", kind: "collection", count: 1 },
        { name: "products", kind: "collection", count: 1 },
        { name: "person", kind: "singleton", count: 1 },
        { name: "orders", kind: "collection", count: 1 },
        { name: "sales", kind: "collection", count: 1 },
      ],
    });
    await own.reset();
    expect((await ask("GET /db")).body).toEqual(DATA);
  });

  test("in a sandbox: nothing of it is seen outside", async () => {
    const ask = sandboxed();
    const requests = REQUESTS.filter(([line]) => !/orders|sales/.test(line));
    for (const [line, options] of requests) await ask(line, options);
    expect((await ask("GET /db")).body).toMatchObject({ products: [{ id: 7 }], companies: [{ id: 1 }] });
    expect((await askAt(api.url, "GET /db")).body).toEqual(DATA);
  });

  test("the settings of a collection wait for it, and go by its name", async () => {
    const ask = sandboxed();
    await ask("POST /__collections", { body: { name: "orders" } });
    const { body } = await ask("POST /orders", { body: {} });
    expect((body as { id: string }).id).toMatch(/^o_/);
    await ask("PATCH /__collections/orders", { body: { name: "sales" } });
    expect(((await ask("POST /sales", { body: {} })).body as { id: string }).id).not.toMatch(/^o_/);
  });

  test("one event each, and the routes are described at once", async () => {
    const ask = sandboxed();
    await ask("POST /__collections", { body: { name: "orders" } });
    const paths = async (): Promise<string[]> =>
      Object.keys(((await ask("GET /__openapi.json")).body as { paths: object }).paths);
    expect(await paths()).toEqual(expect.arrayContaining(["/orders", "/orders/{id}", "/__collections/{name}"]));
    const first = (await ask("GET /__collections/orders")).body;
    expect(first).toEqual({ name: "orders", kind: "collection", count: 0 });
    const made = await ask("PATCH /__collections/orders", { body: { name: "sales" } });
    expect(made.headers.get("location")).toMatch(/\/__sandbox\/\w+\/sales$/);
    const ofSales = (await ask("GET /__changes?collection=sales")).body as { changes: unknown[] };
    expect(ofSales.changes).toHaveLength(1);
    await ask("DELETE /__collections/sales");
    expect(await paths()).not.toContain("/sales");
    const changes = ((await ask("GET /__changes")).body as { changes: { collection: object }[] }).changes;
    expect(changes.map(({ collection }) => collection)).toEqual([
      { kind: "created", name: "orders", type: "collection" },
      { kind: "renamed", name: "orders", to: "sales" },
      { kind: "removed", name: "sales" },
    ]);
  });

  test("an ETag does not outlive its collection", async () => {
    const ask = sandboxed();
    const tag = async () => (await ask("GET /products")).headers.get("etag");
    const before = await tag();
    await ask("DELETE /__collections/products");
    await ask("POST /__collections", { body: { name: "products" } });
    expect(await tag()).not.toBe(before);
  });

  test("requests that race a rename end up in the collection, or are refused", async () => {
    const ask = sandboxed();
    const racing = Array.from({ length: 20 }, (_, at) => ask("POST /products", { body: { at } }));
    const renamed = ask("PATCH /__collections/products", { body: { name: "things" } });
    const statuses = (await Promise.all(racing)).map(({ status }) => status);
    expect((await renamed).status).toBe(200);
    const made = statuses.filter((status) => status === 201).length;
    expect(statuses.filter((status) => status === 404)).toHaveLength(20 - made);
    expect((await ask("GET /things")).body).toHaveLength(made + 1);
  });

  test("programs have the same", async () => {
    const sandbox = api.sandbox();
    await sandbox.collections.create("notes");
    await sandbox.collections.create("settings", "singleton");
    await sandbox.db.notes!.create({ text: "x" });
    await sandbox.collections.rename("notes", "memos");
    await sandbox.collections.remove("profile");
    expect(await sandbox.collections.list()).toEqual([
      { name: "products", kind: "collection", count: 1 },
      { name: "companies", kind: "collection", count: 1 },
      { name: "memos", kind: "collection", count: 1 },
      { name: "settings", kind: "singleton", count: 1 },
    ]);
    await expect(sandbox.collections.create("memos")).rejects.toMatchObject({ code: "COLLECTION_EXISTS" });
    await expect(sandbox.collections.create("__x")).rejects.toMatchObject({ code: "COLLECTION_INVALID" });
  });

  const wrong: readonly [unknown, string][] = [
    [{}, "COLLECTION_INVALID"],
    [{ name: "" }, "COLLECTION_INVALID"],
    [{ name: 1 }, "COLLECTION_INVALID"],
    [{ name: "a/b" }, "COLLECTION_INVALID"],
    [{ name: ".." }, "COLLECTION_INVALID"],
    [{ name: "a." }, "COLLECTION_INVALID"],
    [{ name: "a\u0000b" }, "COLLECTION_INVALID"],
    [{ name: "\ud800" }, "COLLECTION_INVALID"],
    [{ name: "$schema" }, "COLLECTION_INVALID"],
    [{ name: "__proto__" }, "COLLECTION_INVALID"],
    [{ name: "__events" }, "COLLECTION_INVALID"],
    [{ name: "db" }, "COLLECTION_INVALID"],
    [{ name: "DB" }, "COLLECTION_INVALID"],
    [{ name: "x".repeat(201) }, "COLLECTION_INVALID"],
    [{ name: "\u{1d11e}" }, "COLLECTION_INVALID"],
    [{ name: "x", kind: "table" }, "COLLECTION_INVALID"],
    [[], "BODY_NOT_OBJECT"],
    ["{", "BODY_MALFORMED"],
  ];
  test("names that no collection can have are refused, for a new one and a renamed one", async () => {
    for (const [body, code] of wrong) {
      expect([body, codeOf(await askAt(api.url, "POST /__collections", { body }))]).toEqual([body, code]);
      if ((body as { kind?: string }).kind) continue;
      expect([body, codeOf(await askAt(api.url, "PATCH /__collections/products", { body }))]).toEqual([body, code]);
    }
    const ask = sandboxed();
    for (const name of ["constructor", "toString", "Größe 2", "品目", "a.b-c_d~", "1"]) {
      expect([name, (await ask("POST /__collections", { body: { name } })).status]).toEqual([name, 201]);
      const path = `/${encodeURIComponent(name)}`;
      expect((await ask(`POST ${path}`, { body: {} })).body).toEqual({ id: 1 });
      expect((await ask(`DELETE /__collections${path}`)).status).toBe(200);
    }
  });

  const writes: readonly [string, object?][] = [
    ["POST /__collections", { name: "x" }],
    ["PATCH /__collections/products", { name: "x" }],
    ["DELETE /__collections/products"],
  ];
  const layers: readonly [string, Partial<StandinOptions>, Record<string, string>, string][] = [
    ["read-only mode", { readOnly: true }, {}, "READ_ONLY"],
    ["another origin", {}, { Origin: "http://elsewhere.test" }, "CROSS_ORIGIN"],
    ["a foreign host", {}, { Host: "elsewhere.test" }, "HOST_FORBIDDEN"],
    ["a missing key", { middlewares: ["api-key"], layers: { "api-key": { keys: [READER] } } }, {}, "API_KEY_MISSING"],
    [
      "a key that may only read",
      { middlewares: ["api-key"], layers: { "api-key": { keys: [READER] } } },
      { "X-API-Key": READER.key },
      "FORBIDDEN_WRITE",
    ],
    ["a missing token", { middlewares: ["bearer"], layers: { bearer: { token: "secret" } } }, {}, "AUTH_REQUIRED"],
  ];
  for (const [name, options, headers, code] of layers) {
    test(`${name} is refused`, async () => {
      await using own = await createStandin({ data: DATA, ...options } as StandinOptions);
      for (const [line, body] of writes) {
        expect([line, codeOf(await askAt(own.url, line, { headers, body }))]).toEqual([line, code]);
      }
      expect((await own.collections.list()).map(({ name: one }) => one)).toEqual(Object.keys(DATA));
    });
  }

  for (const [kind, files] of [
    ["file", { "db.json": JSON.stringify(DATA, null, 2) }],
    ["folder", FOLDER],
  ] as const) {
    test(`a data ${kind} has each step after a kill, and all of them after a restart`, async () => {
      const folder = createFolder(files);
      const source = kind === "file" ? "db.json" : ".";
      const start = () => createStandin({ source: join(folder, source), persist: true });
      const byName = (database: unknown): unknown => Object.entries(database as object).sort();
      let last = "";
      {
        await using own = await start();
        const ask: Ask = (line, options) => askAt(own.url, line, options);
        await runThrough(ask, async () => {
          const now = (await ask("GET /db")).text;
          if (now === last) return;
          last = now;
          // As a kill would leave it: the journal has the change, the data files may not.
          const copy = kind === "file" ? createFolder({}) : join(createFolder({}), basename(folder));
          cpSync(folder, copy, { recursive: true });
          const { store } = await opened(copy, { source, memory: true });
          expect(byName(await databaseOf(store))).toEqual(byName(JSON.parse(now)));
        });
      }
      expect(byName(JSON.parse(last))).toEqual(byName(END));
      await using own = await start();
      expect(byName((await askAt(own.url, "GET /db")).body)).toEqual(byName(END));
      if (kind === "folder") {
        const names = readdirSync(folder).filter((name) => name.endsWith(".json"));
        expect(names.sort()).toEqual(
          Object.keys(END)
            .map((name) => `${name}.json`)
            .sort(),
        );
      }
    });
  }

  test("what the disk refuses is undone, with the writes after it", () => {
    const state = State.load(structuredClone(DATA), "id");
    const content = () => [...state.members()].map(([name]) => [name, state.collection(name)?.records.length]);
    const before = content();
    for (const edit of [
      { kind: "created", name: "orders", type: "collection" },
      { kind: "renamed", name: "products", to: "things" },
      { kind: "removed", name: "companies" },
    ] as const) {
      const { version } = state;
      const undo = state.alter(edit);
      const collection = edit.kind === "renamed" ? "things" : "products";
      const change = planChange(state, { kind: "create", collection, bodies: [{}] });
      state.commit(change);
      expect(content()).not.toEqual(before);
      state.undo(change);
      undo();
      expect(content()).toEqual(before);
      expect(state.version).toBeGreaterThan(version + 2);
    }
  });

  test("a folder whose save was cut off anywhere is recovered", async () => {
    const folder = createFolder(FOLDER);
    const { store } = await opened(folder, { source: "." });
    await store.alter({ kind: "renamed", name: "companies", to: "spare" });
    await store.alter({ kind: "renamed", name: "products", to: "companies" });
    await store.alter({ kind: "renamed", name: "spare", to: "products" });
    await store.alter({ kind: "removed", name: "profile" });
    await store.alter({ kind: "created", name: "orders", type: "collection" });
    await store.apply({ kind: "create", collection: "orders", bodies: [{ total: 1 }] });
    const expected = await databaseOf(store);
    const killed = join(createFolder({}), basename(folder));
    cpSync(folder, killed, { recursive: true });
    await store.close();
    const journal = join(".standin", readdirSync(join(killed, ".standin")).find((name) => name.endsWith(".journal"))!);
    const files = ["products.json", "companies.json", "profile.json", "orders.json"];
    const { lines } = decodeJournal(readFileSync(join(killed, journal)))!;
    const folded = Object.fromEntries(files.map((file) => [file, hashFile(join(folder, file))]));
    const note = encodeLine(JSON.stringify({ v: lines.at(-1)!.v, folded }));
    for (let subset = 0; subset < 2 ** files.length; subset++) {
      const cut = join(createFolder({}), basename(folder));
      cpSync(killed, cut, { recursive: true });
      writeFileSync(join(cut, journal), readFileSync(join(killed, journal), "utf8") + note);
      for (const [at, file] of files.entries()) {
        if (!(subset & (1 << at))) continue;
        rmSync(join(cut, file), { force: true });
        if (existsSync(join(folder, file))) cpSync(join(folder, file), join(cut, file));
      }
      const { store: next, warnings } = await opened(cut, { source: ".", memory: true });
      expect([subset, warnings, await databaseOf(next)]).toEqual([subset, [], expected]);
    }
  });
});

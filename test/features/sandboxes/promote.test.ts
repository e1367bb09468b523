import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { createStandin, type Standin } from "../../../src/index.ts";
import { type Api, askAt, codeOf, startApi } from "../../support/api.ts";
import { createFolder } from "../../support/cli.ts";

const DATA = {
  companies: [
    { id: 1, name: "Acme" },
    { id: 2, name: "Globex" },
  ],
  products: [
    { id: 1, name: "Hat", company_id: 1 },
    { id: 2, name: "Cap", company_id: 2 },
    { id: 3, name: "Scarf", company_id: 1 },
  ],
  settings: { theme: "light" },
};

const start = (options: object = {}): Promise<Api> => startApi({ data: structuredClone(DATA), ...options });
const inside = (body?: unknown) => ({ headers: { "X-Standin-Sandbox": "ann" }, body });

async function promote(api: Api, body?: unknown) {
  return api.ask("POST /__sandboxes/ann/promote", { body });
}

async function all(api: Api, path: string): Promise<unknown> {
  return (await api.ask(`GET ${path}`)).body;
}

describe("without conflicts", () => {
  test("created, changed and removed records become one change of the main data", async () => {
    const api = await start();
    await api.ask("POST /products", inside({ name: "Glove", company_id: 2 }));
    await api.ask("PATCH /products/1", inside({ name: "Felt Hat" }));
    await api.ask("PATCH /products/1", inside({ price: 5 }));
    await api.ask("DELETE /products/3", inside());
    await api.ask("PATCH /settings", inside({ theme: "dark" }));
    const sandbox = await api.ask("GET /products", inside());
    const before = (await all(api, "/__changes")) as { changes: unknown[] };
    const promoted = await promote(api);
    expect(promoted).toMatchObject({
      status: 200,
      body: { created: 1, changed: 2, removed: 1, renumbered: [] },
    });
    expect(await all(api, "/products")).toEqual(sandbox.body);
    expect(await all(api, "/settings")).toEqual({ theme: "dark" });
    const after = (await all(api, "/__changes")) as { changes: { version: number }[] };
    const made = after.changes.slice(before.changes.length);
    expect(made.length).toBeGreaterThan(0);
    expect(new Set(made.map(({ version }) => version)).size, "one version").toBe(1);
  });

  test("writes of others to other records stay", async () => {
    const api = await start();
    await api.ask("PATCH /products/1", inside({ name: "Felt Hat" }));
    await api.ask("PATCH /products/2", { body: { name: "Beret" } });
    expect((await promote(api)).status).toBe(200);
    expect(await all(api, "/products")).toMatchObject([{ name: "Felt Hat" }, { name: "Beret" }, { name: "Scarf" }]);
  });

  test("the same change on both sides is no conflict", async () => {
    const api = await start();
    await api.ask("PATCH /products/1", inside({ name: "Felt Hat" }));
    await api.ask("DELETE /products/2", inside());
    await api.ask("PATCH /products/1", { body: { name: "Felt Hat" } });
    await api.ask("DELETE /products/2");
    expect((await promote(api)).body).toEqual({ created: 0, changed: 0, removed: 0, renumbered: [] });
  });

  test("the sandbox goes on from the main data, and a second time nothing is left to promote", async () => {
    const api = await start();
    await api.ask("PATCH /products/1", inside({ name: "Felt Hat" }));
    await api.ask("PATCH /products/2", { body: { name: "Beret" } });
    await promote(api);
    expect((await api.ask("GET /products/2", inside())).body).toMatchObject({ name: "Beret" });
    expect((await api.ask("GET /__sandboxes/ann/changes")).body).toMatchObject({ total: 0, conflicts: [] });
    expect((await promote(api)).body).toMatchObject({ created: 0, changed: 0, removed: 0 });
    await api.ask("PATCH /products/3", inside({ name: "Shawl" }));
    expect((await promote(api)).body).toMatchObject({ changed: 1 });
  });

  test("collections that were created, renamed and removed", async () => {
    const api = await start();
    await api.ask("POST /__collections", inside({ name: "reviews" }));
    await api.ask("POST /reviews", inside({ text: "Good", product_id: 1 }));
    await api.ask("DELETE /__collections/settings", inside());
    await api.ask("PATCH /__collections/companies", inside({ name: "firms" }));
    expect((await promote(api)).status).toBe(200);
    expect(await all(api, "/reviews")).toEqual([{ id: 1, text: "Good", product_id: 1 }]);
    expect(await all(api, "/firms")).toEqual(DATA.companies);
    expect(Object.keys((await all(api, "/db")) as object).sort()).toEqual(["firms", "products", "reviews"]);
  });

  test("with collections it is one version, too: before and after a restart, for readers of changes, and to be reverted", async () => {
    const source = join(createFolder({ "db.json": DATA }), "db.json");
    const open = async (): Promise<Standin> => {
      const standin = await createStandin({ source, persist: true });
      onTestFinished(() => standin.close());
      return standin;
    };
    const apiOf = ({ url, port }: Standin): Api => ({ url, port, ask: (line, asked) => askAt(url, line, asked) });
    const former = await open();
    const first = apiOf(former);
    const before = (await first.ask("GET /db")).text;
    await first.ask("POST /__sandboxes", { body: { name: "bob" } });
    await first.ask("POST /__collections", inside({ name: "reviews" }));
    await first.ask("POST /reviews", inside({ text: "Good", product_id: 1 }));
    await first.ask("PATCH /products/1", inside({ name: "Felt Hat" }));
    await first.ask("DELETE /__collections/settings", inside());
    expect((await promote(first)).body).toMatchObject({ created: 1, changed: 1 });
    const after = (await first.ask("GET /db")).text;
    const { changes } = (await all(first, "/__changes")) as { changes: object[] };
    expect(changes).toMatchObject([
      { collection: { kind: "created", name: "reviews" } },
      { edits: [{ name: "products" }, { name: "reviews" }] },
      { collection: { kind: "removed", name: "settings" } },
    ]);
    // The data is the same load: others go on with theirs.
    await first.ask("PATCH /__sandbox/bob/products/2", { body: { name: "Beret" } });
    expect((await first.ask("POST /__sandboxes/bob/promote")).status).toBe(200);
    await former.close();
    const second = apiOf(await open());
    const listed = (await second.ask("GET /__history")).body as { versions: { version: number }[] };
    expect(listed.versions).toMatchObject([
      { by: "promote:bob", kind: "change" },
      { by: "promote:ann", cause: "promote", counts: { products: { updated: 1 }, reviews: { created: 1 } } },
    ]);
    const version = listed.versions[1]?.version ?? 0;
    expect((await second.ask(`GET /__at/${version - 1}/db`)).text).toBe(before);
    expect((await second.ask(`GET /__at/${version}/db`)).text).toBe(after);
    expect((await second.ask(`POST /__history/${version}/revert`)).status).toBeLessThan(300);
    expect(await all(second, "/db")).toEqual({
      ...DATA,
      products: DATA.products.map((one) => (one.id === 2 ? { ...one, name: "Beret" } : one)),
    });
  });

  test("collections that are the same on both sides are no version", async () => {
    const api = await start();
    await api.ask("POST /__collections", inside({ name: "reviews" }));
    await api.ask("POST /__collections", { body: { name: "reviews" } });
    const { text } = await api.ask("GET /__history");
    expect((await promote(api)).body).toEqual({ created: 0, changed: 0, removed: 0, renumbered: [] });
    expect((await api.ask("GET /__history")).text).toBe(text);
  });

  test("the data file has all of it after a restart", async () => {
    const folder = createFolder({ "db.json": DATA });
    const source = join(folder, "db.json");
    await using api = await createStandin({ source, persist: true });
    const sandbox = api.sandbox("ann");
    await fetch(`${sandbox.url}/products/1`, { method: "DELETE" });
    await sandbox.promote();
    await api.close();
    expect(JSON.parse(await readFile(source, "utf8")).products).toEqual(DATA.products.slice(1));
  });
});

describe("with conflicts", () => {
  const cases: [what: string, inSandbox: [string, unknown?], inMain: [string, unknown?], conflict: object][] = [
    [
      "a record changed on both sides",
      ["PATCH /products/1", { name: "Felt Hat" }],
      ["PATCH /products/1", { name: "Straw Hat" }],
      {
        collection: "products",
        id: 1,
        base: { name: "Hat" },
        main: { name: "Straw Hat" },
        sandbox: { name: "Felt Hat" },
      },
    ],
    [
      "a record changed here and removed there",
      ["PATCH /products/1", { name: "Felt Hat" }],
      ["DELETE /products/1"],
      { id: 1, base: { name: "Hat" }, main: null, sandbox: { name: "Felt Hat" } },
    ],
    [
      "a record removed here and changed there",
      ["DELETE /products/1"],
      ["PATCH /products/1", { name: "Straw Hat" }],
      { id: 1, base: { name: "Hat" }, main: { name: "Straw Hat" }, sandbox: null },
    ],
    [
      "records created with the same id",
      ["POST /products", { name: "Glove" }],
      ["POST /products", { name: "Sock" }],
      { id: 4, base: null, main: { name: "Sock" }, sandbox: { name: "Glove" } },
    ],
    [
      "a singleton changed on both sides",
      ["PATCH /settings", { theme: "dark" }],
      ["PATCH /settings", { theme: "blue" }],
      { collection: "settings", id: null, main: { theme: "blue" }, sandbox: { theme: "dark" } },
    ],
    [
      "a record added to a collection that the sandbox removed",
      ["DELETE /__collections/companies"],
      ["POST /companies", { name: "Initech" }],
      { collection: "companies", id: 3, base: null, main: { name: "Initech" }, sandbox: null },
    ],
  ];
  for (const [what, [writeInside, innerBody], [writeInMain, mainBody], conflict] of cases) {
    test(`${what}: 409 with both versions, and nothing is changed`, async () => {
      const api = await start();
      expect((await api.ask(writeInside, inside(innerBody))).status).toBeLessThan(300);
      await api.ask("PATCH /products/3", inside({ name: "Shawl" }));
      expect((await api.ask(writeInMain, { body: mainBody })).status).toBeLessThan(300);
      const [main, sandbox] = [await all(api, "/db"), (await api.ask("GET /db", inside())).body];
      expect((await api.ask("GET /__sandboxes/ann/changes")).body).toMatchObject({ conflicts: [conflict] });
      const refused = await promote(api);
      expect([refused.status, codeOf(refused)]).toEqual([409, "SANDBOX_CONFLICT"]);
      expect(refused.body).toMatchObject({ conflicts: [conflict], total: 1 });
      expect(await all(api, "/db")).toEqual(main);
      expect((await api.ask("GET /db", inside())).body).toEqual(sandbox);

      const [, name] = writeInMain.split("/") as [string, string];
      const collection = "collection" in conflict ? conflict.collection : name;
      const { id = null, ...sides } = conflict as { id?: number; main: object | null; sandbox: object | null };
      const path = `/${collection}${id === null ? "" : `/${id}`}`;
      const other = { collection: "products", id: 2, take: "main" };
      const kept = await promote(api, { conflicts: [other, { collection, id, take: "main" }] });
      expect(kept.status, kept.text).toBe(200);
      expect(await all(api, "/products/3")).toMatchObject({ name: "Shawl" });
      expect(await all(api, path)).toMatchObject(sides.main ?? { code: "RECORD_NOT_FOUND" });

      const second = await start();
      await second.ask(writeInside, inside(innerBody));
      await second.ask(writeInMain, { body: mainBody });
      const taken = await promote(second, { conflicts: "sandbox" });
      expect(taken.status, taken.text).toBe(200);
      const isGone = writeInside.includes("__collections");
      expect(await all(second, path)).toMatchObject(
        sides.sandbox ?? { code: isGone ? "COLLECTION_NOT_FOUND" : "RECORD_NOT_FOUND" },
      );
      expect((await second.ask("GET /__sandboxes/ann/changes")).body).toMatchObject({ total: 0, conflicts: [] });
    });
  }

  test("an object that the sandbox removed stays, if the main data is chosen; a choice that says nothing is refused", async () => {
    const api = await start();
    await api.ask("DELETE /__collections/settings", inside());
    await api.ask("PATCH /settings", { body: { theme: "blue" } });
    for (const conflicts of ["mine", [{ collection: "settings" }], [{ take: "main" }], [1], {}]) {
      expect(codeOf(await promote(api, { conflicts }))).toBe("SANDBOX_INVALID");
    }
    expect((await promote(api, { conflicts: "main" })).status).toBe(200);
    expect(await all(api, "/settings")).toEqual({ theme: "blue" });
  });

  for (const [what, call] of [
    ["reset", "POST /__reset"],
    ["restored", "PUT /__snapshots__/first"],
  ] as const) {
    test(`main data that was ${what} since`, async () => {
      const api = await start();
      await api.ask("POST /__snapshots__", { body: { name: "first" } });
      await api.ask("PATCH /products/1", inside({ name: "Felt Hat" }));
      expect((await api.ask(call)).status).toBe(200);
      const refused = await promote(api);
      expect([refused.status, codeOf(refused)]).toEqual([409, "SANDBOX_CONFLICT"]);
      expect(await all(api, "/products/1")).toMatchObject({ name: "Hat" });
    });
  }

  test("a collection made for nothing is not left behind", async () => {
    const api = await start();
    await api.ask("POST /__collections", inside({ name: "reviews" }));
    await api.ask("PATCH /products/1", inside({ name: "Felt Hat" }));
    await api.ask("PATCH /products/1", { body: { name: "Straw Hat" } });
    expect((await promote(api)).status).toBe(409);
    expect((await api.ask("GET /reviews")).status).toBe(404);
  });
});

describe("renumber", () => {
  test("records created on both sides get new ids, and references follow", async () => {
    const api = await start();
    await api.ask("POST /companies", inside({ name: "Initech" }));
    await api.ask("POST /products", inside({ name: "Glove", company_id: 3 }));
    await api.ask("PATCH /products/2", inside({ company_id: 3 }));
    await api.ask("POST /companies", { body: { name: "Umbrella" } });
    await api.ask("POST /products", { body: { name: "Sock", company_id: 3 } });
    const promoted = await promote(api, { renumber: true });
    expect(promoted.body).toEqual({
      created: 2,
      changed: 1,
      removed: 0,
      renumbered: [
        { collection: "companies", from: 3, to: 4 },
        { collection: "products", from: 4, to: 5 },
      ],
    });
    expect(await all(api, "/companies")).toMatchObject([
      {},
      {},
      { id: 3, name: "Umbrella" },
      { id: 4, name: "Initech" },
    ]);
    expect(await all(api, "/products")).toEqual([
      DATA.products[0],
      { ...DATA.products[1], company_id: 4 },
      DATA.products[2],
      { name: "Sock", company_id: 3, id: 4 },
      { name: "Glove", company_id: 4, id: 5 },
    ]);
  });

  test("a reference that the record had before still means the record of the main data", async () => {
    const api = await start();
    await api.ask("POST /companies", { body: { name: "Umbrella" } });
    await api.ask("PATCH /products/1", { body: { company_id: 3 } });
    await api.ask("DELETE /companies/3", inside());
    await api.ask("POST /companies", inside({ id: 9, name: "Initech" }));
    await api.ask("POST /companies", { body: { id: 9, name: "Hooli" } });
    await api.ask("PATCH /products/1", inside({ name: "Felt Hat" }));
    await api.ask("PATCH /products/2", inside({ company_id: 9 }));
    const promoted = await promote(api, { renumber: true });
    expect(promoted.body).toMatchObject({ renumbered: [{ collection: "companies", from: 9, to: 10 }] });
    expect(await all(api, "/products")).toMatchObject([{ company_id: 3 }, { company_id: 10 }, { company_id: 1 }]);
  });

  test("anything but true or false is refused", async () => {
    const api = await start();
    await api.ask("GET /products", inside());
    expect(codeOf(await promote(api, { renumber: "yes" }))).toBe("SANDBOX_INVALID");
  });
});

describe("rules", () => {
  const rules = {
    products: { "x-references": { company_id: { collection: "companies", onDelete: "refuse" } } },
    companies: { type: "object", properties: { name: { type: "string", minLength: 2 } } },
  };

  test("records are judged with those they refer to, whatever their order", async () => {
    const api = await start({ rules });
    await api.ask("POST /companies", inside({ name: "Initech" }));
    await api.ask("POST /products", inside({ name: "Glove", company_id: 3 }));
    await api.ask("DELETE /products/1", inside());
    await api.ask("DELETE /products/3", inside());
    expect((await api.ask("DELETE /companies/1", inside())).status).toBe(200);
    expect((await promote(api)).body).toMatchObject({ created: 2, removed: 3 });
  });

  test("a promotion that breaks a rule with main data of today is refused, and changes nothing", async () => {
    const api = await start({ rules });
    await api.ask("PATCH /products/1", inside({ company_id: 2 }));
    await api.ask("DELETE /products/2");
    expect((await api.ask("DELETE /companies/2")).status).toBe(200);
    const main = await all(api, "/db");
    const refused = await promote(api);
    expect([refused.status, codeOf(refused)]).toEqual([422, "RECORD_INVALID"]);
    expect(await all(api, "/db")).toEqual(main);
  });
});

test("a sandbox that does not exist is not created by a promotion", async () => {
  const api = await start();
  expect(codeOf(await promote(api))).toBe("SANDBOX_NOT_FOUND");
  expect(codeOf(await api.ask("GET /__sandboxes/ann/changes"))).toBe("SANDBOX_NOT_FOUND");
  expect((await api.ask("GET /__sandboxes")).body).toEqual({ sandboxes: [] });
});

test("the changes of a sandbox are listed with both versions", async () => {
  const api = await start();
  await api.ask("POST /products", inside({ name: "Glove" }));
  await api.ask("PATCH /products/1", inside({ name: "Felt Hat" }));
  await api.ask("DELETE /products/2", inside());
  await api.ask("POST /__collections", inside({ name: "reviews" }));
  expect((await api.ask("GET /__sandboxes/ann/changes")).body).toEqual({
    total: 3,
    changes: [
      {
        collection: "products",
        id: 1,
        kind: "changed",
        before: DATA.products[0],
        after: { ...DATA.products[0], name: "Felt Hat" },
      },
      { collection: "products", id: 4, kind: "created", before: null, after: { name: "Glove", id: 4 } },
      { collection: "products", id: 2, kind: "removed", before: DATA.products[1], after: null },
    ],
    collections: { created: [{ name: "reviews", kind: "collection" }], removed: [] },
    conflicts: [],
  });
});

test("a program promotes a sandbox, and reads the conflicts from the error", async () => {
  await using api = await createStandin({ data: structuredClone(DATA) });
  const sandbox = api.sandbox();
  await sandbox.db.products.update(1, { name: "Felt Hat" });
  expect(await sandbox.promote()).toEqual({ created: 0, changed: 1, removed: 0, renumbered: [] });
  expect(await api.db.products.get(1)).toMatchObject({ name: "Felt Hat" });
  await sandbox.db.products.update(1, { name: "Hat" });
  await api.db.products.update(1, { name: "Cap" });
  const refused = await sandbox.promote().catch((thrown: unknown) => thrown);
  expect(JSON.parse(JSON.stringify(refused))).toMatchObject({ code: "SANDBOX_CONFLICT", conflicts: [{ id: 1 }] });
});

describe("at the same time", () => {
  test("two promotions of a sandbox are carried out one after the other", async () => {
    await using api = await createStandin({ data: structuredClone(DATA) });
    const sandbox = api.sandbox("ann");
    await sandbox.db.companies.create({ name: "Initech" });
    await api.db.companies.create({ name: "Umbrella" });
    const renumber = { renumber: true };
    expect(await Promise.all([sandbox.promote(renumber), sandbox.promote(renumber)])).toMatchObject([
      { created: 1, renumbered: [{ from: 3, to: 4 }] },
      { created: 0, renumbered: [] },
    ]);
    expect(await api.db.companies.find()).toHaveLength(4);
  });

  test("a reset of the main data is a conflict, even if the promotion has begun", async () => {
    await using api = await createStandin({ data: structuredClone(DATA) });
    const sandbox = api.sandbox("ann");
    await sandbox.db.companies.create({ name: "Initech" });
    const [promoted] = await Promise.allSettled([sandbox.promote(), api.reset()]);
    expect(promoted).toMatchObject({ status: "rejected", reason: { code: "SANDBOX_CONFLICT" } });
    expect(await api.db.companies.find()).toHaveLength(2);
  });
});

describe("compared with the main data", () => {
  test("?against=main lists what differs now, whichever side has changed", async () => {
    const api = await start();
    await api.ask("PATCH /products/1", inside({ name: "Felt Hat" }));
    await api.ask("PATCH /products/2", { body: { name: "Wool Cap" } });
    await api.ask("POST /products", { body: { id: 4, name: "Jug" } });
    expect(await all(api, "/__sandboxes/ann/changes")).toMatchObject({
      total: 1,
      changes: [{ id: 1, before: { name: "Hat" }, after: { name: "Felt Hat" } }],
    });
    expect(await all(api, "/__sandboxes/ann/changes?against=main")).toMatchObject({
      total: 3,
      changes: [
        { id: 1, kind: "changed", before: { name: "Hat" }, after: { name: "Felt Hat" } },
        { id: 2, kind: "changed", before: { name: "Wool Cap" }, after: { name: "Cap" } },
        { id: 4, kind: "removed", before: { name: "Jug" }, after: null },
      ],
      conflicts: [],
    });
    await promote(api);
    expect(await all(api, "/__sandboxes/ann/changes?against=main")).toMatchObject({ total: 0, changes: [] });
    const answer = await api.ask("GET /__sandboxes/ann/changes?against=bob");
    expect([answer.status, codeOf(answer)]).toEqual([400, "QUERY_INVALID"]);
  });
});

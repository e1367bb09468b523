import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { createStandin } from "../../../src/index.ts";
import { askAt, codeOf, startApi } from "../../support/api.ts";
import { createFolder } from "../../support/cli.ts";
import { serveKept } from "../../support/kept-process.ts";

test("the reference lists the stages of a request in their order", async () => {
  const stamp = { name: "stamp", step: () => undefined };
  const settings = { static: "public", delay: 1, readOnly: true, plugins: [stamp], middlewares: ["cors"] };
  await using api = await createStandin({ data: {}, ...settings });
  const { body } = await api.request<{ pipeline: { stage: string }[] }>("GET /__overview");
  const stages = body.pipeline.map(({ stage }) => (stage === "layer" ? "layers" : stage));
  const order = readFileSync("docs/reference/http.md", "utf8").split("## The order of handling")[1]!;
  expect([...order.matchAll(/^ {3}\d\. `([\w-]+)`/gm)].map(([, stage]) => stage)).toEqual(stages);
});

describe("/__overview", () => {
  test("says what is served, from where, by which layers and rules", async () => {
    const folder = createFolder({
      "db.json": {
        products: [
          { id: 1, name: "Hat", price: 9.5, company_id: 1, made_at: "2024-05-01T10:00:00Z", tags: ["a"], old: null },
          { id: 2, name: "Cap", price: 3, company_id: 1, made_at: "2024-05-02T10:00:00Z", tags: [], old: true },
        ],
        companies: [{ id: 1, email: "a@example.com", web: "https://example.com/" }],
        profile: { name: "me" },
      },
      "routes.json": { "/api/*": "/$1" },
      "stamp.cjs": "module.exports = (req, res, next) => next();",
    });
    const args = ["--routes", "routes.json", "--middlewares", "cors", "./stamp.cjs", "--durability", "disk"];
    const server = await serveKept(["db.json", ...args], folder);
    const { body } = await askAt(server.url, "GET /__overview");
    expect(body).toMatchObject({
      name: "standin",
      version: expect.stringMatching(/^\d+\.\d+\.\d+/),
      url: expect.stringMatching(/^http:\/\/[^/]+$/),
      startedAt: expect.stringMatching(/^\d{4}-/),
      uptimeSeconds: expect.any(Number),
      store: { kind: "file", durability: "disk" },
      readOnly: false,
      idKey: "id",
      foreignKeySuffix: null,
      members: [
        { name: "products", kind: "collection", count: 2 },
        { name: "companies", kind: "collection", count: 1 },
        { name: "profile", kind: "singleton", count: 1 },
      ],
      layers: ["cors", "./stamp.cjs"],
      pipeline: [
        { stage: "rewrite", rules: 1 },
        { stage: "layer", name: "cors" },
        { stage: "interceptor", name: "./stamp.cjs" },
        { stage: "faults" },
        { stage: "data" },
      ],
      rules: { "/api/*": "/$1" },
      relations: [{ from: "products", field: "company_id", to: "companies" }],
      clock: { kind: "real", now: expect.stringMatching(/^\d{4}-/) },
      seed: null,
      sandboxes: { count: 200, expirySeconds: 1800, megabytes: 256 },
      snapshots: false,
    });
    const { fields } = body as { fields: Record<string, unknown[]> };
    expect(fields.products).toEqual([
      { name: "id", types: ["number"], isWhole: true },
      { name: "name", types: ["string"] },
      { name: "price", types: ["number"] },
      { name: "company_id", types: ["number"], isWhole: true },
      { name: "made_at", types: ["string"], format: "date-time" },
      { name: "tags", types: ["array"] },
      { name: "old", types: ["boolean", "null"] },
    ]);
    expect(fields.companies).toEqual([
      { name: "id", types: ["number"], isWhole: true },
      { name: "email", types: ["string"], format: "email" },
      { name: "web", types: ["string"], format: "uri" },
    ]);
    await server.stop();
  });

  test("follows the data", async () => {
    const api = await startApi({ data: { things: [] } });
    await api.ask("POST /things", { body: { name: "x" } });
    expect((await api.ask("GET /__overview")).body).toMatchObject({
      members: [{ name: "things", count: 1 }],
      fields: { things: [{ name: "name" }, { name: "id" }] },
      store: { kind: "memory", durability: null },
    });
  });

  test("looks at both ends of a large collection, and gives way to a collection of its name", async () => {
    const records = Array.from({ length: 50_000 }, (_, at) =>
      at === 49_999 ? { id: at + 1, last: 1 } : { id: at + 1 },
    );
    const api = await startApi({ data: { large: records } });
    expect((await api.ask("GET /__overview")).body).toMatchObject({
      fields: { large: [{ name: "id" }, { name: "last" }] },
    });
    const own = await startApi({ data: { __overview: [{ id: 7 }] } });
    expect((await own.ask("GET /__overview")).body).toEqual([{ id: 7 }]);
  });
});

describe("/__rewrite", () => {
  const rules = { "/api/*": "/$1", "/:company/products": "/products?company_id=:company", "/unused": "/x" };

  test("shows what a path becomes, and by which rules, also while read-only", async () => {
    const api = await startApi({ routes: rules, readOnly: true });
    const { body } = await api.ask("POST /__rewrite", { body: { path: "/api/7/products?_page=2" } });
    expect(body).toEqual({
      path: "/products?company_id=7&_page=2",
      rules: ["/api/*", "/:company/products"],
    });
    expect((await api.ask("POST /__rewrite", { body: { path: "/products/1" } })).body).toEqual({
      path: "/products/1",
      rules: [],
    });
  });

  test("what is not a path is refused", async () => {
    const api = await startApi();
    for (const body of [{}, { path: 5 }, { path: "products" }]) {
      const answer = await api.ask("POST /__rewrite", { body });
      expect([answer.status, codeOf(answer)]).toEqual([400, "QUERY_INVALID"]);
    }
  });
});

describe("/__snapshots__/<id>", () => {
  test("shows what was saved, and how it differs from now", async () => {
    const folder = createFolder({
      "db.json": {
        products: [1, 2, 3].map((id) => ({ id, name: `p${id}` })),
        plain: [1, 2, 2],
        profile: { id: 5, name: "me" },
        untouched: [{ id: "a" }],
      },
    });
    const server = await serveKept(["db.json", "--snapshots", "saved"], folder);
    const { id } = (await askAt(server.url, "POST /__snapshots__", { body: { name: "start" } })).body as { id: string };
    expect((await askAt(server.url, `GET /__snapshots__/${id}`)).body).toMatchObject({ profile: { name: "me" } });
    await askAt(server.url, "DELETE /products/1");
    await askAt(server.url, "PATCH /products/2", { body: { name: "other" } });
    await askAt(server.url, "POST /products", { body: { name: "new" } });
    await askAt(server.url, "PATCH /profile", { body: { id: 6 } });
    const none = { added: 0, changed: 0, removed: 0, examples: { added: [], changed: [], removed: [] } };
    expect((await askAt(server.url, "GET /__snapshots__/start/comparison")).body).toEqual({
      members: [
        {
          name: "products",
          added: 1,
          changed: 1,
          removed: 1,
          examples: { added: [4], changed: [2], removed: [1] },
        },
        { ...none, name: "plain" },
        { ...none, name: "profile", changed: 1 },
        { ...none, name: "untouched" },
      ],
    });
    const changes = [
      {
        collection: "products",
        id: 2,
        kind: "changed",
        before: { id: 2, name: "p2" },
        after: { id: 2, name: "other" },
      },
      { collection: "products", id: 4, kind: "created", before: null, after: { name: "new", id: 4 } },
      { collection: "products", id: 1, kind: "removed", before: { id: 1, name: "p1" }, after: null },
      {
        collection: "profile",
        id: null,
        kind: "changed",
        before: { id: 5, name: "me" },
        after: { id: 6, name: "me" },
      },
    ];
    const same = { created: 0, changed: 0, removed: 0 };
    const all = {
      total: 4,
      changes,
      collections: { created: [], removed: [] },
      members: [
        { name: "products", kind: "collection", created: 1, changed: 1, removed: 1 },
        { ...same, name: "plain", kind: "collection" },
        { ...same, name: "profile", kind: "singleton", changed: 1 },
        { ...same, name: "untouched", kind: "collection" },
      ],
    };
    const changesOf = async (query: string) =>
      (await askAt(server.url, `GET /__snapshots__/start/changes${query}`)).body;
    expect(await changesOf("")).toEqual(all);
    expect(await changesOf("?start=1&limit=2")).toEqual({ ...all, changes: changes.slice(1, 3) });
    expect(await changesOf("?collection=profile")).toEqual({ ...all, total: 1, changes: changes.slice(3) });
    const misspelt = { code: "COLLECTION_NOT_FOUND", message: expect.stringContaining('Did you mean "products"?') };
    expect(await changesOf("?collection=product")).toMatchObject(misspelt);
    expect(await changesOf("?limit=x")).toMatchObject({ code: "QUERY_INVALID" });
    await askAt(server.url, "DELETE /__collections/untouched");
    await askAt(server.url, "POST /__collections", { body: { name: "fresh" } });
    expect(await changesOf("?collection=untouched")).toMatchObject({
      changes: [{ kind: "removed", id: "a" }],
      collections: {
        created: [{ name: "fresh", kind: "collection" }],
        removed: [{ name: "untouched", kind: "collection" }],
      },
    });
    await askAt(server.url, "POST /__snapshots__", { body: { name: "end" } });
    await askAt(server.url, "POST /__reset");
    expect(await changesOf("")).toMatchObject({ total: 0 });
    // Another snapshot in place of the present.
    expect(await changesOf("?to=end&collection=products")).toMatchObject({
      total: 3,
      changes: changes.slice(0, 3),
      collections: { created: [{ name: "fresh" }], removed: [{ name: "untouched" }] },
    });
    const both = (await askAt(server.url, "GET /__snapshots__/end/comparison?to=start")).body;
    expect(both).toMatchObject({ members: [{ name: "products", added: 1, changed: 1, removed: 1 }, {}, {}, {}, {}] });
    expect(await changesOf("?to=nothing")).toMatchObject({ code: "SNAPSHOT_NOT_FOUND" });
    const unknown = await askAt(server.url, "GET /__snapshots__/nothing/comparison");
    expect([unknown.status, codeOf(unknown)]).toEqual([404, "SNAPSHOT_NOT_FOUND"]);
    mkdirSync(`${folder}/saved`, { recursive: true });
    writeFileSync(`${folder}/saved/broken.json`, "{");
    for (const part of ["comparison", "changes"]) {
      expect(codeOf(await askAt(server.url, `GET /__snapshots__/broken/${part}`))).toBe("SNAPSHOT_DAMAGED");
    }
    await server.stop();
  });
});

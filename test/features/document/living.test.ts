import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import type { JsonObject } from "../../../src/base/json/json.ts";
import { createStandin } from "../../../src/index.ts";
import { loadApiDocument } from "../../../src/openapi/read/load-api-document.ts";
import { isApiDocument, isDocumentAt } from "../../../src/store/sources/recognise-document.ts";
import { askAt } from "../../support/api.ts";
import { createFolder, listening, runTelling } from "../../support/cli.ts";
import { atlas, library, shelter, warehouse } from "./documents.ts";
import { sendGenerated } from "./generated-requests.ts";
import { apart, type Served, serve } from "./serve.ts";

type Pet = JsonObject & { id: number };

describe("a document with pages, parents and fields of the server", () => {
  let served: Served;

  beforeAll(async () => {
    served = await serve(shelter, { clock: "2030-01-01T12:00:00Z" });
  });

  test("lists records in the document's envelope, by its default page size", async () => {
    const { status, body, headers } = await served.ask("GET /pets");
    const { data, meta } = body as { data: Pet[]; meta: JsonObject };
    expect(status).toBe(200);
    expect(data.map(({ id }) => id)).toEqual([1, 2, 3, 4, 5]);
    expect(meta).toMatchObject({ total: 12, page: 1, per_page: 5, total_pages: 3 });
    expect(meta.next).toBe(`${served.standin.url}/pets?page=2`);
    expect(headers.get("Link")).toContain(`<${served.standin.url}/pets?page=3>; rel="last"`);
    expect(headers.get("X-Total-Count")).toBe("12");
  });

  test("turns pages, and ends with null where the document allows it", async () => {
    const { body } = await served.ask("GET /v1/pets?page=3&per_page=5");
    const { data, meta } = body as { data: Pet[]; meta: JsonObject };
    expect(data.map(({ id }) => id)).toEqual([11, 12]);
    expect(meta).toMatchObject({ page: 3, next: null });
  });

  test("creates, reads, replaces, patches and removes a record", async () => {
    const ask = apart(served);
    const created = await ask("POST /v1/pets", { body: { name: "Rex", chip: "secret" } });
    expect(created.status).toBe(201);
    expect(created.body).toEqual({
      id: 13,
      name: "Rex",
      status: "available",
      createdAt: "2030-01-01T12:00:00.000Z",
      updatedAt: "2030-01-01T12:00:00.000Z",
    });
    expect(created.headers.get("Location")).toMatch(/\/v1\/pets\/13$/);
    const read = await ask("GET /pets/13");
    expect(read.body).toEqual(created.body);
    expect(read.headers.get("ETag")).toBe(created.headers.get("ETag"));
    expect((await ask("GET /pets/13", { headers: { "if-none-match": read.headers.get("ETag")! } })).status).toBe(304);
    const replaced = await ask("PUT /pets/13", { body: { name: "Max", createdAt: "1999-01-01T00:00:00Z" } });
    expect(replaced.body).toMatchObject({ id: 13, name: "Max", createdAt: "2030-01-01T12:00:00.000Z" });
    const patched = await ask("PATCH /pets/13", { body: { status: "adopted" } });
    expect(patched.body).toMatchObject({ name: "Max", status: "adopted" });
    expect((await ask("DELETE /pets/13")).status).toBe(204);
    expect((await ask("GET /pets/13")).status).toBe(404);
    expect((await served.ask("GET /pets?page=3")).body).toMatchObject({ meta: { total: 12 } });
  });

  test("filters by a declared parameter, sorts and searches, beside standin's own parameters", async () => {
    const ask = apart(served);
    for (const [name, status] of [
      ["Zoe", "adopted"],
      ["Ada", "adopted"],
      ["Zed", "available"],
    ]) {
      await ask("POST /pets", { body: { name, status, weight: 1234 } });
    }
    const names = async (line: string): Promise<unknown[]> =>
      ((await ask(line)).body as { data: Pet[] }).data.map(({ name }) => name);
    expect(await names("GET /pets?status=adopted&sort=name&weight=1234")).toEqual(["Ada", "Zoe"]);
    expect(await names("GET /pets?sort=-name&weight:gte=1234&include_hidden=true")).toEqual(["Zoe", "Zed", "Ada"]);
    expect(await names("GET /pets?q=zoe")).toEqual(["Zoe"]);
    expect(await names("GET /pets?_sort=-id&_limit=2")).toEqual(["Zed", "Ada"]);
  });

  test("keeps children below their parents", async () => {
    const ask = apart(served);
    const created = await ask("POST /pets/3/visits", { body: { reason: "Vaccination" } });
    expect(created.status).toBe(201);
    expect(Object.keys(created.body as JsonObject).sort()).toEqual(["id", "reason"]);
    const { id } = created.body as { id: string };
    expect(created.headers.get("Location")).toMatch(new RegExp(`/pets/3/visits/${id}$`));
    expect((await ask("GET /pets/3/visits")).body).toContainEqual(created.body);
    expect((await ask("GET /pets/4/visits")).body).not.toContainEqual(created.body);
    expect((await ask(`GET /pets/3/visits/${id}`)).body).toEqual(created.body);
    expect((await ask(`GET /pets/4/visits/${id}`)).status).toBe(404);
    expect((await ask(`DELETE /pets/4/visits/${id}`)).status).toBe(404);
    expect((await ask(`DELETE /pets/3/visits/${id}`)).status).toBe(204);
    expect((await ask("GET /pets/99/visits")).status).toBe(404);
    expect((await ask("POST /pets/99/visits", { body: { reason: "?" } })).status).toBe(404);
  });

  test("responds to operations without data from the document", async () => {
    const { status, body } = await served.ask("GET /v1/statistics");
    expect(status).toBe(200);
    expect((body as { adoptions: number }).adoptions).toBeGreaterThanOrEqual(3);
  });

  test("refuses requests that break the document, with pointers", async () => {
    for (const [line, pointer] of [
      ["GET /pets?per_page=many", "/query/per_page"],
      ["GET /pets?status=lost", "/query/status"],
    ] as const) {
      const { status, body } = await served.ask(line);
      expect([line, status, body]).toMatchObject([line, 422, { code: "REQUEST_INVALID", errors: [{ pointer }] }]);
    }
    expect((await served.ask("GET /pets")).body).toMatchObject({ meta: { total: 12 } });
  });

  test("tells errors in the form that the document declares for them, with the code in a header", async () => {
    const cases: readonly [string, number, string, RegExp, unknown?][] = [
      ["GET /pets/99", 404, "RECORD_NOT_FOUND", /pets has no record with id "99"/],
      ["POST /pets", 422, "REQUEST_INVALID", /\/body\/name is required; \/body\/weight/, { weight: -1 }],
      ["POST /pets", 422, "REQUEST_INVALID", /\/body is required/],
      ["POST /pets", 400, "BODY_MALFORMED", /not valid JSON/, "{"],
      ["DELETE /pets/99", 404, "RECORD_NOT_FOUND", /99/],
    ];
    for (const [line, status, code, text, sent] of cases) {
      const { body, status: given, headers } = await served.ask(line, { body: sent });
      expect([line, given, headers.get("X-Standin-Code")]).toEqual([line, status, code]);
      expect(body).toMatchObject({ status, title: expect.any(String) });
      expect(JSON.stringify(body).replaceAll("\\", "")).toMatch(text);
    }
  });

  test("refuses methods that the document does not have, and serves standin's routes elsewhere", async () => {
    const refused = await served.ask("DELETE /pets");
    expect([refused.status, refused.headers.get("Allow")]).toEqual([405, "GET, HEAD, POST, OPTIONS"]);
    expect((await served.ask("GET /visits")).body).toHaveLength(12);
    expect((await served.ask("GET /pets", { headers: { "X-Standin-Routes": "own" } })).body).toHaveLength(12);
    expect(Object.keys((await served.ask("GET /db")).body as JsonObject).sort()).toEqual(["pets", "visits"]);
  });

  test("says that the document has no such path, below its base path", async () => {
    for (const path of ["/v1", "/v1/visits", "/v1/pets/1/owner"]) {
      const { status, body } = await served.ask(`GET ${path}`);
      expect([path, status, body]).toMatchObject([path, 404, { code: "ROUTE_NOT_FOUND" }]);
    }
    expect((await served.ask("GET /v2/pets")).body).toMatchObject({ code: "COLLECTION_NOT_FOUND" });
  });

  test("repeats the response to an Idempotency-Key in the document's form, and tries without a trace", async () => {
    const ask = apart(served);
    const headers = { "Idempotency-Key": '"once"' };
    const first = await ask("POST /pets", { body: { name: "Once" }, headers });
    const again = await ask("POST /pets", { body: { name: "Once" }, headers });
    expect(again.body).toEqual(first.body);
    expect(again.headers.get("Location")).toBe(first.headers.get("Location"));
    expect(again.headers.get("Idempotency-Replayed")).toBe("true");
    const trial = await ask("POST /pets", { body: { name: "Trial" }, headers: { Prefer: "tx=rollback" } });
    expect(trial.body).toMatchObject({ name: "Trial" });
    expect((await ask("GET /pets")).body).toMatchObject({ meta: { total: 13 } });
  });

  test("brings its data back on a reset", async () => {
    const ask = apart(served);
    await ask("DELETE /pets/1");
    expect((await ask("POST /__reset")).status).toBeLessThan(300);
    expect((await ask("GET /pets/1")).status).toBe(200);
  });

  test("announces writes, and describes itself by the document", async () => {
    const before = (await served.ask("GET /__changes")).body as { changes: unknown[] };
    const created = await served.ask("POST /pets", { body: { name: "Event" } });
    await served.ask(`DELETE /pets/${(created.body as Pet).id}`);
    const after = (await served.ask("GET /__changes")).body as { changes: unknown[] };
    expect(after.changes.length - before.changes.length).toBe(2);
    const { body } = await served.ask("GET /__openapi.json");
    expect(body).toMatchObject({ info: shelter.info, servers: [{ url: `${served.standin.url}/v1` }] });
  });

  test("sends only valid responses to generated requests", async () => {
    const { url } = served.standin.sandbox();
    const source = join(createFolder({ "api.json": shelter }), "api.json");
    const { problems } = await sendGenerated(await loadApiDocument(source), url, { count: 150, seed: 4 });
    expect(problems).toEqual([]);
  });

  test("sends nothing that breaks the document", async () => {
    expect((await served.ask("GET /health-check")).body).toMatchObject({ invalidResponses: 0 });
    expect(served.warnings).toEqual([]);
  });
});

describe("a document with wrapped elements, and requests that may say more than its records", () => {
  let served: Served;

  beforeAll(async () => {
    served = await serve(atlas);
  });

  test("lists each record in the element around it, with what stands beside it", async () => {
    const { body } = await served.ask("GET /countries?_limit=2&_sort=code");
    const { edges } = body as { edges: { cursor: string; node: JsonObject }[] };
    expect(edges.map((edge) => Object.keys(edge))).toEqual([
      ["node", "cursor"],
      ["node", "cursor"],
    ]);
    expect(edges.map(({ cursor }) => typeof cursor)).toEqual(["string", "string"]);
    const { node } = edges[0]!;
    expect((await served.ask(`GET /countries/${String(node.code)}`)).body).toEqual({
      data: [{ node, cursor: expect.any(String) }],
    });
    const { body: parts } = await served.ask("GET /countries?_limit=1&_sort=code&_fields=code");
    expect(parts).toMatchObject({ edges: [{ node: { code: node.code }, cursor: edges[0]!.cursor }] });
  });

  test("gives records ids that the paths can name", async () => {
    const { body } = await served.ask("GET /countries");
    const codes = (body as { edges: { node: JsonObject }[] }).edges.map(({ node }) => node.code);
    expect(codes.length).toBeGreaterThan(1);
    for (const code of codes) expect(code).toMatch(/^[A-Z]{2}$/);
  });

  test("stores a write that the document allows although it breaks the schema of records, and logs that once", async () => {
    const { body } = await served.ask("GET /countries");
    const { node } = (body as { edges: { node: JsonObject }[] }).edges[0]!;
    const path = `/countries/${String(node.code)}`;
    for (const name of ["lower", "case"]) {
      const patched = await served.ask(`PATCH ${path}`, { body: { name } });
      expect([patched.status, patched.body]).toMatchObject([200, { code: node.code, name }]);
    }
    expect((await served.ask(`PATCH ${path}`, { body: { name: 7 } })).status).toBe(422);
    expect((await served.ask("GET /health-check")).body).toMatchObject({ invalidResponses: 2 });
    expect(served.warnings).toEqual([expect.stringMatching(/^PATCH \/countries.*breaks the document at \/name/)]);
  });
});

describe("a document with examples, wrapped records and summaries", () => {
  let served: Served;

  beforeAll(async () => {
    served = await serve(library);
  });

  test("serves the records of its examples by an id of another name", async () => {
    const { body, headers } = await served.ask("GET /books");
    expect(body).toEqual({
      books: [
        { isbn: "9780441013593", title: "Dune" },
        { isbn: "9780141439587", title: "Emma" },
      ],
      count: expect.any(Number),
      has_more: true,
    });
    expect(headers.get("Content-Type")).toBe("application/vnd.library+json");
    expect((await served.ask("GET /books?offset=2")).body).toMatchObject({ has_more: false });
    expect((await served.ask("GET /books/9780141439587")).body).toMatchObject({ book: { notes: "Signed" } });
  });

  test("takes a record out of its wrapping, and puts it back", async () => {
    const ask = apart(served);
    const created = await ask("POST /books", { body: { book: { isbn: "42", title: "Ulysses" } } });
    expect(created.status).toBe(201);
    expect(created.body).toEqual({ book: { isbn: "42", title: "Ulysses", pages: expect.any(Number), notes: null } });
    expect(created.headers.get("Location")).toMatch(/\/books\/42$/);
    expect((await ask("DELETE /books/42")).body).toEqual({ deleted: true });
    expect((await ask("GET /books/42")).status).toBe(404);
  });
});

describe("recognising a document", () => {
  const long = { schemas: { A: { type: "string", description: "x".repeat(70_000) } } };
  const cases: readonly [string, unknown, boolean][] = [
    ["api.yaml", "openapi: 3.1.0", true],
    ["sorted.yaml", `components:\n  a: ${"x".repeat(70_000)}\nopenapi: 3.0.1\npaths: {}\n`, true],
    ["data-of-tags.yaml", `tags:\n  - id: 1\n    text: ${"x".repeat(70_000)}\n`, false],
    ["api.json", { openapi: "3.1.0", paths: {} }, true],
    ["swagger.json", { swagger: "2.0", paths: {} }, true],
    ["sorted.json", { components: long, info: {}, openapi: "3.0.0", paths: {} }, true],
    ["json-in.yaml", JSON.stringify({ components: long, info: {}, openapi: "3.0.0", paths: {} }, null, 2), true],
    ["data-in.yaml", JSON.stringify({ components: long, info: {} }, null, 2), false],
    ["long.json", { openapi: "3.0.0", components: long, paths: {} }, true],
    ["paths-first.json", { paths: { "/a": { description: "x".repeat(70_000) } }, openapi: "3.0.0" }, true],
    ["tags-first.json", { "x-a": 1, tags: ["x".repeat(70_000)], openapi: "3.0.0", paths: {} }, true],
    ["data-of-tags.json", { tags: [{ id: 1, text: "x".repeat(70_000) }], posts: [] }, false],
    ["without-paths.json", { openapi: "3.0.0" }, false],
    ["collection.json", { openapi: [{ id: 1 }], paths: [] }, false],
    ["singleton.json", { openapi: { version: "3.0.0" }, paths: {} }, false],
    ["inside.json", { pets: [{ openapi: "3.0.0", paths: {} }] }, false],
    ["data.json", { info: [{ id: 1, text: "x".repeat(70_000) }], paths: [] }, false],
    ["list.json", ["openapi"], false],
  ];
  test.each(cases)("%s %j: %s", (name, content, expected) => {
    expect(isApiDocument(join(createFolder({ [name]: content }), name))).toBe(expected);
  });

  test.each(["missing.json", "https://example.com/api.json", "postgres://localhost/shop", "data.js"])(
    "%s is none",
    (name) => {
      expect(isApiDocument(name)).toBe(false);
    },
  );
});

test("a document is read from an address", async () => {
  const server = createServer((_request, response) => response.end(JSON.stringify(shelter))).listen(0);
  onTestFinished(() => void server.close());
  await once(server, "listening");
  for (const name of ["api.yaml?version=1", "api.json"]) {
    const source = `http://localhost:${(server.address() as AddressInfo).port}/${name}`;
    const standin = await createStandin({ source });
    onTestFinished(() => standin.close());
    expect((await askAt(standin.url, "GET /pets")).body).toHaveProperty("data");
  }
});

test("data at an address stays data, and a long document is recognized there", async () => {
  const long = { info: { title: "x".repeat(70_000), version: "1" }, paths: shelter.paths!, openapi: "3.0.3" };
  const bodies = new Map<string, JsonObject>([
    ["/data.json", { pets: [], openapi: [] }],
    ["/long.json", long],
  ]);
  const server = createServer((request, response) => response.end(JSON.stringify(bodies.get(request.url!)))).listen(0);
  onTestFinished(() => void server.close());
  await once(server, "listening");
  const url = `http://localhost:${(server.address() as AddressInfo).port}`;
  expect(await isDocumentAt(`${url}/data.json`)).toBe(false);
  expect(await isDocumentAt(`${url}/long.json`)).toBe(true);
});

test("an emptied collection stays empty after a restart", async () => {
  const source = join(createFolder({ "api.json": shelter }), "api.json");
  const data = join(createFolder({}), "pets.json");
  const list = async (): Promise<Pet[]> => {
    const standin = await createStandin({ source, data, persist: true });
    try {
      const { data: pets } = (await askAt(standin.url, "GET /pets?per_page=50")).body as { data: Pet[] };
      for (const { id } of pets) await askAt(standin.url, `DELETE /v1/pets/${id}`);
      return pets;
    } finally {
      await standin.close();
    }
  };
  expect((await list()).length).toBeGreaterThan(0);
  expect(await list()).toEqual([]);
});

test("faults, snapshots and promoted sandboxes work on a document's operations", async () => {
  const { ask, standin } = await serve(shelter, { console: true });
  await standin.snapshot("first");
  const sandbox = standin.sandbox();
  const inside = { headers: sandbox.headers };
  expect((await ask("DELETE /v1/pets/1", inside)).status).toBe(204);
  expect((await ask("GET /v1/pets/1")).status).toBe(200);
  expect(await sandbox.promote()).toMatchObject({ removed: 1 });
  expect((await ask("GET /v1/pets/1")).status).toBe(404);
  await standin.restore("first");
  expect((await ask("GET /v1/pets/1")).status).toBe(200);
  const remove = standin.faults.add({ fault: "status", status: 503, path: "/v1/pets/1" });
  expect((await ask("GET /v1/pets/1")).status).toBe(503);
  remove();
  expect((await ask("GET /v1/pets/1")).status).toBe(200);
});

test("an example that breaks its schema is completed, because every response keeps to the document", async () => {
  const schema = {
    type: "object",
    required: ["ok", "since"],
    properties: { ok: { type: "boolean" }, since: { enum: [2030] } },
  };
  const content = { "application/json": { schema, example: { ok: true } } };
  const paths = { "/status": { get: { responses: { 200: { description: "", content } } } } };
  const { ask } = await serve({ openapi: "3.0.3", info: { title: "Status", version: "1" }, paths });
  expect((await ask("GET /status")).body).toEqual({ ok: true, since: 2030 });
});

test("layers, read-only mode and rewrite rules apply to a document's operations", async () => {
  const { ask } = await serve(shelter, {
    readOnly: true,
    middlewares: ["api-key"],
    layers: { "api-key": { keys: ["0123456789abcdef"] } },
    routes: { "/old/*": "/v1/$1" },
  });
  const headers = { "X-Api-Key": "0123456789abcdef" };
  expect((await ask("GET /pets")).status).toBe(401);
  expect((await ask("GET /old/pets", { headers })).body).toMatchObject({ meta: { total: 12 } });
  const refused = await ask("POST /pets", { headers, body: { name: "Rex" } });
  expect([refused.status, refused.headers.get("X-Standin-Code")]).toEqual([403, "READ_ONLY"]);
});

test("Swagger 2.0 is served under its base path", async () => {
  const { ask } = await serve(warehouse);
  const created = await ask("POST /api/items", { body: { label: "Crate" } });
  expect(created.body).toEqual({ id: 13, label: "Crate" });
  expect((await ask("GET /items/13")).body).toEqual(created.body);
});

test("with validate: warn, a request that breaks the document is logged once and carried out", async () => {
  const { ask, warnings } = await serve(shelter, { validate: "warn" });
  for (const _ of "12") expect((await ask("GET /pets?per_page=0")).status).toBe(200);
  expect(warnings).toEqual([expect.stringContaining("/query/per_page")]);
});

test("with validateSecurity, credentials that the document requires must be there", async () => {
  const guarded = {
    ...shelter,
    security: [{ key: [] }],
    components: {
      ...(shelter.components as JsonObject),
      securitySchemes: { key: { type: "apiKey", in: "header", name: "X-Key" } },
    },
  };
  const { ask } = await serve(guarded, { validateSecurity: true });
  expect((await ask("GET /pets")).status).toBe(401);
  expect((await ask("GET /pets", { headers: { "X-Key": "any" } })).status).toBe(200);
});

test("data of a program is served as it is, and lacking collections are filled", async () => {
  const pet = {
    id: 7,
    name: "Given",
    status: "available",
    createdAt: "2020-01-01T00:00:00Z",
    updatedAt: "2020-01-01T00:00:00Z",
  };
  const { ask } = await serve(shelter, { data: { pets: [pet] } });
  expect((await ask("GET /pets/7")).body).toEqual(pet);
  expect((await ask("GET /pets/7/visits")).body).toHaveLength(12);
});

test("a missing data file is created, has every acknowledged write after kill -9, and outlives edits of the document", async () => {
  const folder = createFolder({ "api.json": shelter });
  const args = ["--port", "0", "--quiet", "--watch", "api.json", "--data", "pets.json"];
  const first = await listening(runTelling(args, folder));
  const created = await askAt(first.url, "POST /pets", { body: { name: "Survivor" } });
  expect(created.status).toBe(201);
  first.child.kill("SIGKILL");
  await first.exit;
  const second = await listening(runTelling(args, folder));
  expect((await askAt(second.url, "GET /pets/13")).body).toEqual(created.body);
  const tagOf = async (path: string) => (await askAt(second.url, `GET ${path}`)).headers.get("ETag")!;
  const tags = [
    ["/pets", await tagOf("/pets")],
    ["/pets/13", await tagOf("/pets/13")],
  ] as const;
  for (const [path, etag] of tags) {
    const again = await askAt(second.url, `GET ${path}`, { headers: { "If-None-Match": etag } });
    expect([path, again.status]).toEqual([path, 304]);
  }
  // An edit of the document is served at once; the data stays.
  const { paths, ...rest } = shelter;
  writeFileSync(
    join(folder, "api.json"),
    JSON.stringify({ ...rest, paths: { "/animals": (paths as JsonObject)["/pets"]! } }),
  );
  await expect.poll(async () => (await askAt(second.url, "GET /pets")).body, { timeout: 10_000 }).toHaveLength(13);
  // The records have another form now, so the client must get them again; for writes only their version counts.
  for (const [path, etag] of tags) {
    const again = await askAt(second.url, `GET ${path}`, { headers: { "If-None-Match": etag } });
    expect([path, again.status]).toEqual([path, 200]);
  }
  const given = { headers: { "If-Match": tags[1][1] }, body: { weight: 3 } };
  expect((await askAt(second.url, "PATCH /pets/13", given)).status).toBe(200);
  expect((await askAt(second.url, "PATCH /pets/13", given)).status).toBe(412);
  await second.stop();
  expect(JSON.parse(readFileSync(join(folder, "pets.json"), "utf8")).pets).toHaveLength(13);
});

test("a documented OPTIONS is reached, unless the request is a preflight", async () => {
  const options = { responses: { 200: { content: { "text/plain": { example: "ok" } } } } };
  const { ask } = await serve({ openapi: "3.0.0", info: { title: "", version: "" }, paths: { "/a": { options } } });
  expect((await ask("OPTIONS /a")).text).toBe("ok");
  expect((await ask("OPTIONS /b")).status).toBe(204);
  expect((await ask("OPTIONS /%zz")).status).toBe(400);
  const preflight = await ask("OPTIONS /a", { headers: { "access-control-request-method": "OPTIONS" } });
  expect([preflight.status, preflight.headers.has("access-control-allow-methods")]).toEqual([204, true]);
});

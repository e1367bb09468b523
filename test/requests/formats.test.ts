import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { Ajv } from "ajv";
import { describe, expect, test } from "vitest";
import { requests } from "../../src/commands/requests.ts";
import { loadExamples } from "../../src/hosted/load.ts";
import type { JsonObject } from "../../src/json.ts";
import { OPERATORS } from "../../src/query/operators.ts";
import { PARAMETERS } from "../../src/query/parse-query.ts";
import { startApi } from "../support/api.ts";
import { readBrunoFolder } from "../support/bruno-folder.ts";
import { createFolder } from "../support/cli.ts";
import { readHttpFile } from "../support/http-file.ts";
import { runK6 } from "../support/k6-script.ts";
import { ODD_DATABASES } from "../support/odd-databases.ts";
import { POSTMAN_SCHEMA } from "../support/postman-schema.ts";
import { expectAllWork, fill, type SentRequest } from "../support/sent-request.ts";

/** Nothing of this may be in any file. */
const SECRETS = ["hunter2-hunter2", "sk-live-0123456789", "s3cr3t-in-a-url"];

/** New with every call, because a server takes its data over. */
function shop(): JsonObject {
  return {
    products: [
      {
        id: 1,
        name: "Steel Hat, red",
        price: 10,
        sold: true,
        made_at: "2024-05-01T10:00:00Z",
        size: { width: 3 },
        note: null,
        company_id: 2,
        tag_ids: ["new"],
        template: "{{name}} costs {{price}}",
      },
      { id: 2, name: "Chair & Table", price: 25.5, sold: false, made_at: "2024-06-01T10:00:00Z", company_id: 2 },
      { id: 3, name: "Lamp", price: 99, sold: false, made_at: "2024-07-01T10:00:00Z", company_id: 1, note: "new" },
    ],
    companies: [
      { id: 1, name: "Acme", api_key: SECRETS[1]! },
      { id: 2, name: "Blue Kiln", api_key: SECRETS[1]! },
    ],
    users: [
      { id: "ann/lee", email: "ann@example.com", password: SECRETS[0]!, site: `https://ann:${SECRETS[2]}@example.com` },
    ],
    tags: [{ id: "new" }, { id: "old" }],
    "café menu/2024": [{ id: "thé", prix: 3 }],
    drafts: [],
    settings: { theme: "dark", session: { token: SECRETS[0]! }, flags: [true, null] },
  };
}

/** Writes requests for data; gives back the path of the file or folder. */
async function write(data: unknown, format: string, ...args: readonly string[]): Promise<string> {
  const folder = createFolder({ "db.json": data });
  const out = join(folder, `shop.${format}`);
  await requests([join(folder, "db.json"), "--format", format, "--out", out, "--quiet", ...args]);
  return out;
}

const written = new Map<string, Promise<string>>();

/** The path of the requests for the shop, which are written once in each format. */
function shopIn(format: string): Promise<string> {
  const known = written.get(format) ?? write(shop(), format);
  written.set(format, known);
  return known;
}

function allFiles(path: string): string[] {
  if (!statSync(path).isDirectory()) return [path];
  return readdirSync(path, { recursive: true, encoding: "utf8" })
    .map((name) => join(path, name))
    .filter((file) => statSync(file).isFile());
}

interface PostmanItem {
  readonly name: string;
  readonly item?: readonly PostmanItem[];
  readonly request?: {
    readonly method: string;
    readonly url: { readonly raw: string };
    readonly header: readonly { readonly key: string; readonly value: string }[];
    readonly body?: { readonly raw: string };
  };
}

function readPostman(file: string, given: Readonly<Record<string, string>>): SentRequest[] {
  const collection = JSON.parse(readFileSync(file, "utf8"));
  const declared = collection.variable.map(({ key, value }: { key: string; value: string }) => [key, value]);
  const variables = new Map<string, string>([...declared, ...Object.entries(given)]);
  const read = ({ name, item, request }: PostmanItem): SentRequest[] => {
    if (item) return item.flatMap(read);
    const { method, url, header, body } = request!;
    return [
      {
        name,
        method,
        url: fill(url.raw, variables),
        headers: Object.fromEntries(header.map(({ key, value }) => [key, fill(value, variables)])),
        body: body && fill(body.raw, variables),
      },
    ];
  };
  return collection.item.flatMap(read);
}

describe("requests for data", () => {
  test("http: every request works on the data, finds something, and changes nothing", async () => {
    const out = await shopIn("http");
    const api = await startApi({ data: shop() });
    const before = (await api.ask("GET /db")).text;
    await expectAllWork(readHttpFile(readFileSync(out, "utf8"), { baseUrl: api.url }), ["drafts"]);
    expect((await api.ask("GET /db")).text).toBe(before);
  });

  test("http: with tx set to commit, writes are kept", async () => {
    const out = await write({ products: [{ id: 1, name: "Hat" }] }, "http");
    const api = await startApi({ data: { products: [{ id: 1, name: "Hat" }] } });
    const all = readHttpFile(readFileSync(out, "utf8"), { baseUrl: api.url, tx: "commit" });
    await expectAllWork(all.filter(({ method, url }) => method === "POST" && url.endsWith("/products")));
    expect((await api.ask("GET /products")).body).toEqual([
      { id: 1, name: "Hat" },
      { name: "Hat", id: 2 },
    ]);
  });

  test("bruno: a folder for each collection, whose requests all work", async () => {
    const out = await shopIn("bruno");
    const api = await startApi({ data: shop() });
    const before = (await api.ask("GET /db")).text;
    const all = readBrunoFolder(out, { baseUrl: api.url });
    await expectAllWork(all, ["drafts"]);
    expect((await api.ask("GET /db")).text).toBe(before);
    expect(JSON.parse(readFileSync(join(out, "bruno.json"), "utf8"))).toMatchObject({
      version: "1",
      type: "collection",
    });
    expect(readFileSync(join(out, "environments/local.bru"), "utf8")).toBe(
      "vars {\n  baseUrl: http://localhost:3000\n  tx: rollback\n}\nvars:secret [\n  apiKey,\n  password,\n  token\n]\n",
    );
    expect(readdirSync(out).sort()).toEqual(
      [
        "bruno.json",
        "café-menu-2024",
        "collection.bru",
        "companies",
        "drafts",
        "environments",
        "products",
        "server",
        "settings",
        "tags",
        "users",
      ].sort(),
    );
    expect(existsSync(join(out, "products/listProduct.bru"))).toBe(true);
  });

  test("postman: a collection v2.1 whose requests all work, and that hosted mode reads", async () => {
    const out = await shopIn("postman");
    const validate = new Ajv({ strict: false }).compile(POSTMAN_SCHEMA);
    validate(JSON.parse(readFileSync(out, "utf8")));
    expect(validate.errors).toBeNull();
    const api = await startApi({ data: shop() });
    const before = (await api.ask("GET /db")).text;
    const all = readPostman(out, { baseUrl: api.url });
    await expectAllWork(all, ["drafts"]);
    expect((await api.ask("GET /db")).text).toBe(before);
    const { kind, unanswered = [] } = await loadExamples(out, { seed: 1 });
    expect([kind, unanswered.length]).toEqual(["Postman collection", all.length]);
  });

  test("k6: a scenario with thresholds; each virtual user writes to a sandbox of its own", async () => {
    const out = await shopIn("k6");
    const api = await startApi({ data: shop() });
    const before = (await api.ask("GET /db")).text;
    const run = await runK6(out, { env: { BASE_URL: `${api.url}/` }, users: 2, iterations: 1 });
    expect(run.failed).toEqual([]);
    expect(run.passed).toBeGreaterThan(150);
    expect(Object.keys(run.options)).toEqual(["scenarios", "thresholds"]);
    expect(run.groups.slice(0, 2)).toEqual(["products", "companies"]);
    const writes = run.sent.filter(({ method, url }) => method !== "GET" && !/\/__(sandboxes|rewrite)/.test(url));
    expect(writes.length).toBeGreaterThan(50);
    expect(new Set(writes.map(({ headers }) => headers["X-Standin-Sandbox"]))).toEqual(new Set(["k6-1", "k6-2"]));
    expect((await api.ask("GET /db")).text).toBe(before);
    expect((await api.ask("GET /__sandboxes")).body).toMatchObject({ sandboxes: [] });
  });

  test("no format writes a secret of the data", async () => {
    for (const format of ["http", "bruno", "k6", "postman"]) {
      const out = await shopIn(format);
      for (const file of allFiles(out)) {
        for (const secret of SECRETS) expect(readFileSync(file, "utf8"), file).not.toContain(secret);
      }
    }
  });
});

/** Operations that no request is written for, and why. */
const LEFT_OUT: Readonly<Record<string, string>> = {
  standin_events: "a stream without an end",
  standin_reset: "changes the data for everyone",
  standin_forgetRequests: "the log is everyone's",
  standin_createSandbox: "management",
  standin_deleteSandboxes: "management",
  standin_getSandbox: "management",
  standin_deleteSandbox: "management",
  standin_resetSandbox: "management",
  standin_listSandboxChanges: "management",
  standin_promoteSandbox: "management",
  standin_undoInSandbox: "management",
  standin_addFault: "management",
  standin_switchFaults: "management",
  standin_deleteFaults: "management",
  standin_switchFault: "management",
  standin_deleteFault: "management",
  standin_createCollection: "management",
  standin_getCollection: "management",
  standin_renameCollection: "management",
  standin_deleteCollection: "management",
  standin_draftRecord: "management",
  standin_saveSnapshot: "management",
  standin_getSnapshot: "management",
  standin_restoreSnapshot: "management",
  standin_deleteSnapshot: "management",
  standin_compareSnapshot: "management",
  standin_listSnapshotChanges: "management",
  standin_listSnapshots: "only where the server has snapshots",
  standin_mcp: "a protocol with sessions",
  standin_endMcpSession: "a protocol with sessions",
};

describe("nothing is forgotten", () => {
  test("every operator, with and without !, and every parameter", async () => {
    const out = await shopIn("http");
    const text = readFileSync(out, "utf8");
    for (const operator of OPERATORS)
      expect(text, operator).toMatch(new RegExp(`^GET .*[?&][\\w.]+:${operator}=`, "m"));
    expect(text).toMatch(/^GET .*:!contains=/m);
    for (const suffix of ["", "_ne", "_gte", "_lte", "_like"]) {
      expect(text, suffix).toMatch(new RegExp(`^GET .*/products\\?(name|price|made_at)${suffix}=`, "m"));
    }
    // jQuery's `_` means nothing to the server.
    for (const name of PARAMETERS.filter((one) => one !== "_")) {
      expect(text, name).toMatch(new RegExp(`^GET .*[?&]${name}=`, "m"));
    }
    expect(text).toMatch(/^DELETE .*\?_dependent=products$/m);
  });

  test("every route that the API describes, except those that change the server for everyone", async () => {
    const out = await shopIn("http");
    const ids = new Set([...readFileSync(out, "utf8").matchAll(/^# @name (\w+)$/gm)].map(([, id]) => id!));
    const api = await startApi({ data: shop() });
    const { paths } = (await api.ask("GET /__openapi.json")).body as {
      paths: Record<string, Record<string, { operationId?: string }>>;
    };
    const all = Object.values(paths).flatMap((item) =>
      Object.values(item).flatMap(({ operationId }) => operationId ?? []),
    );
    expect(all.length).toBeGreaterThan(50);
    // Nothing has an id in an empty collection.
    const isAboutRecord = (id: string): boolean => /^(get|replace|patch|patchMany|delete|deleteMany)Draft$/.test(id);
    const missing = all.filter((id) => !ids.has(id.replace(/\W+/g, "_")) && !(id in LEFT_OUT) && !isAboutRecord(id));
    expect(missing).toEqual([]);
    expect(Object.keys(LEFT_OUT).filter((id) => ids.has(id))).toEqual([]);
  });
});

describe("odd data", () => {
  // The soak has the large one.
  const { "large and deep": _large, ...QUICK } = ODD_DATABASES;
  const cases: Readonly<Record<string, JsonObject>> = {
    ...QUICK,
    "no collections": {},
    "empty collections": { a: [], b: [] },
    "a singleton alone": { settings: { "a b": 1 } },
    "records without ids": { list: [{ name: "a" }, { name: "b" }] },
    "ids that are hard to write": { things: [{ id: "a b/c?d#e&f=g%20{{x}}" }, { id: ".." }] },
    "the same value everywhere": { things: [{ id: 1, state: "on", at: "2024-01-01" }] },
    "nothing but nulls": { things: [{ id: 1, a: null }] },
    "names of parameters": { things: [{ id: 1, q: "x", _limit: 2, price_gte: 3, callback: "y" }] },
    "children without parents": { posts: [{ id: 1 }], comments: [{ id: 1, postId: 7, text: "x" }] },
  };
  test.each(Object.entries(cases))("%s", async (_name, data) => {
    const out = await write(data, "http");
    const api = await startApi({ data: structuredClone(data) });
    const all = readHttpFile(readFileSync(out, "utf8"), { baseUrl: api.url });
    expect(all.length).toBeGreaterThan(0);
    const empty = Object.keys(data).filter(
      (name) => Array.isArray(data[name]) && (data[name] as unknown[]).length === 0,
    );
    // No comment has a parent that is there.
    await expectAllWork(all, [...empty, ...(data.posts ? ["comments"] : [])]);
  });

  test("of a large collection, requests ask for a part", async () => {
    const out = await write({ many: Array.from({ length: 300 }, (_, at) => ({ id: at + 1, name: `n${at}` })) }, "http");
    const lists = readFileSync(out, "utf8").match(/^GET \{\{baseUrl\}\}\/many(?:\?.*)?$/gm)!;
    expect(lists[0]).toBe("GET {{baseUrl}}/many?_limit=10");
    expect(lists.filter((line) => !/_limit|_page|_end|_group|_aggregate/.test(line))).toEqual([]);
  });
});

describe("the server that the requests are for", () => {
  test("layers: every request has the credentials they ask for, as variables", async () => {
    const out = await write(shop(), "http", "--middlewares", "api-key", "bearer");
    const text = readFileSync(out, "utf8");
    expect(text).toMatch(/^@xApiKey =$/m);
    expect(text).toMatch(/^@token =$/m);
    const key = "javascript-example-key-2";
    const layers = { "api-key": { keys: [key] }, bearer: { token: "t0ken" } };
    const api = await startApi({
      data: shop(),
      middlewares: ["api-key", "bearer"],
      layers: layers as unknown as JsonObject,
    });
    const all = readHttpFile(text, { baseUrl: api.url, xApiKey: key, token: "t0ken" });
    await expectAllWork(all.filter(({ method }) => method === "GET").slice(0, 20), ["drafts"]);
  });

  test("--read-only: no writes", async () => {
    const out = await write(shop(), "k6", "--read-only");
    const text = readFileSync(out, "utf8");
    expect(text).not.toMatch(/"(POST|PUT|PATCH|DELETE)"/);
    expect(text).not.toContain("X-Standin-Sandbox");
  });

  test("--rules: bodies keep them, values are unique where they must be, and no record is deleted that others keep", async () => {
    const people = {
      type: "object",
      properties: {
        id: { type: "integer" },
        email: { type: "string", format: "email" },
        password: { type: "string", minLength: 12 },
        company_id: { type: "integer" },
      },
      required: ["email", "password", "company_id"],
      "x-unique": ["email"],
      "x-references": { company_id: { collection: "companies", onDelete: "refuse" } },
    };
    const data = {
      companies: [{ id: 1 }, { id: 2 }],
      people: [{ id: 1, email: "ann@example.com", password: SECRETS[0]!, company_id: 1 }],
    };
    const rules = join(createFolder({ "rules.json": { people } }), "rules.json");
    const out = await write(data, "http", "--rules", rules);
    const text = readFileSync(out, "utf8");
    expect(text).not.toContain(SECRETS[0]);
    expect(text).toContain("DELETE {{baseUrl}}/companies/2\n");
    const api = await startApi({ data: structuredClone(data), rules });
    await expectAllWork(readHttpFile(text, { baseUrl: api.url }));
  });

  test("--url: the address that they go to, without credentials in it", async () => {
    const out = await write(shop(), "http", "--url", "https://me:pass-word@api.example.com/v1/");
    expect(readFileSync(out, "utf8")).toContain("@baseUrl = https://api.example.com/v1\n");
  });
});

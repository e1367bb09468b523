import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../src/base/json/json.ts";
import { requestsCommand } from "../../src/commands/requests.ts";
import { OPERATOR_NAMES } from "../../src/query/operator-table.ts";
import { PARAMETERS } from "../../src/query/parameters.ts";
import { type Api, startApi } from "../support/api.ts";
import { createFolder } from "../support/cli.ts";
import { readHttpFile } from "../support/http-file.ts";
import { runKept } from "../support/kept-process.ts";
import { expectAllWork, send } from "../support/sent-request.ts";
import { expectOddDataWorks, ODD_CASES } from "./odd-cases.ts";

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
      { id: 1, name: "Acme", api_key: SECRETS[1]!, headquarter: { lat: 41.9, lon: 12.5 } },
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

/** Writes requests for data; gives back the path of the file. */
async function write(data: unknown, ...args: readonly string[]): Promise<string> {
  const folder = createFolder({ "db.json": data });
  const out = join(folder, "shop.http");
  await requestsCommand.run([join(folder, "db.json"), "--out", out, "--quiet", ...args]);
  return out;
}

let written: Promise<string> | undefined;

/** The path of the requests for the shop, which are written once. */
function shopFile(): Promise<string> {
  written ??= write(shop());
  return written;
}

describe("requests for data", () => {
  test("http: every request works on the data, finds something, and changes nothing", async () => {
    const out = await shopFile();
    const api = await startApi({ data: shop() });
    const before = (await api.ask("GET /db")).text;
    await expectAllWork(readHttpFile(readFileSync(out, "utf8"), { baseUrl: api.url }), ["drafts"]);
    expect((await api.ask("GET /db")).text).toBe(before);
  });

  test("http: with tx set to commit, writes are kept", async () => {
    const out = await write({ products: [{ id: 1, name: "Hat" }] });
    const api = await startApi({ data: { products: [{ id: 1, name: "Hat" }] } });
    const all = readHttpFile(readFileSync(out, "utf8"), { baseUrl: api.url, tx: "commit" });
    await expectAllWork(all.filter(({ method, url }) => method === "POST" && url.endsWith("/products")));
    expect((await api.ask("GET /products")).body).toEqual([
      { id: 1, name: "Hat" },
      { name: "Hat", id: 2 },
    ]);
  });

  test("no secret of the data is written", async () => {
    const text = readFileSync(await shopFile(), "utf8");
    for (const secret of SECRETS) expect(text).not.toContain(secret);
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
  standin_uploadFile: "its body is a file, which no collection of requests brings along",
  standin_file: "named by its content, which nobody knows before an upload",
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
  standin_renameField: "management",
  standin_removeField: "management",
  standin_generateRecords: "management",
  standin_moveClock: "the clock is everyone's",
  standin_getDelivery: "management",
  standin_redeliver: "management",
  standin_addHook: "management",
  standin_getHook: "management",
  standin_changeHook: "management",
  standin_deleteHook: "management",
  standin_saveSnapshot: "management",
  standin_getSnapshot: "management",
  standin_restoreSnapshot: "management",
  standin_deleteSnapshot: "management",
  standin_compareSnapshot: "management",
  standin_listSnapshotChanges: "management",
  standin_listSnapshots: "only where the server has snapshots",
  standin_clearHistory: "the history is everyone's",
  standin_getVersion: "management",
  standin_revertVersion: "management",
  standin_restoreVersion: "management",
  standin_mcp: "a protocol with sessions",
  standin_endMcpSession: "a protocol with sessions",
};

describe("nothing is forgotten", () => {
  test("every operator, with and without !, and every parameter", async () => {
    const out = await shopFile();
    const text = readFileSync(out, "utf8");
    for (const operator of OPERATOR_NAMES)
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
    const out = await shopFile();
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
  // The soak has the others.
  const quick = ["names that mean something elsewhere", "empty collections", "the same value everywhere"];
  test.each(quick)("%s", (name) => expectOddDataWorks(ODD_CASES[name]!));

  test("of a large collection, requests ask for a part", async () => {
    const out = await write({ many: Array.from({ length: 300 }, (_, at) => ({ id: at + 1, name: `n${at}` })) });
    const lists = readFileSync(out, "utf8").match(/^GET \{\{baseUrl\}\}\/many(?:\?.*)?$/gm)!;
    expect(lists[0]).toBe("GET {{baseUrl}}/many?_limit=10");
    expect(lists.filter((line) => !/_limit|_page|_end|_group|_aggregate/.test(line))).toEqual([]);
  });
});

describe("the server that the requests are for", () => {
  test("layers: every request has the credentials they ask for, as variables", async () => {
    const out = await write(shop(), "--middlewares", "api-key", "bearer");
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
    const out = await write(shop(), "--read-only");
    const text = readFileSync(out, "utf8");
    expect(text).not.toMatch(/^(POST|PUT|PATCH|DELETE) /m);
  });

  test("--url: the address that they go to, without credentials in it", async () => {
    const out = await write(shop(), "--url", "https://me:pass-word@api.example.com/v1/");
    expect(readFileSync(out, "utf8")).toContain("@baseUrl = https://api.example.com/v1\n");
  });
});

const SECRET = SECRETS[0]!;

/** A server that has seen some requests. */
async function used(): Promise<Api> {
  const api = await startApi();
  await api.ask("GET /products?_page=2&_limit=3", { headers: { "user-agent": "me", accept: "application/json" } });
  await api.ask("GET /products?_page=2&_limit=3", { headers: { "user-agent": "me", accept: "application/json" } });
  await api.ask(`GET /products?token=${SECRET}&name_like=hat`, { headers: { "x-api-key": SECRET } });
  await api.ask("POST /products", {
    body: { name: "{{new}}", price: 1 },
    headers: { authorization: `Bearer ${SECRET}` },
  });
  await api.ask("GET /products/13");
  await api.ask("POST /companies", { body: { name: "Ann", password: SECRET, nested: [{ apiKey: SECRET }] } });
  await api.ask("POST /companies", {
    body: `name=Bo&password=${SECRET}`,
    headers: { "content-type": "application/x-www-form-urlencoded" },
  });
  await api.ask("DELETE /products/1", { headers: { "x-standin-sandbox": "mine" } });
  await api.ask("GET /products/999");
  await api.ask("GET /products/999");
  return api;
}

async function writeSeen({ url }: Pick<Api, "url">): Promise<string> {
  const out = join(createFolder(), "seen.http");
  await requestsCommand.run([url, "--seen", "--out", out, "--quiet"]);
  return out;
}

describe("requests that a server has seen", () => {
  test("http: each once, in groups, with variables in place of secrets; sent again, they get the same status", async () => {
    const api = await used();
    const text = readFileSync(await writeSeen(api), "utf8");
    expect(text).not.toContain("hunter2");
    expect(text).not.toContain("hunte");
    expect(text.match(/^[A-Z]+ \{\{baseUrl\}\}.*$/gm)).toEqual([
      "GET {{baseUrl}}/products?_page=2&_limit=3",
      "GET {{baseUrl}}/products?token={{token}}&name_like=hat",
      "POST {{baseUrl}}/products",
      "GET {{baseUrl}}/products/13",
      "DELETE {{baseUrl}}/products/1",
      "GET {{baseUrl}}/products/999",
      "POST {{baseUrl}}/companies",
      "POST {{baseUrl}}/companies",
    ]);
    expect(text).toContain("x-api-key: {{xApiKey}}\n");
    expect(text).toContain("authorization: Bearer {{token}}\n");
    expect(text).toContain('"password": "{{password}}"');
    expect(text).toContain('"apiKey": "{{apiKey}}"');
    expect(text).toContain("name=Bo&password={{password}}");
    expect(text).toContain("x-standin-sandbox: mine\n");
    expect(text).not.toContain("user-agent");
    expect(text).toContain(`@baseUrl = ${api.url}\n`);
    const again = readHttpFile(text, { token: SECRET, password: SECRET });
    const statuses = [];
    for (const request of again) statuses.push((await send(request)).status);
    // The product 1 of the sandbox is gone already.
    expect(statuses).toEqual([200, 200, 201, 200, 404, 404, 201, 201]);
    const created = await api.ask("GET /products?name=%7B%7Bnew%7D%7D");
    expect((created.body as unknown[]).length).toBe(2);
  });

  test("the body of a request that the server has not kept is left out, with a remark", async () => {
    const api = await startApi();
    await api.ask("POST /companies", { body: { name: "x".repeat(5000) } });
    const text = readFileSync(await writeSeen(api), "utf8");
    expect(text).toMatch(/^# The body is not here: the server has not kept it \((long|truncated)\)\.$/m);
    expect(text).not.toContain("xxxxx");
  });

  test("nothing seen, no log, no server and no URL are start errors", async () => {
    const out = ["--quiet", "--out", join(createFolder(), "a.http")];
    const api = await startApi();
    await expect(requestsCommand.run([api.url, "--seen", ...out])).rejects.toThrow(/has seen no request yet/);
    const silent = await startApi({ traffic: 0 });
    await expect(requestsCommand.run([silent.url, "--seen", ...out])).rejects.toThrow(/--traffic 0/);
    const closed = await startApi({ console: false });
    await expect(requestsCommand.run([closed.url, "--seen", ...out])).rejects.toThrow(/has no log of requests/);
    const guarded = await startApi({ middlewares: ["bearer"], layers: { bearer: { token: SECRET } } });
    await expect(requestsCommand.run([guarded.url, "--seen", ...out])).rejects.toThrow(/responds with 401/);
    await expect(requestsCommand.run(["db.json", "--seen", ...out])).rejects.toThrow(
      /--seen reads the requests of a running server/,
    );
    await expect(requestsCommand.run(["http://localhost:1", "--seen", ...out])).rejects.toThrow(/does not respond/);
  });
});

const DATA = { products: [{ id: 1, name: "Hat" }] };

describe("standin requests", () => {
  test("prints an .http file unless told otherwise, and leaves the data alone", async () => {
    const folder = createFolder({ "db.json": DATA });
    const before = readFileSync(join(folder, "db.json"), "utf8");
    const run = runKept(["requests"], folder);
    expect([await run.exit, run.output.stderr]).toEqual([0, ""]);
    expect(run.output.stdout).toMatch(
      /^# Requests for db\.json, made by: standin requests\n# Writes .*\n\n@baseUrl = http:\/\/localhost:3000\n@tx = rollback\n\n### List products\n# @name listProduct\nGET \{\{baseUrl\}\}\/products\n/,
    );
    expect(readFileSync(join(folder, "db.json"), "utf8")).toBe(before);
    expect(existsSync(join(folder, ".standin"))).toBe(false);
  });

  test("the URL of a JSON document is data, as for standin types", async () => {
    const api = await startApi();
    const out = join(createFolder(), "api.http");
    await requestsCommand.run([`${api.url}/db`, "--quiet", "--out", out]);
    expect(readFileSync(out, "utf8")).toContain("GET {{baseUrl}}/companies/1/products\n");
  });

  test("replaces a file that it wrote before, and any other only with --overwrite", async () => {
    const folder = createFolder({ "db.json": DATA, "mine.http": "GET http://localhost/", "empty.http": "" });
    const write = (...args: string[]) => requestsCommand.run([join(folder, "db.json"), "--quiet", ...args]);
    const out = join(folder, "new.http");
    await write("--out", out);
    await write("--out", out, "--url", "http://localhost:4000");
    expect(readFileSync(out, "utf8")).toContain("http://localhost:4000");
    await write("--out", join(folder, "empty.http"));
    const mine = join(folder, "mine.http");
    await expect(write("--out", mine)).rejects.toThrow(
      /mine\.http was not written by standin requests, so it was not replaced/,
    );
    expect(readFileSync(mine, "utf8")).toBe("GET http://localhost/");
    await write("--out", mine, "--overwrite");
    expect(readFileSync(mine, "utf8")).toContain("standin requests");
  });

  test("mistakes are start errors", async () => {
    const folder = createFolder({ "db.json": DATA });
    const db = join(folder, "db.json");
    await expect(requestsCommand.run([db, db])).rejects.toThrow(/one source/);
    await expect(requestsCommand.run([db, "--url", "localhost"])).rejects.toThrow(
      /localhost is not the URL of a server/,
    );
    await expect(requestsCommand.run([join(folder, "none.json")])).rejects.toThrow(/none\.json/);
    await expect(requestsCommand.run([db, "--out", join(folder, "no/such/a.http")])).rejects.toThrow(/was not written/);
  });
});

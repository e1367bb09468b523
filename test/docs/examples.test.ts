import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { LAYER_NAMES } from "../../src/layers/registry.ts";
import { askAt, codeOf, idsOf } from "../support/api.ts";
import { createFolder, type Served } from "../support/cli.ts";
import { serveKept } from "../support/kept-process.ts";
import { copyProject } from "../support/reader.ts";

const EXAMPLE = "examples/products-and-companies";
const { scripts } = readJson("package.json") as { scripts: Record<string, string> };
/** The config files of the example, which its scripts name. */
const CONFIGS = ["standin.json", "guarded.json", "bearer.json"];
const ENVIRONMENT = { EXAMPLE_TOKEN: "not-a-real-token" };
const KEYS = { csharp: "csharp-example-key-1", web: "javascript-example-key-2", reader: "read-only-example-key-3" };

interface Config {
  readonly source: string;
  readonly routes: string;
  readonly middlewares: string[];
  readonly layers: Record<string, unknown>;
}

function readJson(file: string): unknown {
  return JSON.parse(readFileSync(join(EXAMPLE, file), "utf8"));
}

/** Starts a copy of the example by one of its scripts, as its README says. */
async function start(script: string): Promise<Served> {
  const folder = createFolder();
  copyProject(EXAMPLE, folder);
  const [program, cli, ...args] = (scripts[script] as string).split(" ");
  expect([program, cli]).toEqual(["node", "../../dist/cli.js"]);
  return serveKept(args, folder, ENVIRONMENT);
}

describe("what lies in the folder", () => {
  const configs = CONFIGS.map((file) => readJson(file) as Config);

  test("every layer is listed and set up somewhere, and so is an interceptor", () => {
    const listed = new Set(configs.flatMap((config) => config.middlewares));
    // It has an example of its own, in examples/sign-in-spa.
    expect(LAYER_NAMES.filter((name) => !listed.has(name))).toEqual(["sign-in"]);
    expect([...listed].filter((name) => name.startsWith("./"))).toEqual(["./interceptors/created-at.js"]);
  });

  test("there are three API keys: one of a .NET client, one that can only read", () => {
    const [, guarded] = configs as [Config, Config];
    const { keys } = guarded.layers["api-key"] as { keys: { key: string; permissions: string[] }[] };
    expect(keys.map(({ key }) => key)).toEqual(Object.values(KEYS));
    expect(keys.map(({ permissions }) => permissions)).toEqual([["read", "write"], ["read", "write"], ["read"]]);
  });

  test("the rewrite file has the five rules of the service", () => {
    expect(readJson("routes.json")).toEqual({
      "/api/v1/*": "/$1",
      "/api/products/search/:term": "/products?name_like=:term",
      "/api/companies/:id/full": "/companies/:id?_embed=products",
      "/health": "/health-check",
      "/api/dashboard/stats": "/stats",
    });
    expect(readJson("guarded-routes.json")).toMatchObject(readJson("routes.json") as object);
  });

  test("the data have the fields of the service, and every product belongs to a company", () => {
    const { products, companies } = readJson("db.json") as Record<string, Record<string, unknown>[]>;
    for (const product of products!) expect(Object.keys(product)).toEqual(["id", "name", "price", "company_id"]);
    for (const company of companies!) {
      expect(Object.keys(company)).toEqual(["id", "name", "revenue", "headquarter", "locations"]);
    }
    const ids = new Set(companies!.map(({ id }) => id));
    expect(products!.filter(({ company_id }) => !ids.has(company_id))).toEqual([]);
  });
});

describe("npm start: the open variant", () => {
  test("starts without a warning and responds without credentials, slowly", async () => {
    const { url, output, stop } = await start("start");
    expect(output.stdout).not.toContain("warning");
    const answer = await askAt(url, "GET /products/1");
    expect([answer.status, answer.headers.get("access-control-allow-origin")]).toEqual([200, "*"]);
    expect(answer.headers.get("x-simulated-delay")).toMatch(/^\d+ms$/);
    expect(await stop()).toBe(0);
  });

  test("the rules lead where they should", async () => {
    const { url, stop } = await start("start");
    expect(idsOf(await askAt(url, "GET /api/v1/products?_limit=2"))).toEqual([1, 2]);
    expect(idsOf(await askAt(url, "GET /api/products/search/lamp"))).toEqual([5, 7]);
    expect((await askAt(url, "GET /api/companies/3/full")).body).toMatchObject({ products: [{ id: 6 }, { id: 8 }] });
    expect((await askAt(url, "GET /health")).body).toMatchObject({ status: "ok", store: "file" });
    expect((await askAt(url, "GET /api/dashboard/stats")).body).toMatchObject({ products: { count: 12 } });
    await stop();
  });

  test("the interceptor gives new records a time, and leaves changed ones alone", async () => {
    const { url, stop } = await start("start");
    const created = await askAt(url, "POST /companies", { body: { name: "Acorn Works" } });
    expect(created.body).toMatchObject({ id: 6, created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/) });
    const changed = await askAt(url, "PATCH /companies/1", { body: { revenue: 1 } });
    expect(changed.body).not.toHaveProperty("created_at");
    await stop();
  });
});

describe("npm run guarded", () => {
  const withKey = (key: string) => ({ headers: { "X-API-KEY": key } });

  test("keys, permissions, public addresses and the login", async () => {
    const { url, stop } = await start("guarded");
    expect(codeOf(await askAt(url, "GET /products/1"))).toBe("API_KEY_MISSING");
    const read = await askAt(url, "GET /products/1", withKey(KEYS.csharp));
    expect([read.status, read.headers.get("x-authenticated-client")]).toEqual([200, "dotnet-client"]);
    expect(codeOf(await askAt(url, "DELETE /products/1", withKey(KEYS.reader)))).toBe("FORBIDDEN_WRITE");
    expect(codeOf(await askAt(url, "DELETE /products/1", withKey(KEYS.web)))).toBe("TOKEN_REQUIRED");
    expect((await askAt(url, "GET /health")).status).toBe(200);
    expect((await askAt(url, "GET /public/products")).status).toBe(200);
    expect(codeOf(await askAt(url, "POST /public/products", { body: {} }))).toBe("TOKEN_REQUIRED");

    const credentials = { email: "editor@example.com", password: "not-a-real-password" };
    const login = await askAt(url, "POST /auth/login", { body: credentials });
    const { accessToken } = login.body as { accessToken: string };
    const headers = { "X-API-KEY": KEYS.web, Authorization: `Bearer ${accessToken}` };
    expect((await askAt(url, "DELETE /products/1", { headers })).status).toBe(200);
    await stop();
  });

  test("the eleventh request of a key in a minute is refused", async () => {
    const { url, stop } = await start("guarded");
    const statuses = [];
    for (let i = 0; i < 11; i++) statuses.push((await askAt(url, "GET /products/1", withKey(KEYS.web))).status);
    expect(statuses).toEqual([...Array(10).fill(200), 429]);
    await stop();
  });
});

describe("npm run bearer", () => {
  test("one token, from the environment", async () => {
    const { url, stop } = await start("bearer");
    const withToken = (token: string) => ({ headers: { Authorization: `Bearer ${token}` } });
    expect(codeOf(await askAt(url, "GET /companies/1"))).toBe("AUTH_REQUIRED");
    expect(codeOf(await askAt(url, "GET /companies/1", withToken("another")))).toBe("AUTH_FORBIDDEN");
    expect((await askAt(url, "DELETE /companies/1", withToken(ENVIRONMENT.EXAMPLE_TOKEN))).status).toBe(200);
    await stop();
  });
});

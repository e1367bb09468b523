import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { realPath } from "../../src/base/files/atomic-write.ts";
import { createStandin, type Standin, type StandinOptions } from "../../src/index.ts";
import { liveHolder } from "../../src/store/file/lock.ts";
import { connectOverHttp } from "../features/agents/agent.ts";
import { askAt, codeOf } from "../support/api.ts";
import { catalog } from "../support/catalog.ts";
import { createFolder } from "../support/cli.ts";
import { runKept, serveKept } from "../support/kept-process.ts";

async function openBelow(options: Partial<StandinOptions> = {}): Promise<Standin> {
  const api = await createStandin({ data: catalog(), base: "/api", ...options } as StandinOptions);
  onTestFinished(() => api.close());
  return api;
}

describe("below a base", () => {
  test("every address in a response has it", async () => {
    const { url } = await openBelow();
    expect(url).toMatch(/^http:\/\/localhost:\d+\/api$/);
    const ask = (line: string, body?: unknown) => askAt(url, line, { headers: { Host: "shop.localhost" }, body });
    const at = "http://shop.localhost/api";
    expect((await ask("POST /api/products", {})).headers.get("location")).toBe(`${at}/products/13`);
    expect((await ask("PUT /api/__sandbox/one/products/1", {})).status).toBe(200);
    expect((await ask("POST /api/__sandbox/one/products", {})).headers.get("location")).toBe(
      `${at}/__sandbox/one/products/14`,
    );
    expect((await ask("GET /api/products?_page=1&_limit=5")).headers.get("link")).toContain(
      `<${at}/products?_page=2&_limit=5>; rel="next"`,
    );
    expect((await ask("GET /api")).body).toMatchObject({ database: `${at}/db` });
    expect((await ask("GET /api/__openapi.json")).body).toMatchObject({ servers: [{ url: at }] });
    expect((await ask("GET /api/__overview")).body).toMatchObject({ url: at });
    const made = await ask("POST /api/__sandboxes", { name: "two" });
    expect(made.headers.get("location")).toBe(`${at}/__sandboxes/two`);
    expect(made.body).toMatchObject({ url: `${at}/__sandbox/two` });
    const batch = await ask("POST /api/__batch", { requests: [{ method: "POST", path: "/companies", body: {} }] });
    expect(batch.body).toMatchObject({ responses: [{ headers: { Location: `${at}/companies/4` } }] });
    expect((await ask("GET /api/__requests?limit=1")).text).toContain('"url":"/api/__batch"');
  });

  test("requests outside of it are 404, with words", async () => {
    const { url } = await openBelow();
    for (const path of ["/products", "/apiary/products", "/", "/__console", "/API/products"]) {
      const answer = await askAt(url, `GET ${path}`, { headers: { Accept: "text/html" } });
      expect([answer.status, codeOf(answer)]).toEqual([404, "ROUTE_NOT_FOUND"]);
      expect(answer.text).toContain("Every address begins with /api.");
    }
  });

  test("calls of the program begin below it", async () => {
    const api = await openBelow();
    expect((await api.request("POST /products", { body: {} })).headers.get("location")).toBe(`${api.url}/products/13`);
    expect((await api.fetch("/products/13")).status).toBe(200);
    expect((await api.fetch(new URL("/products/13", api.url))).status).toBe(404);
    expect(await (await fetch(`${api.sandbox("one").url}/products/13`)).json()).toEqual({ id: 13 });
    const [made] = await api.batch([{ method: "POST", path: "/companies", body: {} }]);
    expect(made?.headers.Location).toBe(`${api.url}/companies/4`);
  });

  test("agents work below it, with interceptors or without", async () => {
    const pass = (_req: unknown, _res: unknown, next: () => void): void => next();
    for (const middlewares of [[], [pass]]) {
      const { url } = await openBelow({ middlewares: middlewares as never });
      const agent = await connectOverHttp(url, "2026-07-28");
      expect((await agent.call("sandbox", { action: "create", name: "one" })).body.url).toBe(`${url}/__sandbox/one`);
      expect((await agent.call("query", { path: "/products/1" })).text).toContain("Steel Hat");
    }
  });

  test("interceptors see the address without it, and rewrite rules apply below it", async () => {
    const seen: (string | undefined)[] = [];
    const see = (req: { url?: string }, _res: unknown, next: () => void): void => {
      seen.push(req.url);
      next();
    };
    const { url } = await openBelow({ middlewares: [see as never], routes: { "/goods/*": "/products/$1" } });
    const answer = await askAt(url, "GET /api/goods/1");
    expect([answer.status, seen]).toEqual([200, ["/products/1"]]);
  });
});

describe("behind a proxy that takes a prefix off", () => {
  const linkFor = async (prefix: string, options: Partial<StandinOptions>, path = "/products"): Promise<string> => {
    const { url } = await openBelow({ base: "", ...options });
    const headers = { Host: "localhost:5173", "X-Forwarded-Prefix": prefix };
    return (await askAt(url, `GET ${path}?_page=1&_limit=5`, { headers })).headers.get("link") ?? "";
  };

  test.each([
    ["/api", "/api"],
    ["/api/", "/api"],
    ["/v1/my-api, /other", "/v1/my-api"],
    ["/a%20b", "/a%20b"],
    ["/", ""],
    ["api", ""],
    ["//evil.test", ""],
    ["/a//b", ""],
    ["/a/../b", ""],
    ["/..", ""],
    ["/a?b", ""],
    ["/a>; rel=x", ""],
    ["http://evil.test", ""],
  ])("X-Forwarded-Prefix: %s puts %j in front", async (prefix, base) => {
    const link = await linkFor(prefix, { trustProxy: true });
    expect(link).toContain(`<http://localhost:5173${base}/products?_page=2&_limit=5>`);
  });

  test("the prefix stands in front of the base", async () => {
    const link = await linkFor("/outer", { trustProxy: true, base: "/api" }, "/api/products");
    expect(link).toContain("<http://localhost:5173/outer/api/products?_page=2&_limit=5>");
  });

  test("without trustProxy it does not count", async () => {
    expect(await linkFor("/api", {})).toContain("<http://localhost:5173/products?_page=2&_limit=5>");
  });
});

describe("standin --base", () => {
  test("tells its address, to people and to other commands", async () => {
    const folder = createFolder({ "db.json": catalog(), "standin.json": { base: "shop/api/" } });
    const { url, output, stop } = await serveKept(["db.json", "--port", "0"], folder);
    onTestFinished(async () => {
      await stop();
    });
    expect(url).toMatch(/:\d+\/shop\/api$/);
    expect(output.stdout).toContain(`${url}/__console`);
    expect(output.stdout).toContain(`${url}/products`);
    expect((await fetch(`${url}/products/1`)).status).toBe(200);
    const holder = liveHolder(realPath(join(folder, "db.json")));
    expect(holder?.url).toBe(url);
  });

  test.each(["/a//b", "/a?b", "../x", "/a\\b", "/#"])("refuses %s", async (base) => {
    const folder = createFolder({});
    const { output, exit } = runKept(["--port", "0", `--base=${base}`], folder);
    expect(await exit).toBe(1);
    expect(output.stderr).toContain(`"base" is ${JSON.stringify(base)}`);
    expect(readdirSync(folder)).toEqual([]);
  });
});

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import express, { type ErrorRequestHandler } from "express";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { JsonObject } from "../../src/base/json/json.ts";
import * as jsonServer from "../../src/json-server/module.ts";
import { type AskOptions, askAt } from "../support/api.ts";
import { builtPackage } from "../support/build.ts";
import { catalog } from "../support/catalog.ts";
import { createFolder } from "../support/cli.ts";
import { serve } from "./both-engines.ts";

interface Running {
  readonly child: ChildProcess;
  readonly ports: Readonly<Record<string, number>>;
  /** The data file of the server that has one. */
  readonly file: string;
}

/** Runs all custom servers of the fixtures on a module, which CommonJS code requires by its name from a project that has it. */
async function run(moduleName: string): Promise<Running> {
  const script = resolve("test/fixtures/custom-servers/run.cjs");
  const args = [script, moduleName, createFolder(), JSON.stringify(catalog())];
  const project = createFolder();
  mkdirSync(join(project, "node_modules"));
  symlinkSync(builtPackage(), join(project, "node_modules/standin"));
  symlinkSync(resolve("node_modules/json-server"), join(project, "node_modules/json-server"));
  const child = spawn(process.execPath, args, { cwd: project, stdio: ["ignore", "pipe", "inherit"] });
  for await (const line of createInterface({ input: child.stdout })) return { child, ...JSON.parse(line) } as Running;
  throw new Error(`${moduleName} ended early`);
}

interface Request extends AskOptions {
  readonly line: string;
  /** Compared as it is, or in part where the two differ on purpose. */
  readonly pick?: (body: unknown) => unknown;
  /** Headers beside the usual ones. */
  readonly headersToo?: readonly string[];
}

const PAGE = { Origin: "http://page.example" };
const CORS = ["access-control-allow-origin", "access-control-allow-credentials", "vary"];

const SERVERS: Readonly<Record<string, readonly Request[]>> = {
  "simple.cjs": [
    { line: "GET /products/1", headers: PAGE, headersToo: [...CORS, "cache-control"] },
    { line: "GET /products?_page=2&_limit=5" },
    { line: "GET /products?company_id=2&_sort=price" },
    { line: "GET /companies/1?_embed=products" },
    { line: "GET /companies/2/products" },
    { line: "GET /db" },
    { line: "GET /products/1?callback=f" },
    { line: "POST /products", body: { name: "x" } },
    { line: "POST /products", headers: { "Content-Type": "application/x-www-form-urlencoded" }, body: "name=form" },
    { line: "PUT /products/13", body: { name: "y" } },
    { line: "PATCH /products/13", body: { price: 1 } },
    { line: "POST /products/13", headers: { "X-HTTP-Method-Override": "PATCH" }, body: { price: 2 } },
    { line: "DELETE /products/13" },
    { line: "HEAD /products/1" },
    { line: "GET /products/99", pick: () => undefined },
    { line: "GET /nowhere", pick: () => undefined },
    { line: "OPTIONS /products", headers: PAGE, headersToo: ["access-control-allow-methods"] },
  ],
  "file.cjs": [
    { line: "GET /products/1" },
    { line: "POST /products", body: { name: "kept" } },
    { line: "GET /products?_sort=id" },
  ],
  "custom-routes.cjs": [
    { line: "GET /echo?a=1&b[]=2&c[d]=e" },
    { line: "GET /echo?callback=f&a=1" },
    { line: "POST /products/5/discount", body: { percent: 10 } },
    { line: "POST /products", body: { name: "x" } },
    { line: "POST /products" },
    { line: "GET /products?_limit=2&_sort=id&_order=desc" },
    { line: "GET /count" },
    { line: "POST /products", body: "{", pick: () => undefined },
  ],
  "access-control.cjs": [
    { line: "GET /products" },
    { line: "DELETE /products/1" },
    { line: "GET /products/1", headers: { "X-Secret": "sesame" } },
    { line: "DELETE /products/1", headers: { "X-Secret": "sesame" } },
  ],
  "custom-output.cjs": [
    { line: "GET /products/1" },
    { line: "GET /products?_limit=2" },
    { line: "GET /db" },
    { line: "POST /products", body: { name: "x" } },
    { line: "DELETE /products/13" },
    { line: "GET /products/99" },
    { line: "GET /products/1?callback=f" },
  ],
  "mounted.cjs": [
    { line: "GET /home" },
    { line: "GET /api/v1/products/1" },
    { line: "GET /api/v1/products?_page=1&_limit=5" },
    { line: "GET /api/v1/companies/1/products" },
    { line: "GET /api/v1/db" },
    { line: "POST /api/v1/products", body: { name: "x" } },
    { line: "PATCH /api/v1/products/13", body: { price: 1 } },
    { line: "DELETE /api/v1/products/13" },
    { line: "GET /products" },
    { line: "GET /api/v1/nowhere", pick: () => undefined },
  ],
  "rewritten.cjs": [
    { line: "GET /__rules" },
    { line: "GET /api/products/1" },
    { line: "GET /api/products?price_gte=60&_sort=price" },
    { line: "GET /shop/2/list" },
    { line: "GET /hats" },
    { line: "GET /products/2" },
    { line: "DELETE /api/products/1" },
    { line: "GET /products/1", pick: () => undefined },
  ],
  "read-only.cjs": [
    { line: "GET /products/1", headers: PAGE, headersToo: CORS },
    { line: "GET /page.txt" },
    { line: "GET /db", headers: { "Accept-Encoding": "gzip" }, headersToo: ["content-encoding"] },
    { line: "DELETE /products/1", pick: () => undefined },
    { line: "POST /products", body: { name: "x" }, pick: () => undefined },
  ],
  "state.cjs": [
    { line: "GET /names" },
    { line: "POST /products", body: { name: "x" } },
    { line: "GET /names" },
    { line: "POST /reset" },
    { line: "GET /names" },
    { line: "GET /products" },
    { line: "POST /products", body: { name: "next" } },
  ],
};

describe("custom servers run unchanged on json-server and on standin/json-server", () => {
  let theirs: Running;
  let ours: Running;
  beforeAll(async () => {
    [theirs, ours] = await Promise.all([run("json-server"), run("standin/json-server")]);
  });
  afterAll(async () => {
    for (const { child } of [theirs, ours]) {
      const closed = once(child, "close");
      child.kill("SIGKILL");
      await closed;
    }
  });

  for (const [server, requests] of Object.entries(SERVERS)) {
    describe(server, () => {
      for (const { line, pick = (body: unknown) => body, headersToo = [], ...options } of requests) {
        test(line, async () => {
          const [expected, given] = await Promise.all(
            [theirs, ours].map(async ({ ports }) => {
              const url = `http://127.0.0.1:${ports[server]}`;
              const answer = await askAt(url, line, options);
              const names = ["x-total-count", "link", "location", ...headersToo];
              return {
                status: answer.status,
                body: pick(answer.body ?? answer.text.replace(/\s/g, "")),
                headers: names.map((name) => [name, answer.headers.get(name)?.replaceAll(url, "")]),
              };
            }),
          );
          expect(given).toEqual(expected);
        });
      }
    });
  }

  test("what was written to the file is in it", async () => {
    const stored = (file: string): unknown => JSON.parse(readFileSync(file, "utf8"));
    await expect.poll(() => stored(theirs.file)).toMatchObject({ products: { 12: { name: "kept" } } });
    await expect.poll(() => stored(ours.file)).toEqual(stored(theirs.file));
  });
});

describe("router", () => {
  for (const [name, data] of [
    ["a member that is a number", { a: 5 }],
    ["a member that is a text", { a: "b" }],
  ] as [string, JsonObject][]) {
    test(`${name} is refused at once`, () => {
      expect(() => jsonServer.router(data)).toThrow();
    });
  }

  test("a file is there at once, and let go by close", async () => {
    const file = join(createFolder({ "db.json": catalog() }), "db.json");
    const router = jsonServer.router(file);
    expect(router.db.getState()).toEqual(catalog());
    router.db.setState({ products: [{ id: 1, name: "set" }] }).write();
    await router.close();
    expect(JSON.parse(readFileSync(file, "utf8"))).toEqual({ products: [{ id: 1, name: "set" }] });
    const again = jsonServer.router(file);
    await again.ready;
    await again.close();
  });

  test("a missing file is made, with nothing in it, as in 0.17", async () => {
    const file = join(createFolder(), "db.json");
    const router = jsonServer.router(file);
    expect(JSON.parse(readFileSync(file, "utf8"))).toEqual({});
    router.db.defaults({ posts: [] }).write();
    router.db.get("posts").push({ id: 1 }).write();
    const ask = await serve(jsonServer.create().use(router));
    expect((await ask("GET /posts")).body).toEqual([{ id: 1 }]);
    await router.close();
    expect(JSON.parse(readFileSync(file, "utf8"))).toEqual({ posts: [{ id: 1 }] });
  });

  test("a file that cannot be served is reported at once, as in 0.17", () => {
    const file = join(createFolder({ "db.json": "[" }), "db.json");
    expect(() => jsonServer.router(file)).toThrow("db.json is not valid JSON");
    expect(() => jsonServer.router("postgres://localhost/x")).toThrow("standin postgres://");
    expect(() => jsonServer.router("ftp://localhost/x.json")).toThrow("an object or the path of a JSON file");
  });

  test("id and foreignKeySuffix are options; without the latter the data decide", async () => {
    const data = { posts: [{ _id: 1 }], comments: [{ _id: 1, postId: 1 }] };
    const ask = await serve(jsonServer.create().use(jsonServer.router(data, { id: "_id" })));
    expect((await ask("GET /posts/1?_embed=comments")).body).toEqual({ _id: 1, comments: data.comments });
    const { headers } = await ask("POST /posts", { body: {} });
    expect(headers.get("location")).toMatch(/\/posts\/2$/);
  });

  test("_isFake responds to writes and keeps nothing, as in 0.17", async () => {
    const ask = await serve(jsonServer.create().use(jsonServer.router(catalog(), { _isFake: true })));
    const created = await ask("POST /products", { body: { name: "x" } });
    expect([created.status, created.body]).toEqual([201, { name: "x", id: 13 }]);
    expect((await ask("PATCH /products/1", { body: { name: "y" } })).body).toMatchObject({ id: 1, name: "y" });
    expect([(await ask("DELETE /products/1")).status, (await ask("GET /db")).body]).toEqual([200, catalog()]);
  });

  test("mounted, Location and Link lead back to it", async () => {
    const ask = await serve(jsonServer.create().use("/deep/api", jsonServer.router(catalog())));
    const location = (await ask("POST /deep/api/products?x=1", { body: { name: "x" } })).headers.get("location")!;
    expect(new URL(location).pathname).toBe("/deep/api/products/13");
    expect((await ask(`GET ${new URL(location).pathname}`)).body).toEqual({ name: "x", id: 13 });
    const link = (await ask("GET /deep/api/products?_page=1&_limit=5")).headers.get("link");
    const [, next] = /<http:\/\/[^/]+([^>]+)>; rel="next"/.exec(link ?? "") ?? [];
    expect((await ask(`GET ${next}`)).body).toMatchObject([{ id: 6 }, {}, {}, {}, {}]);
  });

  test("the last layer of its stack handles errors, so that a project can put its own handler there", async () => {
    const router = jsonServer.router(catalog());
    const last = router.stack.at(-1)!;
    expect(last.handle).toHaveLength(4);
    last.handle = ((thrown, _req, res, _next) => {
      res.status(500).json({ handled: thrown.message });
    }) satisfies ErrorRequestHandler as never;
    router.stack.unshift(...express.Router().get("/broken", (_req, _res, next) => next(new Error("a fuse"))).stack);
    const ask = await serve(jsonServer.create().use(router));
    expect((await ask("GET /products/1")).body).toMatchObject({ id: 1 });
    expect((await ask("GET /products/99")).status).toBe(404);
    expect((await ask("GET /broken")).body).toEqual({ handled: "a fuse" });
  });

  test("render wraps what 0.17 wraps: what was found and what was not", async () => {
    const router = jsonServer.router(catalog());
    const totals: unknown[] = [];
    router.render = (req, res) => {
      totals.push(res.getHeader("X-Total-Count"));
      res.jsonp({ wrapped: res.locals.data, sent: req.body });
    };
    const ask = await serve(jsonServer.create().use(router));
    expect((await ask("GET /products/99")).body).toEqual({ wrapped: {}, sent: {} });
    const put = await ask("PUT /products", { body: { a: 1 } });
    expect([put.status, put.body]).toEqual([405, { wrapped: {}, sent: { a: 1 } }]);
    expect((await ask("POST /products", { body: { id: 1 } })).body).toMatchObject({ code: "ID_TAKEN" });
    expect((await ask("POST /products", { body: "{" })).body).toMatchObject({ code: "BODY_MALFORMED" });
    expect((await ask("GET /db")).body).toEqual(catalog());
    const page = await ask("GET /products?_limit=2");
    expect([totals.at(-1), page.headers.get("x-total-count")]).toEqual([12, "12"]);
  });

  test("a body that is nested without end is refused, also when body-parser has read it", async () => {
    const deep = `${"[".repeat(20_000)}${"]".repeat(20_000)}`;
    for (const parsers of [[], jsonServer.bodyParser]) {
      const app = jsonServer.create();
      for (const parser of parsers) app.use(parser);
      const ask = await serve(app.use(jsonServer.router(catalog())));
      const { status, body } = await ask("POST /products", { body: `{"a":${deep}}` });
      expect([status, body]).toMatchObject([400, { code: "BODY_TOO_DEEP" }]);
    }
  });
});

describe("rewriter", () => {
  test("keeps the client's query and shows it to what follows", async () => {
    const app = jsonServer.create();
    app.use(jsonServer.rewriter({ "/hats": "/products?name_like=hat" }));
    app.use((req, res, next) => {
      res.set("X-Url", req.url);
      next();
    });
    const ask = await serve(app.use(jsonServer.router(catalog())));
    const { body, headers } = await ask("GET /hats?_limit=1");
    expect(body).toMatchObject([{ id: 1 }]);
    expect(headers.get("x-url")).toBe("/products?name_like=hat&_limit=1");
  });

  test("a rule that cannot be meant is refused at once", () => {
    expect(() => jsonServer.rewriter({ "/a/:id": "/products/:other" })).toThrow(/"\/a\/:id" -> "\/products\/:other"/);
  });
});

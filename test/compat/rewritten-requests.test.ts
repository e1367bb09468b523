import { once } from "node:events";
import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import type { Express, RequestHandler } from "express";
import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { createStandin } from "../../src/index.ts";
import * as standinModule from "../../src/json-server/module.ts";
import { type AskOptions, askAt } from "../support/api.ts";
import { createFolder } from "../support/cli.ts";

/** json-server 0.17.4 itself. */
const jsonServer = createRequire(import.meta.url)("json-server") as typeof standinModule;

const data = () => ({
  books: [1, 2, 3, 4, 5].map((id) => ({ id, shelf: id % 2 === 0 ? "b" : "a" })),
  visitor: { name: "nobody" },
});

const RULES = {
  "/enter": "/visitor",
  "/enter?by=badge": "/visitor",
  "/first\\?shelf=:shelf": "/rack?shelf=:shelf",
  "/rack?shelf=:shelf": "/books",
  "/one\\?book=:id": "/books/:id",
  "/two\\?x=*": "/middle",
  "/middle": "/books?shelf=b",
  "/three\\?x=*": "/last",
  "/last": "/books",
};

/** Answers what asks for it, as the login of a project does, and shows what it was given. */
const INTERCEPTOR = `module.exports = (req, res, next) => {
  const { method, url, originalUrl, path, query } = req;
  res.set("X-Seen", JSON.stringify({ method, url, originalUrl, path, query }));
  if (req.url === "/visitor" && req.method === "POST") return res.json({ welcome: req.body.name });
  next();
};
`;

const REQUESTS: readonly (AskOptions & { readonly line: string })[] = [
  { line: "POST /enter?by=badge", body: { name: "Ida" } },
  { line: "POST /enter", body: { name: "Ole" } },
  { line: "GET /enter?by=badge" },
  { line: "GET /visitor?by=badge" },
  { line: "GET /rack?shelf=a" },
  { line: "GET /rack?shelf=a&_sort=id&_order=desc" },
  { line: "GET /rack?shelf=b&x[y]=1&x[z][]=2" },
  { line: "GET /first?shelf=b" },
  { line: "GET /one?book=2" },
  { line: "GET /two?x=1" },
  { line: "GET /three?x=1&shelf=a" },
  { line: "PATCH /one?book=3", body: { shelf: "c" } },
  { line: "DELETE /one?book=3" },
];

function appOf(module: typeof standinModule, interceptor: RequestHandler): Express {
  const app = module.create();
  app.use(module.defaults({ logger: false, bodyParser: true }));
  app.use(module.rewriter(RULES));
  app.use(interceptor);
  return app.use(module.router(data()));
}

/** The same rules and data on json-server 0.17.4, on the module and on the command, with and without an interceptor. */
async function serveEverywhere(rules: Readonly<Record<string, string>>, interceptor: string) {
  const build = (module: typeof standinModule) =>
    module.create().use(module.bodyParser, module.rewriter(rules), module.router(data()));
  const [theirs, ours] = [await listen(build(jsonServer)), await listen(build(standinModule))];
  const plain = await createStandin({ data: data(), routes: rules });
  const lane = await createStandin({ data: data(), routes: rules, middlewares: [interceptor] });
  onTestFinished(async () => {
    theirs.close();
    ours.close();
    await plain.close();
    await lane.close();
  });
  return { expected: theirs.url, urls: [ours.url, plain.url, lane.url] };
}

const PASS = "module.exports = (req, res, next) => next();";

test("the query of a rule turns no write of one record into one of all that match, as on json-server 0.17.4", async () => {
  const rules = {
    "/old/*": "/racks/$1",
    "/racks/:shelf": "/books?shelf=:shelf",
    "/racks?shelf=:shelf": "/books?shelf=:shelf",
    "/spent/:shelf": "/spent?shelf=:shelf",
    "/spent?shelf=*": "/books",
    "/api/*": "/$1",
  };
  const interceptor = join(createFolder({ "pass.cjs": PASS }), "pass.cjs");
  const { expected, urls } = await serveEverywhere(rules, interceptor);
  for (const path of ["/racks/a", "/old/a", "/racks?shelf=a", "/spent/a"]) {
    for (const method of ["PUT", "PATCH", "DELETE"]) {
      const ask = (url: string) => askAt(url, `${method} ${path}`, { body: { shelf: "lost" } });
      expect((await ask(expected)).status).toBe(404);
      for (const url of urls) {
        const { status, body } = await ask(url);
        expect([method, path, status, body]).toMatchObject([method, path, 405, { code: "METHOD_NOT_ALLOWED" }]);
      }
    }
  }
  for (const url of urls) expect((await askAt(url, "GET /db")).body).toEqual(data());
  // A filter of the client's own is kept by a rule.
  for (const url of urls)
    expect((await askAt(url, "DELETE /api/books?shelf=a")).body).toEqual({ count: 3, ids: [1, 3, 5] });
});

test("the page, limit and order that the client sends win over those of a rule, as on json-server 0.17.4", async () => {
  const rules = { "/books": "/books?_limit=3&_sort=id&_order=desc", "/shelves/:shelf": "/books?shelf=:shelf&_page=2" };
  const interceptor = join(createFolder({ "pass.cjs": PASS }), "pass.cjs");
  const { expected, urls } = await serveEverywhere(rules, interceptor);
  const lines = [
    "GET /books?_page=2&_limit=2&_sort=id&_order=asc",
    "GET /books?_sort=id&_limit=5",
    "GET /books?_limit=1&_sort=shelf,id&_order=asc,desc",
  ];
  for (const line of lines) {
    const { body, headers } = await askAt(expected, line);
    for (const url of urls) {
      const ours = await askAt(url, line);
      expect([line, ours.body, ours.headers.get("x-total-count")]).toEqual([line, body, headers.get("x-total-count")]);
    }
  }
  for (const url of urls) {
    expect((await askAt(url, "GET /books")).body).toEqual(data().books.slice(2).reverse());
    expect((await askAt(url, "GET /books?_start=1")).body).toMatchObject([{ id: 4 }, { id: 3 }, { id: 2 }]);
    expect((await askAt(url, "GET /books?_sort=id")).body).toMatchObject([{ id: 1 }, { id: 2 }, { id: 3 }]);
    expect((await askAt(url, "GET /shelves/a?_page=1&_limit=1&shelf=b")).body).toMatchObject([{ id: 1 }]);
  }
});

describe("behind a rule that names a query and a target that has none, a request is what it is on json-server 0.17.4", () => {
  const urls = { "json-server": "", "the module": "", "the command": "" };
  beforeAll(async () => {
    const file = join(createFolder({ "see.cjs": INTERCEPTOR }), "see.cjs");
    const see = createRequire(import.meta.url)(file) as RequestHandler;
    const theirs = await listen(appOf(jsonServer, see));
    const ours = await listen(appOf(standinModule, see));
    const api = await createStandin({ data: data(), routes: RULES, middlewares: [file] });
    Object.assign(urls, { "json-server": theirs.url, "the module": ours.url, "the command": api.url });
    return async () => {
      theirs.close();
      ours.close();
      await api.close();
    };
  });

  for (const { line, ...options } of REQUESTS) {
    test(line, async () => {
      const seen = async (url: string) => {
        const { status, body, headers } = await askAt(url, line, options);
        return { status, body, seen: JSON.parse(headers.get("x-seen") ?? "null") };
      };
      const expected = await seen(urls["json-server"]);
      expect(await seen(urls["the module"])).toEqual(expected);
      expect(await seen(urls["the command"])).toEqual(expected);
    });
  }

  test("Link leads to the next page all the same", async () => {
    for (const url of [urls["the module"], urls["the command"]]) {
      const first = await askAt(url, "GET /rack?shelf=a&_page=1&_limit=1");
      expect(first.body).toEqual([{ id: 1, shelf: "a" }]);
      const [, next] = /<http:\/\/[^/]+([^>]+)>; rel="next"/.exec(first.headers.get("link") ?? "") ?? [];
      expect((await askAt(url, `GET ${next}`)).body).toEqual([{ id: 5, shelf: "a" }]);
    }
  });
});

test("the module's rewriter leaves req.query alone where the new address has none", async () => {
  for (const module of [jsonServer, standinModule]) {
    const app = module.create();
    app.use((req, _res, next) => {
      req.query = { ...req.query, added: "1" };
      next();
    });
    app.use(module.rewriter({ "/a": "/b", "/c?x=:x": "/d" }));
    app.use((req, res) => void res.json([req.url, req.query]));
    const { url, close } = await listen(app);
    try {
      expect((await askAt(url, "GET /a")).body).toEqual(["/b", { added: "1" }]);
      expect((await askAt(url, "GET /c?x=2")).body).toEqual(["/d", { x: "2", added: "1" }]);
    } finally {
      close();
    }
  }
});

async function listen(app: Express): Promise<{ readonly url: string; close(): void }> {
  const http = app.listen(0, "127.0.0.1");
  await once(http, "listening");
  const close = (): void => {
    http.close();
    http.closeAllConnections();
  };
  return { url: `http://127.0.0.1:${(http.address() as AddressInfo).port}`, close };
}

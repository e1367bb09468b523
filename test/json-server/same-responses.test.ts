import type { ErrorRequestHandler, Express, RequestHandler } from "express";
import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../src/base/json/json.ts";
import type { JsonServerRouter } from "../../src/json-server/api.ts";
import type { AskOptions } from "../support/api.ts";
import { closing, dataFile, ENGINES, type Module, serve } from "./both-engines.ts";

/** Custom servers as projects write them, each on json-server 0.17.4 and on standin: the responses must be the same. */

interface Request extends AskOptions {
  readonly line: string;
}

interface Case {
  readonly build: (engine: Module, open: (data?: object) => JsonServerRouter) => Express;
  readonly requests: readonly (string | Request)[];
  /** Response headers to compare, without the port. */
  readonly headers?: readonly string[];
}

const posts = () => ({
  posts: [
    { _id: "a", slug: "hat", title: "Hat", countryId: [1, 2] },
    { _id: "b", slug: "cup", title: "Cup", countryId: 1 },
  ],
  countries: [
    { _id: 1, name: "Italy" },
    { _id: 2, name: "Spain" },
  ],
});

const numbered = () => ({
  posts: Array.from({ length: 12 }, (_, n) => ({ id: n + 1, title: `Post ${n + 1}`, userId: (n % 2) + 1 })),
  users: [
    { id: 1, name: "Ann", groupId: [1, 2] },
    { id: 2, name: "Bob" },
  ],
  groups: [
    { id: 1, name: "one" },
    { id: 2, name: "two" },
  ],
  profile: { name: "me" },
  empty: [],
});

/** Everything that projects read of a request in `render`. */
const tellRequest: JsonServerRouter["render"] = (req, res) => {
  const { path, url, query, baseUrl, method, originalUrl } = req;
  const { originalMethod } = req as unknown as { originalMethod?: string };
  const route = req.route && { path: req.route.path, methods: req.route.methods };
  res.jsonp({ path, url, query, baseUrl, method, originalUrl, originalMethod, route, body: req.body });
};

const below = (router: RequestHandler): RequestHandler => {
  return (req, res, next) => {
    req.url = req.url.replace(/^\/api\/v1/, "") || "/";
    router(req, res, next);
  };
};

type Search = (rows: JsonObject[], test: (row: JsonObject) => boolean) => unknown;
interface Lodash {
  readonly find: Search;
  readonly filter: Search;
}

const CASES: Readonly<Record<string, Case>> = {
  "db._.id names the primary key": {
    build: (engine, open) => {
      const router = open(posts());
      router.db._.id = "_id";
      return engine.create().use(engine.bodyParser).use(router);
    },
    requests: [
      "GET /posts/a",
      "GET /posts/b?_fields=",
      "GET /posts/zzz",
      "GET /countries/2",
      { line: "PATCH /posts/a", body: { title: "New" } },
      { line: "PUT /posts/b", body: { title: "Whole" } },
      { line: "POST /countries", body: { name: "Peru" } },
      "GET /countries",
      "DELETE /posts/a",
      "GET /posts",
    ],
  },
  "a mixin of __id names the primary key, also where it comes after the first requests": {
    build: (engine, open) => {
      const router = open(posts());
      const server = engine.create();
      server.get("/use-other-key", (_req, res) => {
        router.db._.mixin({ __id: () => "slug" });
        res.json({});
      });
      return server.use(router);
    },
    requests: [
      "GET /use-other-key",
      "GET /posts/hat",
      { line: "PATCH /posts/cup", body: { title: "Mug" } },
      { line: "PUT /posts/hat", body: { title: "Cap" } },
      "GET /posts",
    ],
  },
  "a mixin of createId makes the ids of new records": {
    build: (engine, open) => {
      const router = open(numbered());
      router.db._.mixin({
        createId: (rows: unknown[], doc: JsonObject | undefined) => `${doc?.title ?? doc?.name}-${rows.length}`,
      });
      const server = engine.create().use(engine.bodyParser);
      server.post("/register", (req, res) => void res.json(router.db.get("users").insert(req.body).write()));
      return server.use(router);
    },
    requests: [
      { line: "POST /posts", body: { title: "new" } },
      { line: "POST /posts", body: { title: "given", id: 77 } },
      { line: "POST /register", body: { name: "Eve" } },
      { line: "POST /users", body: { name: "Kim" } },
      "GET /users",
      "GET /posts/new-12",
    ],
  },
  "a mixin of getById finds records for routes and for _expand": {
    build: (engine, open) => {
      const router = open(numbered());
      router.db._.mixin({
        getById(this: Lodash, rows: JsonObject[], id: unknown) {
          if (Array.isArray(id)) return this.filter(rows, (row: JsonObject) => id.includes(row.id as never));
          if (id === undefined || id === null) return undefined;
          return this.find(rows, (row: JsonObject) => String(row.id) === String(id) || row.name === id);
        },
      });
      return engine.create().use(engine.bodyParser).use(router);
    },
    requests: [
      "GET /users/1",
      "GET /users/Ann",
      "GET /users/Zoe",
      "GET /users/1?_expand=group",
      "GET /users?_expand=group",
      "GET /posts/1?_expand=user",
      { line: "PATCH /users/Bob", body: { age: 5 } },
      "GET /users/2",
    ],
  },
  "render sees the request as the routes have left it": {
    build: (engine, open) => {
      const router = open(numbered());
      router.render = tellRequest;
      return engine.create().use(router);
    },
    requests: [
      "GET /posts",
      "GET /posts?userId=1&_page=2&_limit=3&_sort=id&_order=asc&q=post&x=1&title_like=P&_=5",
      "GET /posts?_start=1&_end=2&_embed=comments&_expand=user&title=x",
      "GET /posts/1?_embed=comments&x=1&_delay=1",
      "GET /posts/99",
      "GET /users/1/posts?_limit=2&title_like=P",
      "GET /users/1/posts",
      "GET /users/1/nowhere",
      "GET /empty?x=1&title_like=a",
      "GET /profile?x=1",
      "GET /nowhere?x=1",
      { line: "PUT /posts/2", body: { title: "x" } },
      { line: "PATCH /posts/2", body: { title: "y" } },
      { line: "POST /posts/2", body: { title: "z" }, headers: { "X-HTTP-Method-Override": "PATCH" } },
      { line: "PUT /profile", body: { name: "x" } },
      { line: "POST /posts", body: { title: "x" } },
      "DELETE /posts/2",
    ],
  },
  "render tells lists from records by req.route, below a mount": {
    build: (engine, open) => {
      const router = open(numbered());
      router.render = (req, res) =>
        void res.jsonp({ isList: req.route.path === "/", base: req.baseUrl, path: req.path });
      return engine.create().use("/api", router);
    },
    requests: ["GET /api/posts", "GET /api/posts/1", "GET /api/users/1/posts?_limit=1"],
  },
  "render finds data without keys where nothing was found": {
    build: (engine, open) => {
      const router = open(numbered());
      router.render = (_req, res) => {
        const isEmpty = Object.keys(res.locals.data as object).length === 0;
        res.jsonp({ status: res.statusCode, data: res.locals.data, isEmpty });
      };
      return engine.create().use(router);
    },
    requests: [
      "GET /posts/99",
      "GET /nowhere",
      "GET /posts/1/2/3",
      "GET /profile/1",
      "GET /",
      "POST /",
      { line: "PUT /posts/99", body: {} },
      { line: "PATCH /posts/99", body: {} },
      "DELETE /posts/99",
      "GET /empty",
      "DELETE /posts/1",
    ],
  },
  "a render that throws, at / and elsewhere": {
    build: (engine, open) => {
      const router = open(numbered());
      router.render = (req, res) => void res.jsonp({ isList: req.route.path === "/" });
      const caught: ErrorRequestHandler = (_thrown, _req, res, _next) => void res.status(500).json({ caught: true });
      router.stack.at(-1)!.handle = caught as never;
      return engine
        .create()
        .use("/bare", router)
        .use(engine.defaults({ logger: false }))
        .use(router);
    },
    requests: ["GET /", "GET /posts", "GET /posts/1", "GET /nowhere", "GET /bare/", "GET /bare/posts"],
  },
  "Location and Link below a mount": {
    headers: ["location", "link"],
    build: (engine, open) => engine.create().use("/api/v1", open(numbered())),
    requests: [{ line: "POST /api/v1/posts", body: {} }, "GET /api/v1/posts?_page=2&_limit=5"],
  },
  "Location and Link behind a middleware that takes a prefix off": {
    headers: ["location", "link"],
    build: (engine, open) => engine.create().use(below(open(numbered()))),
    requests: [{ line: "POST /api/v1/posts", body: {} }, "GET /api/v1/posts?_page=2&_limit=5"],
  },
  "Location and Link behind a proxy that is trusted": {
    headers: ["location", "link"],
    build: (engine, open) => engine.create().set("trust proxy", true).use(open(numbered())),
    requests: [
      { line: "POST /posts", body: {}, headers: { "X-Forwarded-Proto": "https" } },
      {
        line: "GET /posts?_page=1&_limit=5",
        headers: { "X-Forwarded-Proto": "https", "X-Forwarded-Host": "shop.example" },
      },
    ],
  },
  "Location and Link behind a proxy that is not": {
    headers: ["location", "link"],
    build: (engine, open) => engine.create().use(open(numbered())),
    requests: [{ line: "POST /posts", body: {}, headers: { "X-Forwarded-Proto": "https" } }],
  },
  "Link where a middleware maps page to _page": {
    headers: ["link", "x-total-count"],
    build: (engine, open) => {
      const server = engine.create();
      server.use((req, _res, next) => {
        const { page, limit, ...others } = req.query;
        if (page) req.query = { ...others, _page: page, _limit: limit ?? "5" };
        next();
      });
      return server.use(open(numbered()));
    },
    requests: ["GET /posts?page=2&limit=5", "GET /posts?limit=4&page=1", "GET /posts?page=3&userId=1&limit=2"],
  },
  "rewrite rules that 0.17 ignores": {
    build: (engine, open) => {
      const rules = { "api/*": "/$1", _comment: "rules of the shop", "/v1/*": "/$1", "/n": 5, users: 777, o: {} };
      return engine
        .create()
        .use(engine.rewriter(rules as unknown as Record<string, string>))
        .use(open(numbered()));
    },
    requests: ["GET /v1/posts/1", "GET /api/posts/1", "GET /__rules", "GET /posts/2", "GET /users/1"],
  },
};

async function responses(engine: Module, { build, requests, headers = [] }: Case): Promise<unknown[]> {
  const open = (data?: object): JsonServerRouter => closing(engine.router(dataFile(data)));
  const ask = await serve(build(engine, open));
  const list: unknown[] = [];
  for (const request of requests) {
    const { line, ...options } = typeof request === "string" ? { line: request } : request;
    const answer = await ask(line, options);
    const shown = headers.map((name) => [name, String(answer.headers.get(name)).replace(/127\.0\.0\.1:\d+/g, "host")]);
    // 404: standin says what is there.
    const body = answer.status === 404 && (answer.body as JsonObject)?.error ? {} : answer.body;
    list.push({ line, status: answer.status, body, ...Object.fromEntries(shown) });
  }
  return list;
}

for (const [name, one] of Object.entries(CASES)) {
  test(name, async () => {
    const [expected, actual] = await Promise.all(Object.values(ENGINES).map((engine) => responses(engine, one)));
    expect(actual).toEqual(expected);
  });
}

describe("better than 0.17", () => {
  test("a nested POST below a mount has a Location that leads to the record", async () => {
    const { standin } = ENGINES;
    const ask = await serve(standin!.create().use("/api", closing(standin!.router(numbered()))));
    const { headers } = await ask("POST /api/users/1/posts", { body: {} });
    expect(String(headers.get("location"))).toMatch(/\/api\/posts\/13$/);
    expect(await ask(`GET ${new URL(String(headers.get("location"))).pathname}`)).toMatchObject({ status: 200 });
  });
});

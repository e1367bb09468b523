import { createRequire } from "node:module";
import type { Router } from "express";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseTarget } from "../../src/http/call.ts";
import { createRewriter } from "../../src/http/rewrite/rewriter.ts";
import type { Rewrites } from "../../src/http/rewrite/rewrites.ts";
import { parseParameters } from "../../src/query/parse-query.ts";

/** json-server 0.17.4 itself: express-urlrewrite 1.4 on path-to-regexp 1.9. */
const jsonServer = createRequire(import.meta.url)("json-server") as { rewriter(rules: Rewrites): Router };

/** The request as a route sees it. */
interface Seen {
  readonly path: string;
  readonly query: Readonly<Record<string, readonly string[]>>;
}

type Rewriting = (url: string) => Promise<Seen | "500">;

function onJsonServer(rules: Rewrites): Rewriting {
  const rewriter = jsonServer.rewriter(rules);
  return (url) => {
    const req = { method: "GET", url, originalUrl: url, query: queryOf(parseTarget(url).search) };
    return new Promise((resolve) => {
      rewriter(req as never, {} as never, (thrown: unknown) => {
        resolve(thrown ? "500" : { path: parseTarget(req.url).path, query: lists(req.query) });
      });
    });
  };
}

function onStandin(rules: Rewrites): Rewriting {
  const { rewrite } = createRewriter(rules);
  return async (url) => {
    const { path, search } = rewrite(parseTarget(url));
    return { path, query: queryOf(search) };
  };
}

function queryOf(search: string): Seen["query"] {
  return Object.fromEntries(parseParameters(search));
}

function lists(query: Readonly<Record<string, string | readonly string[]>>): Seen["query"] {
  const named = Object.entries(query).filter(([name]) => name !== "");
  return Object.fromEntries(named.map(([name, value]) => [name, typeof value === "string" ? [value] : value]));
}

/** Left sides that name a query, and targets each can have. */
const QUERY_RULES: readonly (readonly [from: string, to: readonly string[]])[] = [
  ["/articles\\?id=:id", ["/posts/:id", "/posts?id=:id", "/posts/$1?_embed=comments"]],
  ["/articles?id=:id", ["/posts/:id", "/posts"]],
  ["/articles\\?tag=news", ["/posts?category=news", "/posts"]],
  [
    "/posts\\?category=:category",
    ["/posts/:category", "/categories/:category/posts", "/posts?category_like=:category"],
  ],
  ["/login\\?email=:e&password=:p", ["/users?email=:e&password=:p", "/users/:e", "/users?q=:e"]],
  ["/login\\?email=:e&password=:p&remember=*", ["/users?email=:e&remember=$3"]],
  ["/search\\?*", ["/posts?$1", "/posts", "/find/$1"]],
  ["/search\\?q=*", ["/posts?title_like=$1", "/posts?$1"]],
  ["/api/*\\?id=:id", ["/$1/:id", "/$1?id=:id&x=1"]],
  ["/page\\?_page=:page(\\d+)", ["/posts?_page=:page&_limit=2", "/posts"]],
  ["/:kind\\?author=:who", ["/:kind?authorId=:who", "/users/:who/:kind"]],
  ["/posts/:id?_embed=comments", ["/articles/:id", "/articles/:id"]],
  ["/query:rest(\\?.*)", ["/posts:rest", "/posts"]],
  ["/(news|blog)\\?year=:y", ["/$1/:y", "/posts?kind=$1&year=$2"]],
  ["/exact\\?a=1&b=2", ["/posts?c=3", "/both"]],
];

const PATHS = [
  "/articles",
  "/posts",
  "/posts/1",
  "/login",
  "/search",
  "/api/articles",
  "/api/posts",
  "/page",
  "/users",
];
const MORE_PATHS = ["/ARTICLES", "/articles/", "/news", "/blog/", "/exact", "/query", "/api/login", "/api/a/b", "/"];
const QUERIES = [
  "",
  "?id=1",
  "?id=1/",
  "?ID=1",
  "?id=1&_sort=x",
  "?id=a%20b%26c",
  "?id=a+b",
  "?id=1?x=2",
  "?id=",
  "?tag=news",
  "?tag=NEWS",
  "?tag=news&x=1",
  "?category=web",
  "?category=a/b",
  "?email=me@x.y&password=secret",
  "?password=secret&email=me@x.y",
  "?email=a&password=b&password=c",
  "?email=a&password=b&remember=1&z=2",
  "?q=ball&_page=2",
  "?q=",
  "?_page=2",
  "?_page=two",
  "?author=7",
  "?_embed=comments",
  "?year=2020",
  "?a=1&b=2",
  "?b=2&a=1",
  "?x=%zz",
];
const URLS = [...PATHS, ...MORE_PATHS].flatMap((path) => QUERIES.map((query) => `${path}${query}`));

describe("a rule that names a query does to every request what it does on json-server 0.17.4", () => {
  for (const [from, targets] of QUERY_RULES) {
    for (const to of targets) {
      test(`${from} -> ${to}`, async () => {
        expect(await differences({ [from]: to }, URLS)).toEqual([]);
      });
    }
  }
});

/** Rules without a query that both match alike: all of the rest, wherever it goes. */
const PATH_RULES: readonly (readonly [from: string, to: string])[] = [
  ["/api/*", "/$1"],
  ["/v1/*", "/api/$1"],
  ["/old*", "/articles$1"],
];

const oneRule = fc.oneof(
  {
    weight: 4,
    arbitrary: fc
      .constantFrom(...QUERY_RULES)
      .chain(([from, to]) => fc.constantFrom(...to).map((one) => [from, one] as const)),
  },
  { weight: 1, arbitrary: fc.constantFrom(...PATH_RULES) },
);

test("files of several rules, each of which sees the result of those before", async () => {
  const someUrls = fc.subarray(URLS, { minLength: 40, maxLength: 40 });
  await fc.assert(
    fc.asyncProperty(fc.array(oneRule, { minLength: 2, maxLength: 5 }), someUrls, async (pairs, urls) => {
      expect(await differences(Object.fromEntries(pairs), urls)).toEqual([]);
    }),
    { numRuns: 150 },
  );
});

describe("documented differences", () => {
  const cases: [rule: [from: string, to: string], url: string, theirs: unknown, ours: Seen][] = [
    // A rule without a query of its own is matched on the path alone.
    [
      ["/health", "/check"],
      "/health?x=1",
      { path: "/health", query: { x: ["1"] } },
      { path: "/check", query: { x: ["1"] } },
    ],
    [
      ["/a/:term", "/posts?q=:term"],
      "/a/b?x=1",
      { path: "/posts", query: { q: ["b?x=1"] } },
      { path: "/posts", query: { q: ["b"], x: ["1"] } },
    ],
    // A colon behind the question mark of a target that captures nothing.
    [["/cheap", "/posts?price:lt=10"], "/cheap", "500", { path: "/posts", query: { "price:lt": ["10"] } }],
    // An optional part that is absent.
    [["/p/:id?", "/posts/:id"], "/p", { path: "/posts/undefined", query: {} }, { path: "/posts/", query: {} }],
    // A capture from the path goes into a query as one value.
    [
      ["/by/:who\\?x=1", "/posts?author=:who"],
      "/by/a&b?x=1",
      { path: "/posts", query: { author: ["a"], b: [""] } },
      { path: "/posts", query: { author: ["a&b"] } },
    ],
  ];
  for (const [[from, to], url, theirs, ours] of cases) {
    test(`${from} -> ${to}: ${url}`, async () => {
      expect(await onJsonServer({ [from]: to })(url)).toEqual(theirs);
      expect(await onStandin({ [from]: to })(url)).toEqual(ours);
    });
  }
});

async function differences(rules: Rewrites, urls: readonly string[]) {
  const [theirs, ours] = [onJsonServer(rules), onStandin(rules)];
  const found = [];
  for (const url of urls) {
    const [expected, given] = [await theirs(url), await ours(url)];
    if (JSON.stringify(expected) !== JSON.stringify(given)) found.push({ url, expected, given });
  }
  return found;
}

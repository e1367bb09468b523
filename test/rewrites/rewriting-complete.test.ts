import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { loadRewriter } from "../../src/http/rewrite/rewrite-file.ts";
import { createRewriter } from "../../src/http/rewrite/rewriter.ts";
import { idsOf, startApi } from "../support/api.ts";
import { catalog } from "../support/catalog.ts";
import { createFolder } from "../support/cli.ts";
import { runKept, serveKept } from "../support/kept-process.ts";
import { startLayered } from "../support/layers.ts";
import { askRaw } from "../support/raw.ts";

describe("chains", () => {
  const rules = {
    "/api/*": "/v1/$1",
    "/v1/shop/:company/*": "/companies/:company/$2",
    "/v1/find/:term": "/products?name_like=:term",
    "/v1/*": "/$1",
    "/best": "/products?_sort=price&_order=desc",
    "/products": "/products?_limit=3",
  };
  const cases: [path: string, ids: number[]][] = [
    ["/api/best", [5, 8, 3]],
    ["/v1/best", [5, 8, 3]],
    ["/best", [5, 8, 3]],
    ["/best?_start=1", [8, 3, 9]],
    // The limit is for the client to choose.
    ["/best?_limit=1", [5]],
    ["/api/find/steel", [1, 3, 12]],
    ["/api/find/steel?price_gte=20", [3, 12]],
    ["/api/shop/2/products", [3, 5, 8, 11]],
    ["/api/shop/2/products?_limit=1&_start=1", [5]],
    ["/api/products", [1, 2, 3]],
    ["/api/api/products", []],
  ];
  for (const [path, ids] of cases) {
    test(`GET ${path} -> ${ids.length > 0 ? JSON.stringify(ids) : "404"}`, async () => {
      const api = await startApi({ routes: rules });
      const answer = await api.ask(`GET ${path}`);
      if (ids.length === 0) expect(answer.status).toBe(404);
      else expect(idsOf(answer)).toEqual(ids);
    });
  }

  test("a rule is applied once, however well its result would match it again", async () => {
    const api = await startApi({ routes: { "/a/*": "/a/x/$1", "/a/x/*": "/$1" } });
    expect((await api.ask("GET /a/products/1")).body).toEqual(catalog().products[0]);
    expect((await api.ask("GET /a/x/products/1")).status).toBe(404);
  });

  test("three captures in a row, in path and query, by name and by number", async () => {
    const rules = { "/:a/of/:b/from/*": "/x/:b/:a?price_gte=$3", "/x/*/*": "/companies/$1/$2" };
    const api = await startApi({ routes: rules });
    expect(idsOf(await api.ask("GET /products/of/2/from/90"))).toEqual([3, 5, 8]);
  });
});

describe("every method, to every kind of place", () => {
  const rules = {
    "/api/*": "/$1",
    "/me": "/profile",
    "/start-over": "/__reset",
    "/all": "/db",
    "/which-rules": "/__rules",
    "/health": "/health-check",
    "/numbers": "/stats",
  };
  const data = () => ({ ...catalog(), profile: { name: "me" } });
  const cases: [line: string, status: number][] = [
    ["GET /api/products/1", 200],
    ["HEAD /api/products/1", 200],
    ["POST /api/products", 201],
    ["PUT /api/products/1", 200],
    ["PATCH /api/products/1", 200],
    ["DELETE /api/products/1", 200],
    ["OPTIONS /api/products", 204],
    ["POST /api/companies/1/products", 201],
    ["GET /me", 200],
    ["PUT /me", 200],
    ["PATCH /me", 200],
    ["DELETE /me", 405],
    ["GET /all", 200],
    ["POST /all", 405],
    ["GET /which-rules", 200],
    ["GET /api/__rules", 200],
    ["POST /start-over", 200],
    ["GET /health", 200],
    ["HEAD /health", 200],
    ["POST /health", 405],
    ["GET /health/", 200],
    ["GET /HEALTH", 200],
    ["GET /api/health", 200],
    ["GET /health/deep", 404],
    ["GET /numbers", 200],
  ];
  for (const [line, status] of cases) {
    test(`${line} -> ${status}`, async () => {
      const api = await startApi({ routes: rules, data: data() });
      const body = /^(PUT|PATCH|POST) .*(products|me)/.test(line) ? { name: "x" } : undefined;
      expect((await api.ask(line, { body })).status).toBe(status);
    });
  }

  test("an overridden method goes the same way", async () => {
    const api = await startApi({ routes: rules });
    const headers = { "X-HTTP-Method-Override": "DELETE" };
    expect((await api.ask("POST /api/products/1", { headers })).status).toBe(200);
    expect((await api.ask("GET /products/1")).status).toBe(404);
  });

  test("the rule for /health holds without the others, and without it there is no /health", async () => {
    const one = await startApi({ routes: { "/health": "/health-check" } });
    expect((await one.ask("GET /health")).body).toEqual({ status: "ok", uptime: expect.any(Number), store: "memory" });
    expect((await (await startApi()).ask("GET /health")).status).toBe(404);
  });

  test("a collection called health wins over nothing: the rule comes first", async () => {
    const api = await startApi({ data: { health: [{ id: 1 }] }, routes: { "/health": "/health-check" } });
    expect((await api.ask("GET /health")).body).toMatchObject({ status: "ok" });
    expect((await api.ask("GET /health/1")).body).toEqual({ id: 1 });
  });
});

describe("patterns", () => {
  const cases: [rule: [from: string, to: string], path: string, as: string][] = [
    [["/p/:id?", "/products/:id"], "/p", "/products"],
    [["/p/:id?", "/products/:id"], "/p/3", "/products/3"],
    [["/p/:id(\\d+)", "/products/:id"], "/p/3", "/products/3"],
    [["/p/:rest+", "/:rest"], "/p/companies/1", "/companies/1"],
    [["/p/:rest*", "/products"], "/p", "/products"],
    [["/(prod|items)", "/products"], "/items", "/products"],
    [["/(prod|items)/:id", "/products/:id"], "/prod/2", "/products/2"],
    [["/*", "/$1"], "/products/1", "/products/1"],
    [["/*/list", "/$1"], "/companies/list", "/companies"],
    [["/a-:id.json", "/products/:id"], "/a-4.json", "/products/4"],
    [["/caf%C3%A9", "/products"], "/caf%C3%A9", "/products"],
    [["/q", "/products?name_like=%5Esteel"], "/q", "/products?name_like=%5Esteel"],
    [["/two", "/products?id=1&id=3"], "/two", "/products?id=1&id=3"],
    [["/x/:n", "/products?id=:n&id=3"], "/x/1", "/products?id=1&id=3"],
  ];
  for (const [[from, to], path, as] of cases) {
    test(`"${from}" -> "${to}": GET ${path} responds like GET ${as}`, async () => {
      const api = await startApi({ routes: { [from]: to } });
      const plain = await startApi();
      const [rewritten, expected] = [await api.ask(`GET ${path}`), await plain.ask(`GET ${as}`)];
      expect(expected.status).toBe(200);
      expect([rewritten.status, rewritten.body]).toEqual([200, expected.body]);
    });
  }

  const missed: [rule: [from: string, to: string], path: string][] = [
    [["/p/:id(\\d+)", "/products/:id"], "/p/x"],
    [["/p/:id", "/products/:id"], "/p/1/2"],
    [["/p/:id", "/products/:id"], "/p"],
    [["/p", "/products"], "/p/x"],
    [["/p", "/products"], "//p"],
    [["/p", "/products"], "/p//"],
    [["/p/*", "/$1"], "/p//products"],
    [["/p/*", "/$1"], "/p/../products"],
    [["/p/*", "/$1"], "/p/%2fproducts"],
  ];
  for (const [[from, to], path] of missed) {
    test(`"${from}" -> "${to}": GET ${path} -> 404`, async () => {
      const { port } = await startApi({ routes: { [from]: to } });
      expect((await askRaw(port, `GET ${path}`)).status).toBe(404);
    });
  }

  test("a long path that almost matches a rule with many wildcards takes no time to speak of", async () => {
    const rewriter = createRewriter({ "/a/*/b/*/c/*/d": "/products/$1" });
    const near = `/a/${"b/c/".repeat(3500)}x`;
    // Tried in every way, this would not end today.
    expect(rewriter.rewrite({ path: near, search: "" }).path).toBe(near);
    const far = `/a/${"x".repeat(500)}/b/2/c/3/d`;
    expect(rewriter.rewrite({ path: far, search: "" }).path).toBe(`/products/${"x".repeat(500)}`);
    expect(rewriter.rewrite({ path: "/A/7/b/8/c/9/d/", search: "q=1" })).toEqual({
      path: "/products/7",
      search: "q=1",
    });
  });

  const costly: [from: string, path: string][] = [
    ["/*:a-:b/*z", `/${"x-".repeat(2000)}`],
    ["/*:a--:b*z", `/${"x--".repeat(1300)}`],
    ["/(.*foo.*bar.*)z", `/${"foobar".repeat(1300)}`],
    ["/(.*a.*b.*c.*d.*e.*)z", `/${"abcde".repeat(50)}`],
    ["/x:b(a+)+", `/x${"a".repeat(60)}/b`],
    ["/:a~:b*", `/a~${"b".repeat(60)}/c/d`],
    ["/:a:b:c", `/${"x".repeat(4000)}/y`],
    ["/:a--:b--:c--:d--:e--:f/z", `/${"x--".repeat(80)}`],
    ["/:a--:b--:c--:d--:e--:f/z", `/${"-".repeat(250)}`],
    ["/:a(.*)x\\1:b(.*)x:c(.*)z", `/${"x".repeat(4000)}`],
  ];
  test.each(costly)("%s: a path that almost matches takes no time to speak of", (from, path) => {
    const { rewrite } = createRewriter({ [from]: "/products" });
    rewrite({ path, search: "" });
    const before = process.cpuUsage();
    expect(rewrite({ path, search: "" }).path).toBe(path);
    // Tried in every way, most take from a second to years.
    expect(process.cpuUsage(before).user).toBeLessThan(500_000);
  });

  test("a parameter behind a parameter captures the same on a short path and on a long one", () => {
    const cases: [from: string, tail: string][] = [
      ["/*/:a-:b/*", "/x-y-z/w"],
      ["/*/:a-:b/*", "/x-/w"],
      ["/*/:a--:b/*", "/x--y/w"],
      ["/*/:a^:b/*", "/x^y^/w"],
      ["/*/:a(\\d+)x:b/*", "/1Xy/w"],
    ];
    const long = "y".repeat(400);
    for (const [from, tail] of cases) {
      const { rewrite } = createRewriter({ [from]: "/found?0=$1&a=$2&b=$3&1=$4" });
      const targetOf = (path: string): string => JSON.stringify(rewrite({ path, search: "" }));
      expect(targetOf(`/${long}${tail}`), from + tail).toBe(targetOf(`/y${tail}`).replace("y", long));
    }
  });

  test("the same wildcards capture the same on a short path and on a long one", () => {
    const { rewrite } = createRewriter({ "/*/b/*/c": "/x?one=$1&two=$2" });
    const searchOf = (path: string): string => rewrite({ path, search: "" }).search;
    for (const tail of ["/b/c/b/c/c", "/b/1/b/2/c", "/b//c"]) {
      const long = "y".repeat(400);
      expect(searchOf(`/${long}${tail}`), tail).toBe(searchOf(`/y${tail}`).replace("y", long));
    }
  });
});

describe("GET /__rules", () => {
  test("shows the rules as they stand in the file, in their order, through rules and past none", async () => {
    const rules = { "/z": "/products", "/a/*": "/$1", "/m/:id": "/products/:id?x=y" };
    const api = await startApi({ routes: rules });
    for (const path of ["/__rules", "/__rules/", "/a/__rules"]) {
      expect((await api.ask(`GET ${path}`)).text, path).toBe(JSON.stringify(rules));
    }
  });

  test("has a tag that lasts as long as the rules", async () => {
    const api = await startApi({ routes: { "/z": "/products" } });
    const tag = (await api.ask("GET /__rules")).headers.get("etag")!;
    expect((await api.ask("GET /__rules", { headers: { "If-None-Match": tag } })).status).toBe(304);
    const other = await startApi({ routes: { "/y": "/products" } });
    expect((await other.ask("GET /__rules", { headers: { "If-None-Match": tag } })).status).toBe(200);
  });

  test("the config file names the rewrite file, and a flag wins over it", async () => {
    const folder = createFolder({
      "db.json": catalog(),
      "standin.json": { routes: "one.json" },
      "one.json": { "/one": "/products" },
      "two.json": { "/two": "/products" },
    });
    for (const [args, rule] of [
      [[], "/one"],
      [["--routes", "two.json"], "/two"],
    ] as const) {
      const served = await serveKept(["db.json", ...args], folder);
      expect(await (await fetch(`${served.url}/__rules`)).json()).toEqual({ [rule]: "/products" });
      expect((await fetch(`${served.url}${rule}`)).status).toBe(200);
      await served.stop();
    }
  });
});

describe("with layers and interceptors listed the rules are the same", () => {
  const rules = { "/api/*": "/$1", "/find/:term": "/products?name_like=:term" };
  for (const middlewares of [["logger"], ["test/fixtures/middlewares/pass.cjs"]]) {
    test(middlewares.join(", "), async () => {
      const api = await startLayered({ middlewares, rules });
      const plain = await startApi({ routes: rules });
      for (const path of ["/api/products/1", "/find/steel?_limit=2", "/api/find/hat", "/api/nowhere", "/api/__rules"]) {
        const [one, other] = [await api.ask(`GET ${path}`), await plain.ask(`GET ${path}`)];
        expect([one.status, one.body], path).toEqual([other.status, other.body]);
      }
      const created = await api.ask("POST /api/products", { body: { name: "x" } });
      expect(created.headers.get("location")).toBe(`${api.url}/api/products/13`);
      expect((await api.ask("GET /api/products?_page=1")).headers.get("link")).toContain(
        `<${api.url}/api/products?_page=2>; rel="next"`,
      );
    });
  }
});

describe("mistakes in the rewrite file stop the start, with the file and the rule named", () => {
  const mistakes: [name: string, content: string, told: RegExp][] = [
    ["a target without its slash", '{"/api/*": "$1"}', /rewrite rule "\/api\/\*" -> "\$1": .*begins with \//],
    ["an unknown number", '{"/a/*": "/$1/$2"}', /rewrite rule "\/a\/\*" -> "\/\$1\/\$2": the target uses \$2/],
    ["an unknown name", '{"/a/:id": "/b/:Id"}', /rewrite rule "\/a\/:id" -> "\/b\/:Id": the target uses :Id/],
    ["no pattern", '{"/a/:id(+)": "/c"}', /rewrite rule "\/a\/:id\(\+\)" -> "\/c": .*not a valid pattern/],
    ["a list", '[["/a", "/b"]]', /must contain a JSON object/],
    ["a comma too many", '{"/a": "/b",}', /line 1, column 12: JSON does not allow a comma/],
  ];
  for (const [name, content, told] of mistakes) {
    test(name, async () => {
      const file = join(createFolder({ "my-rules.json": content }), "my-rules.json");
      const failure = await loadRewriter(file, () => undefined).catch((thrown: unknown) => thrown);
      expect(failure).toMatchObject({ name: "StartError", message: expect.stringMatching(told) });
      expect((failure as Error).message).toContain(`The rewrite file ${file} cannot be used: `);
    });
  }

  test("by the command line: one line, exit code 1, and nothing served", async () => {
    const [, content, told] = mistakes[0]!;
    const folder = createFolder({ "db.json": catalog(), "my-rules.json": content });
    const { exit, output } = runKept(["db.json", "--port", "0", "--routes", "my-rules.json"], folder);
    expect(await exit).toBe(1);
    expect(output.stderr).toMatch(told);
    expect(output.stderr.trim().split("\n")).toHaveLength(1);
    expect(output.stdout).toBe("");
  });
});

describe("entries that 0.17 ignores are skipped with a warning", () => {
  const entries: [name: string, content: string, told: RegExp][] = [
    ["a path without its slash", '{"api/*": "/$1", "/a/*": "/$1"}', /"api\/\*" is ignored: .*must begin with \//],
    ["a comment", '{"_comment": "of the shop", "/a/*": "/$1"}', /"_comment" is ignored/],
    ["a target that is a number", '{"/n": 5, "/a/*": "/$1"}', /"\/n" is ignored: the target must be a string/],
    [
      "a target that is an object",
      '{"/o": {"to": "/b"}, "/a/*": "/$1"}',
      /"\/o" is ignored: the target must be a string/,
    ],
    ["a target that is null", '{"/o": null, "/a/*": "/$1"}', /"\/o" is ignored: the target must be a string/],
  ];
  for (const [name, content, told] of entries) {
    test(name, async () => {
      const file = join(createFolder({ "my-rules.json": content }), "my-rules.json");
      const warnings: string[] = [];
      const { rewrite } = await loadRewriter(file, (text) => warnings.push(text));
      expect(warnings).toEqual([expect.stringMatching(told)]);
      expect(rewrite({ path: "/a/products", search: "" })).toEqual({ path: "/products", search: "" });
    });
  }
});

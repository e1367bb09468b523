import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { examine } from "../../src/commands/doctor/examine.ts";
import { LEVELS } from "../../src/commands/doctor/finding.ts";
import { invocationsIn } from "../../src/commands/doctor/invocation.ts";
import { lineOf } from "../../src/commands/doctor/json-lines.ts";
import { createFolder } from "../support/cli.ts";
import { runKept } from "../support/kept-process.ts";

const DATA = { posts: [{ id: 1, title: "a" }], comments: [{ id: 1, postId: 1 }] };

function project(
  script: string,
  files: Record<string, unknown> = {},
  dependencies: object = { "json-server": "^0.17.4" },
) {
  const content = { scripts: { mock: script }, devDependencies: dependencies };
  return createFolder({ "package.json": content, "db.json": DATA, ...files } as Parameters<typeof createFolder>[0]);
}

/** Findings in short: level, place and message. */
function found(folder: string): string[] {
  return examine(folder).findings.map(({ level, file, line, message }) => `${level} ${file}:${line ?? "-"} ${message}`);
}

function work(folder: string): string[] {
  return found(folder).filter((text) => /^(broken|change|check)/.test(text));
}

describe("starts of json-server are found in", () => {
  const cases: [script: string, args: string[] | undefined][] = [
    ["json-server --watch db.json", ["--watch", "db.json"]],
    ["npx json-server db.json -p 3004", ["db.json", "-p", "3004"]],
    ["npx -y json-server@0.17.4 db.json", ["db.json"]],
    ["yarn json-server db.json", ["db.json"]],
    ["pnpm exec json-server db.json", ["db.json"]],
    ["pnpm dlx json-server db.json", ["db.json"]],
    ["cross-env NODE_ENV=test json-server db.json", ["db.json"]],
    ["PORT=1 ./node_modules/.bin/json-server db.json", ["db.json"]],
    ["node node_modules/json-server/lib/cli/bin.js db.json", ["db.json"]],
    ["vite build && json-server db.json", ["db.json"]],
    ['concurrently "vite" "json-server --watch db.json"', ["--watch", "db.json"]],
    ["concurrently 'npm:dev' 'cross-env A=1 json-server db.json'", ["db.json"]],
    ["start-server-and-test 'json-server db.json' 3000 'cypress run'", ["db.json"]],
    ["json-server 'my db.json'", ["my db.json"]],
    ["json-server-auth db.json", ["db.json"]],
    ["npm install json-server", undefined],
    ["yarn add -D json-server", undefined],
    ["echo json-server", undefined],
    ["wait-on http://localhost:3000", undefined],
  ];
  for (const [script, args] of cases) {
    test(script, () => {
      expect(invocationsIn(script).map((one) => one.args)).toEqual(args ? [args] : []);
    });
  }
});

test("lines are those of the value, or of its name", () => {
  const text = '{\n  "a": [\n    { "id": 1 },\n    { "id": 2,\n      "b": "x, [" }\n  ],\n  "c": {}\n}';
  const cases: [path: (string | number)[], line: number | undefined][] = [
    [["a"], 2],
    [["a", 0], 3],
    [["a", 1], 4],
    [["a", 1, "b"], 5],
    [["c"], 7],
    [["d"], undefined],
  ];
  for (const [path, line] of cases) expect([path, lineOf(text, path)]).toEqual([path, line]);
});

test("lines are found behind texts of many megabytes", () => {
  const text = JSON.stringify({ a: "x".repeat(10_000_000), b: '\\"'.repeat(2_000_000), c: 1 }, null, 1);
  expect(lineOf(text, ["c"])).toBe(4);
});

describe("a project with nothing to change", () => {
  test("says what works, and where json-server is named", () => {
    const folder = project("json-server --watch db.json --routes routes.json -m ./log.js", {
      "routes.json": { "/api/*": "/$1", "/articles\\?id=:id": "/posts/:id" },
      "log.js": "module.exports = (req, res, next) => next();\n",
      "server.js": 'const jsonServer = require("json-server");\nconst router = jsonServer.router("db.json");\n',
    });
    expect(work(folder)).toEqual([]);
    const { mentions, version } = examine(folder);
    expect(version).toBe("^0.17.4");
    expect(mentions.map(({ file, line }) => `${file}:${line}`)).toEqual([
      "package.json:6",
      "package.json:3",
      "server.js:1",
    ]);
  });

  test("a folder without json-server", () => {
    const { findings, mentions } = examine(createFolder({ "package.json": { scripts: { test: "vitest" } } }));
    expect([findings, mentions]).toEqual([[], []]);
  });
});

describe("what is to be changed is named with its line", () => {
  const cases: [name: string, folder: () => string, expected: RegExp[]][] = [
    [
      "a bare --no-cors",
      () => project("json-server db.json --no-cors"),
      [/^change package\.json:3 --no-cors had no effect/],
    ],
    ["a mistyped flag", () => project("json-server db.json --wacth"), [/^broken package\.json:3 .*--wacth/]],
    [
      "a value of the wrong type",
      () => project("json-server db.json", { "json-server.json": { port: {} } }),
      [/^broken json-server\.json:2 .*port/],
    ],
    [
      "a missing data file",
      () => project("json-server nope.json"),
      [/^change package\.json:3 nope\.json does not exist/],
    ],
    [
      "a missing middleware",
      () => project("json-server db.json -m ./nope.js"),
      [/^broken package\.json:3 The middleware \.\/nope\.js/],
    ],
    ["a missing rewrite file", () => project("json-server db.json -r nope.json"), [/^broken nope\.json:- /]],
    ["broken JSON", () => project("json-server db.json", { "db.json": "{" }), [/^broken db\.json:- .*line 1/]],
    [
      "a key that is neither array nor object",
      () => project("json-server db.json", { "db.json": { ...DATA, version: 3 } }),
      [/^broken db\.json:14 "version" must be/],
    ],
    [
      "ids that occur twice",
      () => project("json-server db.json", { "db.json": { posts: [{ id: 1 }, { id: "1" }] } }),
      [/^change db\.json:6 posts: 1 record with an "id"/],
    ],
    [
      "a hidden key",
      () => project("json-server db.json", { "db.json": { db: [] } }),
      [/^change db\.json:2 \/db is a built-in route/],
    ],
    [
      "a rule that cannot be meant",
      () => project("json-server db.json -r routes.json", { "routes.json": { "/a/*": "/$1", "/b": "/posts/:id" } }),
      [/^broken routes\.json:3 .*:id/],
    ],
    [
      "files of json-server itself",
      () => project("node server.js", { "server.js": '\nconst run = require("json-server/lib/server/utils");\n' }),
      [/^change server\.js:2 This reaches into/],
    ],
    [
      "a second lowdb in a middleware",
      () =>
        project("json-server db.json -m log.js", {
          "db.json": '{ "posts": [] }',
          "log.js": '// for json-server\nrequire("lowdb/adapters/FileSync");\n',
        }),
      [/^change log\.js:2 A second lowdb/],
    ],
    [
      "requests of 1.0 beta",
      () =>
        project(
          "json-server db.json",
          { "app.js": "fetch(`/posts?_page=1`);\nfetch('/posts?views:gt=5&_page=1&_per_page=5');\n" },
          { "json-server": "^1.0.0-beta.3" },
        ),
      [/^change app\.js:1 _page alone/],
    ],
  ];
  for (const [name, folder, expected] of cases) {
    test(name, () => {
      const texts = work(folder());
      expect(texts).toHaveLength(expected.length);
      for (const [at, pattern] of expected.entries()) expect(texts[at]).toMatch(pattern);
    });
  }
});

describe("what differs, and what works", () => {
  const cases: [name: string, folder: () => string, expected: RegExp][] = [
    [
      "1.0 beta",
      () => project("json-server db.json", {}, { "json-server": "1.0.0-beta.3" }),
      /^differs package\.json:6 .*1\.0 beta/,
    ],
    [
      "types of json-server",
      () => project("json-server db.json", {}, { "@types/json-server": "^0.14" }),
      /^differs package\.json:6 standin brings/,
    ],
    [
      "json-server-auth",
      () => project("json-server-auth db.json", {}, { "json-server-auth": "^2.1.0" }),
      /^works package\.json:6 json-server-auth/,
    ],
    [
      "an unknown config key",
      () => project("json-server db.json", { "json-server.json": { prot: 3000 } }),
      /^differs json-server\.json:2 .*"prot"/,
    ],
    [
      "records without an id",
      () => project("json-server db.json", { "db.json": { posts: [{ a: 1 }] } }),
      /^differs db\.json:3 posts: 1 record without "id"/,
    ],
    [
      "records by another id",
      () => project("json-server db.json --id _id", { "db.json": { posts: [{ _id: 1 }] } }),
      /^works db\.json:- 1 collection/,
    ],
    [
      "elements that are not objects",
      () => project("json-server db.json", { "db.json": { tags: ["a", [1]] } }),
      /^differs db\.json:3 tags: 2 elements are not objects/,
    ],
    [
      "a key with a slash",
      () => project("json-server db.json", { "db.json": { "a/b": [] } }),
      /^differs db\.json:2 .*\/a%2Fb/,
    ],
    [
      "a capture that took the query",
      () => project("json-server db.json -r r.json", { "r.json": { "/find/:q": "/posts?q=:q" } }),
      /^differs r\.json:2 /,
    ],
    [
      "req.app.db in a middleware",
      () =>
        project("json-server db.json -m ./m.js", { "m.js": "module.exports = (req) =>\n  req.app.db.getState();\n" }),
      /^works m\.js:2 req\.app\.db/,
    ],
    [
      "a Dockerfile",
      () => project("x", { Dockerfile: 'FROM node\nCMD ["npx", "json-server", "db.json"]\n' }),
      /^works Dockerfile:2 standin accepts/,
    ],
    [
      "a workflow",
      () => project("x", { "ci.yml": "steps:\n  - run: npx json-server db.json --port $PORT &\n" }),
      /^works ci\.yml:2 standin accepts/,
    ],
  ];
  for (const [name, folder, expected] of cases) {
    test(name, () => {
      expect(found(folder())).toContainEqual(expect.stringMatching(expected));
    });
  }
});

test("projects inside a project are looked at, too", () => {
  const folder = project("json-server db.json");
  mkdirSync(join(folder, "apps/mock"), { recursive: true });
  const content = { scripts: { start: "json-server nope.json" }, dependencies: { "json-server": "0.17.4" } };
  writeFileSync(join(folder, "apps/mock/package.json"), JSON.stringify(content, null, 2));
  writeFileSync(join(folder, "apps/mock/server.js"), 'require("json-server");\n');
  expect(work(folder)).toEqual([
    expect.stringMatching(/^change apps\/mock\/package\.json:3 nope\.json does not exist/),
  ]);
  expect(examine(folder).mentions.map(({ file }) => file)).toEqual([
    "package.json",
    "package.json",
    "apps/mock/package.json",
    "apps/mock/package.json",
    "apps/mock/server.js",
  ]);
});

test("nothing of the project is run or written", () => {
  const folder = project("json-server data.js -m ./m.js", {
    "data.js": "process.exit(3);",
    "m.js": "process.exit(4);",
    "server.js": 'require("json-server"); process.exit(5);',
  });
  const before = readdirSync(folder).sort();
  expect(work(folder)).toEqual([]);
  expect(readdirSync(folder).sort()).toEqual(before);
});

describe("standin doctor", () => {
  test("exit code 0 and what to switch, where nothing is to be changed", async () => {
    const { exit, output } = runKept(["doctor"], project("json-server --watch db.json"));
    expect([await exit, output.stderr]).toEqual([0, ""]);
    expect(output.stdout).toContain("This project uses json-server ^0.17.4.");
    expect(output.stdout).toMatch(/works {3}db\.json {2}2 collections can be served\./);
    expect(output.stdout).toMatch(
      /To switch, keep the name.*\n.*package\.json:6 {2}"json-server": "npm:standin-json-server@\^0\.17\.100"\n/,
    );
    expect(output.stdout).toMatch(/Or replace.*\n.*package\.json:3 {2}"mock": "standin --watch db\.json"/);
    expect(output.stdout).toContain("\n2 work unchanged.\n");
  });

  test("exit code 1 and --format json, where something is", async () => {
    const folder = project("json-server db.json --no-cors");
    const { exit, output } = runKept(["doctor", folder, "--format", "json"], createFolder());
    expect(await exit).toBe(1);
    const { findings } = JSON.parse(output.stdout) as { findings: object[] };
    expect(findings[0]).toEqual({
      level: "change",
      file: "package.json",
      line: 3,
      message: expect.stringContaining("--no-cors"),
      fix: expect.stringContaining("Remove"),
    });
  });

  test("--help teaches the levels; a missing folder is one line", async () => {
    const help = runKept(["doctor", "--help"], createFolder());
    expect(await help.exit).toBe(0);
    for (const level of LEVELS) expect(help.output.stdout).toContain(`  ${level} `);
    const missing = runKept(["doctor", "nope"], createFolder());
    expect([await missing.exit, missing.output.stderr]).toEqual([1, "standin: nope is not a folder.\n"]);
  });
});

import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { examine } from "../../src/commands/doctor/examine.ts";
import { LEVELS } from "../../src/commands/doctor/finding.ts";
import { createFolder } from "../support/cli.ts";
import { runKept } from "../support/kept-process.ts";

const DATA = { posts: [{ id: 1, title: "a" }], comments: [{ id: 1, postId: 1 }] };
const BETA = { "json-server": "^1.0.0-beta.3" };

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

async function printed(folder: string): Promise<{ code: number | null; text: string }> {
  const { exit, output } = runKept(["doctor"], folder);
  const code = await exit;
  return { code, text: output.stdout };
}

describe("a start is read", () => {
  test.each([
    "json-server --watch db.json",
    "npx -y json-server@0.17.4 db.json -p 3004",
    "pnpm exec json-server db.json",
    "cross-env NODE_ENV=test json-server db.json",
    "PORT=1 ./node_modules/.bin/json-server db.json",
    'vite build && concurrently "vite" "json-server --watch db.json"',
    "start-server-and-test 'json-server db.json' 3000 'cypress run'",
    "json-server-auth db.json",
  ])("%s", (script) => {
    expect(found(project(script))).toEqual([
      "works db.json:- The data can be served.",
      "works package.json:3 standin accepts the same arguments.",
    ]);
  });
});

describe("nothing is said about", () => {
  test.each(["npm install json-server", "yarn add -D json-server", "echo json-server"])("%s", (script) => {
    expect(found(project(script))).toEqual([]);
  });

  test("a folder without json-server", () => {
    const files = { "package.json": { scripts: { test: "vitest" } }, "a.test.js": 'ask.delete("/posts").expect(404)' };
    const { findings, isUser } = examine(createFolder(files));
    expect([findings, isUser]).toEqual([[], false]);
  });
});

describe("a line that is not understood is never called fine", () => {
  test.each([
    "nodemon --watch db.json --exec json-server db.json",
    "docker run mock json-server db.json",
    "cd server && json-server db.json",
    "json-server $FILE",
    "json-server $(ls *.json)",
    "json-server db.json > log.txt",
  ])("%s", (script) => {
    expect(found(project(script))).toEqual([
      expect.stringMatching(/^check package\.json:3 .* does not understand this line/),
    ]);
  });

  test("nor is one with a flag that is ignored", () => {
    const texts = found(project("json-server db.json --frobnicate"));
    expect(texts).toContainEqual(expect.stringMatching(/^differs package\.json:3 .*--frobnicate/));
    expect(texts).not.toContainEqual(expect.stringMatching(/^works package\.json/));
  });
});

describe("what is found is named with its line", () => {
  const cases: [name: string, folder: () => string, expected: RegExp][] = [
    ["a bare --no-cors", () => project("json-server db.json --no-cors"), /^change package\.json:3 --no-cors had no/],
    ["a mistyped flag", () => project("json-server db.json --wacth"), /^broken package\.json:3 .*--wacth/],
    [
      "a value of the wrong type",
      () => project("json-server db.json", { "json-server.json": { port: {} } }),
      /^broken json-server\.json:- .*port/,
    ],
    [
      "an unknown config key",
      () => project("json-server db.json", { "json-server.json": { prot: 3000 } }),
      /^differs package\.json:3 .*"prot"/,
    ],
    [
      "a missing data file",
      () => project("json-server nope.json"),
      /^change package\.json:3 nope\.json does not exist/,
    ],
    ["a missing script of data", () => project("json-server nope.js"), /^broken package\.json:3 nope\.js does not/],
    ["broken JSON", () => project("json-server db.json", { "db.json": "{" }), /^broken db\.json:- .*line 1/],
    [
      "a key that is neither array nor object",
      () => project("json-server db.json", { "db.json": { ...DATA, version: 3 } }),
      /^broken db\.json:- "version" must be/,
    ],
    [
      "ids that occur twice",
      () => project("json-server db.json", { "db.json": { posts: [{ id: 1 }, { id: "1" }] } }),
      /^change db\.json:2 posts: several records have the "id" "1"/,
    ],
    [
      "records without an id",
      () => project("json-server db.json", { "db.json": { posts: [{ a: 1 }, "text"] } }),
      /^differs db\.json:2 posts: 2 of 2 elements have no "id"/,
    ],
    [
      "records by another id",
      () => project("json-server db.json --id _id", { "db.json": { posts: [{ _id: 1 }] } }),
      /^works db\.json:- The data/,
    ],
    [
      "a hidden key",
      () => project("json-server db.json", { "db.json": { db: [] } }),
      /^change db\.json:2 \/db is a built-in route/,
    ],
    ["a missing rewrite file", () => project("json-server db.json -r nope.json"), /^broken nope\.json:- /],
    [
      "a rule that cannot be meant",
      () => project("json-server db.json -r routes.json", { "routes.json": { "/a/*": "/$1", "/b": "/posts/:id" } }),
      /^broken routes\.json:3 .*:id/,
    ],
    [
      "an entry that is no rule",
      () => project("json-server db.json -r routes.json", { "routes.json": { posts: 600 } }),
      /^differs routes\.json:2 "posts" is no rewrite rule/,
    ],
    [
      "a missing middleware",
      () => project("json-server db.json -m ./nope.js"),
      /^broken package\.json:3 The middleware/,
    ],
    [
      "a middleware",
      () => project("json-server db.json -m ./m", { "m.js": "module.exports = (req, res, next) => next();" }),
      /^works package\.json:3 The middleware \.\/m runs/,
    ],
    [
      "a custom server",
      () => project("node server.js", { "server.js": '\nconst jsonServer = require("json-server");\n' }),
      /^works server\.js:2 The module API/,
    ],
    [
      "files of json-server itself",
      () => project("node server.js", { "server.js": '\nconst run = require("json-server/lib/server/utils");\n' }),
      /^check server\.js:2 .*try lib\/server\/utils/,
    ],
    [
      "a test that expects 404 for a write to a collection",
      () => project("x", { "api.test.js": 'test("no", async () => {\n  await ask.delete("/posts").expect(404);\n});' }),
      /^differs api\.test\.js:2 .*400 or 405, not 404/,
    ],
    ["1.0 beta", () => project("json-server db.json", {}, BETA), /^differs package\.json:6 .*1\.0 beta/],
    [
      "requests of 1.0 beta",
      () => project("json-server db.json", { "app.js": "\nfetch(`/posts?_page=1`);" }, BETA),
      /^change app\.js:2 _page alone/,
    ],
    [
      "types of json-server",
      () => project("x", {}, { "@types/json-server": "^0.14" }),
      /^differs package\.json:6 standin brings/,
    ],
    [
      "json-server-auth",
      () => project("x", {}, { "json-server-auth": "^2.1.0" }),
      /^works package\.json:6 json-server-auth/,
    ],
    [
      "an unknown package on top of json-server",
      () => project("x", {}, { "json-server-extension": "^1.0.0" }),
      /^check package\.json:6 json-server-extension builds on/,
    ],
  ];
  test.each(cases)("%s", (_name, folder, expected) => {
    expect(found(folder())).toContainEqual(expect.stringMatching(expected));
  });

  test("guards of json-server-auth are no mistakes", () => {
    const texts = found(project("json-server-auth db.json -r routes.json", { "routes.json": { posts: 664 } }));
    expect(texts.filter((text) => !text.startsWith("works"))).toEqual([]);
  });
});

test("nothing of the project is run or written", () => {
  const folder = project("json-server data.js -m ./m.js", {
    "data.js": "process.exit(3);",
    "m.js": "process.exit(4);",
    "server.js": 'require("json-server"); process.exit(5);',
  });
  const before = readdirSync(folder).sort();
  expect(found(folder).filter((text) => !text.startsWith("works"))).toEqual([]);
  expect(readdirSync(folder).sort()).toEqual(before);
});

describe("standin doctor", () => {
  const INSTALL = "npm install --save-dev ../standin/standin-0.1.0.tgz";

  test("prints the packages that npm pack writes, as the guide does", async () => {
    const { text } = await printed(project("json-server db.json"));
    for (const folder of [".", "packages/json-server"]) {
      const { name, version } = JSON.parse(readFileSync(`${folder}/package.json`, "utf8"));
      expect(text).toContain(`../standin/${name}-${version}.tgz`);
    }
    const [line = ""] = /npm install .* json-server@file:.*/.exec(text) ?? [];
    expect(readFileSync("docs/guide/getting-started.md", "utf8")).toContain(`${line}\n`);
  });

  test("exit code 0 and both ways to switch, where nothing is to be changed", async () => {
    const { code, text } = await printed(project("json-server --watch db.json"));
    expect(code).toBe(0);
    expect(text).toContain("This project uses json-server ^0.17.4.");
    expect(text).toContain("\n2 works.\n");
    expect(text).toMatch(/Keep the name json-server, and change nothing else:\n.* json-server@file:/);
    expect(text).toContain(`Or write standin for json-server in scripts:\n  ${INSTALL}\n`);
  });

  test("json-server-auth needs the old name", async () => {
    const { text } = await printed(project("json-server-auth db.json"));
    expect(text).toContain("Keep the name json-server, for json-server-auth, and");
    expect(text).not.toContain("Or write");
  });

  test("1.0 beta needs the new one, with its dialect", async () => {
    const { text } = await printed(project("npx json-server db.json", {}, BETA));
    expect(text).toContain(`Write standin --dialect 1 for json-server in scripts:\n  ${INSTALL}\n`);
    expect(text).not.toContain("json-server@file:");
  });

  test("exit code 1 and --format json, where something is to be changed", async () => {
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

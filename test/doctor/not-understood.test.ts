import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { examine } from "../../src/commands/doctor/examine.ts";
import { invocationsIn } from "../../src/commands/doctor/invocation.ts";
import { ALIAS_LINE } from "../../src/commands/doctor/mention.ts";
import { createFolder } from "../support/cli.ts";
import { runKept } from "../support/kept-process.ts";

const DATA = { posts: [{ id: 1, title: "a" }] };
const SERVER = 'const jsonServer = require("json-server");\nconst server = jsonServer.create();\n';

function project(scripts: object, files: Record<string, unknown> = {}, dependencies: object = {}): string {
  const content = { scripts, devDependencies: { "json-server": "^0.17.4", ...dependencies } };
  return createFolder({ "package.json": content, "db.json": DATA, ...files } as Parameters<typeof createFolder>[0]);
}

function found(folder: string): string[] {
  return examine(folder).findings.map(({ level, file, line, message }) => `${level} ${file}:${line ?? "-"} ${message}`);
}

async function printed(folder: string): Promise<{ code: number | null; text: string }> {
  const { exit, output } = runKept(["doctor"], folder);
  const code = await exit;
  return { code, text: output.stdout };
}

describe("the folder of a start is that of the cd before it", () => {
  const cases: [script: string, folders: (string | undefined)[]][] = [
    ["json-server db.json", [""]],
    ["cd server && json-server db.json", ["server"]],
    ["cd ./a/b/ && cd .. && json-server db.json", ["a"]],
    ["(cd server && json-server db.json) & json-server db.json", ["server", ""]],
    ["cd server && json-server db.json & json-server db.json", ["server", ""]],
    ["cd server; json-server a.json & json-server b.json", ["server", "server"]],
    ['concurrently "cd api && json-server db.json" "json-server db.json"', ["api", ""]],
    ["cd $DIR && json-server db.json", [undefined]],
    ["cd /srv && json-server db.json", [undefined]],
    ["json-server db.json > log.txt 2>&1", [""]],
  ];
  for (const [script, folders] of cases) {
    test(script, () => expect(invocationsIn(script).map(({ folder }) => folder)).toEqual(folders));
  }

  test("its files are checked there, and named from the project's folder", () => {
    const folder = project({ mock: "cd server && json-server shop.json -r routes.json" });
    mkdirSync(join(folder, "server"));
    writeFileSync(join(folder, "server/shop.json"), '{ "posts": [{ "id": 1 }, { "id": 1 }] }');
    writeFileSync(join(folder, "server/routes.json"), '{ "/api/*": "/$1" }');
    expect(found(folder)).toEqual([
      expect.stringMatching(/^change server\/shop\.json:1 posts: 1 record with an "id"/),
      "works package.json:3 standin accepts the same arguments.",
      "works server/routes.json:- 1 rewrite rule can be used.",
      "works server/shop.json:- 1 collection can be served.",
    ]);
  });
});

describe("a line that is not understood is never called fine", () => {
  const cases: [script: string, expected: RegExp][] = [
    ["nodemon --watch db.json --exec json-server db.json", /does not understand/],
    ["docker run mock json-server db.json", /does not understand/],
    ["cd $DIR && json-server db.json", /variable decides the folder/],
    ["cd nowhere && json-server db.json", /There is no folder nowhere/],
    ["json-server $FILE", /variable decides a file/],
    ["json-server db.json -c $CONFIG", /variable decides an argument/],
    ["json-server $(ls *.json)", /variable decides/],
  ];
  for (const [script, expected] of cases) {
    test(script, () => {
      const texts = found(project({ mock: script }));
      expect(texts).toContainEqual(expect.stringMatching(new RegExp(`^check package\\.json:3 .*${expected.source}`)));
      expect(texts.filter((text) => text.startsWith("works package.json:3"))).toEqual([]);
    });
  }

  test("nor is one with a flag that is ignored", () => {
    const texts = found(project({ mock: "json-server db.json --frobnicate" }));
    expect(texts).toContainEqual(expect.stringMatching(/^differs package\.json:3 .*--frobnicate/));
    expect(texts).not.toContainEqual(expect.stringMatching(/^works package\.json:3/));
  });

  test("nor an unknown export, or an unknown package on top of json-server", () => {
    const files = { "server.js": 'const { createServer } = require("json-server");\n' };
    const texts = found(project({}, files, { "json-server-extension": "^1.0.0" }));
    expect(texts).toEqual([
      expect.stringMatching(/^check package\.json:5 json-server-extension builds on/),
      expect.stringMatching(/^check server\.js:1 .*"createServer"/),
    ]);
  });

  test("installing it is understood", () => {
    expect(found(project({ setup: "npm i -D json-server && yarn add json-server", bye: "echo json-server" }))).toEqual(
      [],
    );
  });
});

describe("the way to switch", () => {
  test("is the alias that the package has", () => {
    const { name, version } = JSON.parse(readFileSync("packages/json-server/package.json", "utf8"));
    expect(ALIAS_LINE).toBe(`"json-server": "npm:${name}@^${version}"`);
  });

  test("for json-server-auth is the alias alone", async () => {
    const auth = { "json-server-auth": "^2.1.0" };
    const { code, text } = await printed(project({ mock: "json-server-auth db.json" }, { "server.js": SERVER }, auth));
    expect(code).toBe(0);
    expect(text).toMatch(/keep the name json-server, which json-server-auth looks for.*\n {2}package\.json:6 /);
    expect(text).toContain(ALIAS_LINE);
    expect(text).not.toMatch(/standin-auth|Or replace/);
  });

  test("for a custom server is either the alias or the module", async () => {
    const { code, text } = await printed(project({ mock: "node server.js" }, { "server.js": SERVER }));
    expect(code).toBe(0);
    expect(text).toContain(ALIAS_LINE);
    expect(text).toMatch(/Or replace.*\n {2}server\.js:1 {2}const jsonServer = require\("standin\/json-server"\);\n/);
  });

  test("from 1.0 beta is the command with its dialect", async () => {
    const { text } = await printed(project({ mock: "json-server db.json" }, {}, { "json-server": "^1.0.0-beta.3" }));
    expect(text).toContain('"mock": "standin --dialect 1 db.json"');
    expect(text).not.toContain("npm:standin-json-server");
  });

  test("of a command is the command, wherever it is", () => {
    const script = "npx json-server@0.17.4 db.json && ./node_modules/.bin/json-server db.json";
    const [, mention] = examine(project({ mock: script })).mentions;
    expect(mention?.replacement).toBe('"mock": "npx standin db.json && ./node_modules/.bin/standin db.json"');
  });
});

describe("custom servers", () => {
  const cases: [name: string, code: string, expected: RegExp][] = [
    ["an id key on lodash", 'router.db._.id = "_id";', /^works .*id key/],
    ["an id key as a mixin", 'router.db._.mixin({ __id: () => "_id" });', /^works .*id key/],
    ["createId", "router.db._.mixin({ createId: () => uuid() });", /^works .*createId/],
    ["another mixin of the routes", "router.db._.mixin({ insert: own });", /^change .*none of these/],
    ["trust proxy", 'server.set("trust proxy", true);', /^works .*trust proxy/],
    ["a handler that reads the file", 'JSON.parse(fs.readFileSync("db.json"));', /^works .*every write/],
    ["a handler that writes a file", 'fs.writeFileSync("db.json", text);', /^works .*as in 0\.17/],
    ["a second lowdb", 'const db = require("lowdb")(new FileSync("db.json"));', /^works .*overwrites .*as in 0\.17/],
    [
      "its own lowdb, passed to the router",
      'const low = require("lowdb");\nconst db = low(adapter);\nconst router = jsonServer.router(db);',
      /^works server\.js:- The functions/,
    ],
  ];
  for (const [name, code, expected] of cases) {
    test(name, () => {
      const texts = found(project({ mock: "node server.js" }, { "server.js": `${SERVER}${code}\n` }));
      expect(texts).toContainEqual(expect.stringMatching(expected));
      if (expected.source.startsWith("^works")) expect(texts.filter((text) => !text.startsWith("works"))).toEqual([]);
    });
  }
});

describe("entries of a rewrite file that 0.17 ignored", () => {
  const rules = { "api/*": "/$1", _comment: "x", "/a": 5, "/b": { c: 1 }, "/posts2": "/posts" };

  test("work, or differ where 0.17 fails, and stop nothing", () => {
    const texts = found(project({ mock: "json-server db.json -r routes.json" }, { "routes.json": rules }));
    expect(texts.filter((text) => text.startsWith("differs routes.json"))).toHaveLength(2);
    expect(texts.filter((text) => /^works routes\.json.*no leading slash/.test(text))).toHaveLength(2);
    expect(texts).toContain("works routes.json:- 1 rewrite rule can be used.");
    expect(texts.filter((text) => /^(broken|change|check)/.test(text))).toEqual([]);
  });

  test("are guards for json-server-auth", () => {
    const files = { "routes.json": { users: 600, posts: "664" } };
    const texts = found(project({ mock: "json-server-auth db.json -r routes.json" }, files));
    expect(texts.filter((text) => !text.startsWith("works"))).toEqual([]);
  });
});

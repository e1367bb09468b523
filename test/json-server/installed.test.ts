import { execFile, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { beforeAll, describe, expect, test } from "vitest";
import { PROGRAM, REQUIRED } from "../packaging/typed-programs.ts";
import { askAt } from "../support/api.ts";
import { follow, printed, type Run } from "../support/cli.ts";
import { createProject } from "../support/installed-project.ts";
import { testAtLength } from "../support/soak.ts";

const run = promisify(execFile);
const data = { posts: [{ id: 1, title: "Hat" }], comments: [{ id: 1, postId: 1 }] };

const SERVER = `const jsonServer = require("json-server");
const server = jsonServer.create();
const router = jsonServer.router("own.json");
server.use(jsonServer.defaults({ logger: false }));
server.get("/count", (req, res) => res.json(router.db.get("posts").size().value()));
server.use(router);
const listening = server.listen(0, () => console.log("listening on " + listening.address().port + "."));
`;

const MODULE = `import jsonServer, { create } from "json-server";
import * as everything from "json-server";
console.log(create === jsonServer.create, Object.keys(everything).sort().join());
`;

const DEEP = `const router = require("json-server/lib/server/router");
const bodyParser = require("json-server/lib/server/body-parser");
const mixins = require("json-server/lib/server/mixins");
const { version } = require("json-server/package.json");
console.log(typeof router, bodyParser.length, Object.keys(mixins).join(), version.split(".").slice(0, 2).join("."));
`;

const TYPES = `import jsonServer from "json-server";
import * as named from "json-server";
import type { JsonServerRouter } from "json-server";
interface Data { posts: { id: number; title: string }[] }
const server = jsonServer.create();
const router: JsonServerRouter<Data> = named.router<Data>("db.json", { foreignKeySuffix: "_id" });
server.use(jsonServer.defaults({ noCors: true }), jsonServer.bodyParser, jsonServer.rewriter({ "/a": "/b" }));
router.render = (req, res) => { res.jsonp({ data: res.locals.data, path: req.path }); };
const title: string | undefined = router.db.get("posts").find({ id: 1 }).value()?.title;
router.db.get("posts").push({ id: 2, title: title ?? "" }).write();
// @ts-expect-error: there is no such function
jsonServer.nothing();
server.use(router);
`;

const OWN_TYPES = `import jsonServer from "standin/json-server";
import { router, type JsonServerRouter } from "standin/json-server";
const api: JsonServerRouter = router({ posts: [{ id: 1 }] }, { id: "_id" });
const post = api.db.get("posts").find({ id: 1 }).value();
api.db.get("posts").filter((one) => one.id > 1).map("id").push(post).write();
jsonServer.create().use(jsonServer.defaults(), api);
`;

let project = "";
beforeAll(() => {
  project = createProject({
    "package.json": { scripts: { api: "json-server --watch db.json --port 0" } },
    "db.json": data,
    "own.json": data,
    "server.js": SERVER,
    "module.mjs": MODULE,
    "deep.js": DEEP,
    "types.ts": TYPES,
    "own-types.ts": OWN_TYPES,
    "program.mts": PROGRAM,
    "required.cts": REQUIRED,
  });
});

function start(command: string, ...args: string[]): Run {
  const { VITEST, NODE_OPTIONS, ...env } = process.env;
  return follow(spawn(command, args, { cwd: project, env, detached: false }));
}

describe("a project with standin installed as json-server", () => {
  test("its script `json-server --watch db.json` serves", async () => {
    const served = start(process.execPath, "node_modules/.bin/json-server", "--watch", "db.json", "--port", "0");
    const [, url] = await printed(served, /serving at (\S+)/);
    expect((await askAt(url!, "GET /posts/1?_embed=comments")).body).toEqual({ ...data.posts[0], ...only("comments") });
    expect((await askAt(url!, "POST /posts", { body: { title: "Cup" } })).status).toBe(201);
    served.child.kill("SIGTERM");
    expect(await served.exit).toBe(0);
    expect(JSON.parse(readFileSync(join(project, "db.json"), "utf8"))).toMatchObject({ posts: [{}, { id: 2 }] });
  });

  test("its server.js serves, and Node has nothing to warn of", async () => {
    const served = start(process.execPath, "server.js");
    const [, port] = await printed(served, /listening on (\d+)\./);
    const url = `http://localhost:${port}`;
    await askAt(url, "POST /posts", { body: { title: "Cup" } });
    expect((await askAt(url, "GET /count")).body).toBe(2);
    expect(served.output.stderr).toBe("");
    served.child.kill("SIGTERM");
    await served.exit;
  });

  test("import and deep requires", async () => {
    const imported = await run(process.execPath, ["module.mjs"], { cwd: project });
    expect(imported).toEqual({
      stdout: expect.stringMatching(/^true bodyParser,create,default,defaults,.*rewriter,router\n$/),
      stderr: "",
    });
    const deep = await run(process.execPath, ["deep.js"], { cwd: project });
    expect(deep).toEqual({ stdout: "function 2 createId,deepQuery,getRemovable 0.17\n", stderr: "" });
  });

  test("it depends on the standin of the same sources", () => {
    const read = (file: string) => JSON.parse(readFileSync(file, "utf8"));
    const { dependencies, engines } = read("packages/json-server/package.json");
    expect([dependencies.standin, engines]).toEqual([read("package.json").version, read("package.json").engines]);
  });
});

const FLAGS = ["--noEmit", "--strict", "--esModuleInterop", "--skipLibCheck", "--target", "es2022"];
const FILES = ["types.ts", "own-types.ts"];
/** Programs that only some resolutions run: packages of ES modules alone, and `require` in TypeScript. */
const MORE_FILES: Readonly<Record<string, readonly string[]>> = {
  node10: [],
  node16: ["program.mts", "required.cts"],
  nodenext: ["program.mts", "required.cts"],
  bundler: ["program.mts"],
};
const argumentsFor = (resolution: string, module: string): string[] => [
  ...FLAGS,
  ...["--module", module, "--moduleResolution", resolution],
  ...[...FILES, ...MORE_FILES[resolution]!],
];

describe("its types", () => {
  for (const [resolution, module] of Object.entries({ node16: "node16", nodenext: "nodenext", bundler: "esnext" })) {
    // The others seldom find something else.
    const check = resolution === "bundler" ? test : testAtLength;
    check(`compile with typescript 7 and moduleResolution ${resolution}`, async () => {
      const args = [resolve("node_modules/typescript/bin/tsc"), ...argumentsFor(resolution, module)];
      const found = await run(process.execPath, args, { cwd: project }).catch(({ stdout }) => ({ stdout }));
      expect(found.stdout).toBe("");
    });
  }

  // Ten times as slow, so only npm run soak does it.
  if (process.env.STANDIN_SOAK) {
    const resolutions = { node10: "commonjs", node16: "node16", nodenext: "nodenext", bundler: "esnext" };
    test("compile with typescript 5 and every moduleResolution", async () => {
      const lists = Object.entries(resolutions).map(([resolution, module]) => argumentsFor(resolution, module));
      const args = [resolve("test/support/type-check.mjs"), JSON.stringify(lists)];
      const found = JSON.parse((await run(process.execPath, args, { cwd: project })).stdout) as string[];
      expect(Object.fromEntries(Object.keys(resolutions).map((name, index) => [name, found[index]]))).toEqual(
        Object.fromEntries(Object.keys(resolutions).map((name) => [name, ""])),
      );
    });
  }
});

function only<K extends keyof typeof data>(name: K): Pick<typeof data, K> {
  return { [name]: data[name] } as Pick<typeof data, K>;
}

import { execFile, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, readFileSync, symlinkSync } from "node:fs";
import type { IncomingMessage } from "node:http";
import { request } from "node:https";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { builtPackage } from "../support/build.ts";
import { createFolder, follow, printed, type Run } from "../support/cli.ts";
import { packedPackage } from "../support/installed-project.ts";
import { type Registry, startRegistry } from "../support/registry.ts";
import { tellNumbers } from "../support/tell-numbers.ts";
import { IMPORTED, PROGRAM, REQUIRED } from "./typed-programs.ts";

const run = promisify(execFile);

/** Without what the npm that runs the tests hands on: it would overrule the project's .npmrc. */
const env = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !/^(?:npm_.*|VITEST|NODE_OPTIONS)$/i.test(name)),
);

let project = "";
let registry: Registry;
beforeAll(async () => {
  const [standin, jsonServer] = [packedPackage("standin"), packedPackage("json-server")];
  registry = await startRegistry({
    [standin.folder]: standin.archive,
    [jsonServer.folder]: jsonServer.archive,
  });
  project = createFolder({
    "package.json": { private: true },
    ".npmrc": `registry=${registry.url}\ncache=.npm\naudit=false\nfund=false\nupdate-notifier=false\n`,
    "db.json": { posts: [{ id: 1, title: "Hat" }] },
    "rules.json": { posts: { properties: { title: { type: "string" } } } },
    "program.mts": PROGRAM,
    "imported.mts": IMPORTED,
    "imported.cts": IMPORTED,
    "required.cts": REQUIRED,
  });
  await run("npm", ["install", "standin"], { cwd: project, env });
});

afterAll(() => registry.close());

test("an install into an empty project brings at most 100 packages and 25 MB", () => {
  const lock = readFileSync(join(project, "node_modules/.package-lock.json"), "utf8");
  const { length: count } = Object.keys((JSON.parse(lock) as { packages: object }).packages);
  const kilobytes = Number(
    execFileSync("du", ["-sk", "node_modules"], { cwd: project, encoding: "utf8" }).split("\t")[0],
  );
  tellNumbers(`An install brings ${count} packages, ${(kilobytes / 1024).toFixed(1)} MB.`);
  expect(count).toBeLessThanOrEqual(100);
  expect(kilobytes).toBeLessThan(25 * 1024);
});

function start(...args: string[]): Run {
  return follow(spawn(join(project, "node_modules/.bin/standin"), args, { cwd: project, env }));
}

test("npx standin serves", async () => {
  const { version } = JSON.parse(readFileSync("package.json", "utf8")) as { version: string };
  const told = await run("npx", ["standin", "--version"], { cwd: project, env });
  expect(told.stdout).toBe(`${version}\n`);
  const served = start("db.json", "--port", "0");
  const [, url] = await printed(served, /serving at (\S+)/);
  expect(await (await fetch(`${url}/posts/1`)).json()).toEqual({ id: 1, title: "Hat" });
  served.child.kill("SIGTERM");
  expect(await served.exit).toBe(0);
});

describe("the ways into another project that docs/guide/getting-started.md names", () => {
  const guide = readFileSync("docs/guide/getting-started.md", "utf8");
  const ways = {
    "npm install --save-dev ../standin/standin-0.1.0.tgz": "standin",
    "npm link ../standin": "standin",
    "npm install --save-dev ../standin/standin-0.1.0.tgz json-server@file:../standin/standin-json-server-0.17.100.tgz":
      "json-server",
  };

  /** A project beside a clone that is built and packed. */
  function projectBesideClone(): string {
    const folder = createFolder({
      // npm link wants the folder of global packages to be there.
      "global/lib/.keep": "",
      "shop/package.json": { private: true },
      "shop/.npmrc": `registry=${registry.url}\ncache=../.npm\naudit=false\nfund=false\n`,
      "shop/db.json": { posts: [{ id: 1, title: "Hat" }] },
    });
    cpSync(builtPackage(), join(folder, "standin"), { recursive: true });
    symlinkSync(resolve("node_modules"), join(folder, "standin/node_modules"));
    cpSync(packedPackage("standin").archive, join(folder, "standin/standin-0.1.0.tgz"));
    cpSync(packedPackage("json-server").archive, join(folder, "standin/standin-json-server-0.17.100.tgz"));
    return join(folder, "shop");
  }

  test.each(Object.entries(ways))("%s", async (command, name) => {
    expect(guide).toContain(`\n${command}\n`);
    const shop = projectBesideClone();
    const [npm = "", ...args] = command.split(" ");
    await run(npm, args, { cwd: shop, env: { ...env, npm_config_prefix: join(shop, "../global") } });
    const served = follow(spawn(join(shop, "node_modules/.bin", name), ["db.json", "--port", "0"], { cwd: shop, env }));
    const [, url] = await printed(served, /(http:\/\/localhost:[1-9]\d*)/);
    expect(await (await fetch(`${url}/posts/1`)).json()).toEqual({ id: 1, title: "Hat" });
    served.child.kill("SIGTERM");
    await served.exit;
  });
});

test("the libraries that are bundled work: certificates and rules", async () => {
  const served = start("db.json", "--port", "0", "--ssl", "--rules", "rules.json");
  const [, url] = await printed(served, /serving at (https:\S+)/);
  const body = JSON.stringify({ title: 5 });
  const headers = { "Content-Type": "application/json" };
  const sent = request(`${url}/posts`, { method: "POST", rejectUnauthorized: false, headers }).end(body);
  const [res] = (await once(sent, "response")) as [IncomingMessage];
  expect(res.statusCode).toBe(422);
  res.resume();
  served.child.kill("SIGTERM");
  expect(await served.exit).toBe(0);
});

test("types compile without skipLibCheck", async () => {
  await run("npm", ["install", "@types/express@4", "@types/node@20"], { cwd: project, env });
  const flags = ["--noEmit", "--strict", "--target", "es2022"];
  const lists = [
    ["node16", "node16", "program.mts", "imported.mts", "imported.cts", "required.cts"],
    ["nodenext", "nodenext", "program.mts", "imported.mts", "imported.cts", "required.cts"],
    ["bundler", "esnext", "program.mts", "imported.mts"],
  ].map(([resolution = "", module = "", ...files]) => [
    ...flags,
    ...["--esModuleInterop", "--moduleResolution", resolution, "--module", module],
    ...files,
  ]);
  const args = [resolve("test/support/type-check.mjs"), JSON.stringify(lists)];
  const { stdout } = await run(process.execPath, args, { cwd: project });
  expect(JSON.parse(stdout)).toEqual(["", "", ""]);
});

import { cpSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { test } from "vitest";
import { builtPackage } from "../support/build.ts";
import { createFolder } from "../support/cli.ts";
import { limit } from "../support/limits.ts";
import { runTests } from "../support/test-runners.ts";

/** Finds packages as Jest 27 does, and so Create React App 5: by their files and `main`, without `exports` and `imports`. */
const RESOLVER = `
const { existsSync, readFileSync, statSync } = require("node:fs");
const { dirname, join } = require("node:path");
const isFile = (path) => existsSync(path) && statSync(path).isFile();
const asFile = (path) => ["", ".js", ".json"].map((end) => path + end).find(isFile);
function asFolder(path) {
  if (!isFile(join(path, "package.json"))) return asFile(join(path, "index"));
  const { main = "index" } = JSON.parse(readFileSync(join(path, "package.json"), "utf8"));
  return asFile(join(path, main)) ?? asFile(join(path, main, "index"));
}
module.exports = (name, options) => {
  const isBare = !/^[./]/.test(name);
  if (!isBare || !/^(standin|json-server|#)/.test(name)) {
    const place = isBare ? undefined : asFile(join(options.basedir, name)) ?? asFolder(join(options.basedir, name));
    return place ?? options.defaultResolver(name, options);
  }
  for (let folder = options.rootDir; ; folder = dirname(folder)) {
    const path = join(folder, "node_modules", name);
    const found = asFile(path) ?? asFolder(path);
    if (found) return found;
    if (folder === dirname(folder)) throw Object.assign(new Error("Cannot find module " + name), { code: "MODULE_NOT_FOUND" });
  }
};
`;

const PAGE = `
const jsonServer = require(NAME);
test("serves, and its database works", async () => {
  const router = jsonServer.router({ posts: [{ id: 1, title: "Hat" }] });
  const server = jsonServer.create().use(jsonServer.defaults({ logger: false })).use(router).listen(0);
  const { status } = await fetch("http://127.0.0.1:" + server.address().port + "/posts/1");
  expect(status).toBe(200);
  expect(router.db.get("posts").find({ id: 1 }).value()).toEqual({ id: 1, title: "Hat" });
  await new Promise((done) => server.close(done));
  await router.close();
});
`;

test("require works with resolvers that read neither exports nor imports", { timeout: limit(60_000) }, async () => {
  const config = { name: "app", jest: { resolver: "./resolver.js", testEnvironment: "node" } };
  const folder = createFolder({
    "package.json": JSON.stringify(config),
    "resolver.js": RESOLVER,
    "standin.test.js": PAGE.replace("NAME", '"standin/json-server"'),
    "alias.test.js": PAGE.replace("NAME", '"json-server"'),
  });
  const modules = join(folder, "node_modules");
  mkdirSync(modules);
  cpSync(resolve("packages/json-server"), join(modules, "json-server"), { recursive: true });
  for (const name of ["jest", "express", "compression"])
    symlinkSync(resolve("node_modules", name), join(modules, name));
  symlinkSync(builtPackage(), join(modules, "standin"));
  writeFileSync(join(folder, ".watchmanconfig"), "{}");
  await runTests(folder, ["jest"], {});
});

import { execFile } from "node:child_process";
import { cpSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { transform } from "esbuild";
import { expect, test } from "vitest";
import { createProject } from "../support/installed-project.ts";
import { testAtLength } from "../support/soak.ts";

const run = promisify(execFile);

/** A copy of an example, with the packed standin and these packages of ours installed. */
function copyExample(name: string, packages: readonly string[] = []): string {
  const project = createProject({});
  cpSync(join("examples", name), project, { recursive: true });
  for (const one of packages) symlinkSync(resolve("node_modules", one), join(project, "node_modules", one));
  return project;
}

// The guide's page on MSW runs in any case.
testAtLength("Vitest with MSW: the tests of the project pass", async () => {
  const project = copyExample("msw-vitest", ["msw", "vitest"]);
  const vitest = join(project, "node_modules/vitest/vitest.mjs");
  const environment = { ...process.env, NO_COLOR: "1", VITEST: undefined, NODE_ENV: undefined };
  const { stdout } = await run(process.execPath, [vitest, "run"], { cwd: project, env: environment });
  expect(stdout).toMatch(/Tests {2}4 passed/);
});

test("a route of Next: its functions respond as Next calls them", async () => {
  const project = copyExample("next-route");
  const folder = join(project, "app/api/[...path]");
  const { code } = await transform(readFileSync(join(folder, "route.ts"), "utf8"), { loader: "ts" });
  writeFileSync(join(folder, "route.mjs"), code);
  writeFileSync(join(project, "call.mjs"), CALLS);
  const { stdout } = await run(process.execPath, ["--no-warnings", "call.mjs"], { cwd: project });
  expect(stdout.trim().split("\n")).toEqual([
    '200 [{"id":2,"name":"Clay Mug","price":8.45,"company_id":1}]',
    '201 http://localhost:3000/api/products/3 {"name":"Clay Jar","id":3}',
    "200 true",
    "204 GET,HEAD,PUT,PATCH,POST,DELETE",
    "404 COLLECTION_NOT_FOUND",
  ]);
});

/** The second import is that of a module that has changed: Next loads it again. */
const CALLS = `
const route = await import("./app/api/[...path]/route.mjs");
const call = (module, method, path, init = {}) =>
  module[method](new Request("http://localhost:3000" + path, { method, ...init }), { params: Promise.resolve({ path: path.split("/").slice(2) }) });
const json = { headers: { "Content-Type": "application/json" }, body: JSON.stringify({ name: "Clay Jar" }) };
const cheap = await call(route, "GET", "/api/products?price:lt=10");
console.log(cheap.status, JSON.stringify(await cheap.json()));
const made = await call(route, "POST", "/api/products", json);
console.log(made.status, made.headers.get("Location"), JSON.stringify(await made.json()));
const again = await import("./app/api/[...path]/route.mjs?changed");
const found = await call(again, "GET", "/api/products/3");
console.log(found.status, again.GET === route.GET);
const options = await call(route, "OPTIONS", "/api/products");
console.log(options.status, options.headers.get("Access-Control-Allow-Methods"));
const nothing = await call(route, "GET", "/api/nothing");
console.log(nothing.status, (await nothing.json()).code);
`;

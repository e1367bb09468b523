import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { closeService, openService } from "../../src/app/open-service.ts";
import { silentReporter } from "../../src/base/reporter.ts";
import { withDefaults } from "../../src/config/defaults.ts";
import { SERVE_OPTIONS } from "../../src/config/options.ts";
import type { RouteRow } from "../../src/http/contract.ts";
import { createHandler } from "../../src/http/node/handler.ts";
import { listen } from "../../src/http/node/server.ts";
import { CORE_ROUTES } from "../../src/http/router.ts";
import { askAt, codeOf } from "../support/api.ts";
import { createFolder } from "../support/cli.ts";

const WRITES = ["POST", "PUT", "PATCH", "DELETE"] as const;
const DRY = { Prefer: "tx=rollback" };
const DATA = {
  companies: [{ id: 1, name: "Acme" }],
  products: [{ id: 1, name: "Hat", company_id: 1 }],
  settings: { theme: "light" },
};
const PLUGIN =
  'export default { name: "orders", routes: { "POST /orders": () => Response.json({}, { status: 201 }) } };';

/** Everything that requests could change. */
const STATE = ["/db", "/__collections", "/__sandboxes/ann/changes", "/__snapshots__", "/__faults"];

/** A request for every route with a dry run. */
const HONOURED: Readonly<Record<string, unknown>> = {
  "POST /__collections": { name: "reviews" },
  "PATCH /__collections/companies": { name: "firms" },
  "DELETE /__collections/companies": undefined,
  "POST /__collections/companies/draft": {},
  "POST /__collections/companies/generate": { count: 1 },
  "POST /__rewrite": { path: "/products" },
  "POST /__batch": { requests: [{ method: "DELETE", path: "/products/1" }] },
  "POST /products": { name: "Cap" },
  "PATCH /products?id=1": { name: "Cap" },
  "DELETE /products?id=1": undefined,
  "PUT /products/1": { name: "Cap" },
  "PATCH /products/1": { name: "Cap" },
  "DELETE /products/1": undefined,
  "POST /companies/1/products": { name: "Cap" },
  "POST /settings": { theme: "dark" },
  "PUT /settings": { theme: "dark" },
  "PATCH /settings": { theme: "dark" },
};

async function start() {
  const folder = createFolder({ "db.json": DATA, "plugin.mjs": PLUGIN });
  const options = withDefaults(SERVE_OPTIONS, {
    source: join(folder, "db.json"),
    plugins: [join(folder, "plugin.mjs")],
    snapshots: mkdtempSync(join(tmpdir(), "snapshots-")),
  });
  const service = await openService(options, { reporter: silentReporter, place: "standin.json" });
  const server = await listen(await createHandler(service), { host: "127.0.0.1", port: 0 });
  onTestFinished(async () => {
    for (const feature of service.features) feature.stop?.();
    await server.close();
    await closeService(service);
  });
  const ask = (line: string, body?: unknown, headers = {}) => askAt(server.url, line, { body, headers });
  await ask("POST /__sandboxes", { name: "ann" });
  await ask("PATCH /products/1", { name: "Felt Hat" }, { "X-Standin-Sandbox": "ann" });
  await ask("POST /__snapshots__", { name: "first" });
  await ask("POST /__faults", { fault: "status", status: 503, path: "/never" });
  const faults = (await ask("GET /__faults")).body as { faults: { id: string }[] };
  const parts: Record<string, string> = { ":name": "ann", ":id": faults.faults[0]!.id };
  const rows: readonly RouteRow[] = [...CORE_ROUTES, ...service.features.flatMap(({ routes = [] }) => routes)];
  const state = async () => Promise.all(STATE.map(async (path) => (await ask(`GET ${path}`)).text));
  return { ask, rows, parts, state };
}

test("every route that writes has a dry run, or refuses to be tried", async () => {
  const { ask, rows, parts, state } = await start();
  const before = await state();
  const honoured: string[] = [];
  const refused: string[] = [];
  for (const row of rows) {
    for (const method of WRITES) {
      if (!row[method]) continue;
      if (row.dryRuns?.includes(method)) {
        honoured.push(`${method} ${row.path.replace(":name", "companies")}`);
        continue;
      }
      const path = row.path
        .replace(/__snapshots__\/:id/, "__snapshots__/first")
        .replace(/:\w+/g, (name) => parts[name]!);
      const answer = await ask(`${method} ${path}`, method === "DELETE" ? undefined : {}, DRY);
      expect([answer.status, codeOf(answer)], `${method} ${path}`).toEqual([400, "DRY_RUN_UNSUPPORTED"]);
      refused.push(`${method} ${row.path}`);
    }
  }
  const plugin = await ask("POST /orders", {}, DRY);
  expect([plugin.status, codeOf(plugin)]).toEqual([400, "DRY_RUN_UNSUPPORTED"]);
  expect(await state()).toEqual(before);
  expect(refused).toEqual(
    expect.arrayContaining([
      "POST /__reset",
      "POST /__sandboxes",
      "DELETE /__sandboxes",
      "DELETE /__sandboxes/:name",
      "POST /__sandboxes/:name/reset",
      "POST /__sandboxes/:name/promote",
      "POST /__sandboxes/:name/undo",
      "POST /__snapshots__",
      "PUT /__snapshots__/:id",
      "DELETE /__snapshots__/:id",
      "POST /__faults",
      "PATCH /__faults",
      "DELETE /__faults",
      "POST /__mcp",
      "DELETE /__requests",
    ]),
  );
  // Only what has happened can be taken back: the tests of the history try it, and those of collections, fields.
  const elsewhere = [
    "POST /__history/:version/revert",
    "PATCH /__collections/companies/fields/:field",
    "DELETE /__collections/companies/fields/:field",
  ];
  expect([...Object.keys(HONOURED), ...elsewhere]).toEqual(expect.arrayContaining(honoured));
});

test("dry runs respond as the request would, and change nothing", async () => {
  const { ask, state } = await start();
  const before = await state();
  for (const [line, body] of Object.entries(HONOURED)) {
    const answer = await ask(line, body, DRY);
    expect(answer.status, `${line}: ${answer.text}`).toBeLessThan(300);
  }
  expect(await state()).toEqual(before);
});

test("dry runs in an unknown sandbox respond as the request would, and create no sandbox", async () => {
  const { ask } = await start();
  const headers = { ...DRY, "X-Standin-Sandbox": "bob" };
  for (const [line, body] of Object.entries(HONOURED)) {
    const answer = await ask(line, body, headers);
    expect(answer.status, `${line}: ${answer.text}`).toBeLessThan(300);
  }
  const patched = await ask("PATCH /__sandbox/eve/products/1", { name: "Cap" }, DRY);
  expect(patched.body).toEqual({ ...DATA.products[0], name: "Cap" });
  expect((await ask("POST /__reset", {}, headers)).status).toBe(400);
  expect(codeOf(await ask("POST /products", {}, { ...DRY, "X-Standin-Sandbox": "a b" }))).toBe("SANDBOX_INVALID");
  expect((await ask("GET /__sandboxes")).body).toMatchObject({ sandboxes: [{ name: "ann" }] });
  await ask("DELETE /products/1", undefined, { "X-Standin-Sandbox": "bob" });
  expect((await ask("DELETE /products/1", undefined, headers)).status).toBe(404);
});

test("a route without a dry run still refuses unknown methods first, and ignores other preferences", async () => {
  const { ask } = await start();
  expect((await ask("PUT /__reset", {}, DRY)).status).toBe(405);
  expect((await ask("POST /__reset", {}, { Prefer: "return=minimal" })).status).toBe(200);
  expect((await ask("GET /__faults", undefined, DRY)).status).toBe(200);
});

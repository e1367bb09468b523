import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { askAt, codeOf, startApi } from "../../support/api.ts";
import { catalog } from "../../support/catalog.ts";
import { createFolder } from "../../support/cli.ts";
import { readEvents } from "../../support/event-reader.ts";
import { serveKept } from "../../support/kept-process.ts";

const inside = { headers: { "X-Standin-Sandbox": "a" } };

describe("a server on a data file", () => {
  test("sandboxes are in memory alone: neither the file nor the journal hears of them", async () => {
    const folder = createFolder({ "db.json": catalog() });
    const before = readFileSync(join(folder, "db.json"), "utf8");
    const server = await serveKept(["db.json"], folder);
    const ask = (line: string, body?: unknown) => askAt(server.url, line, { ...inside, body });
    for (let i = 0; i < 20; i++) await ask("POST /products", { name: `only inside ${i}` });
    await ask("DELETE /companies/1?_dependent=products");
    await ask("POST /__reset");
    await ask("POST /products", { name: "only inside" });
    const names = readdirSync(folder, { recursive: true, encoding: "utf8" });
    const files = names.filter((name) => /\.(json|journal)/.test(name) || name.includes("journal"));
    for (const name of files) expect(readFileSync(join(folder, name), "utf8"), name).not.toContain("only inside");
    await askAt(server.url, "PATCH /products/1", { body: { name: "outside" } });
    expect((await ask("GET /products/1")).text).toContain("Steel Hat");
    await server.stop();
    const after = readFileSync(join(folder, "db.json"), "utf8");
    expect(after.trim()).toBe(before.replace("Steel Hat", "outside"));
  });

  test("--sandboxes 0 switches them off, --sandboxes 1 leaves room for one", async () => {
    const folder = createFolder({ "db.json": catalog() });
    const without = await serveKept(["db.json", "--sandboxes", "0"], folder);
    for (const line of ["GET /products", "GET /__sandboxes", "POST /__sandboxes"]) {
      expect(codeOf(await askAt(without.url, line, inside)), line).toBe("SANDBOXES_OFF");
    }
    expect((await askAt(without.url, "GET /products")).status).toBe(200);
    await without.stop();
    const withOne = await serveKept(["db.json", "--sandboxes", "1", "--sandboxExpiry", "1"], folder);
    expect((await askAt(withOne.url, "GET /products", inside)).status).toBe(200);
    expect(codeOf(await askAt(withOne.url, "GET /__sandbox/b/products"))).toBe("SANDBOX_LIMIT");
    await withOne.stop();
  });

  test("a reload of the file changes the base, not the sandboxes", async () => {
    const api = await startApi();
    await api.ask("GET /products", inside);
    await api.ask("POST /__reset");
    await api.ask("DELETE /products/1");
    await api.ask("POST /__reset");
    expect((await api.ask("GET /products/1", inside)).status).toBe(200);
  });
});

describe("snapshots", () => {
  test("are saved and restored by either side, and what is restored stays on that side", async () => {
    const api = await startApi({ snapshots: createFolder() });
    await api.ask("PATCH /products/1", { ...inside, body: { name: "inside" } });
    expect((await api.ask("POST /__snapshots__", { ...inside, body: { name: "mine" } })).status).toBe(201);
    expect((await api.ask("PUT /__snapshots__/mine")).status).toBe(200);
    expect((await api.ask("GET /products/1")).text).toContain("inside");
    await api.ask("DELETE /products/1", inside);
    await api.ask("PUT /__snapshots__/mine", inside);
    expect((await api.ask("GET /products/1", inside)).text).toContain("inside");
  });

  test("a sandbox is made from one, and reset to it", async () => {
    const api = await startApi();
    await api.ask("PATCH /products/1", { body: { name: "saved" } });
    await api.ask("POST /__snapshots__", { body: { name: "base" } });
    await api.ask("POST /__reset");
    const from = { snapshot: "base" };
    expect((await api.ask("POST /__sandboxes", { body: { name: "a", from } })).status).toBe(201);
    expect((await api.ask("GET /products/1", inside)).text).toContain("saved");
    await api.ask("DELETE /products/1", inside);
    await api.ask("POST /__sandboxes/a/reset");
    expect((await api.ask("GET /products/1", inside)).text).toContain("saved");
    const missing = await api.ask("POST /__sandboxes", { body: { name: "b", from: { snapshot: "none" } } });
    expect(codeOf(missing)).toBe("SNAPSHOT_NOT_FOUND");
    expect((await api.ask("GET /__sandboxes")).body).toMatchObject({ sandboxes: [{ name: "a" }] });
  });
});

describe("live streams", () => {
  test("a sandbox has its own events, and they end with it", async () => {
    const api = await startApi();
    const base = await readEvents(`${api.url}/__events`);
    const own = await readEvents(`${api.url}/__sandbox/a/__events`);
    await api.ask("PATCH /products/1", { ...inside, body: { name: "inside" } });
    await api.ask("PATCH /products/2", { body: { name: "outside" } });
    expect((await own.atLeast(1))[0]).toMatchObject({ event: "change", data: { edits: [{ id: 1, kind: "changed" }] } });
    expect((await base.atLeast(1))[0]).toMatchObject({ event: "change", data: { edits: [{ id: 2 }] } });
    await api.ask("DELETE /__sandboxes/a");
    await own.ended;
    expect([own.events.length, base.events.length]).toEqual([1, 1]);
  });

  test("requests name their sandbox; inside a sandbox, only its own are listed and cleared", async () => {
    const api = await startApi();
    await api.ask("GET /products/1", inside);
    await api.ask("GET /__sandbox/b/products/2?x=1");
    await api.ask("GET /products/3");
    const urls = async (path: string, options = {}) => {
      const { body } = await api.ask(`GET ${path}`, options);
      return (body as { requests: { url: string }[] }).requests.map(({ url }) => url);
    };
    expect(await urls("/__requests")).toEqual(["/products/1", "/__sandbox/b/products/2?x=1", "/products/3"]);
    expect(await urls("/__requests", inside)).toEqual(["/products/1"]);
    expect(await urls("/__requests?sandbox=b")).toEqual(["/__sandbox/b/products/2?x=1"]);
    await api.ask("DELETE /__requests", inside);
    expect(await urls("/__requests")).toEqual(["/__sandbox/b/products/2?x=1", "/products/3"]);
  });
});

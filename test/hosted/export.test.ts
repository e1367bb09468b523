import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { askAt } from "../support/api.ts";
import { createFolder } from "../support/cli.ts";
import { serveHosted } from "../support/hosted.ts";
import { runKept } from "../support/kept-process.ts";

describe("standin hosted export", () => {
  const data = resolve("docs/example-data.json");

  test("writes a collection and a document that respond as the data does", async () => {
    const folder = createFolder();
    const run = runKept(["hosted", "export", "--from", data], folder);
    expect(await run.exit).toBe(0);
    expect(run.output.stdout).toBe("Wrote example-data.postman_collection.json\nWrote example-data.openapi.json\n");
    const lines = ["GET /products", "GET /companies", "GET /products/1", "GET /companies/1"];
    const original = JSON.parse(readFileSync(data, "utf8"));
    const expected = [original.products, original.companies, original.products[0], original.companies[0]];
    for (const file of ["example-data.postman_collection.json", "example-data.openapi.json"]) {
      const server = await serveHosted([file], folder);
      for (const [at, line] of lines.entries())
        expect((await askAt(server.url, line)).body, line).toEqual(expected[at]);
      const missing = await askAt(server.url, "GET /products/1", { headers: { prefer: "code=404" } });
      expect(missing.body).toMatchObject({ code: "RECORD_NOT_FOUND" });
      const created = await askAt(server.url, "POST /products", { body: { name: "x" } });
      expect([created.status, created.body]).toEqual([201, original.products[0]]);
      for (const method of ["PUT", "PATCH"]) {
        expect((await askAt(server.url, `${method} /products/1`, { body: {} })).status).toBe(200);
      }
      expect((await askAt(server.url, "DELETE /products/1")).body).toEqual({});
      const named = await askAt(server.url, "GET /products/1", { headers: { "x-mock-response-name": "3" } });
      expect(named.body).toEqual(original.products[2]);
      await server.stop();
    }
    // By id, the collection knows every record.
    const server = await serveHosted(["example-data.postman_collection.json"], folder);
    for (const product of original.products) {
      expect((await askAt(server.url, `GET /products/${product.id}`)).body).toEqual(product);
    }
    await server.stop();
  });

  test("takes singletons, odd names and empty collections, and no more records than asked for", async () => {
    const records = Array.from({ length: 30 }, (_, at) => ({ id: `id ${at}`, "a/b": at % 2 ? at : null }));
    const source = { "my things": records, a_b: [], "a:b": [{ id: 1 }], profile: { name: "Ada" }, noId: [{ a: 1 }] };
    const folder = createFolder({ "db.json": source });
    expect(await runKept(["hosted", "export", "--limit", "5"], folder).exit).toBe(0);
    for (const file of ["db.postman_collection.json", "db.openapi.json"]) {
      const server = await serveHosted([file], folder);
      expect((await askAt(server.url, "GET /my%20things")).body).toEqual(records.slice(0, 5));
      expect((await askAt(server.url, "GET /my%20things/id%200")).body).toEqual(records[0]);
      expect((await askAt(server.url, "GET /profile")).body).toEqual({ name: "Ada" });
      expect((await askAt(server.url, "GET /a_b")).body).toEqual([]);
      expect((await askAt(server.url, "GET /a:b/1")).body).toEqual({ id: 1 });
      expect((await askAt(server.url, "GET /noId")).body).toEqual([]);
      await server.stop();
    }
    const { components } = JSON.parse(readFileSync(join(folder, "db.openapi.json"), "utf8"));
    expect(components.schemas.my_things).toEqual({
      type: "object",
      properties: { id: { type: "string" }, "a/b": { type: ["integer", "null"] } },
      required: ["id", "a/b"],
    });
    expect(Object.keys(components.schemas)).toContain("a_b_2");
  });

  test("leaves files that are there alone, unless --overwrite is given", async () => {
    const folder = createFolder({ "db.json": { a: [{ id: 1 }] }, "db.openapi.json": "mine" });
    const first = runKept(["hosted", "export"], folder);
    expect(await first.exit).toBe(1);
    expect(first.output.stderr).toBe("standin: db.openapi.json already exists. Add --overwrite to replace it.\n");
    expect(readdirSync(folder).sort()).toEqual(["db.json", "db.openapi.json"]);
    expect(await runKept(["hosted", "export", "--overwrite", "--quiet"], folder).exit).toBe(0);
    expect(readFileSync(join(folder, "db.openapi.json"), "utf8")).toContain('"openapi": "3.1.0"');
    // The name that the flag had before.
    expect(await runKept(["hosted", "export", "--force", "--quiet"], folder).exit).toBe(0);
  });

  const refusals: readonly [args: readonly string[], message: RegExp][] = [
    [["--from", "none.json"], /none\.json/],
    [["--from", "empty.json"], /empty\.json has no collection or singleton/],
    [["--from", "broken.json"], /broken\.json/],
    [["--out", "nowhere"], /--out nowhere: no such folder/],
    [["db.json"], /takes no arguments \(db\.json\); name the data with --from/],
    [["--limit", "0"], /--limit expects a whole number from 1 to 1000/],
  ];
  for (const [args, message] of refusals) {
    test(`${args.join(" ")} stops with a message`, async () => {
      const folder = createFolder({ "empty.json": {}, "broken.json": "{", "db.json": { a: [] } });
      const run = runKept(["hosted", "export", ...args], folder);
      expect(await run.exit).toBe(1);
      expect(run.output.stderr).toMatch(message);
      expect(run.output.stderr).not.toMatch(/^\s+at /m);
      expect(readdirSync(folder)).toHaveLength(3);
    });
  }
});

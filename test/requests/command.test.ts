import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { requests } from "../../src/commands/requests.ts";
import { startApi } from "../support/api.ts";
import { createFolder } from "../support/cli.ts";
import { runKept } from "../support/kept-process.ts";

const DATA = { products: [{ id: 1, name: "Hat" }] };

describe("standin requests", () => {
  test("prints an .http file unless told otherwise, and leaves the data alone", async () => {
    const folder = createFolder({ "db.json": DATA });
    const before = readFileSync(join(folder, "db.json"), "utf8");
    const run = runKept(["requests"], folder);
    expect([await run.exit, run.output.stderr]).toEqual([0, ""]);
    expect(run.output.stdout).toMatch(
      /^# Requests for db\.json, made by: standin requests\n# Writes .*\n\n@baseUrl = http:\/\/localhost:3000\n@tx = rollback\n\n### List products\n# @name listProduct\nGET \{\{baseUrl\}\}\/products\n/,
    );
    expect(readFileSync(join(folder, "db.json"), "utf8")).toBe(before);
    expect(existsSync(join(folder, ".standin"))).toBe(false);
  });

  test("the URL of a JSON document is data, as for standin types", async () => {
    const api = await startApi();
    const out = join(createFolder(), "api.http");
    await requests([`${api.url}/db`, "--quiet", "--out", out]);
    expect(readFileSync(out, "utf8")).toContain("GET {{baseUrl}}/companies/1/products\n");
  });

  test("replaces a file that it wrote before, and any other only with --overwrite", async () => {
    const folder = createFolder({ "db.json": DATA, "mine.http": "GET http://localhost/", "empty.http": "" });
    const write = (...args: string[]) => requests([join(folder, "db.json"), "--quiet", ...args]);
    for (const [format, name] of [
      ["http", "new.http"],
      ["k6", "new.js"],
      ["postman", "new.json"],
      ["bruno", "new"],
    ] as const) {
      const out = join(folder, name);
      await write("--format", format, "--out", out);
      await write("--format", format, "--out", out, "--url", "http://localhost:4000");
      const file = format === "bruno" ? join(out, "environments/local.bru") : out;
      expect(readFileSync(file, "utf8")).toContain("http://localhost:4000");
    }
    await write("--out", join(folder, "empty.http"));
    const mine = join(folder, "mine.http");
    await expect(write("--out", mine)).rejects.toThrow(
      /mine\.http was not written by standin requests, so it was not replaced/,
    );
    expect(readFileSync(mine, "utf8")).toBe("GET http://localhost/");
    await write("--out", mine, "--overwrite");
    expect(readFileSync(mine, "utf8")).toContain("standin requests");
    writeFileSync(join(folder, "new/collection.bru"), "docs {\n  mine\n}\n");
    await expect(write("--format", "bruno", "--out", join(folder, "new"))).rejects.toThrow(/was not replaced/);
  });

  test("mistakes are start errors", async () => {
    const folder = createFolder({ "db.json": DATA });
    const db = join(folder, "db.json");
    await expect(requests([db, "--format", "bruno"])).rejects.toThrow(/name it with --out <folder>/);
    await expect(requests([db, "--format", "curl"])).rejects.toThrow(/--format expects http or bruno or k6 or postman/);
    await expect(requests([db, db])).rejects.toThrow(/one source/);
    await expect(requests([db, "--url", "localhost"])).rejects.toThrow(/localhost is not the URL of a server/);
    await expect(requests([join(folder, "none.json")])).rejects.toThrow(/none\.json/);
    await expect(requests([db, "--out", join(folder, "no/such/a.http")])).rejects.toThrow(/was not written/);
  });
});

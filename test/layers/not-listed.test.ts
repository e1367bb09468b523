import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { LAYER_NAMES } from "../../src/layers/registry.ts";
import { catalog } from "../support/catalog.ts";
import { createFolder, serveCli } from "../support/cli.ts";

/** The scripts that a server has loaded from start to stop, as reported by V8. */
async function loadedBy(config: object, args: readonly string[] = []): Promise<string[]> {
  const folder = createFolder({
    "db.json": catalog(),
    "standin.json": config,
    "own.cjs": "module.exports = (req, res, next) => next();",
  });
  const coverage = join(folder, "coverage");
  const served = await serveCli(["db.json", ...args], folder, { NODE_V8_COVERAGE: coverage });
  const scheme = served.url.split(":")[0];
  if (scheme === "http") {
    await (await fetch(`${served.url}/products`, { headers: { "X-API-KEY": "my-key-0123456789" } })).text();
    await fetch(`${served.url}/products`, { method: "POST", body: "{}" });
  }
  expect(await served.stop()).toBe(0);
  const scripts = readdirSync(coverage).flatMap(
    (name) => (JSON.parse(readFileSync(join(coverage, name), "utf8")) as { result: { url: string }[] }).result,
  );
  return scripts.map(({ url }) => url);
}

/** Files and libraries that only some starts need. */
const OPTIONAL = new Set([
  "api-key",
  "bearer",
  "cors",
  "latency",
  "logger",
  "rate-limit",
  "signed-token",
  "interceptor-lane",
  "certificate",
  "self-signed",
  "rewrite",
  "express",
  "compression",
  "body-parser",
  "jose",
  "bcryptjs",
  "ajv",
  "open-agents",
  "mcp-sdk",
]);

/** Files of ours among what was loaded. The build may bundle them, and then adds a hash to their names. */
function ownIn(urls: readonly string[]): string[] {
  return urls.flatMap((url) => /\/dist\/(?:.*\/)?([\w-]+?)(?:-[\w-]{8})?\.js$/.exec(url)?.[1] ?? []);
}

/** The optional parts among what was loaded. */
function optionalIn(urls: readonly string[]): string[] {
  const libraries = urls.flatMap((url) => /\/node_modules\/((?:@[\w-]+\/)?[\w-]+)\//.exec(url)?.[1] ?? []);
  return [...new Set([...libraries, ...ownIn(urls)])].filter((name) => OPTIONAL.has(name)).sort();
}

describe("what is not listed is not loaded", () => {
  test("nothing listed: nothing", async () => {
    const loaded = await loadedBy({});
    expect(optionalIn(loaded)).toEqual([]);
    // Every file that a start opens takes a millisecond.
    expect(ownIn(loaded).sort()).toEqual(["cli", "core", "rolldown-runtime"]);
  });

  test("layers: those, and no Express", async () => {
    const layers = { "api-key": { keys: ["my-key-0123456789"] } };
    const loaded = await loadedBy({ middlewares: ["api-key", "cors", "rate-limit"], layers });
    expect(optionalIn(loaded)).toEqual(["api-key", "cors", "rate-limit"]);
  });

  test("signed-token with plain passwords: jose, and no bcrypt", async () => {
    const layers = { "signed-token": { users: [{ email: "a@b.c", password: "pw" }] } };
    const loaded = await loadedBy({ middlewares: ["signed-token"], layers });
    expect(optionalIn(loaded)).toEqual(["jose", "signed-token"]);
  });

  test("an interceptor: Express, and no layer", async () => {
    const loaded = optionalIn(await loadedBy({ middlewares: ["./own.cjs"] }));
    expect(loaded).toEqual(expect.arrayContaining(["express", "interceptor-lane"]));
    for (const name of LAYER_NAMES) expect(loaded).not.toContain(name);
  });

  test("HTTPS: what makes certificates only when one must be made", async () => {
    const loaded = optionalIn(await loadedBy({}, ["--ssl"]));
    expect(loaded).toEqual(expect.arrayContaining(["certificate", "self-signed"]));
    expect(loaded).not.toContain("express");
  });
});

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { askAt } from "../support/api.ts";
import { createFolder } from "../support/cli.ts";
import { runKept, serveQuietly } from "../support/kept-process.ts";

const DATA = {
  products: [
    { id: 1, name: "Hat", price: 5 },
    { id: 2, name: "Cap", price: 6 },
  ],
};

const write = (url: string, line: string, body?: unknown) => askAt(url, line, body === undefined ? {} : { body });

async function run(args: readonly string[], folder: string, env: Record<string, string> = {}) {
  const { exit, output } = runKept(args, folder, env);
  return { code: await exit, ...output };
}

test("asks the running server: a log, newest first, and a revert", async () => {
  const folder = createFolder({ "shop.json": JSON.stringify(DATA) });
  const { url, stop } = await serveQuietly(["shop.json"], folder);
  expect(await run(["history", "shop.json"], folder)).toMatchObject({ code: 0, stdout: "No changes are known.\n" });
  await write(url, "PATCH /products/1", { price: 50 });
  await write(url, "POST /products", { name: "Bag" });
  const { stdout } = await run(["history", "shop.json"], folder);
  expect(stdout).toMatch(
    /^version (\d+)\nBy: {4}127\.0\.0\.1\nDate: {2}\d{4}-\S+Z\n\n {4}products: 1 created\n\nversion \d+\n[\s\S]*1 updated\n\n$/,
  );
  const version = Number(/version (\d+)\n[\s\S]*?1 updated/.exec(stdout.slice(20))?.[1]);
  expect((await run(["history", "shop.json", "--collection", "products", "--id", "3"], folder)).stdout).toContain(
    "1 created",
  );
  expect((await run(["history", "shop.json", "--limit", "1"], folder)).stdout).toContain("There are more");
  const coloured = await run(["history", "shop.json"], folder, { FORCE_COLOR: "1" });
  expect(coloured.stdout).toContain("\u001b[33mversion");
  expect((await run(["history", "shop.json"], folder, { NO_COLOR: "1", FORCE_COLOR: "1" })).stdout).toBe(stdout);
  const reverted = await run(["history", "revert", String(version), "shop.json"], folder);
  expect(reverted).toMatchObject({
    code: 0,
    stdout: expect.stringContaining(`Reverted version ${version} as version`),
  });
  expect((await askAt(url, "GET /products/1")).body).toMatchObject({ price: 5 });
  expect((await run(["history", "revert", String(version), "shop.json"], folder)).stdout).toContain(
    "taken back already",
  );
  await stop();
});

test("reads and changes the files where no server runs", async () => {
  const folder = createFolder({ "shop.json": JSON.stringify(DATA) });
  const { url, stop } = await serveQuietly(["shop.json"], folder);
  await write(url, "PATCH /products/1", { price: 50 });
  await stop();
  const before = readFileSync(join(folder, "shop.json"), "utf8");
  const { stdout } = await run(["history", "shop.json"], folder);
  const version = /version (\d+)/.exec(stdout)?.[1] ?? "";
  expect(stdout).toContain("products: 1 updated");
  expect(readFileSync(join(folder, "shop.json"), "utf8")).toBe(before);
  expect(await run(["history", "revert", version, "shop.json"], folder)).toMatchObject({ code: 0 });
  expect(JSON.parse(readFileSync(join(folder, "shop.json"), "utf8"))).toEqual(DATA);
});

test("the word revert wins over a source of that name", async () => {
  const folder = createFolder({ "revert.json": JSON.stringify(DATA) });
  expect((await run(["history", "revert"], folder)).stderr).toContain("history revert needs a version");
  expect((await run(["history", "./revert.json"], folder)).stdout).toBe("No changes are known.\n");
});

test.each([
  [["history", "revert", "99"], /There is no version 99|no longer|gone/i],
  [["history", "revert", "last"], /needs a version/],
  [["history", "a.json", "b.json"], /one source/],
  [["history", "--since", "yesterday"], /since=yesterday/],
  [["history", "--id", "3"], /collection/],
])("%j fails with one line", async (args, message) => {
  const folder = createFolder({ "db.json": JSON.stringify(DATA) });
  const { code, stderr } = await run(args, folder);
  expect([code, stderr]).toEqual([1, expect.stringMatching(message)]);
});

test("the config file of the server decides about the rest", async () => {
  const folder = createFolder({ "db.json": JSON.stringify({ products: [{ sku: "a" }] }) });
  writeFileSync(
    join(folder, "standin.json"),
    JSON.stringify({ id: "sku", middlewares: ["api-key"], layers: { "api-key": { keys: ["a-key-of-mine"] } } }),
  );
  expect(await run(["history"], folder)).toMatchObject({ code: 0, stdout: "No changes are known.\n" });
});

import { once } from "node:events";
import { readdirSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { createStandin, definePlugin } from "../../src/index.ts";
import { createFolder } from "../support/cli.ts";

const closed: string[] = [];
const fails = definePlugin({
  name: "fails",
  open: () => {
    throw new Error("no luck");
  },
});

/** Closes what it has opened, and says so. */
function tidy(name: string): ReturnType<typeof definePlugin> {
  return definePlugin({ name, open: () => () => closed.push(name) });
}

test("a start of a program that fails gives the data file back, whatever fails", async () => {
  const folder = createFolder({ "db.json": { notes: [] } });
  const taken = createServer().listen(0, "127.0.0.1");
  onTestFinished(() => void taken.close());
  await once(taken, "listening");
  const { port } = taken.address() as AddressInfo;
  const start = (more: object) => createStandin({ source: join(folder, "db.json"), persist: true, ...more });

  await expect(start({ plugins: ["./none.mjs"] })).rejects.toThrow("there is no file ./none.mjs");
  await expect(start({ plugins: [tidy("first"), fails] })).rejects.toThrow("no luck");
  await expect(start({ plugins: [tidy("second")], port })).rejects.toThrow("EADDRINUSE");
  expect(readdirSync(folder)).toEqual(["db.json"]);
  await (await start({ plugins: [tidy("third")] })).close();
  expect(closed).toEqual(["first", "second", "third"]);
});

test("a plugin that cannot be loaded stops the start before the data is opened", async () => {
  const folder = createFolder({ "db.json": "{" });
  const starting = createStandin({ source: join(folder, "db.json"), plugins: ["./none.mjs"] });
  await expect(starting).rejects.toThrow("there is no file ./none.mjs");
});

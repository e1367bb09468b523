import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ask } from "../durability/client.ts";
import { opened } from "../durability/opened.ts";
import { asFile, contentOf, databaseAt } from "../durability/place.ts";
import { createFolder } from "../support/cli.ts";
import { serveKept } from "../support/kept-process.ts";

/** A folder `data` with these files. */
function dataFolder(files: Readonly<Record<string, unknown>>): string {
  const folder = createFolder();
  mkdirSync(join(folder, "data"));
  for (const [name, value] of Object.entries(files)) writeFileSync(join(folder, "data", name), asFile(value));
  return folder;
}

const ONE = [{ id: 1 }];

test("files with spaces, umlauts, other scripts and signs are collections, and are written back to their names", async () => {
  const members = {
    größe: ONE,
    "my list": ONE,
    "a+b": ONE,
    日本: ONE,
    "100%": ONE,
    "old name": ONE,
    "ångström & co": { unit: 1 },
  };
  const { "old name": _, ...readable } = members;
  const files = Object.fromEntries(Object.entries(readable).map(([name, value]) => [`${name}.json`, value]));
  const folder = dataFolder({ ...files, "old%20name.json": ONE });
  const server = await serveKept(["data"], folder);
  expect(await databaseAt(server.url)).toEqual(members);
  for (const name of Object.keys(members)) {
    const method = name.includes("&") ? "PATCH" : "POST";
    const { status } = await ask(server.url, method, `/${encodeURIComponent(name)}`, { n: 1 });
    expect([name, status]).toEqual([name, method === "POST" ? 201 : 200]);
  }
  expect(await server.stop()).toBe(0);
  const two = asFile([{ id: 1 }, { n: 1, id: 2 }]);
  expect(contentOf(join(folder, "data"))).toEqual({
    "100%.json": two,
    "a+b.json": two,
    "größe.json": two,
    "my list.json": two,
    "old%20name.json": two,
    "ångström & co.json": asFile({ unit: 1, n: 1 }),
    "日本.json": two,
  });
});

test("a new collection gets a file that people can read, unless a system could not have it", async () => {
  const folder = dataFolder({ "notes.json": ONE });
  const { store } = await opened(folder, { source: "data" });
  const names = ["größe", "my list", "a/b", "what?", "50%", "..", " spaced"];
  await store.swap(Object.fromEntries(["notes", ...names].map((name) => [name, [{ name, id: 1 }]])));
  await store.close();
  expect(Object.keys(contentOf(join(folder, "data"))).sort()).toEqual(
    ["notes", "größe", "my list", "a%2Fb", "what%3F", "50%25", "%2E.", "%20spaced"]
      .map((name) => `${name}.json`)
      .sort(),
  );
  const again = await serveKept(["data"], folder);
  const database = await databaseAt(again.url);
  for (const name of names) expect(database[name]).toEqual([{ name, id: 1 }]);
  expect(await again.stop()).toBe(0);
});

test("two files of one collection stop the start, with both names", async () => {
  const folder = dataFolder({ "a b.json": ONE, "a%20b.json": ONE });
  await expect(opened(folder, { source: "data" })).rejects.toThrow(
    /a b\.json and a%20b\.json both hold "a b"\. Rename or merge one of them\./,
  );
});

test("a name that is stored decomposed is served as it is typed", async () => {
  const folder = dataFolder({ [`${"größe".normalize("NFD")}.json`]: ONE });
  const { store } = await opened(folder, { source: "data" });
  expect(store.members().map(({ name }) => name)).toEqual(["größe".normalize("NFC")]);
});

test("a collection whose name no file can have is refused", async () => {
  const folder = dataFolder({ "notes.json": ONE });
  const { store } = await opened(folder, { source: "data" });
  await expect(store.alter({ kind: "created", name: "ö".repeat(120), type: "collection" })).rejects.toMatchObject({
    code: "COLLECTION_INVALID",
  });
});

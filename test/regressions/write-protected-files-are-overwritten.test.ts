import { chmodSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ask } from "../durability/client.ts";
import { crashedFolder, JOURNAL } from "../durability/journal-file.ts";
import { create, databaseOf, opened } from "../durability/opened.ts";
import { asFile, contentOf, databaseAt, eventually, untilSaved } from "../durability/place.ts";
import { isRoot, need, serveSpecially } from "../durability/spawned.ts";
import { createFolder } from "../support/cli.ts";
import { serveKept } from "../support/kept-process.ts";

const BEGIN = JSON.stringify({ notes: [{ id: 1 }], tags: [] });
const SAID = /db\.json is write-protected: it has mode 444; it is served, but changes to it are refused/g;

function protectedFolder(text = BEGIN): { folder: string; file: string } {
  const folder = createFolder({ "db.json": text });
  const file = join(folder, "db.json");
  chmodSync(file, 0o444);
  return { folder, file };
}

const modeOf = (file: string): number => statSync(file).mode & 0o777;

test("a file without permission to write is served, and every write is 503 with the way out", async () => {
  const { folder, file } = protectedFolder();
  const server = await serveKept(["--snapshots", "saved"], folder);
  expect(await databaseAt(server.url)).toEqual(JSON.parse(BEGIN));
  const writes: readonly [method: string, path: string, body?: unknown][] = [
    ["POST", "/notes", {}],
    ["POST", "/notes", [{}, {}]],
    ["PATCH", "/notes/1", { n: 1 }],
    ["DELETE", "/notes/1"],
    ["POST", "/__batch", { requests: [{ method: "POST", path: "/tags", body: {} }] }],
    ["POST", "/__reset"],
  ];
  for (const [method, path, body] of writes) {
    const answer = await ask(server.url, method, path, body);
    expect([path, answer]).toMatchObject([path, { status: 503, body: { code: "STORE_UNAVAILABLE" } }]);
    expect(answer.body).toMatchObject({
      message: expect.stringMatching(/write-protected.*Nothing was changed.*--memory/),
    });
  }
  expect(await databaseAt(server.url)).toEqual(JSON.parse(BEGIN));
  expect(server.output.stdout.match(SAID)).toHaveLength(1);
  expect(await server.stop()).toBe(0);
  expect(contentOf(folder)).toEqual({ "db.json": BEGIN });
  expect(modeOf(file)).toBe(0o444);
});

test("with --memory it is served like any other, without a warning", async () => {
  const { folder } = protectedFolder();
  const server = await serveKept(["--memory"], folder);
  expect((await ask(server.url, "POST", "/notes", {})).status).toBe(201);
  expect(server.output.stdout).not.toContain("write-protected");
  expect(await server.stop()).toBe(0);
  expect(contentOf(folder)).toEqual({ "db.json": BEGIN });
});

test("a file that is protected later refuses from then on, and accepts again when it is opened", async () => {
  const folder = createFolder({ "db.json": BEGIN });
  const file = join(folder, "db.json");
  chmodSync(file, 0o640);
  const { store, warnings } = await opened(folder);
  await create(store, "notes", {});
  await untilSaved(folder, ({ notes }) => (notes as unknown[]).length === 2);
  await eventually(() => !contentOf(folder)[JOURNAL]);
  expect(modeOf(file)).toBe(0o640);
  const saved = readFileSync(file, "utf8");
  chmodSync(file, 0o440);
  await expect(create(store, "notes", {})).rejects.toMatchObject({ code: "STORE_UNAVAILABLE" });
  expect(readFileSync(file, "utf8")).toBe(saved);
  expect(warnings.filter((text) => text.includes("write-protected"))).toHaveLength(1);
  chmodSync(file, 0o640);
  await create(store, "notes", {});
  await store.close();
  expect(JSON.parse(readFileSync(file, "utf8"))).toEqual({ notes: [{ id: 1 }, { id: 2 }, { id: 3 }], tags: [] });
});

test("in a folder only the protected files refuse, and a save leaves even their format alone", async () => {
  const folder = createFolder();
  mkdirSync(join(folder, "data"));
  writeFileSync(join(folder, "data/closed.json"), '[{"id":1}]');
  writeFileSync(join(folder, "data/open.json"), "[]");
  chmodSync(join(folder, "data/closed.json"), 0o444);
  const { store } = await opened(folder, { source: "data" });
  await create(store, "open", {});
  for (const attempt of [
    () => create(store, "closed", {}),
    () => store.alter({ kind: "removed", name: "closed" }),
    () => store.alter({ kind: "renamed", name: "closed", to: "other" }),
    () => store.swap({ open: [] }),
  ]) {
    await expect(attempt()).rejects.toMatchObject({ code: "STORE_UNAVAILABLE" });
  }
  await store.close();
  expect(contentOf(join(folder, "data"))).toEqual({ "closed.json": '[{"id":1}]', "open.json": asFile([{ id: 1 }]) });
});

test("the journal of an earlier run is served and kept until the file can be written", async () => {
  const folder = crashedFolder({ notes: [{ id: 1 }] }, [{ v: 2, edits: [["+", "notes", { id: 2 }]] }]);
  const file = join(folder, "db.json");
  const before = readFileSync(file, "utf8");
  chmodSync(file, 0o444);
  const { store, warnings } = await opened(folder);
  expect(await databaseOf(store)).toEqual({ notes: [{ id: 1 }, { id: 2 }] });
  await eventually(() => warnings.some((text) => text.includes("changes are kept in the journal")));
  expect(readFileSync(file, "utf8")).toBe(before);
  expect(contentOf(folder)[JOURNAL]).toContain('"edits"');
  chmodSync(file, 0o644);
  await untilSaved(folder, ({ notes }) => (notes as unknown[]).length === 2);
  await store.close();
});

test("a file of another user is not taken over: writes are refused", async (context) => {
  need(context, "root, to become another user", isRoot);
  const folder = createFolder({ "db.json": BEGIN });
  chmodSync(folder, 0o777);
  const server = await serveSpecially({ folder, isOrdinary: true });
  expect(server.output.stdout).toMatch(/it has mode 644 and belongs to the user 0; it is served/);
  expect((await ask(server.url, "POST", "/notes", {})).status).toBe(503);
  expect(await server.stop()).toBe(0);
  expect(statSync(join(folder, "db.json")).uid).toBe(0);
  expect(contentOf(folder)).toEqual({ "db.json": BEGIN });
});

test("a file of another user that all may write is written, and stays theirs", async (context) => {
  need(context, "root, to become another user", isRoot);
  const folder = createFolder({ "db.json": BEGIN });
  chmodSync(folder, 0o777);
  chmodSync(join(folder, "db.json"), 0o666);
  const server = await serveSpecially({ folder, isOrdinary: true });
  expect((await ask(server.url, "POST", "/notes", {})).status).toBe(201);
  expect(await server.stop()).toBe(0);
  const { uid, gid, mode } = statSync(join(folder, "db.json"));
  expect({ uid, gid, mode: mode & 0o777 }).toEqual({ uid: 0, gid: 0, mode: 0o666 });
  expect(contentOf(folder)).toEqual({ "db.json": `${JSON.stringify({ notes: [{ id: 1 }, { id: 2 }], tags: [] })}\n` });
});

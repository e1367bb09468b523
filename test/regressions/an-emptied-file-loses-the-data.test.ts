import { mkdirSync, readFileSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { ask } from "../durability/client.ts";
import { create, databaseOf, opened } from "../durability/opened.ts";
import { asFile, contentOf, databaseAt, eventually, matching } from "../durability/place.ts";
import { createFolder } from "../support/cli.ts";
import { serveKept } from "../support/kept-process.ts";

const DATA = { notes: [{ id: 1, text: "kept" }] };
const BEGIN = asFile(DATA);
const COPY = /\.outside-\d+(\.json)?$/;

describe.each([["--watch"], []])("with %s", (...flags) => {
  test.each([["nothing"], [" \n\t\n"]])(
    "a stop right after the file was emptied to %j leaves the data",
    async (left) => {
      const folder = createFolder({ "db.json": BEGIN });
      const file = join(folder, "db.json");
      const server = await serveKept(flags, folder);
      writeFileSync(file, left === "nothing" ? "" : left);
      expect(await server.stop()).toBe(0);
      expect(readFileSync(file, "utf8")).toBe(BEGIN);
      expect(matching(folder, COPY)).toHaveLength(1);
      expect(server.output.stdout).toMatch(/db\.json was emptied from outside, and gets its data back\. The empty/);
      const again = await serveKept([], folder);
      expect(await databaseAt(again.url)).toEqual(DATA);
      expect(await again.stop()).toBe(0);
    },
  );

  test("the next write brings the data back", async () => {
    const folder = createFolder({ "db.json": BEGIN });
    const server = await serveKept(flags, folder);
    truncateSync(join(folder, "db.json"));
    expect((await ask(server.url, "POST", "/notes", { text: "new" })).status).toBe(201);
    expect(await server.stop()).toBe(0);
    expect(contentOf(folder)["db.json"]).toBe(asFile({ notes: [...DATA.notes, { text: "new", id: 2 }] }));
    expect(matching(folder, COPY)).toHaveLength(1);
  });
});

test("with --watch, a file that stays empty gets its data back, before a crash can lose it", async () => {
  const folder = createFolder({ "db.json": BEGIN });
  const file = join(folder, "db.json");
  const server = await serveKept(["--watch"], folder);
  truncateSync(file);
  await eventually(() => readFileSync(file, "utf8") === BEGIN);
  expect(await databaseAt(server.url)).toEqual(DATA);
  writeFileSync(file, asFile({ notes: [] }));
  await eventually(async () => ((await databaseAt(server.url)).notes as unknown[]).length === 0);
  expect(await server.stop()).toBe(0);
  expect(readFileSync(file, "utf8")).toBe(asFile({ notes: [] }));
});

test("an emptied file of a folder gets its own data back, and others are left as they are", async () => {
  const folder = createFolder();
  mkdirSync(join(folder, "data"));
  writeFileSync(join(folder, "data/notes.json"), asFile(DATA.notes));
  writeFileSync(join(folder, "data/tags.json"), asFile([{ id: 7 }]));
  const { store } = await opened(folder, { source: "data", followsOutside: true });
  writeFileSync(join(folder, "data/notes.json"), "\n");
  await expect(store.reload()).rejects.toThrow("is empty");
  await create(store, "tags", {});
  expect(await databaseOf(store)).toEqual({ notes: DATA.notes, tags: [{ id: 7 }, { id: 8 }] });
  await store.close();
  const { "notes.json": notes, "tags.json": tags } = contentOf(join(folder, "data"));
  expect([notes, tags]).toEqual([asFile(DATA.notes), asFile([{ id: 7 }, { id: 8 }])]);
  expect(matching(join(folder, "data"), COPY)).toHaveLength(1);
});

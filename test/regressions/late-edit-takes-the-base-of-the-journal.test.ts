import { copyFileSync, lstatSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { hookBefore } from "../durability/hooks.ts";
import { create, databaseOf, opened } from "../durability/opened.ts";
import { asFile, eventually, imageOf, matching } from "../durability/place.ts";
import { createFolder } from "../support/cli.ts";

/** Has an outside program write in place right before a save replaces the file. */
function editBeforeReplaced(path: string, text: string): { isDone: boolean } {
  const edit = { isDone: false };
  hookBefore("renameSync", (_from, to) => {
    if (to === path) writeFileSync(path, text);
    edit.isDone = to === path;
    return edit.isDone;
  });
  return edit;
}

for (const text of ["[]", '{"a":1}']) {
  test(`with --watch, a late ${text} costs no acknowledged write`, async () => {
    const folder = createFolder({ "db.json": asFile({ notes: [{ id: 1 }] }) });
    const path = join(folder, "db.json");
    const { store } = await opened(folder, { followsOutside: true });
    const edit = editBeforeReplaced(path, text);
    await create(store, "notes", {});
    await eventually(() => edit.isDone);
    // Writes go on, so that the journal holds some when the edit is found.
    await eventually(async () => {
      await create(store, "notes", {});
      return readFileSync(path, "utf8") === text;
    });
    const acknowledged = await databaseOf(store);
    const image = imageOf(folder);
    const [saved] = matching(image, /^db\.unsaved-/);
    copyFileSync(saved!, join(image, "db.json"));
    const { store: next } = await opened(image);
    expect(await databaseOf(next)).toEqual(acknowledged);
  });
}

test("with --watch, a late edit that can be loaded leaves one copy of what it replaced", async () => {
  const folder = createFolder({ "db.json": asFile({ notes: [{ id: 1 }] }) });
  const path = join(folder, "db.json");
  const edit = asFile({ notes: [{ id: 1, by: "hand" }] });
  const { store } = await opened(folder, { followsOutside: true });
  editBeforeReplaced(path, edit);
  await create(store, "notes", { text: "acknowledged" });
  await eventually(() => readFileSync(path, "utf8") === edit && matching(folder, /^db\.unsaved-/).length > 0);
  await store.close();
  const copies = matching(folder, /^db\.unsaved-/);
  expect(copies).toHaveLength(1);
  expect(readFileSync(copies[0]!, "utf8")).toContain("acknowledged");
});

test("with --watch, a late edit of a file behind a symbolic link leaves the link", async () => {
  const root = createFolder({ "real/a.json": asFile([{ id: 1 }]), "data/b.json": asFile([]) });
  const link = join(root, "data", "a.json");
  symlinkSync(join("..", "real", "a.json"), link);
  const edit = asFile([{ id: 1, by: "hand" }]);
  const { store } = await opened(root, { source: "data", followsOutside: true });
  editBeforeReplaced(join(root, "real", "a.json"), edit);
  await create(store, "a", {});
  await eventually(async () => JSON.stringify((await databaseOf(store)).a).includes("hand"));
  await store.close();
  expect(lstatSync(link).isSymbolicLink()).toBe(true);
  expect(readFileSync(join(root, "real", "a.json"), "utf8")).toBe(edit);
});

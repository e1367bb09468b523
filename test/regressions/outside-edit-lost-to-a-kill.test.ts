import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { hookBefore } from "../durability/hooks.ts";
import { create, opened } from "../durability/opened.ts";
import { asFile, eventually, matching } from "../durability/place.ts";
import { createFolder } from "../support/cli.ts";

const EDIT = asFile({ notes: [{ id: 1, by: "hand" }] });

function refuse(code: string): never {
  throw Object.assign(new Error(`${code}: refused`), { code });
}

test("where a file cannot have two names, an outside edit has a copy before the file is replaced", async () => {
  const folder = createFolder({ "db.json": asFile({ notes: [{ id: 1 }] }) });
  const path = join(folder, "db.json");
  const { store, warnings } = await opened(folder);
  hookBefore("linkSync", () => refuse("EPERM"));
  writeFileSync(path, EDIT);
  const before = statSync(path).ino;
  await create(store, "notes", {});
  await eventually(() => statSync(path).ino !== before);
  const kept = matching(folder, /outside-/);
  expect(kept.map((one) => readFileSync(one, "utf8"))).toEqual([EDIT]);
  expect(warnings.join("\n")).toContain(`That version is kept as ${kept[0]}`);
  await store.close();
  expect(matching(folder, /outside-/)).toEqual(kept);
});

test("a file that can only be overwritten gives one copy of an outside edit", async () => {
  const folder = createFolder({ "db.json": asFile({ notes: [{ id: 1 }] }) });
  const path = join(folder, "db.json");
  const { store } = await opened(folder);
  hookBefore("linkSync", () => refuse("EXDEV"));
  hookBefore("renameSync", (_from, to) => (to === path ? refuse("EBUSY") : false));
  writeFileSync(path, EDIT);
  await create(store, "notes", {});
  await store.close();
  expect(readFileSync(path, "utf8")).toBe(asFile({ notes: [{ id: 1 }, { id: 2 }] }));
  expect(matching(folder, /outside-/).map((one) => readFileSync(one, "utf8"))).toEqual([EDIT]);
});

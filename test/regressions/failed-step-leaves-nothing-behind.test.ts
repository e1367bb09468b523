import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { afterEach, expect, test, vi } from "vitest";
import { fileKey } from "../../src/store/file/replaced/second-names.ts";
import { hookBefore } from "../durability/hooks.ts";
import { create, opened } from "../durability/opened.ts";
import { asFile, eventually, filesIn, imageOf, matching } from "../durability/place.ts";
import { createFolder } from "../support/cli.ts";

const BEGIN = asFile({ notes: [{ id: 1 }] });

afterEach(() => void vi.useRealTimers());

function refuse(): never {
  throw Object.assign(new Error("EACCES: permission denied"), { code: "EACCES" });
}

test("a start that fails saves nothing later, when another process may have the files", async () => {
  const folder = createFolder({ "db.json": BEGIN });
  const { store } = await opened(folder);
  await create(store, "notes", {});
  const image = imageOf(folder);
  const former = `db.json.${fileKey("db.json")}-0123456789abcdef-19a0000000-1-1.former`;
  writeFileSync(join(image, ".standin", former), "an edit");
  hookBefore("renameSync", (from) => (basename(from) === former ? refuse() : false));
  vi.useFakeTimers();
  await expect(opened(image)).rejects.toThrow("EACCES");
  expect(vi.getTimerCount()).toBe(0);
});

test("an outside edit that cannot be kept leaves no second name of the file", async () => {
  const folder = createFolder({ "db.json": BEGIN });
  const { store, warnings } = await opened(folder);
  let isRefused = false;
  hookBefore("renameSync", (_from, to) => {
    if (!to.includes("outside-") || isRefused) return isRefused;
    isRefused = true;
    return refuse();
  });
  writeFileSync(join(folder, "db.json"), asFile({ notes: [] }));
  await create(store, "notes", {});
  await eventually(() => warnings.some((text) => text.includes("cannot be written")));
  expect(matching(folder, /\.former$/)).toEqual([]);
  await store.close();
  expect(filesIn(folder)).toHaveLength(2);
});

test("a replaced file that another program removes costs no other one", async () => {
  const names = ["a.json", "b.json", "c.json"];
  const folder = createFolder(Object.fromEntries(names.map((name) => [name, asFile([])])));
  const { store } = await opened(folder, { source: "." });
  hookBefore("renameSync", (from, to) => {
    const name = basename(to);
    if (names.includes(name)) writeFileSync(to, `edit of ${name}`);
    if (name.startsWith("a.json.outside-") && from.endsWith(".former")) {
      for (const path of matching(folder, new RegExp(`\\.${fileKey("b.json")}-.*\\.former$`))) rmSync(path);
    }
    return false;
  });
  await Promise.all(["a", "b", "c"].map((name) => create(store, name, {})));
  const keptOf = (name: string): Promise<string> =>
    eventually(() => matching(folder, new RegExp(`^${name}\\.json\\.outside-`))[0] ?? false);
  for (const name of ["a", "c"]) expect(readFileSync(await keptOf(name), "utf8")).toBe(`edit of ${name}.json`);
  expect(matching(folder, /^[ab]\.json\.outside-/)).toHaveLength(1);
});

import {
  closeSync,
  existsSync,
  ftruncateSync,
  openSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { JsonObject } from "../../src/base/json/json.ts";
import type { Store } from "../../src/store/store.ts";
import { hookBefore } from "../durability/hooks.ts";
import { create, databaseOf, opened } from "../durability/opened.ts";
import { asFile, contentOf, eventually, filesIn, imageOf, matching } from "../durability/place.ts";
import { createFolder } from "../support/cli.ts";
import { testAtLength } from "../support/soak.ts";

const NOTES = [{ id: 1 }];
const FILES = { "data/notes.json": asFile(NOTES), "data/profile.json": asFile({ name: "Ann" }) };

/** Waits until the journal is folded into the files. */
async function saved(root: string): Promise<void> {
  await eventually(() => !existsSync(join(root, "data/.standin/data.journal")));
}

/** Has something happen to the data, and copies its files before each step of the save and after the last one. */
async function imagesOf(root: string, happen: () => Promise<void>): Promise<string[]> {
  const images: string[] = [];
  let isOver = false;
  for (const call of ["renameSync", "linkSync"] as const) {
    hookBefore(call, (_from, to) => {
      // The journal itself is begun with a rename, before the change is acknowledged.
      if (!isOver && to.startsWith(root) && !/journal|lock/.test(to)) images.push(imageOf(root));
      return isOver;
    });
  }
  await happen();
  await saved(root);
  isOver = true;
  images.push(imageOf(root));
  return images;
}

const changes: readonly [what: string, happen: (store: Store) => Promise<void>, after: JsonObject][] = [
  ["a restore", (store) => store.swap({ fresh: [{ id: 7 }] }), { fresh: [{ id: 7 }] }],
  ["a removed collection", (store) => store.alter({ kind: "removed", name: "notes" }), { profile: { name: "Ann" } }],
  [
    "a renamed collection",
    (store) => store.alter({ kind: "renamed", name: "notes", to: "memos" }),
    { memos: [...NOTES, { id: 2 }], profile: { name: "Ann" } },
  ],
  ["a restore of nothing", (store) => store.swap({}), {}],
];

for (const [at, [what, happen, after]] of changes.entries()) {
  const here = at === 0 ? test : testAtLength;
  here(`a crash at any moment of ${what} of a folder leaves only the data, and nothing to report`, async () => {
    const root = createFolder(FILES);
    const { store } = await opened(root, { source: "data" });
    // The version before this save is still watched when its file goes.
    await create(store, "notes", {});
    await saved(root);
    const images = await imagesOf(root, () => happen(store));
    await store.close();
    expect(images.length).toBeGreaterThan(1);
    for (const image of images) {
      const { store: next, warnings } = await opened(image, { source: "data" });
      expect(await databaseOf(next)).toEqual(after);
      await next.close();
      expect(warnings.filter((text) => !text.startsWith("Recovered from the journal"))).toEqual([]);
      const files = Object.entries(after).map(([name, content]) => [`${name}.json`, asFile(content)]);
      expect(contentOf(join(image, "data"))).toEqual(Object.fromEntries(files));
    }
  });
}

test("a crash after the reset of a folder removes the files that came since, and nothing looks like an edit", async () => {
  const root = createFolder(FILES);
  const { store } = await opened(root, { source: "data" });
  await store.alter({ kind: "created", name: "memos", type: "collection" });
  await create(store, "memos", {});
  await saved(root);
  await create(store, "memos", {});
  await saved(root);
  const images = await imagesOf(root, () => store.reset());
  for (const image of images) {
    const { store: next, warnings } = await opened(image, { source: "data" });
    await next.close();
    expect(warnings.filter((text) => !text.startsWith("Recovered from the journal"))).toEqual([]);
    expect(contentOf(image)).toEqual(FILES);
  }
});

test("a link to a data file that a restore removes leaves no copy of what it led to", async () => {
  const root = createFolder({ ...FILES, "elsewhere.json": asFile([]) });
  symlinkSync(join(root, "elsewhere.json"), join(root, "data/linked.json"));
  const { store } = await opened(root, { source: "data" });
  await create(store, "linked", {});
  await saved(root);
  await store.swap({ fresh: [] });
  await saved(root);
  const image = imageOf(root);
  const { store: next, warnings } = await opened(image, { source: "data" });
  await next.close();
  expect(warnings).toEqual([]);
  expect(filesIn(join(image, "data"))).toEqual(["fresh.json"]);
});

test("a file that a restore removed and a program wrote to around the crash is still kept", async () => {
  const root = createFolder(FILES);
  const { store } = await opened(root, { source: "data" });
  await store.swap({ fresh: [] });
  await saved(root);
  const image = imageOf(root);
  await store.close();
  const [removed] = matching(join(image, "data/.standin"), /\.removed$/);
  writeFileSync(removed!, "[]\n");
  const { store: next, warnings } = await opened(image, { source: "data" });
  const [kept] = matching(join(image, "data"), /outside-/);
  expect(readFileSync(kept!, "utf8")).toBe("[]\n");
  expect(warnings.join("\n")).toContain(kept);
  await next.close();
  expect(filesIn(join(image, "data"))).toHaveLength(2);
});

test("with --watch, what a program writes to a file after a restore removed it is kept beside", async () => {
  const root = createFolder(FILES);
  const { store } = await opened(root, { source: "data", followsOutside: true });
  const fd = openSync(join(root, "data/notes.json"), "r+");
  await store.swap({ fresh: [] });
  await eventually(() => !existsSync(join(root, "data/notes.json")));
  ftruncateSync(fd, 0);
  writeSync(fd, '[{"id":9}]\n', 0);
  closeSync(fd);
  const kept = await eventually(() => matching(join(root, "data"), /^notes\.json\.outside-/)[0]);
  expect(readFileSync(kept, "utf8")).toBe('[{"id":9}]\n');
  await store.close();
  expect(filesIn(join(root, "data"))).toHaveLength(2);
});

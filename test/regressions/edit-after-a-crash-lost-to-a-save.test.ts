import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { ask } from "../durability/client.ts";
import { hookBefore } from "../durability/hooks.ts";
import { create, opened } from "../durability/opened.ts";
import { asFile, contentOf, crash, eventually, filesIn, matching, untilSaved } from "../durability/place.ts";
import { createFolder, serveCli } from "../support/cli.ts";

/**
 * A single rename discards a version that another program puts in place right before it. A server that has seen another
 * program replace the file takes two steps instead, and so must the next one after a crash, from its first save on.
 */
const SOURCES = [
  { source: "db.json", place: ".", file: "db.json", asText: (notes: unknown[]) => asFile({ notes }) },
  { source: "data", place: "data", file: "notes.json", asText: (notes: unknown[]) => asFile(notes) },
] as const;

function saveByRename(path: string, text: string): void {
  writeFileSync(`${path}.editor`, text);
  renameSync(`${path}.editor`, path);
}

/** Has an edit happen right before the next save takes the name of the data file, in one step or in two. */
function editInTheWorstMoment(path: string, text: string): void {
  hookBefore("renameSync", (from, to) => {
    const isHere = from === path || (to === path && !from.endsWith(".editor"));
    if (isHere) saveByRename(path, text);
    return isHere;
  });
}

const CRASHES = [
  ["that the crashed server had noticed", true],
  ["that the crashed server had not noticed", false],
] as const;

for (const { source, place, file, asText } of SOURCES) {
  describe(`after an edit of ${file} by rename`, () => {
    for (const [what, isNoticed] of CRASHES) {
      test(`${what}, the next edit is not lost to the first save of the next server`, async () => {
        const root = createFolder({ [join(place, file)]: asText([{ id: 1 }]) });
        const folder = join(root, place);
        const path = join(folder, file);
        const server = await serveCli([source], root);
        saveByRename(path, asText([{ id: 1, by: "first" }]));
        if (isNoticed) {
          await ask(server.url, "POST", "/notes", { text: "acknowledged" });
          // A save in two steps leaves no file for an instant.
          await eventually(() => contentOf(folder)[file]?.includes("acknowledged"));
        }
        await crash(server);
        const { store } = await opened(root, { source });
        const second = asText([{ id: 1, by: "second" }]);
        editInTheWorstMoment(path, second);
        await create(store, "notes", { text: "later" });
        await eventually(() => readFileSync(path, "utf8").includes("later") || undefined);
        await store.close();
        expect(Object.values(contentOf(folder))).toContain(second);
        expect(filesIn(root).filter((name) => name.includes(".standin"))).toEqual([]);
      });
    }

    test("with fingerprints that a crash cut off, the next edit is not lost either", async () => {
      const root = createFolder({
        [join(place, file)]: asText([{ id: 1 }]),
        [join(place, ".standin", `${source}.fingerprints`)]: '{"db.js',
      });
      const { store } = await opened(root, { source });
      const second = asText([{ id: 1, by: "second" }]);
      editInTheWorstMoment(join(root, place, file), second);
      await create(store, "notes", { text: "later" });
      await store.close();
      expect(Object.values(contentOf(join(root, place)))).toContain(second);
    });
  });
}

for (const edit of ["none", "in place"] as const) {
  test(`after a crash with ${edit === "none" ? "no edit" : "an edit in place"}, the file never loses its name`, async () => {
    const folder = createFolder({ "db.json": asFile({ notes: [{ id: 1 }] }) });
    const path = join(folder, "db.json");
    const server = await serveCli([], folder);
    for (const text of ["first", "second"]) {
      if (edit === "in place") writeFileSync(path, asFile({ notes: [{ id: 1, text }] }));
      await ask(server.url, "POST", "/notes", { text: `after ${text}` });
      await untilSaved(folder, (data) => JSON.stringify(data).includes(`after ${text}`));
    }
    await ask(server.url, "POST", "/notes", { text: "unsaved" });
    await crash(server);
    expect(existsSync(join(folder, ".standin/db.json.fingerprints"))).toBe(true);
    const moved: string[] = [];
    hookBefore("renameSync", (from) => {
      moved.push(from);
      return false;
    });
    const { store } = await opened(folder);
    await create(store, "notes", { text: "later" });
    await store.close();
    expect(readFileSync(path, "utf8")).toContain("later");
    expect(moved).not.toContain(path);
    expect(matching(folder, /fingerprints/)).toEqual([]);
  });
}

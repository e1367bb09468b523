import {
  closeSync,
  existsSync,
  ftruncateSync,
  openSync,
  readFileSync,
  renameSync,
  statSync,
  utimesSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import type { Store } from "../../src/store/store.ts";
import { ask } from "../durability/client.ts";
import { hookBefore } from "../durability/hooks.ts";
import { create, databaseOf, opened } from "../durability/opened.ts";
import { asFile, contentOf, crash, dataIn, eventually, filesIn, matching, untilSaved } from "../durability/place.ts";
import { createFolder, serveCli } from "../support/cli.ts";

const BEGIN = asFile({ notes: [{ id: 1 }] });
const EDIT = asFile({ notes: [{ id: 1, by: "hand", text: "x".repeat(2000) }] });

function inodeOf(folder: string, file = "db.json"): number {
  return statSync(join(folder, file)).ino;
}

/** Writes to what is behind a descriptor, as an editor does that saves in place: from the start, in pieces. */
async function writeSlowly(fd: number, text: string, pieces = 4): Promise<void> {
  ftruncateSync(fd, 0);
  const length = Math.ceil(text.length / pieces);
  for (let at = 0; at < text.length; at += length) {
    writeSync(fd, text.slice(at, at + length), at);
    await sleep(10);
  }
}

function saveByRename(folder: string, text: string): void {
  writeFileSync(join(folder, "editor.tmp"), text);
  renameSync(join(folder, "editor.tmp"), join(folder, "db.json"));
}

/** A write, and the save that follows it. */
async function createAndSave(store: Store, folder: string, file = "db.json"): Promise<void> {
  const before = inodeOf(folder, file);
  await create(store, file === "db.json" ? "notes" : file.slice(0, -".json".length), {});
  await eventually(() => inodeOf(folder, file) !== before);
}

async function keptBeside(folder: string, text: string): Promise<string> {
  const path = await eventually(() => matching(folder, /^[^/]+outside-\d+/)[0]);
  await eventually(() => readFileSync(path, "utf8") === text);
  return path;
}

describe("without --watch", () => {
  test("a program that writes in place, slowly, while a write is saved: the whole of it is kept beside", async () => {
    const folder = createFolder({ "db.json": BEGIN });
    const { store, warnings } = await opened(folder);
    const fd = openSync(join(folder, "db.json"), "w");
    writeSync(fd, EDIT.slice(0, 900));
    await createAndSave(store, folder);
    writeSync(fd, EDIT.slice(900));
    closeSync(fd);
    const path = await keptBeside(folder, EDIT);
    expect(warnings.join("\n")).toContain(`That version is kept as ${path}; use --watch to take such changes over.`);
    await store.close();
    expect(contentOf(folder)).toEqual({
      "db.json": asFile({ notes: [{ id: 1 }, { id: 2 }] }),
      [path.slice(folder.length + 1)]: EDIT,
    });
  });

  test("a program that opened the file before a save, and writes to it afterwards", async () => {
    const folder = createFolder({ "db.json": BEGIN });
    const { store, warnings } = await opened(folder);
    for (const round of [1, 2]) {
      const fd = openSync(join(folder, "db.json"), "r+");
      await createAndSave(store, folder);
      await writeSlowly(fd, EDIT);
      closeSync(fd);
      await eventually(() => warnings.length === round);
    }
    const kept = matching(folder, /^[^/]+outside-\d+/);
    expect(kept.map((path) => readFileSync(path, "utf8"))).toEqual([EDIT, EDIT]);
    expect(dataIn(folder)).toEqual(await databaseOf(store));
  });

  test("the same in a folder of files", async () => {
    const folder = createFolder({ "a.json": asFile([]), "b.json": asFile([]) });
    const { store } = await opened(folder, { source: "." });
    const fd = openSync(join(folder, "a.json"), "r+");
    await createAndSave(store, folder, "a.json");
    await writeSlowly(fd, EDIT);
    closeSync(fd);
    expect(await keptBeside(folder, EDIT)).toMatch(/\/a\.json\.outside-\d+$/);
    await store.close();
    expect(filesIn(folder)).toHaveLength(3);
  });

  test("a file of a folder that is removed by a restore while somebody writes to it", async () => {
    const folder = createFolder({ "a.json": asFile([]), "b.json": asFile([]) });
    const { store } = await opened(folder, { source: "." });
    const fd = openSync(join(folder, "a.json"), "r+");
    await store.swap({ b: [] });
    await eventually(() => !existsSync(join(folder, "a.json")));
    await writeSlowly(fd, EDIT);
    closeSync(fd);
    await keptBeside(folder, EDIT);
  });

  for (const [what, edit] of [
    ["written in place", (folder: string) => writeFileSync(join(folder, "db.json"), EDIT)],
    ["renamed into place", (folder: string) => saveByRename(folder, EDIT)],
  ] as const) {
    test(`an edit ${what} between the check of a save and its rename`, async () => {
      const folder = createFolder({ "db.json": BEGIN });
      const { store } = await opened(folder);
      const call = what === "written in place" ? "renameSync" : "linkSync";
      hookBefore(call, (_from, to) => {
        const isHere = call === "linkSync" ? to.endsWith(".former") : to === join(folder, "db.json");
        if (isHere) edit(folder);
        return isHere;
      });
      await create(store, "notes", {});
      await keptBeside(folder, EDIT);
      await store.close();
      expect(dataIn(folder)).toEqual({ notes: [{ id: 1 }, { id: 2 }] });
      expect(filesIn(folder)).toHaveLength(2);
    });
  }

  test("an edit of the same size within one tick of the clock", async () => {
    const folder = createFolder({ "db.json": BEGIN });
    // As on a file system that counts whole seconds: for two of them nobody can tell.
    const second = Math.ceil(Date.now() / 1000);
    utimesSync(join(folder, "db.json"), second, second);
    const { store } = await opened(folder);
    const edit = BEGIN.replace("1", "7");
    for (const round of [1, 2]) {
      const { atime, mtime } = statSync(join(folder, "db.json"));
      const text = round === 1 ? edit : readFileSync(join(folder, "db.json"), "utf8").replace("2", "8");
      writeFileSync(join(folder, "db.json"), text);
      // The first time it looks as it did when it was loaded; the second time it is we who dated it.
      if (round === 1) utimesSync(join(folder, "db.json"), atime, mtime);
      await createAndSave(store, folder);
      await eventually(() => matching(folder, /outside-/).some((path) => readFileSync(path, "utf8") === text));
    }
  });

  test("where a file cannot have two names, it is held open instead", async () => {
    const folder = createFolder({ "db.json": BEGIN });
    const { store } = await opened(folder);
    hookBefore("linkSync", () => {
      throw Object.assign(new Error("EPERM: operation not permitted, link"), { code: "EPERM" });
    });
    const half = openSync(join(folder, "db.json"), "w");
    writeSync(half, EDIT.slice(0, 900));
    await createAndSave(store, folder);
    writeSync(half, EDIT.slice(900));
    closeSync(half);
    const path = await keptBeside(folder, EDIT);
    const late = openSync(join(folder, "db.json"), "r+");
    await createAndSave(store, folder);
    const text = EDIT.replace("hand", "another hand");
    await writeSlowly(late, text);
    closeSync(late);
    await eventually(() =>
      matching(folder, /outside-/).some((one) => one !== path && readFileSync(one, "utf8") === text),
    );
  });
});

describe("with --watch the edit wins, and what was saved meanwhile is kept", () => {
  test("of a program that opened the file before a save, and writes to it afterwards", async () => {
    const folder = createFolder({ "db.json": BEGIN });
    const { store, warnings } = await opened(folder, { followsOutside: true });
    const fd = openSync(join(folder, "db.json"), "r+");
    await createAndSave(store, folder);
    await writeSlowly(fd, EDIT);
    closeSync(fd);
    await eventually(async () => JSON.stringify(await databaseOf(store)) === JSON.stringify(JSON.parse(EDIT)));
    expect(readFileSync(join(folder, "db.json"), "utf8")).toBe(EDIT);
    const [lost] = matching(folder, /^db\.unsaved-/);
    expect(dataIn(folder, lost!.slice(folder.length))).toEqual({ notes: [{ id: 1 }, { id: 2 }] });
    expect(warnings.join("\n")).toContain(lost);
    await store.close();
    expect(filesIn(folder)).toEqual(["db.json", lost!.slice(folder.length + 1)]);
  });

  for (const [what, call, edit] of [
    ["written in place", "renameSync", (folder: string) => writeFileSync(join(folder, "db.json"), EDIT)],
    ["renamed into place", "linkSync", (folder: string) => saveByRename(folder, EDIT)],
  ] as const) {
    test(`that was ${what} between the check of a save and its rename`, async () => {
      const folder = createFolder({ "db.json": BEGIN });
      const { store } = await opened(folder, { followsOutside: true });
      hookBefore(call, (_from, to) => {
        const isHere = call === "linkSync" ? to.endsWith(".former") : to === join(folder, "db.json");
        if (isHere) edit(folder);
        return isHere;
      });
      await create(store, "notes", { text: "acknowledged" });
      await eventually(async () => JSON.stringify(await databaseOf(store)) === JSON.stringify(JSON.parse(EDIT)));
      await eventually(() => matching(folder, /^db\.unsaved-/).length === 1);
      await store.close();
      expect(readFileSync(join(folder, "db.json"), "utf8")).toBe(EDIT);
      expect(readFileSync(matching(folder, /^db\.unsaved-/)[0]!, "utf8")).toContain("acknowledged");
    });
  }
});

describe("at the end of a process", () => {
  test("a stop waits for a program that has the replaced file open, and keeps what it wrote", async () => {
    const folder = createFolder({ "db.json": BEGIN });
    const { store } = await opened(folder);
    const fd = openSync(join(folder, "db.json"), "r+");
    await createAndSave(store, folder);
    const closing = store.close();
    await writeSlowly(fd, EDIT);
    closeSync(fd);
    await closing;
    await keptBeside(folder, EDIT);
    expect(filesIn(folder)).toHaveLength(2);
  });

  test("a stop that nobody writes beside leaves the data file alone, however short the last save is ago", async () => {
    const folder = createFolder({ "db.json": BEGIN });
    const reader = openSync(join(folder, "db.json"), "r");
    const { store } = await opened(folder);
    for (let round = 0; round < 3; round++) await createAndSave(store, folder);
    await create(store, "notes", {});
    await store.close();
    closeSync(reader);
    expect(filesIn(folder)).toEqual(["db.json"]);
  });

  test("what is written to a replaced file around a crash is found by the next start", async () => {
    const folder = createFolder({ "db.json": BEGIN });
    const server = await serveCli([], folder);
    const early = openSync(join(folder, "db.json"), "r+");
    await ask(server.url, "POST", "/notes", {});
    await untilSaved(folder, (data) => JSON.stringify(data).includes('"id":2'));
    const late = openSync(join(folder, "db.json"), "r+");
    await ask(server.url, "POST", "/notes", {});
    await untilSaved(folder, (data) => JSON.stringify(data).includes('"id":3'));
    await crash(server);
    await writeSlowly(early, EDIT);
    closeSync(early);
    const { store, warnings } = await opened(folder);
    expect(await databaseOf(store)).toEqual({ notes: [{ id: 1 }, { id: 2 }, { id: 3 }] });
    const path = await keptBeside(folder, EDIT);
    expect(warnings.join("\n")).toContain(path);
    // Also what is written only after that start.
    const text = EDIT.replace("hand", "another hand");
    await writeSlowly(late, text);
    closeSync(late);
    await eventually(() => matching(folder, /outside-/).some((one) => readFileSync(one, "utf8") === text));
    await store.close();
    expect(filesIn(folder)).toHaveLength(3);
  });

  test("a crash between the second name and the rename leaves nothing behind after the next stop", async () => {
    const folder = createFolder({ "db.json": BEGIN });
    const { store } = await opened(folder);
    let second = "";
    hookBefore("linkSync", (_from, to) => {
      second = to.endsWith(".former") ? to : second;
      return second !== "";
    });
    await createAndSave(store, folder);
    await store.close();
    const image = createFolder({ "db.json": BEGIN });
    const { store: again } = await opened(image);
    writeFileSync(join(image, ".standin", second.slice(second.lastIndexOf("/") + 1)), BEGIN);
    await again.close();
    const { store: third, warnings } = await opened(image);
    await third.close();
    expect(warnings).toEqual([]);
    expect(filesIn(image)).toEqual(["db.json"]);
  });
});

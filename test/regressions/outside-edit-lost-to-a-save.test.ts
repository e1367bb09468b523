import {
  closeSync,
  existsSync,
  fstatSync,
  ftruncateSync,
  futimesSync,
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
import { expectReplaceable } from "../../src/commands/generate.ts";
import { createIfMissing } from "../../src/store/file/shared-file.ts";
import type { Store } from "../../src/store/store.ts";
import { ask } from "../durability/client.ts";
import { hook, hookBefore, unhooked } from "../durability/hooks.ts";
import { create, databaseOf, opened } from "../durability/opened.ts";
import {
  asFile,
  contentOf,
  crash,
  databaseAt,
  dataIn,
  eventually,
  filesIn,
  imageOf,
  matching,
  untilSaved,
} from "../durability/place.ts";
import { exists } from "../durability/spawned.ts";
import { createFolder, serveCli } from "../support/cli.ts";
import { serveKept } from "../support/kept-process.ts";
import { testAtLength } from "../support/soak.ts";

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

function saveByRename(folder: string, text: string, file = "db.json"): void {
  writeFileSync(join(folder, "editor.tmp"), text);
  renameSync(join(folder, "editor.tmp"), join(folder, file));
}

/** A write, and the save that follows it. */
async function createAndSave(store: Store, folder: string, file = "db.json"): Promise<void> {
  const before = inodeOf(folder, file);
  await create(store, file === "db.json" ? "notes" : file.slice(0, -".json".length), {});
  await eventually(() => inodeOf(folder, file) !== before);
}

function keptBeside(folder: string, text: string): Promise<string> {
  return eventually(() => matching(folder, /^[^/]+outside-\d+/).find((path) => readFileSync(path, "utf8") === text));
}

/** They mostly wait for the server to look at a replaced file, and share nothing. */
describe.concurrent("what a program writes to a file that was replaced meanwhile", () => {
  test("slowly and in place, while a write is saved: the whole of it is kept beside", async () => {
    const folder = createFolder({ "db.json": BEGIN });
    const { store, warnings } = await opened(folder);
    const fd = openSync(join(folder, "db.json"), "w");
    writeSync(fd, EDIT.slice(0, 900));
    await createAndSave(store, folder);
    writeSync(fd, EDIT.slice(900));
    closeSync(fd);
    const path = await keptBeside(folder, EDIT);
    expect(warnings.join("\n")).toContain(`That version is kept as ${path}; use --watch to load such changes.`);
    await store.close();
    expect(contentOf(folder)).toEqual({
      "db.json": asFile({ notes: [{ id: 1 }, { id: 2 }] }),
      [path.slice(folder.length + 1)]: EDIT,
    });
  });

  test("which it opened before a save is kept beside", async () => {
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

  testAtLength("the same in a folder of files", async () => {
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

  test("and a restore removed is kept beside", async () => {
    const folder = createFolder({ "a.json": asFile([]), "b.json": asFile([]) });
    const { store } = await opened(folder, { source: "." });
    const fd = openSync(join(folder, "a.json"), "r+");
    await store.swap({ b: [] });
    await eventually(() => !existsSync(join(folder, "a.json")));
    await writeSlowly(fd, EDIT);
    closeSync(fd);
    await keptBeside(folder, EDIT);
  });

  test("wins with --watch, and what was saved meanwhile is kept", async () => {
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

  test("around a crash is found by the next start", async () => {
    const { folder, early, late } = await crashedAfterTwoSaves();
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
});

describe("without --watch", () => {
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
    // As on a file system that counts whole seconds: for two of them the change is invisible. Ahead of now, so that a busy
    // machine opens it in time.
    const second = Math.floor(Date.now() / 1000) + 2;
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

  testAtLength("where a file cannot have two names, it is held open instead", async () => {
    hookBefore("linkSync", () => {
      throw Object.assign(new Error("EPERM: operation not permitted, link"), { code: "EPERM" });
    });
    const beforeTheSave = async (): Promise<void> => {
      const folder = createFolder({ "db.json": BEGIN });
      const { store } = await opened(folder);
      const half = openSync(join(folder, "db.json"), "w");
      writeSync(half, EDIT.slice(0, 900));
      await createAndSave(store, folder);
      writeSync(half, EDIT.slice(900));
      closeSync(half);
      await keptBeside(folder, EDIT);
    };
    const afterTheSave = async (): Promise<void> => {
      const folder = createFolder({ "db.json": BEGIN });
      const { store } = await opened(folder);
      const late = openSync(join(folder, "db.json"), "r+");
      await createAndSave(store, folder);
      await writeSlowly(late, EDIT, 1);
      closeSync(late);
      await keptBeside(folder, EDIT);
    };
    await Promise.all([beforeTheSave(), afterTheSave()]);
  });
});

describe("with --watch the edit wins, and what was saved meanwhile is kept", () => {
  testAtLength("of one that pauses while it writes, for one second or ten", async () => {
    const looks = new Map<string, number>();
    hook("statSync", (...args: Parameters<typeof statSync>) => {
      const [path] = args.map(String);
      if (path?.endsWith(".former")) {
        const folder = path.slice(0, path.indexOf("/.standin/"));
        looks.set(folder, (looks.get(folder) ?? 0) + 1);
      }
      return unhooked.statSync(...args);
    });
    const pausing = async (pausedMs: number): Promise<void> => {
      const folder = createFolder({ "db.json": BEGIN });
      const { store } = await opened(folder, { followsOutside: true });
      const fd = openSync(join(folder, "db.json"), "r+");
      await createAndSave(store, folder);
      ftruncateSync(fd, 0);
      writeSync(fd, EDIT.slice(0, 900), 0);
      const past = Date.now() / 1000 - pausedMs / 1000;
      futimesSync(fd, past, past);
      looks.set(folder, 0);
      // A check takes three looks.
      await eventually(() => (looks.get(folder) ?? 0) > 3 || matching(folder, /outside-/).length > 0);
      expect(matching(folder, /outside-/)).toEqual([]);
      writeSync(fd, EDIT.slice(900), 900);
      closeSync(fd);
      await eventually(async () => JSON.stringify(await databaseOf(store)) === JSON.stringify(JSON.parse(EDIT)));
      expect(matching(folder, /^db\.unsaved-/)).toHaveLength(1);
    };
    // Without /proc, nothing shows after two seconds that a program has the file open.
    await Promise.all([pausing(1000), ...(exists("/proc/self/fd") ? [pausing(10_000)] : [])]);
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

/** The files of a server that was killed while it watched both versions that it had replaced, which programs have open. */
async function crashedAfterTwoSaves(): Promise<{ folder: string; early: number; late: number }> {
  for (;;) {
    const folder = createFolder({ "db.json": BEGIN });
    const server = await serveCli([], folder);
    const early = openSync(join(folder, "db.json"), "r+");
    await ask(server.url, "POST", "/notes", {});
    await untilSaved(folder, (data) => JSON.stringify(data).includes('"id":2'));
    const late = openSync(join(folder, "db.json"), "r+");
    await ask(server.url, "POST", "/notes", {});
    await untilSaved(folder, (data) => JSON.stringify(data).includes('"id":3'));
    await crash(server);
    const inodes = matching(folder, /\.former$/).map((path) => statSync(path).ino);
    if ([early, late].every((fd) => inodes.includes(fstatSync(fd).ino))) return { folder, early, late };
    // A busy machine took longer than the server watches a replaced file: try again.
    closeSync(early);
    closeSync(late);
  }
}

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

  test("a stop without other writers leaves the data file alone, however recent the last save", async () => {
    const folder = createFolder({ "db.json": BEGIN });
    const reader = openSync(join(folder, "db.json"), "r");
    const { store } = await opened(folder);
    for (let round = 0; round < 3; round++) await createAndSave(store, folder);
    await create(store, "notes", {});
    await store.close();
    closeSync(reader);
    expect(filesIn(folder)).toEqual(["db.json"]);
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

test("until another program replaces it, the data file never loses its name", async () => {
  const folder = createFolder({ "db.json": BEGIN });
  const { store } = await opened(folder);
  const moved: string[] = [];
  hookBefore("renameSync", (from) => {
    moved.push(from);
    return false;
  });
  for (let round = 0; round < 3; round++) {
    writeFileSync(join(folder, "db.json"), EDIT.replace("hand", `hand ${round}`));
    await createAndSave(store, folder);
  }
  expect(moved).not.toContain(join(folder, "db.json"));
});

/** Where the notes of a data file, or of a folder of data files, are. */
const SOURCES = [
  { source: "db.json", place: ".", file: "db.json", asText: (notes: unknown[]) => asFile({ notes }) },
  { source: "data", place: "data", file: "notes.json", asText: (notes: unknown[]) => asFile(notes) },
] as const;

/** A place at which another program has already saved by rename, and the store has seen it. */
async function contested({ source, place, file, asText }: (typeof SOURCES)[number], followsOutside: boolean) {
  const root = createFolder({ [join(place, file)]: asText([{ id: 1 }]) });
  const folder = join(root, place);
  const path = join(folder, file);
  const { store } = await opened(root, { source, followsOutside });
  saveByRename(folder, asText([{ id: 1, by: "first" }]), file);
  if (followsOutside) await store.reload();
  else await createAndSave(store, folder, file);
  return {
    root,
    folder,
    path,
    store,
    save: (by: string) => saveByRename(folder, asText([{ id: 1, by }]), file),
    notes: async () => (await databaseOf(store)).notes,
  };
}

const WORST_MOMENTS = [
  [
    "before the file is moved away",
    "renameSync",
    (path: string, from: string, to: string) => from === path || (to === path && !from.endsWith("editor.tmp")),
  ],
  [
    "before the new one is put there",
    "linkSync",
    (path: string, from: string, to: string) => to === path && from.endsWith(".tmp"),
  ],
] as const;

for (const place of SOURCES) {
  describe(`once another program has saved ${place.file} by rename, no later edit is lost`, () => {
    for (const [moment, call, isHere] of WORST_MOMENTS) {
      test(`without --watch, ${moment}`, async () => {
        const { folder, path, store, save, notes } = await contested(place, false);
        hookBefore(call, (from, to) => {
          if (!isHere(path, from, to)) return false;
          save("second");
          return true;
        });
        await create(store, "notes", { text: "acknowledged" });
        await keptBeside(folder, place.asText([{ id: 1, by: "second" }]));
        await store.close();
        expect(readFileSync(path, "utf8")).toBe(place.asText((await notes()) as unknown[]));
        expect(readFileSync(path, "utf8")).toContain("acknowledged");
        // The file and both edits.
        expect(filesIn(folder)).toHaveLength(3);
      });

      test(`with --watch, ${moment}`, async () => {
        const { root, folder, path, store, save, notes } = await contested(place, true);
        hookBefore(call, (from, to) => {
          if (!isHere(path, from, to)) return false;
          save("second");
          return true;
        });
        await create(store, "notes", { text: "acknowledged" });
        const unsaved = await eventually(() => matching(folder, /^[^/]+unsaved-\d+(\.json)?$/)[0]);
        expect(await notes()).toEqual([{ id: 1, by: "second" }]);
        await store.close();
        expect(readFileSync(path, "utf8")).toBe(place.asText([{ id: 1, by: "second" }]));
        expect(readFileSync(unsaved, "utf8")).toContain("acknowledged");
        expect(filesIn(folder)).toHaveLength(2);
        expect(matching(root, /\.tmp$/)).toEqual([]);
      });
    }

    for (const followsOutside of [false, true]) {
      test(`nor one that another one overtakes, with${followsOutside ? "" : "out"} --watch`, async () => {
        const { folder, path, store, save } = await contested(place, followsOutside);
        hookBefore("renameSync", (from) => {
          if (from === path) save("second");
          return from === path;
        });
        hookBefore("linkSync", (from, to) => {
          const isPutBack = to === path && from.endsWith(".former");
          if (isPutBack) save("third");
          return isPutBack;
        });
        await create(store, "notes", { text: "acknowledged" });
        const texts = (): string => Object.values(contentOf(folder)).join("\n");
        await eventually(() => ["second", "third", "acknowledged"].every((text) => texts().includes(text)));
        await store.close();
        expect(["second", "third", "acknowledged"].filter((text) => !texts().includes(text))).toEqual([]);
        expect(readFileSync(path, "utf8")).toContain(followsOutside ? "third" : "acknowledged");
      });
    }

    test("a process that ends while the file has no name: the next start gives it back", async () => {
      const { root, path, store } = await contested(place, false);
      let image = "";
      hookBefore("linkSync", (_from, to) => {
        if (to === path) image = imageOf(root);
        return image !== "";
      });
      await create(store, "notes", { text: "acknowledged" });
      await eventually(() => image !== "");
      const lost = join(image, place.place, place.file);
      expect(existsSync(lost)).toBe(false);
      const { store: next, warnings } = await opened(image, { source: place.source });
      expect(await databaseOf(next)).toEqual(await databaseOf(store));
      expect(existsSync(lost)).toBe(true);
      expect(warnings[0]).toBe(
        `${lost} was missing, because an earlier process ended while it saved. It was restored.`,
      );
      await next.close();
      expect(readFileSync(lost, "utf8")).toContain("acknowledged");
      expect(filesIn(join(image, place.place)).filter((name) => name.startsWith("."))).toEqual([]);
    });
  });
}

describe("a data file that a killed process left without its name is never taken for a missing one", () => {
  const FORMER = "db.json.bd4a9ff1dada-0123456789abcdef-19a0000000-1-1.former";
  const leftover = (): string => createFolder({ [join(".standin", FORMER)]: BEGIN });

  test("by a server, which would generate data", async () => {
    const folder = leftover();
    const server = await serveKept([], folder);
    expect(await databaseAt(server.url)).toEqual(JSON.parse(BEGIN));
    expect(await server.stop()).toBe(0);
    expect(contentOf(folder)).toEqual({ "db.json": BEGIN });
  });

  test("by standin generate, nor by a server with --memory, which touches nothing", async () => {
    const folder = leftover();
    const before = contentOf(folder);
    await expect(expectReplaceable(join(folder, "db.json"))).rejects.toThrow(FORMER);
    await expect(opened(folder, { memory: true })).rejects.toThrow(`${FORMER}. Move it back`);
    expect(contentOf(folder)).toEqual(before);
  });

  test("by a program, which would make an empty one", async () => {
    const folder = leftover();
    createIfMissing(join(folder, "db.json"));
    expect(existsSync(join(folder, "db.json"))).toBe(false);
    const { store } = await opened(folder);
    expect(await databaseOf(store)).toEqual(JSON.parse(BEGIN));
  });
});

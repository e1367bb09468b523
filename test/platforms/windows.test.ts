/** The differences of Windows, simulated: nothing here has run on Windows itself. */
import {
  chmodSync,
  closeSync,
  mkdirSync,
  openSync,
  readFileSync,
  type Stats,
  statSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { Server } from "node:net";
import { hostname } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { openBrowser } from "../../src/commands/keys.ts";
import { listenBeforeReady, type PortOptions } from "../../src/commands/listen.ts";
import { stopSignals } from "../../src/commands/signals.ts";
import { createTerminal } from "../../src/commands/terminal.ts";
import { hook, hookBefore, pretendWindows, unhooked } from "../durability/hooks.ts";
import { create, databaseOf, opened } from "../durability/opened.ts";
import { asFile, contentOf, dataIn, eventually, filesIn, untilSaved } from "../durability/place.ts";
import { createFolder } from "../support/cli.ts";

const BEGIN = asFile({ notes: [{ id: 1 }] });
const WRITTEN = { notes: [{ id: 1 }, { id: 2 }] };

function refusal(code: string): Error {
  return Object.assign(new Error(`${code}: operation not permitted`), { code });
}

/** Refuses to rename to a name that ends like this, as while a scanner has the file open. Returns how often it was tried. */
function refuseRenames(ending: string, code: string, times: number): () => number {
  let tries = 0;
  hookBefore("renameSync", (_from, to) => {
    if (to.endsWith(ending) && ++tries <= times) throw refusal(code);
    return false;
  });
  return () => tries;
}

describe("a file that another program has open", () => {
  for (const code of ["EPERM", "EBUSY", "EACCES"]) {
    test(`is replaced as soon as ${code} is over`, async () => {
      const folder = createFolder({ "db.json": BEGIN });
      const { ino } = statSync(join(folder, "db.json"));
      const { store, warnings } = await opened(folder);
      pretendWindows();
      const tries = refuseRenames("db.json", code, 3);
      await create(store, "notes", {});
      await store.close();
      expect(tries()).toBe(4);
      expect(contentOf(folder)).toEqual({ "db.json": asFile(WRITTEN) });
      expect(statSync(join(folder, "db.json")).ino).not.toBe(ino);
      expect(warnings).toEqual([]);
    });
  }

  test("is overwritten in place when that takes too long", async () => {
    const folder = createFolder({ "db.json": BEGIN });
    const { ino } = statSync(join(folder, "db.json"));
    const { store } = await opened(folder);
    pretendWindows();
    refuseRenames("db.json", "EBUSY", Number.POSITIVE_INFINITY);
    await create(store, "notes", {});
    await store.close();
    expect(contentOf(folder)).toEqual({ "db.json": asFile(WRITTEN) });
    expect(statSync(join(folder, "db.json")).ino).toBe(ino);
  });

  test("is overwritten in place at once where it can have no second name", async () => {
    const folder = createFolder({ "db.json": BEGIN });
    const { store } = await opened(folder);
    pretendWindows();
    hookBefore("linkSync", () => {
      throw refusal("EISDIR");
    });
    const tries = refuseRenames("db.json", "EPERM", Number.POSITIVE_INFINITY);
    await create(store, "notes", {});
    await store.close();
    expect(contentOf(folder)).toEqual({ "db.json": asFile(WRITTEN) });
    expect(tries()).toBe(0);
  });

  test("is kept once if it was edited from outside, however often the save is refused", async () => {
    const folder = createFolder({ "db.json": BEGIN });
    const { store } = await opened(folder);
    const edit = asFile({ notes: [{ id: 1, by: "hand" }] });
    writeFileSync(join(folder, "db.json"), edit);
    pretendWindows();
    refuseRenames("db.json", "EPERM", 3);
    await create(store, "notes", {});
    await store.close();
    const { "db.json": saved, ...others } = contentOf(folder);
    expect(saved).toBe(asFile(WRITTEN));
    expect(Object.values(others)).toEqual([edit]);
  });

  test("refuses no write: the journal waits, too", async () => {
    const folder = createFolder({ "db.json": BEGIN });
    const { store } = await opened(folder);
    pretendWindows();
    const tries = refuseRenames(".journal", "EPERM", 2);
    await create(store, "notes", {});
    expect(tries()).toBe(3);
    await store.close();
  });

  test("is read as soon as its editor has closed it", async () => {
    const folder = createFolder({ "db.json": BEGIN });
    const { store } = await opened(folder, { followsOutside: true });
    pretendWindows();
    writeFileSync(join(folder, "db.json"), asFile(WRITTEN));
    let refused = 0;
    hook("readFileSync", (path: string, ...rest: unknown[]) => {
      if (path.endsWith("db.json") && refused++ % 3 < 2) throw refusal("EBUSY");
      return (unhooked.readFileSync as (...args: unknown[]) => unknown)(path, ...rest);
    });
    expect(await store.reload()).toBe(true);
    expect(await databaseOf(store)).toEqual(WRITTEN);
    expect(refused).toBeGreaterThanOrEqual(3);
  });

  test("is not waited for elsewhere, where EPERM means that it may not be replaced", async () => {
    const folder = createFolder({ "db.json": BEGIN });
    const { store } = await opened(folder);
    const tries = refuseRenames("db.json", "EPERM", Number.POSITIVE_INFINITY);
    await create(store, "notes", {});
    await store.close();
    expect(tries()).toBe(1);
    expect(dataIn(folder)).toEqual(WRITTEN);
  });
});

test("--durability disk flushes no folders, which Windows cannot open", async () => {
  const folder = createFolder({ "db.json": BEGIN });
  const { store } = await opened(folder, { durability: "disk" });
  pretendWindows();
  hookBefore("openSync", (path) => {
    if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) throw refusal("EISDIR");
    return false;
  });
  await create(store, "notes", {});
  await store.close();
  expect(dataIn(folder)).toEqual(WRITTEN);
});

test("inodes that differ only beyond the precision of a number are of different files", async () => {
  const folder = createFolder({ "db.json": BEGIN });
  for (const call of ["statSync", "fstatSync"] as const) {
    const original = unhooked[call] as (...args: unknown[]) => Stats | undefined;
    hook(call, (...args: unknown[]) => {
      const found = original(...args);
      if (typeof found?.ino === "number") found.ino = 2 ** 60;
      return found;
    });
  }
  const { store } = await opened(folder);
  const fd = openSync(join(folder, "db.json"), "r+");
  await create(store, "notes", {});
  await untilSaved(folder, ({ notes }) => (notes as unknown[]).length === 2);
  const late = asFile({ notes: [{ id: 1, by: "a program that had opened the file before" }] });
  writeSync(fd, late, 0);
  closeSync(fd);
  await store.close();
  const { "db.json": saved, ...others } = contentOf(folder);
  expect(saved).toBe(asFile(WRITTEN));
  expect(Object.values(others)).toEqual([late]);
});

describe("a folder of files", () => {
  const data = (): string => createFolder({ "data/posts.json": "[]", "data/tags.json": "[]" });
  const created = (name: string) => ({ kind: "created", name, type: "collection" }) as const;

  test("that ignores case gets no two files of one name", async () => {
    const folder = data();
    const { store } = await opened(folder, { source: "data" });
    // Where case is ignored, our own folder has this name, too.
    mkdirSync(join(folder, "data/.STANDIN"), { recursive: true });
    const same = "posts.json and Posts.json would be the same file, because this file system ignores case.";
    await expect(store.swap({ Posts: [] })).rejects.toThrow(same);
    await expect(store.swap({ a: [], A: [] })).rejects.toThrow("a.json and A.json");
    // Its file is still there.
    const removed = store.alter({ kind: "removed", name: "posts" });
    await expect(store.alter(created("Posts"))).rejects.toThrow(same);
    await removed;
    await store.alter(created("others"));
    expect(Object.keys(await databaseOf(store))).toEqual(["tags", "others"]);
  });

  test("gets no name that Windows keeps for itself", async () => {
    const { store } = await opened(data(), { source: "data" });
    pretendWindows();
    for (const name of ["con", "NUL", "com1", "lpt9", "aux.old"]) {
      await expect(store.alter(created(name))).rejects.toThrow(`Windows allows no file named ${name}.json.`);
    }
    await expect(store.swap({ "c*": [] })).rejects.toThrow("Windows allows no file named");
  });

  test("may have all these names elsewhere", async () => {
    const { store } = await opened(data(), { source: "data" });
    await store.swap({ posts: [], Posts: [], con: [], "c*": [] });
    await store.alter({ kind: "removed", name: "con" });
    await store.alter(created("Con"));
    expect(Object.keys(await databaseOf(store)).sort()).toEqual(["Con", "Posts", "c*", "posts"]);
  });
});

test("a lock tells what to do where the system does not tell when a process began", async () => {
  const folder = createFolder({ "db.json": BEGIN });
  const lock = join(folder, ".standin/db.json.lock");
  mkdirSync(join(folder, ".standin"));
  writeFileSync(lock, JSON.stringify({ pid: process.ppid, startedAt: "", host: hostname() }));
  hook("readFileSync", (path: string, ...rest: unknown[]) => {
    if (String(path).startsWith("/proc/")) throw refusal("ENOENT");
    return (unhooked.readFileSync as (...args: unknown[]) => unknown)(path, ...rest);
  });
  await expect(opened(folder)).rejects.toThrow(`(pid ${process.ppid}; if that is another program, remove ${lock})`);
});

test("a data file in UTF-16, as Windows PowerShell writes it, is refused with the way out", async () => {
  const folder = createFolder();
  writeFileSync(join(folder, "db.json"), Buffer.from('\uFEFF{"notes":[]}', "utf16le"));
  await expect(opened(folder)).rejects.toThrow(
    /db\.json is not UTF-8 text\..* It is UTF-16; in PowerShell: .*Set-Content -Encoding utf8/,
  );
});

test("Ctrl+Break and a closed window stop the server in good order; SIGHUP elsewhere is left to nohup", () => {
  expect(stopSignals("win32")).toEqual(["SIGINT", "SIGTERM", "SIGBREAK", "SIGHUP"]);
  expect(stopSignals("linux")).toEqual(["SIGINT", "SIGTERM"]);
});

test("the browser is opened by a program of Windows itself, without a shell", async () => {
  const folder = createFolder({ "System32/rundll32.exe": '#!/bin/sh\necho "$@" > "$(dirname "$0")/opened"\n' });
  chmodSync(join(folder, "System32/rundll32.exe"), 0o755);
  const url = "http://localhost:3000/?a=1&b=%PATH%";
  expect(await openBrowser(url, "win32", { SystemRoot: folder })).toBe(true);
  const opened = join(folder, "System32/opened");
  await eventually(() => filesIn(folder).includes("System32/opened") && readFileSync(opened, "utf8") !== "");
  expect(readFileSync(opened, "utf8")).toBe(`url.dll,FileProtocolHandler ${url}\n`);
  expect(await openBrowser(url, "win32", { SystemRoot: join(folder, "none") })).toBe(false);
});

describe("a port that Windows reserves", () => {
  const { listen } = Server.prototype;
  const listenAt = (port: PortOptions["port"]) =>
    listenBeforeReady({
      host: "127.0.0.1",
      port,
      middlewares: [],
      quiet: true,
      terminal: createTerminal(),
      certificate: undefined,
    });

  afterEach(() => {
    Server.prototype.listen = listen;
  });

  /** The first port is reserved, and any other one is free. */
  function reserve(reserved: number): void {
    Server.prototype.listen = function (this: Server, wanted: number, ...rest: unknown[]) {
      if (wanted !== reserved) return (listen as (...args: unknown[]) => Server).call(this, 0, ...rest);
      process.nextTick(() => this.emit("error", refusal("EACCES")));
      return this;
    } as typeof listen;
  }

  test("is passed over by --port auto", async () => {
    reserve(3000);
    const { listening } = await listenAt("auto");
    expect(listening.port).toBeGreaterThan(0);
    await listening.abort();
  });

  test("is named as such", async () => {
    reserve(3000);
    await expect(listenAt(3000)).rejects.toThrow(
      "EACCES: port 3000 is reserved by the system. Choose another with --port, such as --port 3001",
    );
    reserve(80);
    await expect(listenAt(80)).rejects.toThrow(
      "EACCES: permission denied for port 80. Choose one above 1023 with --port.",
    );
  });
});

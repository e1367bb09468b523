import { chmodSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { createFolder, printed, type Served, serveCli } from "../support/cli.ts";
import { runKept, serveKept } from "../support/kept-process.ts";
import { testAtLength } from "../support/soak.ts";
import { type Answer, ask } from "./client.ts";
import { asFile, crash, databaseAt, dataIn, eventually, filesIn, matching, recordsOf, untilSaved } from "./place.ts";
import {
  bindMount,
  exists,
  isRoot,
  liftFileSizeLimit,
  mountSmallDisk,
  need,
  ordinaryFolder,
  serveSpecially,
} from "./spawned.ts";

const BEGIN = asFile({ notes: [{ id: 1 }] });

/** The body of a refusal because of the disk. */
const UNAVAILABLE = { error: "Store unavailable", message: expect.any(String), code: "STORE_UNAVAILABLE" };

function post(server: Served, text = ""): Promise<Answer> {
  return ask(server.url, "POST", "/notes", { text });
}

/** Writes, several at once, until the disk refuses; gives back what was acknowledged. */
async function fillUp(server: Served, text: string): Promise<unknown[]> {
  const kept: unknown[] = [];
  for (;;) {
    const answers = await Promise.all([1, 2, 3, 4, 5].map(() => post(server, text)));
    kept.push(...answers.filter(({ status }) => status === 201).map(({ body }) => body));
    const refused = answers.filter(({ status }) => status !== 201);
    if (refused.length === 0) continue;
    expect(refused.map(({ body }) => body)).toEqual(refused.map(() => UNAVAILABLE));
    return kept;
  }
}

async function expectKept(server: Served, kept: readonly unknown[]): Promise<void> {
  const byId = (a: unknown, b: unknown): number => (a as { id: number }).id - (b as { id: number }).id;
  expect(recordsOf(await databaseAt(server.url), "notes")).toEqual([{ id: 1 }, ...kept].sort(byId));
}

describe.concurrent("a limit on file sizes", () => {
  // In 512-byte blocks; a soft limit, which can be lifted again.
  const before = "ulimit -S -f 64";

  test("refuses writes with 503, changes nothing by them, and keeps reading; a crash brings none of them back", async () => {
    const folder = createFolder({ "db.json": BEGIN });
    const server = await serveSpecially({ folder, before });
    const kept = await fillUp(server, "x".repeat(700));
    expect(kept.length).toBeGreaterThan(5);
    await expectKept(server, kept);
    dataIn(folder);
    await crash(server);
    const again = await serveKept([], folder);
    await expectKept(again, kept);
    await again.stop();
    expect(filesIn(folder)).toEqual(["db.json"]);
  });

  test("once it is lifted, writes resume by themselves and everything is saved", async (context) => {
    const folder = createFolder({ "db.json": BEGIN });
    const server = await serveSpecially({ folder, before });
    const kept: unknown[] = [];
    // Saving makes room in the journal again, until the data file itself is too large.
    while (!server.output.stdout.includes("cannot be written")) kept.push(...(await fillUp(server, "x".repeat(700))));
    need(context, "the command prlimit", liftFileSizeLimit(server.child.pid!));
    const { status, body } = await post(server, "after");
    expect(status).toBe(201);
    await expectKept(server, [...kept, body]);
    await untilSaved(folder, (data) => recordsOf(data, "notes").length === kept.length + 2);
    await eventually(() => server.output.stdout.includes("db.json can be written again; everything is saved."));
    expect(await server.stop()).toBe(0);
    expect(filesIn(folder)).toEqual(["db.json"]);
  });
});

test.concurrent("a full disk: 503, reads go on, and writes resume when there is room again", async (context) => {
  const folder = createFolder();
  need(context, "the right to mount", mountSmallDisk(folder, 400));
  writeFileSync(join(folder, "db.json"), BEGIN);
  const server = await serveSpecially({ folder });
  writeFileSync(join(folder, "ballast"), Buffer.alloc(340_000));
  const kept = await fillUp(server, "x".repeat(500));
  await expectKept(server, kept);
  dataIn(folder);
  rmSync(join(folder, "ballast"));
  const { status, body } = await post(server);
  expect(status).toBe(201);
  await expectKept(server, [...kept, body]);
  await untilSaved(folder, (data) => recordsOf(data, "notes").length === kept.length + 2);
  expect(await server.stop()).toBe(0);
  expect(filesIn(folder)).toEqual(["db.json"]);
});

test.concurrent("output on a full disk does not end the server", async (context) => {
  need(context, "/dev/full", exists("/dev/full"));
  const folder = createFolder({ "db.json": BEGIN });
  const args = ["--host", "127.0.0.1"];
  const server = await serveSpecially({ folder, args, before: "exec > /dev/full 2>&1", isSilent: true });
  const { status, body } = await post(server);
  expect(status).toBe(201);
  await expectKept(server, [body]);
  expect(await server.stop()).toBe(0);
  expect(recordsOf(dataIn(folder), "notes")).toEqual([{ id: 1 }, body]);
});

describe.concurrent("a folder that may not be written", () => {
  test("starts all the same and says so; reads work, writes are 503 until the folder can be written", async () => {
    const folder = ordinaryFolder({ "db.json": BEGIN });
    chmodSync(folder, 0o555);
    const server = await serveSpecially({ folder, isOrdinary: true });
    expect(server.output.stdout).toMatch(
      /The folder of .*db\.json cannot be written .*; writes are refused until it can/,
    );
    for (const [method, path] of [
      ["POST", "/notes"],
      ["PUT", "/notes/1"],
      ["PATCH", "/notes/1"],
      ["DELETE", "/notes/1"],
      ["POST", "/__reset"],
    ] as const) {
      const { status, body } = await ask(server.url, method, path, method === "DELETE" ? undefined : { text: "new" });
      expect([method, status, body]).toEqual([method, 503, UNAVAILABLE]);
    }
    await expectKept(server, []);
    expect(readFileSync(join(folder, "db.json"), "utf8")).toBe(BEGIN);
    expect(server.output.stdout.match(/Writes are refused until .*db\.json can be saved \(EACCES/g)).toHaveLength(1);
    chmodSync(folder, 0o755);
    const { status, body } = await post(server);
    expect(status).toBe(201);
    await printed(server, /Writes are accepted again\./);
    await untilSaved(folder, (data) => recordsOf(data, "notes").length === 2);
    await expectKept(server, [body]);
    // The file that could not be locked at the start is locked now.
    const second = runKept(["--port", "0"], folder);
    expect(await second.exit).toBe(1);
    expect(second.output.stderr).toContain(`in use by another standin (pid ${server.child.pid})`);
    expect(await server.stop()).toBe(0);
    expect(filesIn(folder)).toEqual(["db.json"]);
  });

  testAtLength("a stop is clean if nothing is unsaved, even after rejected writes", async () => {
    const folder = ordinaryFolder({ "db.json": BEGIN });
    chmodSync(folder, 0o555);
    const server = await serveSpecially({ folder, isOrdinary: true });
    expect((await post(server)).status).toBe(503);
    expect(await server.stop()).toBe(0);
    expect(server.output.stderr).toBe("");
    chmodSync(folder, 0o755);
  });

  test("or even read does not end a server that watches it", async () => {
    const folder = ordinaryFolder({ "db.json": BEGIN });
    const server = await serveSpecially({ folder, args: ["--watch"], isOrdinary: true });
    chmodSync(folder, 0o000);
    await printed(server, /Kept the current data: /);
    await expectKept(server, []);
    expect((await post(server)).status).toBe(503);
    chmodSync(folder, 0o755);
    expect((await post(server)).status).toBe(201);
    expect(await server.stop()).toBe(0);
    expect(recordsOf(dataIn(folder), "notes")).toHaveLength(2);
  });
});

describe.concurrent("a folder that is removed while it is served", () => {
  for (const [name, args, isInside] of [
    ["without --watch", [], false],
    ["with --watch, and it is the working folder, too", ["--watch"], true],
  ] as const) {
    const here = isInside ? testAtLength : test;
    here(`${name}: 503, reads go on; when it comes back, writes resume and the file is made again`, async () => {
      const parent = createFolder();
      const folder = join(parent, "data");
      mkdirSync(folder);
      writeFileSync(join(folder, "db.json"), BEGIN);
      const server = await serveSpecially({
        folder: isInside ? folder : parent,
        args: [isInside ? "db.json" : "data/db.json", ...args],
      });
      const first = (await post(server, "saved before")).body;
      await untilSaved(folder, (data) => recordsOf(data, "notes").length === 2);
      await removeBesideSaves(folder);
      expect(await post(server)).toEqual({ status: 503, body: UNAVAILABLE });
      await expectKept(server, [first]);
      mkdirSync(folder);
      const { status, body } = await post(server, "after");
      expect(status).toBe(201);
      await eventually(() => exists(join(folder, "db.json")));
      await untilSaved(folder, (data) => recordsOf(data, "notes").length === 3);
      await expectKept(server, [first, body]);
      expect(await server.stop()).toBe(0);
      expect(filesIn(folder)).toEqual(["db.json"]);
    });
  }

  testAtLength("with its data file restored by another program: with --watch that version is served", async () => {
    const parent = createFolder();
    const folder = join(parent, "data");
    mkdirSync(folder);
    writeFileSync(join(folder, "db.json"), BEGIN);
    const server = await serveSpecially({ folder, args: ["--watch"] });
    rmSync(folder, { recursive: true });
    await eventually(() => /Kept the current data|is gone/.test(server.output.stdout));
    mkdirSync(folder);
    writeFileSync(join(folder, "db.json"), asFile({ notes: [{ id: 5 }] }));
    await eventually(async () => recordsOf(await databaseAt(server.url), "notes")[0]?.id === 5);
    expect(await server.stop()).toBe(0);
  });
});

describe.concurrent("our own folder, removed while running", () => {
  test("is made again with the next write, and nothing is lost by it", async () => {
    const folder = createFolder({ "db.json": BEGIN });
    const server = await serveCli([], folder);
    const kept: unknown[] = [];
    for (let round = 0; round < 5; round++) {
      kept.push((await post(server, `a ${round}`)).body);
      await removeBesideSaves(join(folder, ".standin"));
      kept.push((await post(server, `b ${round}`)).body);
    }
    // Everything acknowledged after the removal is on the disk, whether saved or in the journal.
    await crash(server);
    const again = await serveKept([], folder);
    await expectKept(again, kept);
    await again.stop();
    expect(filesIn(folder)).toEqual(["db.json"]);
  });

  test("does not let a second server in once the first has written, nor the first once the second has the lock", async () => {
    const folder = createFolder({ "db.json": BEGIN });
    const first = await serveKept([], folder);
    rmSync(join(folder, ".standin"), { recursive: true });
    expect((await post(first)).status).toBe(201);
    const refused = runKept(["--port", "0"], folder);
    expect(await refused.exit).toBe(1);
    await untilSaved(folder, (data) => recordsOf(data, "notes").length === 2);

    rmSync(join(folder, ".standin"), { recursive: true });
    const second = await serveKept([], folder);
    const { status, body } = await post(first);
    expect(status).toBe(503);
    expect((body as { message: string }).message).toContain(`in use by another standin (pid ${second.child.pid})`);
    expect(await second.stop()).toBe(0);
    expect((await post(first)).status).toBe(201);
    expect(await first.stop()).toBe(0);
    expect(recordsOf(dataIn(folder), "notes")).toHaveLength(3);
  });
});

describe.concurrent("a file that cannot be replaced", () => {
  testAtLength(
    "because it is a single mounted file: it is overwritten in place, and nothing else is left",
    async (context) => {
      const folder = createFolder({ "db.json": "" });
      const elsewhere = createFolder({ "real.json": BEGIN });
      need(context, "the right to mount", bindMount(join(elsewhere, "real.json"), join(folder, "db.json")));
      const { ino } = statSync(join(folder, "db.json"));
      const server = await serveKept([], folder);
      const kept = [(await post(server, "long ".repeat(100))).body];
      // Who reads in the act of overwriting may see half of it: the one case in which a file is not whole at every moment.
      const untilHolds = (database: unknown) =>
        eventually(() => readFileSync(join(folder, "db.json"), "utf8") === asFile(database));
      await untilHolds({ notes: [{ id: 1 }, ...kept] });
      await ask(server.url, "DELETE", "/notes/1");
      await untilHolds({ notes: kept });
      expect(await server.stop()).toBe(0);
      expect(statSync(join(folder, "db.json")).ino).toBe(ino);
      expect(readFileSync(join(elsewhere, "real.json"), "utf8")).toBe(asFile({ notes: kept }));
      expect(filesIn(folder)).toEqual(["db.json"]);
    },
  );

  testAtLength("because it is a single mounted file: kill -9 during the overwrite loses nothing", async (context) => {
    const folder = createFolder({ "db.json": "" });
    const stock = Array.from({ length: 20_000 }, (_, index) => ({ id: index + 1, name: `stock ${index}` }));
    const elsewhere = createFolder({ "real.json": asFile({ stock, notes: [{ id: 1 }] }) });
    need(context, "the right to mount", bindMount(join(elsewhere, "real.json"), join(folder, "db.json")));
    const kept: unknown[] = [];
    for (let round = 0; round < 2; round++) {
      const server = await serveCli([], folder);
      await expectKept(server, kept);
      kept.push((await post(server, `round ${round}`)).body);
      const { mtimeMs } = statSync(join(folder, "db.json"));
      await eventually(() => statSync(join(folder, "db.json")).mtimeMs !== mtimeMs);
      await crash(server);
    }
    const server = await serveKept([], folder);
    await expectKept(server, kept);
    expect(recordsOf(await databaseAt(server.url), "stock")).toEqual(stock);
    expect(await server.stop()).toBe(0);
    expect(filesIn(folder)).toEqual(["db.json"]);
  });

  testAtLength(
    "and whose own disk is full: the complete copy stays until there is room, through a crash, too",
    async (context) => {
      const folder = createFolder({ "db.json": "" });
      const disk = createFolder();
      need(context, "the right to mount", mountSmallDisk(disk, 64));
      writeFileSync(join(disk, "real.json"), BEGIN);
      need(context, "the right to mount", bindMount(join(disk, "real.json"), join(folder, "db.json")));
      writeFileSync(join(disk, "ballast"), Buffer.alloc(48 * 1024));
      const args = ["--watch"];
      const server = await serveCli(args, folder);
      const { body } = await post(server, "x".repeat(30_000));
      await eventually(() => server.output.stdout.includes("cannot be written"));
      await expectKept(server, [body]);
      expect(matching(folder, /^\.db\.json\.\w+\.tmp$/)).not.toEqual([]);
      await crash(server);

      const refused = runKept(["--port", "0", ...args], folder);
      expect(await refused.exit).toBe(1);
      expect(refused.output.stderr).toMatch(/^standin: .*db\.json .*complete.*\.tmp.*\n$/);

      rmSync(join(disk, "ballast"));
      const again = await serveKept(args, folder);
      await expectKept(again, [body]);
      writeFileSync(join(disk, "ballast"), Buffer.alloc(20 * 1024));
      const more = (await post(again, "y".repeat(30_000))).body;
      await eventually(() => again.output.stdout.includes("cannot be written"));
      rmSync(join(disk, "ballast"));
      await eventually(() => again.output.stdout.includes("can be written again"));
      await expectKept(again, [body, more]);
      expect(await again.stop()).toBe(0);
      expect(filesIn(folder)).toEqual(["db.json"]);
    },
  );

  test("in a folder of files, and fails after another file was replaced: that one is not an outside change", async (context) => {
    const folder = createFolder({ "a.json": "[]", "b.json": "" });
    const disk = createFolder();
    need(context, "the right to mount", mountSmallDisk(disk, 64));
    writeFileSync(join(disk, "real.json"), "[]");
    need(context, "the right to mount", bindMount(join(disk, "real.json"), join(folder, "b.json")));
    const ballast = 56 * 1024;
    writeFileSync(join(disk, "ballast"), Buffer.alloc(ballast));
    const server = await serveKept([".", "--watch"], folder);
    const text = "x".repeat(20_000);
    expect((await ask(server.url, "POST", "/a", { text })).status).toBe(201);
    expect((await ask(server.url, "POST", "/b", { text })).status).toBe(201);
    await eventually(() => server.output.stdout.includes("cannot be written"));
    expect(readFileSync(join(folder, "a.json"), "utf8")).toBe(asFile([{ text, id: 1 }]));
    rmSync(join(disk, "ballast"));
    await eventually(() => server.output.stdout.includes("can be written again"));
    expect(server.output.stdout).not.toMatch(/Reloaded|outside/);
    expect(await databaseAt(server.url)).toEqual({ a: [{ text, id: 1 }], b: [{ text, id: 1 }] });
    expect(await server.stop()).toBe(0);
    expect(readFileSync(join(folder, "b.json"), "utf8")).toBe(asFile([{ text, id: 1 }]));
    expect(filesIn(folder)).toEqual(["a.json", "b.json"]);
  });

  testAtLength("because it belongs to another user in a shared folder: it is overwritten in place", async (context) => {
    need(context, "to be root", isRoot);
    const folder = createFolder({ "db.json": BEGIN });
    chmodSync(folder, 0o1777);
    chmodSync(join(folder, "db.json"), 0o666);
    const { ino, uid } = statSync(join(folder, "db.json"));
    const server = await serveSpecially({ folder, isOrdinary: true });
    const { body } = await post(server);
    expect(await server.stop()).toBe(0);
    const found = statSync(join(folder, "db.json"));
    expect([found.ino, found.uid]).toEqual([ino, uid]);
    expect(recordsOf(dataIn(folder), "notes")).toEqual([{ id: 1 }, body]);
    expect(filesIn(folder)).toEqual(["db.json"]);
  });
});

/** A save that is ending may put a file back between the removal of the files and that of their folder. */
async function removeBesideSaves(path: string): Promise<void> {
  await eventually(() => {
    try {
      rmSync(path, { recursive: true, force: true });
      return true;
    } catch {
      return false;
    }
  });
}

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { createFolder, serveCli } from "../support/cli.ts";
import { runKept, serveKept } from "../support/kept-process.ts";
import { testAtLength } from "../support/soak.ts";
import { ask } from "./client.ts";
import { create, databaseOf, opened } from "./opened.ts";
import { asFile, contentOf, crash, dataIn, eventually, filesIn, recordsOf } from "./place.ts";
import { exists, need } from "./spawned.ts";

const LOCK = ".standin/db.json.lock";
const BEGIN = asFile({ notes: [{ id: 1 }] });

function leaveLock(folder: string, content: unknown): void {
  mkdirSync(join(folder, ".standin"), { recursive: true });
  writeFileSync(join(folder, LOCK), typeof content === "string" ? content : JSON.stringify(content));
}

function holderOf(folder: string): { pid: number; startedAt: string; host: string } {
  return JSON.parse(readFileSync(join(folder, LOCK), "utf8"));
}

const idle: ChildProcess[] = [];

afterAll(() => {
  for (const child of idle) child.kill("SIGKILL");
});

/** A process that does nothing but live. */
function idleProcess(): ChildProcess {
  const child = spawn("sleep", ["600"]);
  idle.push(child);
  return child;
}

describe.concurrent("two servers on one data file", () => {
  test("the second refuses, names the first one's pid and what to do instead, and touches nothing", async () => {
    const folder = createFolder({ "db.json": BEGIN });
    symlinkSync("db.json", join(folder, "link.json"));
    const first = await serveKept([], folder);
    const { pid } = first.child;
    expect(holderOf(folder)).toEqual({ pid, startedAt: expect.any(String), host: hostname(), url: first.url });
    const before = contentOf(folder);
    for (const source of ["db.json", "link.json"]) {
      const second = runKept([source, "--port", "0"], folder);
      expect(await second.exit).toBe(1);
      expect(second.output.stderr).toBe(
        `standin: ${join(folder, "db.json")} is in use by another standin (pid ${first.child.pid}) at ${first.url}. ` +
          "Serve another file, or add --memory to serve a copy that is never written.\n",
      );
    }
    expect(contentOf(folder)).toEqual(before);
    expect((await ask(first.url, "POST", "/notes", {})).status).toBe(201);
    expect(await first.stop()).toBe(0);
    expect(filesIn(folder)).toEqual(["db.json", "link.json"]);
  });

  testAtLength("with --memory the second serves a copy, changes of the first included, and never writes", async () => {
    const folder = createFolder({ "db.json": BEGIN });
    const first = await serveKept([], folder);
    const copy = await serveKept(["--memory"], folder);
    expect(copy.output.stdout).toMatch(/Saved to {2}memory only \(--memory\); .*db\.json is never written/);
    expect((await ask(copy.url, "POST", "/notes", { text: "copy" })).status).toBe(201);
    expect((await ask(first.url, "POST", "/notes", { text: "first" })).status).toBe(201);
    expect(await copy.stop()).toBe(0);
    expect(filesIn(folder)).toContain(LOCK);
    expect(await first.stop()).toBe(0);
    expect(dataIn(folder)).toEqual({ notes: [{ id: 1 }, { text: "first", id: 2 }] });
  });

  test("a missing data file is not made anew under a server that lost it", async () => {
    const folder = createFolder({ "db.json": BEGIN });
    const first = await serveKept(["--watch"], folder);
    rmSync(join(folder, "db.json"));
    const second = runKept(["--port", "0"], folder);
    expect(await second.exit).toBe(1);
    expect(second.output.stderr).toContain(`in use by another standin (pid ${first.child.pid})`);
    expect(exists(join(folder, "db.json"))).toBe(false);
    await ask(first.url, "POST", "/notes", {});
    await first.stop();
    expect(recordsOf(dataIn(folder), "notes")).toHaveLength(2);
  });

  test("other files of the same folder are free", async () => {
    const folder = createFolder({ "db.json": BEGIN, "shop.json": BEGIN });
    const first = await serveKept([], folder);
    const second = await serveKept(["shop.json"], folder);
    expect(await first.stop()).toBe(0);
    expect(filesIn(join(folder, ".standin"))).toEqual([".gitignore", "shop.json.fingerprints", "shop.json.lock"]);
    expect(await second.stop()).toBe(0);
    expect(filesIn(folder)).toEqual(["db.json", "shop.json"]);
  });

  test("started at the same moment over the lock of a dead one: exactly one gets it", async () => {
    const folder = createFolder({ "db.json": BEGIN });
    leaveLock(folder, { pid: 2 ** 22 + 1, startedAt: "1", host: hostname() });
    const runs = Array.from({ length: 4 }, () => runKept(["--port", "0"], folder));
    const ended = new Set<number>();
    for (const [index, run] of runs.entries()) void run.exit.then(() => ended.add(index));
    await eventually(() => ended.size === 3);
    const [winner] = [0, 1, 2, 3].filter((index) => !ended.has(index));
    await eventually(() => runs[winner!]!.output.stdout.includes("serving at"));
    expect(holderOf(folder).pid).toBe(runs[winner!]!.child.pid);
    for (const index of ended) {
      expect(runs[index]!.output.stderr).toMatch(/^standin: .* is in use by another standin \(pid \d+\)/);
    }
    runs[winner!]!.child.kill("SIGTERM");
    expect(await runs[winner!]!.exit).toBe(0);
    expect(filesIn(folder)).toEqual(["db.json"]);
  });
});

describe.concurrent("a lock that no process holds any more is taken over", () => {
  test("its process was killed", async () => {
    const folder = createFolder({ "db.json": BEGIN });
    const first = await serveCli([], folder);
    await crash(first);
    expect(holderOf(folder).pid).toBe(first.child.pid);
    const second = await serveKept([], folder);
    expect(holderOf(folder).pid).toBe(second.child.pid);
    await second.stop();
    expect(filesIn(folder)).toEqual(["db.json"]);
  });

  const other = { startedAt: "1", host: hostname() };
  for (const [name, content] of [
    ["its process is dead", () => ({ ...other, pid: 2 ** 22 + 1 })],
    [
      "its pid is now that of another process, which began at another time",
      () => ({ ...other, pid: idleProcess().pid }),
    ],
    ["it has our own pid, as in a container that was started again", () => ({ ...other, pid: process.pid })],
    ["it has our own pid and another host", () => ({ ...other, pid: process.pid, host: "container-1" })],
    ["it is empty", () => ""],
    ["it is half written", () => '{"pid":12'],
    ["it is no lock", () => '{"hello":1}'],
    ["it is not even an object", () => "null"],
  ] as const) {
    test(name, async (context) => {
      need(context, "a system that tells when a process began (/proc)", exists("/proc/self/stat"));
      const folder = createFolder({ "db.json": BEGIN });
      leaveLock(folder, content());
      const { store } = await opened(folder);
      expect(holderOf(folder).pid).toBe(process.pid);
      await create(store, "notes", {});
      await store.close();
      expect(filesIn(folder)).toEqual(["db.json"]);
    });
  }

  test("its process has ended, but its parent has not waited for it yet", async (context) => {
    need(context, "a system that tells the state of a process (/proc)", exists("/proc/self/stat"));
    // The shell starts a child that ends later, and becomes a process that never asks for it.
    const parent = spawn("sh", ["-c", "sleep 1 & echo $!; exec sleep 60"], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    idle.push(parent);
    const [text] = (await once(parent.stdout, "data")) as [Buffer];
    const pid = Number(text.toString());
    const stat = await eventually(() => {
      const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]!.split(" ");
      return fields[0] === "Z" && fields;
    });
    const folder = createFolder({ "db.json": BEGIN });
    leaveLock(folder, { pid, startedAt: stat[19], host: hostname() });
    const { store } = await opened(folder);
    expect(await databaseOf(store)).toEqual(JSON.parse(BEGIN));
  });
});

describe.concurrent("a lock that a process may still hold is respected", () => {
  test("of a live process with that start time", async (context) => {
    need(context, "a system that tells when a process began (/proc)", exists("/proc/self/stat"));
    const { pid } = idleProcess();
    const startedAt = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]!.split(" ")[19];
    const folder = createFolder({ "db.json": BEGIN });
    leaveLock(folder, { pid, startedAt, host: hostname() });
    await expect(opened(folder)).rejects.toThrow(`is in use by another standin (pid ${pid})`);
    expect(holderOf(folder).pid).toBe(pid);
  });

  test("of a process on another machine, which we cannot ask", async () => {
    const folder = createFolder({ "db.json": BEGIN });
    leaveLock(folder, { pid: 2 ** 22 + 1, startedAt: "1", host: "elsewhere" });
    await expect(opened(folder)).rejects.toThrow(
      `(pid ${2 ** 22 + 1} on elsewhere; if that one is gone, remove ${join(folder, LOCK)})`,
    );
  });

  test("of this very process", async () => {
    const folder = createFolder({ "db.json": BEGIN });
    await opened(folder);
    await expect(opened(folder)).rejects.toThrow(`is in use by another standin (pid ${process.pid})`);
  });
});

test.concurrent("the port is bound before the file is locked: a start that fails for the port leaves nothing behind", async () => {
  const taken = await serveKept([], createFolder({ "db.json": BEGIN }));
  const folder = createFolder({ "shop.json": BEGIN });
  const run = runKept(["shop.json", "--port", new URL(taken.url).port], folder);
  expect(await run.exit).toBe(1);
  expect(run.output.stderr).toMatch(/^standin: EADDRINUSE: .*\n$/);
  expect(contentOf(folder)).toEqual({ "shop.json": BEGIN });
  await taken.stop();
});

test.concurrent("generate refuses while a live server holds the file, unless it is forced", async () => {
  const folder = createFolder({ "db.json": BEGIN });
  symlinkSync("db.json", join(folder, "link.json"));
  const server = await serveCli([], folder);
  for (const file of ["db.json", "link.json"]) {
    const refused = runKept(["generate", file], folder);
    expect(await refused.exit).toBe(1);
    expect(refused.output.stderr).toBe(
      `standin: ${file} is in use by a running standin (pid ${server.child.pid}). Stop it first, or add --force.\n`,
    );
  }
  expect(dataIn(folder)).toEqual(JSON.parse(BEGIN));
  const other = runKept(["generate", "other.json", "--products", "1", "--companies", "1"], folder);
  expect(await other.exit).toBe(0);
  const forced = runKept(["generate", "--force", "--overwrite", "--products", "1", "--companies", "1"], folder);
  expect(await forced.exit).toBe(0);
  expect(recordsOf(dataIn(folder), "products")).toHaveLength(1);
  await crash(server);
  const afterwards = runKept(["generate", "--products", "2", "--companies", "1"], folder);
  expect(await afterwards.exit).toBe(0);
  expect(recordsOf(dataIn(folder), "products")).toHaveLength(2);
});

test.concurrent("our own folder tells git to look away, also where it was left without that", async () => {
  const folder = createFolder({ "db.json": BEGIN });
  mkdirSync(join(folder, ".standin"));
  const { store } = await opened(folder);
  expect(readFileSync(join(folder, ".standin/.gitignore"), "utf8")).toBe("*\n");
  await store.close();
  expect(filesIn(folder)).toEqual(["db.json"]);
});

test.concurrent("our own folder stays if it contains other files", async () => {
  const folder = createFolder({ "db.json": BEGIN });
  mkdirSync(join(folder, ".standin"));
  writeFileSync(join(folder, ".standin/certificate.pem"), "theirs");
  await (await opened(folder)).store.close();
  expect(filesIn(folder)).toEqual([".standin", ".standin/.gitignore", ".standin/certificate.pem", "db.json"]);
});

import { chmodSync, chownSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ask } from "../durability/client.ts";
import { crashedFolder, JOURNAL, journalIn, leaveJournal } from "../durability/journal-file.ts";
import { asFile, contentOf, databaseAt, eventually, matching } from "../durability/place.ts";
import { bindReadOnly, need, ordinaryFolder, serveSpecially } from "../durability/spawned.ts";
import { createFolder } from "../support/cli.ts";
import { runKept } from "../support/kept-process.ts";

const BEGIN = asFile({ notes: [{ id: 1 }] });
const DEAD = JSON.stringify({ pid: 2 ** 22 + 1, startedAt: "1", host: hostname() });

function leaveLock(folder: string): void {
  mkdirSync(join(folder, ".standin"), { recursive: true });
  writeFileSync(join(folder, ".standin/db.json.lock"), DEAD);
}

/** Only root may write there. */
function close(folder: string): void {
  for (const path of [join(folder, ".standin"), folder]) chmodSync(path, 0o555);
}

function open(folder: string): void {
  for (const path of [join(folder, ".standin"), folder]) chmodSync(path, 0o777);
}

test("in a folder of another user: it starts, reads work, writes are 503 until the folder can be written", async () => {
  const folder = ordinaryFolder({ "db.json": BEGIN });
  leaveLock(folder);
  close(folder);
  const server = await serveSpecially({ folder, isOrdinary: true });
  expect(server.output.stdout).toMatch(
    /The folder of .*db\.json cannot be written .*; writes are refused until it can/,
  );
  expect(await databaseAt(server.url)).toEqual(JSON.parse(BEGIN));
  expect((await ask(server.url, "POST", "/notes", {})).status).toBe(503);
  expect(readFileSync(join(folder, ".standin/db.json.lock"), "utf8")).toBe(DEAD);
  open(folder);
  expect((await ask(server.url, "POST", "/notes", {})).status).toBe(201);
  expect(await server.stop()).toBe(0);
  expect(contentOf(folder)).toEqual({ "db.json": asFile({ notes: [{ id: 1 }, { id: 2 }] }) });
});

test("on a read-only mount: it starts, and reads work", async (context) => {
  const original = createFolder({ "db.json": BEGIN });
  leaveLock(original);
  const folder = createFolder();
  need(context, "the right to mount", bindReadOnly(original, folder));
  const server = await serveSpecially({ folder });
  expect(await databaseAt(server.url)).toEqual(JSON.parse(BEGIN));
  expect((await ask(server.url, "POST", "/notes", {})).status).toBe(503);
  expect(await server.stop()).toBe(0);
  expect(contentOf(original)).toEqual({ "db.json": BEGIN, ".standin/db.json.lock": DEAD });
});

const ADDED = { v: 2, edits: [["+", "notes", { id: 2 }]] } as const;

test("with that process's journal: its changes are served, and saved once the folder can be written", async () => {
  const folder = crashedFolder({ notes: [{ id: 1 }] }, [ADDED]);
  leaveLock(folder);
  ordinary(folder);
  close(folder);
  const server = await serveSpecially({ folder, isOrdinary: true });
  expect(await databaseAt(server.url)).toEqual({ notes: [{ id: 1 }, { id: 2 }] });
  expect(server.output.stdout).toContain("Recovered from the journal: 1 change");
  open(folder);
  await eventually(() => !existsSync(join(folder, JOURNAL)));
  expect(await server.stop()).toBe(0);
  expect(contentOf(folder)).toEqual({ "db.json": asFile({ notes: [{ id: 1 }, { id: 2 }] }) });
});

test("with a journal that fits no longer: that is set aside before the first write makes another one", async () => {
  const folder = crashedFolder({ notes: [{ id: 1 }] }, [ADDED]);
  const left = `${journalIn(folder)}damage\n${journalIn(folder)}`;
  leaveJournal(folder, left);
  leaveLock(folder);
  ordinary(folder);
  close(folder);
  const server = await serveSpecially({ folder, isOrdinary: true });
  expect(server.output.stdout).toContain("The journal is damaged");
  open(folder);
  expect((await ask(server.url, "POST", "/notes", {})).status).toBe(201);
  expect(await server.stop()).toBe(0);
  expect(matching(folder, /\.aside$/).map((file) => readFileSync(file, "utf8"))).toEqual([left]);
  expect(server.output.stdout).toContain("The journal of an earlier process is kept as");
});

test("a lock that cannot be read or is none at all stops the start, and says what to do", async () => {
  const folder = createFolder({ "db.json": BEGIN });
  mkdirSync(join(folder, ".standin/db.json.lock"), { recursive: true });
  const run = runKept(["--port", "0"], folder);
  expect(await run.exit).toBe(1);
  expect(run.output.stderr).toMatch(
    /^standin: .*db\.json may be in use: its lock .* cannot be read \(.*\)\. Remove it if/,
  );
});

function ordinary(folder: string): void {
  if (process.getuid?.() !== 0) return;
  for (const name of ["", "db.json", ".standin", JOURNAL, ".standin/db.json.lock"]) {
    chownSync(join(folder, name), 65_534, 65_534);
  }
}

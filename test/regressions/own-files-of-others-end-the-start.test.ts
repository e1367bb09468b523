import { chmodSync, chownSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { encodeLine } from "../../src/store/file/journal/journal-format.ts";
import { ask } from "../durability/client.ts";
import { asFile } from "../durability/place.ts";
import { isRoot, need, ordinaryFolder, serveSpecially } from "../durability/spawned.ts";
import { createFolder } from "../support/cli.ts";
import { addressOf, runKept, serveKept } from "../support/kept-process.ts";

const OWN = ".standin/db.json";
const MENDED = "(mended by: One engine, one log)";
const DATA = { items: [{ id: 1, n: 0 }] };

/** What a start says, and what it serves then; ended before this resolves. */
async function start(folder: string, path = "/items/1", args: readonly string[] = []) {
  const run = runKept(["--port", "0", ...args], folder);
  const url = await addressOf(run).catch(() => undefined);
  const response = url === undefined ? undefined : await ask(url, "GET", path);
  if (url !== undefined) run.child.kill("SIGTERM");
  await run.exit;
  return { said: run.output.stdout + run.output.stderr, response };
}

/** The words that name a file of ours, tell what is wrong with it, and what to do or what was done. */
function expectWords(said: string, kind: string): void {
  expect(said).toMatch(new RegExp(`${OWN.replace(".", "\\.")}\\.${kind}`));
  expect(said).toMatch(/remove|move it|kept as|chown|owner/i);
  expect(said).not.toMatch(/\n\s+at |TypeError|EISDIR|EACCES/);
}

/** A folder in which a server has ended after it changed a record three times. */
async function folderWithHistory(): Promise<string> {
  const folder = createFolder({ "db.json": asFile(DATA) });
  const { url, stop } = await serveKept([], folder);
  for (const n of [1, 2, 3]) expect((await ask(url, "PATCH", "/items/1", { n })).status).toBe(200);
  await stop();
  return folder;
}

/** Puts other lines in place of those of the history that have edits. */
function replaceVersions(folder: string, replace: (line: string, position: number) => string): void {
  const path = join(folder, `${OWN}.history`);
  let position = 0;
  const lines = readFileSync(path, "utf8").split(/(?<=\n)/);
  writeFileSync(path, lines.map((line) => (line.includes('"edits"') ? replace(line, position++) : line)).join(""));
  expect(position).toBe(3);
}

it.fails(`a history that another user has made is named ${MENDED}`, async (context) => {
  need(context, "root, to become another user", isRoot);
  const folder = ordinaryFolder({ "db.json": asFile(DATA), [`${OWN}.history`]: "" });
  chownSync(join(folder, `${OWN}.history`), 0, 0);
  chmodSync(join(folder, `${OWN}.history`), 0o600);
  const said = await serveSpecially({ folder, isOrdinary: true }).then(
    async ({ output, stop }) => {
      await stop();
      return output.stdout + output.stderr;
    },
    ({ message }: Error) => message,
  );
  expectWords(said, "history");
});

it.fails(`a line of the history that is not understood is named ${MENDED}`, async () => {
  const folder = await folderWithHistory();
  replaceVersions(folder, (line, position) => {
    const { v, t } = JSON.parse(line.slice(9)) as { v: number; t: number };
    return position === 2 ? encodeLine(JSON.stringify({ v, t, by: "program", moved: [] })) : line;
  });
  expectWords((await start(folder)).said, "history");
});

for (const kind of ["history", "receipts"]) {
  it.fails(`${kind} that is a folder is named ${MENDED}`, async () => {
    const folder = createFolder({ "db.json": asFile(DATA) });
    mkdirSync(join(folder, `${OWN}.${kind}`), { recursive: true });
    expectWords((await start(folder)).said, kind);
  });
}

it.fails(`versions before a line that is missing in the history are gone, and that is said ${MENDED}`, async () => {
  const folder = await folderWithHistory();
  let version = 0;
  replaceVersions(folder, (line, position) => {
    if (position === 0) version = (JSON.parse(line.slice(9)) as { v: number }).v;
    return position === 1 ? "" : line;
  });
  const { said, response } = await start(folder, `/items/1?_at=${version}`);
  expect(response).toMatchObject({ status: 410, body: { code: "HISTORY_GONE" } });
  expectWords(said, "history");
});

it.fails(`a file of jobs that was emptied is named ${MENDED}`, async () => {
  const hook = { name: "pay", on: "items.changed", to: "http://127.0.0.1:1/", after: "1h" };
  const folder = createFolder({ "db.json": asFile(DATA), "standin.json": { hooks: [hook] } });
  const { url, stop } = await serveKept([], folder);
  expect((await ask(url, "PATCH", "/items/1", { n: 1 })).status).toBe(200);
  expect((await ask(url, "GET", "/__jobs")).body).toMatchObject({ jobs: [{}] });
  await stop();
  rmSync(join(folder, `${OWN}.jobs`));
  writeFileSync(join(folder, `${OWN}.jobs`), "");
  expectWords((await start(folder)).said, "jobs");
});

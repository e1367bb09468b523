import { cpSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, test } from "vitest";
import { createFolder } from "../support/cli.ts";
import { JOURNAL, journalText, leaveJournal } from "./journal-file.ts";
import { create, databaseOf, opened } from "./opened.ts";
import { asFile, matching } from "./place.ts";

const BROKEN = '{ "a": [';

/** The data that a start saves beside a broken file. */
async function savedBeside(folder: string): Promise<unknown> {
  await expect(opened(folder)).rejects.toThrow("not valid JSON");
  const [copy] = matching(folder, /\.unsaved-\d+\.json$/);
  return JSON.parse(readFileSync(copy as string, "utf8"));
}

test("beside a broken file, all data reaches the journal in many turns, before the first write is acknowledged", async () => {
  const a = Array.from({ length: 30_000 }, (_, at) => ({ id: at + 1, text: "x".repeat(500) }));
  const folder = createFolder({ "db.json": JSON.stringify({ a, b: [] }) });
  const { store } = await opened(folder, { followsOutside: true });
  writeFileSync(join(folder, "db.json"), BROKEN);
  await expect(store.reload()).rejects.toThrow("not valid JSON");
  let isDone = false;
  const writing = Promise.all([create(store, "b", { n: 1 }), create(store, "b", { n: 2 })]).then(() => {
    isDone = true;
  });
  let turns = 0;
  for (; !existsSync(join(folder, JOURNAL)); turns++) {
    expect(isDone).toBe(false);
    expect(await store.get("b", "1")).toBeUndefined();
    await nextTurn();
  }
  expect(turns).toBeGreaterThan(3);
  await writing;
  const killed = createFolder({});
  cpSync(join(folder, JOURNAL), join(killed, JOURNAL));
  writeFileSync(join(killed, "db.json"), BROKEN);
  const all = await databaseOf(store);
  expect(all.b).toEqual([
    { n: 1, id: 1 },
    { n: 2, id: 2 },
  ]);
  expect(await savedBeside(killed)).toEqual(all);
});

test.each([
  ["before and after it", 1, [{ id: 1 }, { id: 2 }, { id: 3 }]],
  ["that it has, and after it", 2, [{ id: 1 }, { id: 3 }]],
])("changes in the journal %s follow all data", async (_name, v, expected) => {
  const folder = createFolder({ "db.json": BROKEN });
  leaveJournal(
    folder,
    journalText({ "db.json": asFile({ a: [] }) }, [
      { v: 2, edits: [["+", "a", { id: 2 }]] },
      { v, whole: { a: [{ id: 1 }] } },
      { v: 3, edits: [["+", "a", { id: 3 }]] },
    ]),
  );
  expect(await savedBeside(folder)).toEqual({ a: expected });
});

test("all data from before the last save is of no use without the lines that it dropped", async () => {
  const folder = createFolder({ "db.json": BROKEN });
  const lines = [{ v: 1, whole: { a: [{ id: 1 }] } }];
  leaveJournal(folder, journalText({ "db.json": asFile({ a: [] }) }, lines, 4));
  await expect(opened(folder)).rejects.toThrow("not valid JSON");
  expect(matching(folder, /\.unsaved-\d+\.json$/)).toEqual([]);
});

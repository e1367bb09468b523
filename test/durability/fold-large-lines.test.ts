import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { decodeJournal, encodeLine } from "../../src/store/file/journal/journal-format.ts";
import { JournalWriter } from "../../src/store/file/journal/journal-writer.ts";
import { createFolder } from "../support/cli.ts";
import { JOURNAL } from "./journal-file.ts";

const line = (v: number, value: string): string => encodeLine(JSON.stringify({ v, edits: [["+", "a", { value }]] }));
const LARGE = "größer ".repeat(100_000);

for (const toDisk of [false, true]) {
  test(`folding keeps large lines and those that arrive meanwhile, ${toDisk ? "on the disk" : "in the file"}`, async () => {
    const folder = createFolder({ "db.json": {} });
    const base = { v: 1, hashes: { "db.json": "x" } };
    const journal = new JournalWriter({ source: join(folder, "db.json"), toDisk, onCreate: () => {}, base });
    const read = () => decodeJournal(readFileSync(join(folder, JOURNAL)));
    const undo = (): void => expect.fail("no line is refused");
    try {
      await journal.append({ version: 2, text: line(2, "folded") }, undo);
      await journal.append({ version: 3, text: line(3, LARGE) }, undo);
      const folding = journal.fold({ v: 2, hashes: { "db.json": "y" } });
      const later = [
        journal.append({ version: 4, text: line(4, "later") }, undo),
        journal.append({ version: 5, text: line(5, LARGE) }, undo),
      ];
      await Promise.all([folding, ...later]);
      expect(read()).toMatchObject({ end: "whole", header: { v: 2, base: { "db.json": "y" } } });
      expect(read()!.lines.map(({ v }) => v)).toEqual([3, 4, 5]);
      await journal.append({ version: 6, text: line(6, "last") }, undo);
      expect(read()!.texts).toEqual([line(3, LARGE), line(4, "later"), line(5, LARGE), line(6, "last")]);
    } finally {
      journal.close();
    }
  });
}

test("a journal that is being replaced takes no line at once", async () => {
  const folder = createFolder({ "db.json": {} });
  const base = { v: 1, hashes: { "db.json": "x" } };
  let isCreated = (): void => {};
  const created = new Promise<void>((resolve) => {
    isCreated = resolve;
  });
  let files = 0;
  const onCreate = (): void => void (++files === 2 && isCreated());
  const journal = new JournalWriter({ source: join(folder, "db.json"), toDisk: false, onCreate, base });
  try {
    await journal.append({ version: 2, text: line(2, LARGE) }, () => {});
    const folding = journal.fold(base);
    await created;
    const later = journal.append({ version: 3, text: line(3, "later") }, () => {});
    expect(journal.appendNow()).toBe(false);
    await Promise.all([folding, later]);
    expect(decodeJournal(readFileSync(join(folder, JOURNAL)))!.lines.map(({ v }) => v)).toEqual([2, 3]);
  } finally {
    journal.close();
  }
});

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { JournalLine } from "../../src/store/file/journal/journal-format.ts";
import { singleFile } from "../../src/store/file/layout.ts";
import { openFilesNow } from "../../src/store/file/open-files.ts";
import { ask } from "../durability/client.ts";
import { crashedFolder, hashOf, journalIn, leaveJournal } from "../durability/journal-file.ts";
import { create, databaseOf, opened } from "../durability/opened.ts";
import { asFile, contentOf, crash, databaseAt, matching } from "../durability/place.ts";
import { serveSpecially } from "../durability/spawned.ts";
import { createFolder } from "../support/cli.ts";

const BEGIN = { notes: [{ id: 1 }] };

function added(v: number): JournalLine {
  return { v, edits: [["+", "notes", { id: v }]] };
}

function notesUpTo(last: number): unknown {
  return { notes: Array.from({ length: last }, (_, index) => ({ id: index + 1 })) };
}

const folded = (v: number): JournalLine => ({ v, folded: { "db.json": hashOf(asFile({ notes: [`saved ${v}`] })) } });

for (const [what, lines, last] of [
  ["a line that is there twice", [added(2), added(3), added(3), added(4)], 3],
  ["a first line that is there twice", [added(2), added(2)], 2],
  ["a missing line", [added(2), added(4), added(5)], 2],
  ["a missing first line", [added(3), added(4)], 1],
  ["lines in another order", [added(2), added(4), added(3)], 2],
  ["a line that is missing before a note on it", [added(2), folded(3)], 2],
  ["a gap that begins elsewhere", [added(2), { v: 5, since: 3 }, added(6)], 2],
  ["a gap that is there twice", [added(2), { v: 4, since: 2 }, { v: 4, since: 2 }, added(5)], 2],
] as const satisfies readonly (readonly [string, readonly JournalLine[], number])[]) {
  test(`${what} is damage: what is before it is there, the journal is kept, and it is said`, async () => {
    const folder = crashedFolder(BEGIN, lines);
    const left = journalIn(folder);
    const { store, warnings } = await opened(folder);
    expect(await databaseOf(store)).toEqual(notesUpTo(last));
    const [aside, ...more] = matching(folder, /\.aside$/);
    expect(more).toEqual([]);
    expect(readFileSync(aside!)).toEqual(left);
    expect(warnings.join("\n")).toContain(
      `The journal is damaged; changes after the damage could not be recovered. It is kept as ${aside}.`,
    );
    await store.close();
    expect(JSON.parse(contentOf(folder)["db.json"]!)).toEqual(notesUpTo(last));
  });
}

test("a second header is damage, too", async () => {
  const folder = crashedFolder(BEGIN, [added(2)]);
  const text = journalIn(folder).toString();
  leaveJournal(folder, text + text);
  const { store, warnings } = await opened(folder);
  expect(await databaseOf(store)).toEqual(notesUpTo(2));
  expect(warnings.join("\n")).toContain("The journal is damaged");
});

test("a journal that is resumed, and crashes again before it is saved, has no gap that looks like damage", async () => {
  const folder = crashedFolder(BEGIN, [added(2), folded(2), added(3)]);
  const { store } = await opened(folder);
  await create(store, "notes", {});
  const image = createFolder({ "db.json": asFile(BEGIN) });
  leaveJournal(image, journalIn(folder));
  const { store: again, warnings } = await opened(image);
  expect(await databaseOf(again)).toEqual(notesUpTo(4));
  expect(warnings.join("\n")).not.toContain("damaged");
});

test("writes that the disk refused leave no gap that looks like damage", async () => {
  const folder = createFolder({ "db.json": asFile({ notes: [] }) });
  // In 512-byte blocks.
  const server = await serveSpecially({ folder, before: "ulimit -S -f 4" });
  const kept: unknown[] = [];
  let refused = 0;
  for (let n = 0; n < 40; n++) {
    const { status, body } = await ask(server.url, "POST", "/notes", { n, text: "x".repeat(n % 2 === 0 ? 20 : 1200) });
    if (status === 201) kept.push(body);
    else refused++;
  }
  expect(refused).toBeGreaterThan(0);
  await crash(server);
  const again = await serveSpecially({ folder });
  expect(await databaseAt(again.url)).toEqual({ notes: kept });
  expect(again.output.stdout).not.toContain("damaged");
  await again.stop();
});

test("data that were loaded anew in one turn, as programs do, leave no gap that looks like damage", async () => {
  const folder = createFolder({ "db.json": asFile(BEGIN) });
  const options = { idKey: "id", durability: "process", followsOutside: false, warn: () => {} } as const;
  const { store, files } = openFilesNow(singleFile(join(folder, "db.json")), options);
  writeFileSync(join(folder, "db.json"), asFile(notesUpTo(3)));
  expect(files.reloadNow()).toBe(true);
  await create(store, "notes", {});
  const image = createFolder({ "db.json": asFile(notesUpTo(3)) });
  leaveJournal(image, journalIn(folder));
  const { store: again, warnings } = await opened(image);
  expect(await databaseOf(again)).toEqual(notesUpTo(4));
  expect(warnings.join("\n")).not.toContain("damaged");
  await store.close();
});

import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { JournalLine } from "../../src/store/file/journal/journal-format.ts";
import { createFolder, serveCli } from "../support/cli.ts";
import { runKept, serveKept } from "../support/kept-process.ts";
import { ask } from "./client.ts";
import { crashedFolder, hashOf, JOURNAL, journalIn, journalText, leaveJournal } from "./journal-file.ts";
import { databaseOf, opened } from "./opened.ts";
import { asFile, contentOf, crash, databaseAt, dataIn, filesIn, matching } from "./place.ts";

const BEFORE = { notes: [{ id: 1 }] };
const AFTER = { notes: [{ id: 1 }, { id: 2 }] };
const ADD: JournalLine = { v: 2, edits: [["+", "notes", { id: 2 }]] };
const NOTE: JournalLine = { v: 2, folded: { "db.json": hashOf(asFile(AFTER)) } };

function laterJournal(line: object): string {
  return journalText({ "db.json": asFile(BEFORE) }, [line as JournalLine]);
}

describe("a start after a crash", () => {
  test("recovers what only the journal has, says so, and a clean stop leaves only the data file", async () => {
    const folder = crashedFolder(BEFORE, [ADD]);
    const server = await serveKept([], folder);
    expect(await databaseAt(server.url)).toEqual(AFTER);
    expect(server.output.stdout).toContain("Recovered from the journal: 1 change that an earlier process had");
    await server.stop();
    expect(contentOf(folder)).toEqual({ "db.json": asFile(AFTER) });
  });

  test("sets the journal aside when the file was edited after the crash, says where, and serves the edited file", async () => {
    const folder = createFolder({ "db.json": asFile(BEFORE) });
    const server = await serveCli([], folder);
    await ask(server.url, "POST", "/notes", { text: "acknowledged" });
    await crash(server);
    // A slow machine may have saved before the crash; then there is nothing to set aside yet.
    if (!existsSync(join(folder, JOURNAL))) {
      leaveJournal(folder, journalText({ "db.json": asFile(dataIn(folder)) }, [ADD]));
    }
    const left = journalIn(folder);
    const edited = { notes: [{ id: 1, by: "hand" }] };
    writeFileSync(join(folder, "db.json"), asFile(edited));
    const again = await serveKept([], folder);
    expect(await databaseAt(again.url)).toEqual(edited);
    const [aside, ...more] = matching(folder, /\.aside$/);
    expect(more).toEqual([]);
    expect(again.output.stdout).toContain(
      `A journal of unsaved changes was found, but the data file was changed after it was written. It is kept as ${aside}.`,
    );
    await ask(again.url, "POST", "/notes", {});
    await again.stop();
    expect(readFileSync(aside!)).toEqual(left);
    expect(dataIn(folder)).toEqual({ notes: [...edited.notes, { id: 2 }] });
    expect(filesIn(join(folder, ".standin"))).toEqual([
      ".gitignore",
      aside!.slice(folder.length + ".standin/".length + 1),
    ]);
  });

  test("gives every journal that it sets aside a unique name", async () => {
    const folder = createFolder({ "db.json": asFile(BEFORE) });
    for (let crashes = 1; crashes <= 4; crashes++) {
      leaveJournal(folder, `journal of crash ${crashes}\n`);
      const { store } = await opened(folder);
      await store.close();
    }
    const kept = matching(folder, /\.aside$/).map((file) => readFileSync(file, "utf8"));
    expect(kept.sort()).toEqual([1, 2, 3, 4].map((crashes) => `journal of crash ${crashes}\n`));
  });

  for (const [what, text] of [
    ["empty", ""],
    ["without a sound header", `0${journalText({ "db.json": asFile(BEFORE) }, [ADD])}`],
    // Of a later version: what is not understood must not be taken for something else.
    ["with an unknown kind of edit", laterJournal({ v: 2, edits: [["^", "notes", 0, { id: 2 }]] })],
    ["with an unknown kind of edit of a member", laterJournal({ v: 2, members: [["^", "notes", "texts"]] })],
    ["with an unknown kind of line", laterJournal({ v: 2, moved: ["notes", 0, 1] })],
  ] as const) {
    test(`sets a journal aside that is ${what}, and serves the file`, async () => {
      const folder = crashedFolder(BEFORE, [ADD]);
      leaveJournal(folder, text);
      const { store, warnings } = await opened(folder);
      expect(await databaseOf(store)).toEqual(BEFORE);
      const [aside] = matching(folder, /\.aside$/);
      expect(readFileSync(aside!, "utf8")).toBe(text);
      expect(warnings).toEqual([
        `A journal of unsaved changes was found, but it cannot be read. It is kept as ${aside}.`,
      ]);
    });
  }

  test("between the note and the rename: the journal is applied", async () => {
    const folder = crashedFolder(BEFORE, [ADD, NOTE]);
    const { store } = await opened(folder);
    expect(await databaseOf(store)).toEqual(AFTER);
  });

  test("between the rename and the fold: nothing is applied twice, and the new file is not taken for an edit", async () => {
    const folder = crashedFolder(BEFORE, [ADD, NOTE]);
    writeFileSync(join(folder, "db.json"), asFile(AFTER));
    const { store, warnings } = await opened(folder);
    expect(await databaseOf(store)).toEqual(AFTER);
    expect(warnings).toEqual([]);
    await store.close();
    expect(contentOf(folder)).toEqual({ "db.json": asFile(AFTER) });
  });

  test("takes away what was half made: temporary files of this data file, not those of a neighbour", async () => {
    const folder = crashedFolder(BEFORE, [ADD]);
    const neighbours = [".shop.json.0123456789ab.tmp", ".db.json.swp", ".db.json.tmp", "db.json.0123456789ab.tmp"];
    for (const name of [".db.json.0123456789ab.tmp", ".standin/db.json.journal.tmp", ...neighbours]) {
      writeFileSync(join(folder, name), "half");
    }
    const { store } = await opened(folder);
    await store.close();
    expect(filesIn(folder)).toEqual([...neighbours, "db.json"].sort());
  });

  test("takes away half a version of what an outside change replaced: a journal that was set aside has it", async () => {
    const names = [
      ".db.unsaved-1763180000000.json.0123456789ab.tmp",
      ".shop.unsaved-1763180000000.json.0123456789ab.tmp",
    ];
    const folder = createFolder({
      "db.json": asFile(BEFORE),
      ...Object.fromEntries(names.map((name) => [name, "half"])),
    });
    await (await opened(folder)).store.close();
    expect(filesIn(folder)).toEqual([names[1], "db.json"]);
  });

  test("takes away a journal that was never finished, so that nothing of ours is left after a clean stop", async () => {
    const folder = createFolder({ "db.json": asFile(BEFORE) });
    leaveJournal(folder, "half", ".standin/db.json.journal.tmp");
    await (await opened(folder)).store.close();
    expect(filesIn(folder)).toEqual(["db.json"]);
  });

  test("takes away a journal that was begun but holds nothing, or only half an entry", async () => {
    for (const text of [
      journalText({ "db.json": asFile(BEFORE) }, []),
      `${journalText({ "db.json": asFile(BEFORE) }, [])}12`,
    ]) {
      const folder = crashedFolder(BEFORE, []);
      leaveJournal(folder, text);
      await (await opened(folder)).store.close();
      expect(contentOf(folder)).toEqual({ "db.json": asFile(BEFORE) });
    }
  });

  test("with a data file that is not JSON: the start fails, and the journal stays where it is", async () => {
    const folder = crashedFolder(BEFORE, [ADD]);
    writeFileSync(join(folder, "db.json"), "{ broken");
    const before = contentOf(folder);
    const run = runKept(["--port", "0"], folder);
    expect(await run.exit).toBe(1);
    expect(run.output.stderr).toMatch(/^standin: db\.json is not valid JSON: line 1, column 3: .*\n$/);
    expect(contentOf(folder)).toEqual({ ...before, ".standin/.gitignore": "*\n" });
  });

  test("without the data file: a new one is made, and the journal is set aside", async () => {
    const folder = crashedFolder(BEFORE, [ADD]);
    const left = journalIn(folder);
    rmSync(join(folder, "db.json"));
    const server = await serveKept([], folder);
    await server.stop();
    expect(matching(folder, /\.aside$/).map((file) => readFileSync(file))).toEqual([left]);
  });
});

describe("an overwrite in place that a crash cut off", () => {
  const copy = ".db.json.0123456789ab.tmp";
  const inPlace: JournalLine = { v: 2, folded: { "db.json": hashOf(asFile(AFTER)) }, inPlace: copy };
  const later: JournalLine = { v: 3, edits: [["+", "notes", { id: 3 }]] };

  function folderWith(file: string, isCopied = true): string {
    const folder = crashedFolder(BEFORE, [ADD, NOTE, inPlace, later]);
    writeFileSync(join(folder, "db.json"), file);
    if (isCopied) writeFileSync(join(folder, copy), asFile(AFTER));
    return folder;
  }
  const complete = { notes: [{ id: 1 }, { id: 2 }, { id: 3 }] };

  test("is finished from the complete copy beside it", async () => {
    const folder = folderWith(asFile(AFTER).slice(0, 20) + asFile(BEFORE).slice(20, 25));
    const { store, warnings } = await opened(folder);
    expect(await databaseOf(store)).toEqual(complete);
    expect(warnings.join()).not.toContain("outside");
    await store.close();
    expect(contentOf(folder)).toEqual({ "db.json": asFile(complete) });
  });

  test("needs nothing when it had not begun, or was done", async () => {
    for (const file of [asFile(BEFORE), asFile(AFTER)]) {
      const folder = folderWith(file);
      const { store } = await opened(folder);
      expect(await databaseOf(store)).toEqual(complete);
      await store.close();
      expect(contentOf(folder)).toEqual({ "db.json": asFile(complete) });
    }
  });

  test("does not lose a file that was put there by hand since: that is kept next to it", async () => {
    const byHand = asFile({ notes: [{ id: 1, by: "hand" }] });
    const folder = folderWith(byHand);
    const { store, warnings } = await opened(folder);
    expect(await databaseOf(store)).toEqual(complete);
    const [kept] = matching(folder, /^db\.outside-\d+\.json$/);
    expect(readFileSync(kept!, "utf8")).toBe(byHand);
    expect(warnings.join("\n")).toContain(kept);
  });

  test("without its copy: the journal is set aside or the start refuses, and nothing is deleted", async () => {
    const folder = folderWith(asFile(AFTER).slice(0, 20), false);
    const before = contentOf(folder);
    await expect(opened(folder)).rejects.toThrow("is not valid JSON");
    expect(contentOf(folder)).toEqual({ ...before, ".standin/.gitignore": "*\n" });
  });

  test("goes by the latest copy that is complete", async () => {
    const folder = folderWith("torn");
    writeFileSync(join(folder, ".db.json.ffffffffffff.tmp"), asFile(AFTER).slice(0, 10));
    const half: JournalLine = {
      v: 3,
      folded: { "db.json": hashOf(asFile(complete)) },
      inPlace: ".db.json.ffffffffffff.tmp",
    };
    leaveJournal(folder, journalText({ "db.json": asFile(BEFORE) }, [ADD, inPlace, later, half]));
    const { store } = await opened(folder);
    expect(await databaseOf(store)).toEqual(complete);
  });
});

describe("a folder of files after a crash in the middle of a checkpoint", () => {
  const old = { "a.json": asFile([{ id: 1 }]), "b.json": asFile([{ id: 1 }]), "c.json": asFile({ n: 0 }) };
  const fresh = { "a.json": asFile([{ id: 1 }, { id: 2 }]), "b.json": asFile([]), "c.json": asFile({ n: 0 }) };
  const lines: JournalLine[] = [
    {
      v: 2,
      edits: [
        ["+", "a", { id: 2 }],
        ["-", "b", 0],
      ],
    },
    { v: 2, folded: Object.fromEntries(Object.entries(fresh).map(([file, text]) => [file, hashOf(text)])) },
  ];

  function crashed(files: Readonly<Record<string, string>>, entries = lines): string {
    const parent = createFolder();
    const folder = join(parent, "data");
    mkdirSync(folder);
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
    leaveJournal(folder, journalText(old, entries), ".standin/data.journal");
    return parent;
  }

  for (const [name, files] of [
    ["before the first rename", old],
    ["after one rename of two", { ...old, "a.json": fresh["a.json"] }],
    ["after the other rename of two", { ...old, "b.json": fresh["b.json"] }],
    ["after both, before the fold", fresh],
  ] as const) {
    test(`${name}: every file ends up with the same data`, async () => {
      const parent = crashed(files);
      const { store, warnings } = await opened(parent, { source: "data" });
      expect(await databaseOf(store)).toEqual({ a: [{ id: 1 }, { id: 2 }], b: [], c: { n: 0 } });
      expect(warnings.join()).not.toContain("aside");
      await store.close();
      expect(contentOf(join(parent, "data"))).toEqual(fresh);
    });
  }

  test("in the middle of a restore that adds a file and removes another", async () => {
    const restored = { "a.json": asFile([{ id: 9 }]), "d.json": asFile([{ id: 1 }]) };
    const entries: JournalLine[] = [
      { v: 2, database: { a: [{ id: 9 }], d: [{ id: 1 }] } },
      {
        v: 2,
        folded: {
          "b.json": "",
          "c.json": "",
          "a.json": hashOf(restored["a.json"]),
          "d.json": hashOf(restored["d.json"]),
        },
      },
    ];
    const stages = [
      old,
      { ...old, "a.json": restored["a.json"] },
      { ...old, ...restored },
      { ...restored, "c.json": old["c.json"] },
      restored,
    ];
    for (const files of stages) {
      const parent = crashed(files, files === old ? entries.slice(0, 1) : entries);
      for (const file of ["a.json", "d.json"]) writeFileSync(join(parent, `data/.${file}.0123456789ab.tmp`), "half");
      const { store } = await opened(parent, { source: "data" });
      expect(await databaseOf(store)).toEqual({ a: [{ id: 9 }], d: [{ id: 1 }] });
      await store.close();
      expect(contentOf(join(parent, "data"))).toEqual(restored);
    }
  });

  test("with a file added since: that one is served, and the journal is still applied", async () => {
    const parent = crashed({ ...old, "new.json": asFile([{ id: 7 }]) });
    const { store, warnings } = await opened(parent, { source: "data" });
    expect(await databaseOf(store)).toEqual({ a: [{ id: 1 }, { id: 2 }], b: [], c: { n: 0 }, new: [{ id: 7 }] });
    expect(warnings.join()).not.toContain("aside");
  });

  test("with a file changed or removed since: the journal is set aside", async () => {
    for (const files of [
      { ...old, "c.json": asFile({ n: 5 }) },
      { "a.json": old["a.json"], "b.json": old["b.json"] },
    ]) {
      const parent = crashed(files);
      const { store } = await opened(parent, { source: "data" });
      expect((await databaseOf(store)).a).toEqual([{ id: 1 }]);
      expect(matching(join(parent, "data"), /\.aside$/)).toHaveLength(1);
    }
  });
});

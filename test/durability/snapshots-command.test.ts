import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { createFolder } from "../support/cli.ts";
import { runKept, serveKept } from "../support/kept-process.ts";
import { ask } from "./client.ts";
import { crashedFolder } from "./journal-file.ts";
import { asFile, contentOf, dataIn, filesIn } from "./place.ts";

const BEGIN = { notes: [{ id: 1 }, { id: 2 }] };
const OTHER = { notes: [{ id: 9 }], more: { a: 1 } };

async function run(folder: string, ...words: string[]) {
  const { exit, output } = runKept(["snapshots", ...words], folder);
  const code = await exit;
  return { code, stdout: output.stdout, stderr: output.stderr };
}

const SAVED = ["--snapshots", "saved"];

describe.concurrent("standin snapshots, on the files of a server that is stopped", () => {
  test("save, list and restore by id or name", async () => {
    const folder = createFolder({ "db.json": asFile(BEGIN) });
    expect(await run(folder, "list", ...SAVED)).toEqual({
      code: 0,
      stdout: `No snapshots in ${join(folder, "saved")}\n`,
      stderr: "",
    });
    const saved = await run(folder, "save", "before", ...SAVED);
    expect(saved.stdout).toMatch(/^Saved \S+\/saved\/db-\d{13}-before\.json\n$/);
    const file = saved.stdout.slice("Saved ".length, -1);
    expect(readFileSync(file, "utf8")).toBe(asFile(BEGIN));
    writeFileSync(join(folder, "db.json"), asFile(OTHER));
    await run(folder, "save", ...SAVED);
    const listed = (await run(folder, "list", ...SAVED)).stdout.trimEnd().split("\n");
    expect(listed).toEqual([
      expect.stringMatching(/^db-\d{13} {2}\d{4}-\d\d-\d\dT[\d:.]+Z {2}\d+ bytes$/),
      expect.stringMatching(/^db-\d{13}-before {2}/),
    ]);
    const id = listed[0]!.split(" ")[0]!;
    const before = /db-\d+-before/.exec(file)![0];
    expect(await run(folder, "restore", "before", ...SAVED)).toEqual({
      code: 0,
      stdout: `Restored ${before} into db.json\n`,
      stderr: "",
    });
    expect(readFileSync(join(folder, "db.json"), "utf8")).toBe(asFile(BEGIN));
    expect((await run(folder, "restore", id, ...SAVED)).code).toBe(0);
    expect(readFileSync(join(folder, "db.json"), "utf8")).toBe(asFile(OTHER));
    expect(filesIn(folder)).toEqual(["db.json", "saved", `saved/${id}.json`, `saved/${before}.json`].sort());
  });

  test("the folder and the source come from the config file, too", async () => {
    const folder = createFolder({
      "shop.json": asFile(BEGIN),
      "standin.json": { source: "shop.json", snapshots: "kept" },
    });
    expect((await run(folder, "save", "one")).code).toBe(0);
    expect(filesIn(join(folder, "kept"))).toEqual([expect.stringMatching(/^db-\d{13}-one\.json$/)]);
    expect((await run(folder, "restore", "one")).stdout).toMatch(/^Restored db-\d{13}-one into shop\.json\n$/);
  });

  test("what a crash left in the journal is in a snapshot, and is kept", async () => {
    const folder = crashedFolder(BEGIN, [{ v: 2, edits: [["+", "notes", { id: 3 }]] }]);
    const { stdout, stderr } = await run(folder, "save", ...SAVED);
    expect(stderr).toContain("Recovered from the journal: 1 change");
    const whole = { notes: [...BEGIN.notes, { id: 3 }] };
    expect(JSON.parse(readFileSync(stdout.slice("Saved ".length, -1), "utf8"))).toEqual(whole);
    expect(dataIn(folder)).toEqual(whole);
    expect(existsSync(join(folder, ".standin"))).toBe(false);
  });

  test("a folder of files is saved and restored as a whole", async () => {
    const folder = createFolder();
    mkdirSync(join(folder, "data"));
    writeFileSync(join(folder, "data/a.json"), asFile([{ id: 1 }]));
    writeFileSync(join(folder, "data/b.json"), asFile([]));
    expect((await run(folder, "save", "both", "--source", "data", ...SAVED)).code).toBe(0);
    writeFileSync(join(folder, "data/a.json"), asFile([]));
    writeFileSync(join(folder, "data/c.json"), asFile([]));
    expect((await run(folder, "restore", "both", "--source", "data", ...SAVED)).code).toBe(0);
    expect(contentOf(join(folder, "data"))).toEqual({ "a.json": asFile([{ id: 1 }]), "b.json": asFile([]) });
  });

  for (const [words, said] of [
    [["save", "a/b"], '"a/b" cannot name a snapshot'],
    [["restore", "nothing"], 'There is no snapshot "nothing".'],
    [["drop"], "snapshots needs list, save [name] or restore <id>"],
    [[], "snapshots needs list, save [name] or restore <id>, but was given nothing."],
    [["save", "--source", "data.mjs"], "data.mjs is not a data file or a folder of them."],
    [["save", "--source", "none.json"], "none.json does not exist."],
  ] as const) {
    test(`${["snapshots", ...words].join(" ")}: one line says why not, and nothing is touched`, async () => {
      const folder = createFolder({ "db.json": asFile(BEGIN), "data.mjs": "export default {}" });
      const { code, stdout, stderr } = await run(folder, ...words, ...SAVED);
      expect([code, stdout]).toEqual([1, ""]);
      expect(stderr).toMatch(/^standin: .*\n$/);
      expect(stderr).toContain(said);
      expect(filesIn(folder)).toEqual(["data.mjs", "db.json", "saved"]);
    });
  }

  test("without a folder for them says how to give one", async () => {
    const { code, stderr } = await run(createFolder({ "db.json": asFile(BEGIN) }), "list");
    expect([code, stderr]).toEqual([
      1,
      'standin: No snapshot folder given. Add --snapshots <folder>, or set "snapshots" in the config file.\n',
    ]);
  });
});

test.concurrent("while a server is running, list works; save and restore name the server and what to ask it", async () => {
  const folder = createFolder({ "db.json": asFile(BEGIN) });
  const server = await serveKept(SAVED, folder);
  await ask(server.url, "POST", "/__snapshots__", { name: "now" });
  expect((await run(folder, "list", ...SAVED)).stdout).toMatch(/^db-\d{13}-now {2}/);
  const before = contentOf(join(folder, "saved"));
  const inUse = `standin: db.json is in use by a running standin (pid ${server.child.pid}). Use its API: `;
  expect(await run(folder, "save", ...SAVED)).toEqual({
    code: 1,
    stdout: "",
    stderr: `${inUse}POST /__snapshots__.\n`,
  });
  expect(await run(folder, "restore", "now", ...SAVED)).toEqual({
    code: 1,
    stdout: "",
    stderr: `${inUse}PUT /__snapshots__/<id>.\n`,
  });
  expect(contentOf(join(folder, "saved"))).toEqual(before);
  expect(await server.stop()).toBe(0);
});

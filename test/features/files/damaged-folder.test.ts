import { mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { FolderOwners } from "../../../src/features/files/folder-owners.ts";
import { createStandin } from "../../../src/index.ts";
import { askAt, codeOf } from "../../support/api.ts";
import { createFolder } from "../../support/cli.ts";

const LIST = "data-files.json";

/** Starts a server for a folder of files that `damage` changed first; then uploads a file. */
async function startWith(damage: (files: string) => void) {
  const folder = createFolder({ "db.json": { products: [] } });
  const source = join(folder, "db.json");
  const files = `${source}.files`;
  mkdirSync(files);
  damage(files);
  const warnings: string[] = [];
  await using api = await createStandin({ source, persist: true, warn: (text) => void warnings.push(text) });
  const upload = () => askAt(api.url, "POST /__files", { body: "a", headers: { "Content-Type": "text/plain" } });
  return { source, files, warnings, uploaded: await upload(), upload };
}

const lists: readonly [what: string, problem: string, damage: (list: string) => void][] = [
  ["empty", "line 1, column 1", (list) => writeFileSync(list, "")],
  ["cut off", "line 1, column 14", (list) => writeFileSync(list, '{"../db.json"')],
  ["full of zeros", "line 1, column 1", (list) => writeFileSync(list, Buffer.alloc(100))],
  ["a list of something", "it is no object", (list) => writeFileSync(list, '["db.json"]')],
  ["an object of something", "it is no object", (list) => writeFileSync(list, '{"files": [1]}')],
  ["a folder", "it is not a file", (list) => mkdirSync(join(list, "in"), { recursive: true })],
  ["a device", "it is not a file", (list) => symlinkSync("/dev/zero", list)],
  ["a link to itself", "ELOOP", (list) => symlinkSync(LIST, list)],
];

for (const [what, problem, damage] of lists) {
  test(`a list of data files that is ${what} is set aside with a warning`, async () => {
    const { source, files, warnings, uploaded } = await startWith((folder) => damage(join(folder, LIST)));
    const aside = readdirSync(files).find((name) => name.endsWith(".aside"))!;
    expect(warnings).toEqual([expect.stringContaining(problem)]);
    expect(warnings[0]).toContain(`${join(files, LIST)} cannot be read: `);
    expect(warnings[0]).toContain(`It is kept as ${join(files, aside)}.`);
    expect(JSON.parse(readFileSync(join(files, LIST), "utf8"))).toEqual({ "../db.json": null });
    expect(uploaded.status).toBe(201);
    const owners = new FolderOwners(files, { source, snapshots: undefined }, () => {});
    expect(await owners.isAlone()).toBe(false);
    rmSync(join(files, aside), { recursive: true });
    expect(await owners.isAlone()).toBe(true);
  });
}

test("a file in place of the folder stops the start, which says what to do", async () => {
  const started = startWith((files) => {
    rmSync(files, { recursive: true });
    writeFileSync(files, "mine");
  });
  await expect(started).rejects.toThrow(
    /db\.json\.files is not a folder, but uploaded files are stored there\. Move it away, or name another folder with --files\.$/,
  );
});

test("a list of data files that cannot be written is a warning, and uploads are refused", async () => {
  const { files, warnings, uploaded } = await startWith((folder) => mkdirSync(join(folder, `${LIST}.${process.pid}`)));
  expect(warnings[0]).toBe(`${files} cannot be used for uploads: it is a folder.`);
  expect([uploaded.status, codeOf(uploaded)]).toEqual([503, "STORE_UNAVAILABLE"]);
});

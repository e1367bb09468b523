import { execFileSync } from "node:child_process";
import { readFileSync, statSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { stageFile, writeAtomically } from "../../src/base/files/atomic-write.ts";
import { createFolder } from "../support/cli.ts";

const isWindows = process.platform === "win32";
const reason = isWindows ? " (skipped: Windows has no mkfifo)" : "";

/** A named pipe, which anyone may make, stands for every device: `/dev/null` is one, and root may rename over it. */
function makePipe(): string {
  const pipe = join(createFolder({}), "pipe");
  execFileSync("mkfifo", [pipe]);
  return pipe;
}

test.skipIf(isWindows)(`a write to a pipe or device goes through it, and it stays what it is${reason}`, async () => {
  const pipe = makePipe();
  const [text] = await Promise.all([readFile(pipe, "utf8"), writeAtomically(pipe, ["one ", "two"])]);
  expect(text).toBe("one two");
  expect(statSync(pipe).isFIFO()).toBe(true);
});

test.skipIf(isWindows)(`no data file is put in its place${reason}`, async () => {
  const pipe = makePipe();
  await expect(stageFile(pipe, ["{}"])).rejects.toThrow("a device or a pipe");
  expect(statSync(pipe).isFIFO()).toBe(true);
});

test("a file is still replaced as a whole", async () => {
  const file = join(createFolder({ "a.json": "old" }), "a.json");
  const before = statSync(file).ino;
  await writeAtomically(file, ["new"]);
  expect([readFileSync(file, "utf8"), statSync(file).ino === before]).toEqual(["new", false]);
});

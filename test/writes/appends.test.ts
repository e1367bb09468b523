import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { asFile, eventually, matching } from "../durability/place.ts";
import { type AskOptions, askAt } from "../support/api.ts";
import { createFolder, serveCli } from "../support/cli.ts";

const COUNT = 1000;
const bodies = Array.from({ length: COUNT }, (_, at) => ({ text: `note ${at}` }));
const requests = bodies.map((body) => ({ method: "POST", path: "/notes", body }));
const upserted = bodies.map(({ text }, at) => ({ id: at + 1, text: `${text} again` }));

const WRITES: readonly [line: string, options: AskOptions, status: number][] = [
  ["POST /notes", { body: { text: "one" } }, 201],
  ["POST /notes", { body: bodies }, 201],
  ["POST /__batch", { body: { requests } }, 200],
  ["POST /__batch", { body: { requests }, headers: { "Idempotency-Key": "k" } }, 200],
  ["POST /notes", { body: upserted, headers: { Prefer: "resolution=merge-duplicates" } }, 200],
  [`PATCH /notes?id:lte=${COUNT}`, { body: { seen: true } }, 200],
  [`DELETE /notes?id:lte=${COUNT}`, {}, 200],
];

test("with --durability disk, a write of 1,000 records is one line, one append and one flush of the journal", async () => {
  const folder = createFolder({ "db.json": asFile({ notes: [] }) });
  const calls = join(createFolder({ calls: "" }), "calls");
  const preload = `--require=${resolve("test/writes/note-file-calls.cjs")}`;
  const server = await serveCli(["--durability", "disk"], folder, { NODE_OPTIONS: preload, STANDIN_TEST_CALLS: calls });
  const noted = (): string[] => readFileSync(calls, "utf8").split("\n").slice(0, -1);
  const isSaved = (): boolean => matching(folder, /\.journal$/).length === 0;
  for (const [line, options, status] of WRITES) {
    const before = noted().length;
    expect((await askAt(server.url, line, options)).status, line).toBe(status);
    const after = noted().slice(before);
    const saving = after.indexOf("save");
    const [header, itsFlush, ...rest] = saving === -1 ? after : after.slice(0, saving);
    // The journal begins with each of them, because everything was saved.
    expect([header, itsFlush], line).toEqual(["write journal 1", "flush journal"]);
    const ofJournal = rest.filter((one) => one !== "flush folder");
    expect(ofJournal, line).toEqual(["write journal 1", "flush journal"]);
    await eventually(isSaved);
  }
  expect(await server.stop()).toBe(0);
});

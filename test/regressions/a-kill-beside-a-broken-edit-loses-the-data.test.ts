import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ask } from "../durability/client.ts";
import { asFile, databaseAt, eventually, matching } from "../durability/place.ts";
import { createFolder, serveCli } from "../support/cli.ts";
import { runKept, serveKept } from "../support/kept-process.ts";

const DATA = { notes: [{ id: 1, text: "kept", size: 3 }], tags: [] };
const ALL = {
  ...DATA,
  tags: [
    { text: "one", id: 1 },
    { text: "two", id: 2 },
  ],
};
const BROKEN = asFile(DATA).slice(0, 40);
const COPY = /\.unsaved-\d+\.json$/;

/** Writes to a server whose data file was broken by an editor, and kills it. */
async function killed({ isNoticed }: { isNoticed: boolean }) {
  const folder = createFolder({ "db.json": asFile(DATA) });
  const file = join(folder, "db.json");
  const journal = join(folder, ".standin/db.json.journal");
  const server = await serveCli(["--watch"], folder);
  writeFileSync(file, BROKEN);
  if (isNoticed) await eventually(() => server.output.stdout.includes("Kept the current data"));
  expect((await ask(server.url, "POST", "/tags", { text: "one" })).status).toBe(201);
  // The save that fails then notices.
  if (!isNoticed) await eventually(() => readFileSync(journal, "utf8").includes('"whole"'));
  expect((await ask(server.url, "POST", "/tags", { text: "two" })).status).toBe(201);
  server.child.kill("SIGKILL");
  await server.exit;
  expect(readFileSync(file, "utf8")).toBe(BROKEN);
  return { folder, file, journal };
}

test.each([{ isNoticed: true }, { isNoticed: false }])(
  "with --watch, the start after a kill saves all data beside the broken file, once (%o)",
  async (when) => {
    const { folder, file, journal } = await killed(when);
    for (let start = 0; start < 2; start++) {
      // Where another program has the usual port, a start looks at the file alone.
      const run = runKept(["db.json", "--port", "0"], folder);
      expect(await run.exit).toBe(1);
      expect(run.output.stderr + run.output.stdout).toMatch(/All data it had is in .*unsaved-/);
    }
    const [copy, ...others] = matching(folder, COPY);
    expect(others).toEqual([]);
    expect(JSON.parse(readFileSync(copy!, "utf8"))).toEqual(ALL);
    // An edit that can be loaded wins, and the copy stays.
    writeFileSync(file, asFile({ notes: [] }));
    const again = await serveKept([], folder);
    expect(await databaseAt(again.url)).toEqual({ notes: [] });
    expect(await again.stop()).toBe(0);
    expect(matching(folder, COPY)).toEqual([copy]);
    expect(existsSync(journal)).toBe(false);
  },
);

test("with --watch, the changes of a killed server reach the file that was there before a broken edit", async () => {
  const { folder, file } = await killed({ isNoticed: true });
  writeFileSync(file, asFile(DATA));
  const again = await serveKept([], folder);
  expect(await databaseAt(again.url)).toEqual(ALL);
  expect(await again.stop()).toBe(0);
  expect(readFileSync(file, "utf8")).toBe(asFile(ALL));
  expect(matching(folder, COPY)).toEqual([]);
});

import { readFileSync, type renameSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { ask } from "../durability/client.ts";
import { hook, unhooked } from "../durability/hooks.ts";
import { databaseOf, opened } from "../durability/opened.ts";
import { asFile, eventually, imageOf } from "../durability/place.ts";
import { createFolder } from "../support/cli.ts";
import { serveStore } from "../support/serve-store.ts";

/** A start reads the whole journal, so that it must not outgrow that while the data file cannot be saved. */
const MAX = 20_000;

test("while the data file cannot be saved, a journal that is full refuses writes with words", async () => {
  const folder = createFolder({ "db.json": asFile({ notes: [{ id: 1 }] }) });
  const path = join(folder, "db.json");
  const { store, warnings } = await opened(folder, { maxJournal: MAX });
  let isBroken = true;
  let attempts = 0;
  hook("renameSync", (...args: Parameters<typeof renameSync>) => {
    if (args[1] !== path || !isBroken) return unhooked.renameSync(...args);
    attempts++;
    throw Object.assign(new Error("EIO: i/o error, rename"), { code: "EIO" });
  });
  const { url, close } = await serveStore(store);
  onTestFinished(close);
  const patch = (text: string) => ask(url, "PATCH", "/notes/1", { text: text.padEnd(1000, ".") });

  let count = 0;
  let answer = await patch("0");
  while (answer.status === 200) answer = await patch(`${++count}`);
  expect(answer).toMatchObject({
    status: 503,
    body: {
      code: "STORE_UNAVAILABLE",
      message: expect.stringMatching(
        /the journal of unsaved changes would have more than 20000 characters.*Nothing was changed/,
      ),
    },
  });
  expect(count).toBeGreaterThan(10);
  const acknowledged = { notes: [{ id: 1, text: `${count - 1}`.padEnd(1000, ".") }] };
  expect((await ask(url, "GET", "/db")).body).toEqual(acknowledged);
  const { store: next } = await opened(imageOf(folder));
  expect(await databaseOf(next)).toEqual(acknowledged);

  // Saves that fail are repeated, and leave no more lines either.
  const journal = join(folder, ".standin/db.json.journal");
  const seen = attempts;
  // The next one may have begun before the last write.
  await eventually(() => attempts > seen + 1);
  const { size } = statSync(journal);
  await eventually(() => attempts > seen + 2);
  expect(statSync(journal).size).toBe(size);
  expect(size).toBeLessThan(MAX * 1.5);

  isBroken = false;
  await eventually(() => JSON.stringify(JSON.parse(readFileSync(path, "utf8"))) === JSON.stringify(acknowledged));
  await eventually(async () => (await patch("again")).status === 200);
  expect(warnings.join("\n")).toMatch(
    /Writes are refused until .*db\.json can be saved[\s\S]*Writes are accepted again/,
  );
});

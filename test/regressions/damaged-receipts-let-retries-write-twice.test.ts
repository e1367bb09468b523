import { readFileSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { Store } from "../../src/store/store.ts";
import { opened } from "../durability/opened.ts";
import { asFile, contentOf, eventually, matching } from "../durability/place.ts";
import { askAt } from "../support/api.ts";
import { createFolder } from "../support/cli.ts";
import { serveStore } from "../support/serve-store.ts";

const JOURNAL = ".standin/db.json.journal";
const receiptsIn = (folder: string): string => join(folder, ".standin/db.json.receipts");

async function serve(store: Store): Promise<string> {
  const { url, close } = await serveStore(store);
  onTestFinished(close);
  return url;
}

/** Whether a request with this key was carried out, and not answered from its receipt. */
async function isCarriedOut(url: string, key: string, text = key): Promise<boolean> {
  const answer = await askAt(url, "POST /notes", { body: { text }, headers: { "Idempotency-Key": key } });
  expect(answer.status).toBe(201);
  return !answer.headers.has("idempotency-replayed");
}

async function withReceipts(keys: readonly string[]): Promise<string> {
  const folder = createFolder({ "db.json": asFile({ notes: [], other: [] }) });
  const { store } = await opened(folder);
  const url = await serve(store);
  for (const key of keys) expect(await isCarriedOut(url, key)).toBe(true);
  await store.close();
  return folder;
}

test("a save appends the new receipts, however large those are that the file has", async () => {
  const folder = createFolder({ "db.json": asFile({ notes: [], other: [] }) });
  const { store } = await opened(folder);
  const url = await serve(store);
  await isCarriedOut(url, "large", "x".repeat(500_000));
  await eventually(() => !contentOf(folder)[JOURNAL]);
  const before = statSync(receiptsIn(folder));
  // A stop saves at once: a busy machine pauses long between saves.
  for (const key of ["a", "b"]) await isCarriedOut(url, key);
  await store.close();
  const { ino, size } = statSync(receiptsIn(folder));
  expect(ino).toBe(before.ino);
  expect(size - before.size).toBeLessThan(5000);
  const again = await opened(folder);
  expect(again.warnings).toEqual([]);
  const url2 = await serve(again.store);
  for (const key of ["a", "b"]) expect(await isCarriedOut(url2, key)).toBe(false);
  expect(await isCarriedOut(url2, "large", "x".repeat(500_000))).toBe(false);
});

const DAMAGE: Readonly<Record<string, (path: string) => void>> = {
  "a changed byte": (path) => {
    const content = readFileSync(path);
    // In the first receipt.
    content[40] = content[40]! ^ 1;
    writeFileSync(path, content);
  },
  "a cut": (path) => truncateSync(path, statSync(path).size - 10),
  "an empty file": (path) => truncateSync(path),
  garbage: (path) => writeFileSync(path, "garbage\n"),
};

test.each(Object.entries(DAMAGE))("%s is reported, and the file is kept", async (name, damage) => {
  const folder = await withReceipts(["first", "second"]);
  damage(receiptsIn(folder));
  const damaged = readFileSync(receiptsIn(folder), "utf8");
  const { store, warnings } = await opened(folder);
  expect(warnings).toEqual([
    expect.stringMatching(/receipts .* are damaged: .*kept as .*db\.json\.receipts\.\d+\.aside/),
  ]);
  expect(matching(folder, /receipts\.\d+\.aside$/).map((path) => readFileSync(path, "utf8"))).toEqual([damaged]);
  const url = await serve(store);
  // Never a false answer: what is not known is carried out, and what is known is not.
  expect(await isCarriedOut(url, "first")).toBe(true);
  expect(await isCarriedOut(url, "second")).toBe(name !== "a changed byte");
  expect(await isCarriedOut(url, "first")).toBe(false);
  await store.close();
  expect((await opened(folder)).warnings).toEqual([]);
});

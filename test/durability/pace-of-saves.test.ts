import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { setInterval as every, setTimeout as sleep } from "node:timers/promises";
import { afterAll, expect, test } from "vitest";
import { SaveSchedule } from "../../src/store/file/save-schedule.ts";
import { createFolder, serveCli } from "../support/cli.ts";
import { serveStore } from "../support/serve-store.ts";
import { ask } from "./client.ts";
import { opened } from "./opened.ts";
import { asFile, eventually, recordsOf, untilSaved } from "./place.ts";

const leftovers: (() => unknown)[] = [];
afterAll(() => Promise.all(leftovers.map((end) => end())));

/** A server of an empty collection, and what tells one version of its file from the next. */
async function served(): Promise<{ url: string; folder: string; mtimeMs: () => number }> {
  const folder = createFolder({ "db.json": asFile({ items: [] }) });
  const { store } = await opened(folder);
  const { url, close } = await serveStore(store);
  leftovers.push(close);
  return { url, folder, mtimeMs: () => statSync(join(folder, "db.json")).mtimeMs };
}

test.concurrent("8 POSTs a second are saved about once a second", async () => {
  const { url, mtimeMs } = await served();
  const seen = new Set<number>();
  const startedAt = performance.now();
  for await (const _ of every(125)) {
    expect((await ask(url, "POST", "/items", {})).status).toBe(201);
    seen.add(mtimeMs());
    if (performance.now() - startedAt > 3000) break;
  }
  // The file before the first save, and that of the first write.
  expect(seen.size).toBeLessThanOrEqual(2 + (performance.now() - startedAt) / 1000);
});

test.concurrent("a write right after a save is saved a second later, with all that came meanwhile", async () => {
  const { url, folder, mtimeMs } = await served();
  await ask(url, "POST", "/items", {});
  await untilSaved(folder, (data) => recordsOf(data, "items").length === 1);
  const savedAt = mtimeMs();
  const isSaved = untilSaved(folder, (data) => recordsOf(data, "items").length > 1);
  for (let count = 0; count < 5; count++) await ask(url, "POST", "/items", {});
  await isSaved;
  expect(mtimeMs() - savedAt).toBeGreaterThan(990);
});

test.concurrent.each(["SIGTERM", "SIGINT"] as const)(
  "%s saves what was written since the last save",
  async (signal) => {
    const folder = createFolder({ "db.json": asFile({ items: [] }) });
    const { url, child, exit } = await serveCli([], folder);
    await ask(url, "POST", "/items", { n: 1 });
    await untilSaved(folder, (data) => recordsOf(data, "items").length === 1);
    await ask(url, "POST", "/items", { n: 2 });
    child.kill(signal);
    expect(await exit).toBe(0);
    const items = [
      { n: 1, id: 1 },
      { n: 2, id: 2 },
    ];
    expect(readFileSync(join(folder, "db.json"), "utf8")).toBe(asFile({ items }));
  },
);

/** A schedule whose saves take so long; the times at which each began and ended. */
function scheduled(duration: number): { schedule: SaveSchedule; saves: { begun: number; ended?: number }[] } {
  const saves: { begun: number; ended?: number }[] = [];
  const schedule = new SaveSchedule(0, async () => {
    const save: { begun: number; ended?: number } = { begun: performance.now() };
    saves.push(save);
    await sleep(duration);
    save.ended = performance.now();
    return 0;
  });
  leftovers.push(() => schedule.stop());
  return { schedule, saves };
}

test.concurrent("after a save that takes long, the next one waits 20 times as long", async () => {
  const { schedule, saves } = scheduled(75);
  schedule.changed();
  await eventually(() => saves[0]?.ended !== undefined);
  schedule.changed();
  await eventually(() => saves.length === 2);
  const [{ begun, ended = 0 } = { begun: 0 }, next] = saves;
  expect(next!.begun - ended).toBeGreaterThanOrEqual(20 * (ended - begun) - 5);
});

test.concurrent("a write after a quiet second waits for no pause", async () => {
  const { schedule, saves } = scheduled(500);
  schedule.changed();
  await eventually(() => saves[0]?.ended !== undefined);
  schedule.changed();
  const { begun, ended = 0 } = saves[0]!;
  await eventually(() => performance.now() - ended > 1050);
  schedule.changed();
  await eventually(() => saves.length === 2);
  expect(saves[1]!.begun - ended).toBeLessThan(20 * (ended - begun));
});

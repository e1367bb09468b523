import { join } from "node:path";
import { setImmediate as nextTurn, setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import type { JsonObject } from "../../src/base/json/json.ts";
import { recover } from "../../src/store/file/journal/recover.ts";
import { singleFile } from "../../src/store/file/layout.ts";
import { createFolder } from "../support/cli.ts";
import { create, opened } from "./opened.ts";
import { asFile, imageOf, recordsOf, untilSaved } from "./place.ts";

const IMAGES = process.env.STANDIN_SOAK ? 600 : 8;

/**
 * A store in this process writes, and between any two turns its files are copied: each copy is what a crash at that moment
 * would leave. Changes are numbered, so what a copy recovers to must be all changes up to some number, no less than was
 * acknowledged by then and no more than was asked for.
 */
for (const durability of ["process", "disk"] as const) {
  test.concurrent(`files copied at any moment recover to a beginning of all changes (durability ${durability})`, async () => {
    const folder = createFolder({ "db.json": asFile({ log: [], counter: { n: 0 } }) });
    const { store } = await opened(folder, { durability });
    let asked = 0;
    let acknowledged = 0;
    let isOver = false;
    const write = async (): Promise<void> => {
      const n = ++asked;
      if (n % 3 === 0) await store.apply({ kind: "patch-singleton", name: "counter", body: { n } });
      else await create(store, "log", { n });
      acknowledged = Math.max(acknowledged, n);
    };
    // Several at once, so that there are batches; with pauses, so that there are checkpoints, and of such a length that the
    // next writes come in the middle of one.
    const writing = (async () => {
      for (let pause = 0; !isOver; pause++) {
        for (let burst = 0; burst < 8 && !isOver; burst++) await Promise.all([write(), write(), write()]);
        await sleep(38 + (pause % 12));
      }
    })();
    for (let images = 0; images < IMAGES; images++) {
      for (let turns = images % 7; turns >= 0; turns--) await nextTurn();
      const least = acknowledged;
      const image = imageOf(folder);
      const first = await expectBeginning(image, least, asked);
      if (images % 4 === 0) await expectSecondCrash(image, first, images % 3 === 0);
    }
    isOver = true;
    await writing;
  });
}

async function expectBeginning(image: string, least: number, most: number) {
  const database = await recovered(image);
  const numbers = recordsOf(database, "log").map(({ n }) => n as number);
  const { n: counter } = database.counter as { n: number };
  const last = Math.max(counter, numbers.at(-1) ?? 0);
  expect(last).toBeGreaterThanOrEqual(least);
  expect(last).toBeLessThanOrEqual(most);
  expect(numbers).toEqual(Array.from({ length: last }, (_, index) => index + 1).filter((n) => n % 3 !== 0));
  expect(counter).toBe(last - (last % 3));
  return database;
}

/** Another process continues after a crash, writes, and crashes, too: before or after the recovered changes were saved. */
async function expectSecondCrash(image: string, first: JsonObject, isSaved: boolean): Promise<void> {
  const { store } = await opened(image);
  await create(store, "log", { n: -1 });
  if (isSaved) await untilSaved(image, (data) => recordsOf(data, "log").at(-1)?.n === -1);
  const second = imageOf(image);
  await store.close();
  expect(await recovered(second), "after the second crash").toEqual({
    counter: first.counter,
    log: [...recordsOf(first, "log"), expect.objectContaining({ n: -1 })],
  });
}

async function recovered(image: string) {
  return (await recover(singleFile(join(image, "db.json")), () => {}, "never")).database;
}

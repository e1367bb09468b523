import type { statSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { hook, hookBefore, unhooked } from "../durability/hooks.ts";
import { databaseOf, opened } from "../durability/opened.ts";
import { asFile, eventually, imageOf } from "../durability/place.ts";
import { createFolder } from "../support/cli.ts";

test("a restore that a crash undoes while a save is under way forgets no response to a request with a key", async () => {
  const folder = createFolder({ "db.json": asFile({ notes: [] }) });
  const path = join(folder, "db.json");
  const { store } = await opened(folder);
  const receipt = { key: "key", request: "request", at: Date.now(), respond: () => ({ status: 201 }) };
  await store.apply({ kind: "create", collection: "notes", bodies: [{}] }, { receipt });
  const images: string[] = [];
  let restoring: Promise<void> | undefined;
  let isReplaced = false;
  let isOver = false;
  hookBefore("renameSync", (_from, to) => {
    if (restoring && to.startsWith(folder)) images.push(imageOf(folder));
    isReplaced ||= to === path && !restoring;
    return isOver;
  });
  // Begins the restore at the last look at the data file before the save writes the responses.
  hook("statSync", (...args: Parameters<typeof statSync>) => {
    if (isReplaced && args[0] === path) {
      isReplaced = false;
      restoring = store.swap({ other: [] });
    }
    return unhooked.statSync(...args);
  });
  await eventually(() => restoring !== undefined);
  await restoring;
  expect((await store.findReceipt("key")).receipt).toBeUndefined();
  await store.close();
  isOver = true;
  expect(images.length).toBeGreaterThan(0);
  for (const image of images) {
    const { store: next } = await opened(image);
    const isRestored = "other" in (await databaseOf(next));
    const response = (await next.findReceipt("key")).receipt?.response;
    expect(response).toEqual(isRestored ? undefined : { status: 201 });
    await next.close();
  }
});

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { StoreEvent } from "../../src/store/store.ts";
import { createFolder } from "../support/cli.ts";
import { readEvents } from "../support/event-reader.ts";
import { ask } from "./client.ts";
import { create, databaseOf, opened } from "./opened.ts";
import { asFile } from "./place.ts";
import { serveSpecially } from "./spawned.ts";

const BEGIN = { notes: [{ id: 1 }] };

for (const memory of [false, true]) {
  test(`a ${memory ? "copy of a file" : "file"} announces changes, replacements and reloads in order, until no listener is left`, async () => {
    const folder = createFolder({ "db.json": BEGIN });
    const { store } = await opened(folder, { memory, followsOutside: true });
    const heard: StoreEvent[] = [];
    const stop = store.subscribe((event) => heard.push(event));
    await Promise.all([create(store, "notes", {}), create(store, "notes", {})]);
    await store.swap({ notes: [] });
    await store.reset();
    writeFileSync(join(folder, "db.json"), asFile({ notes: [], more: [] }));
    // It has nothing left to do when a save that was under way has seen the file.
    await store.reload();
    expect(await databaseOf(store)).toEqual({ notes: [], more: [] });
    expect(heard.map(({ kind }) => kind)).toEqual(["change", "change", "exchange", "exchange", "exchange"]);
    const versions = heard.map((event) => (event.kind === "change" ? event.change.version : event.version));
    expect(versions).toEqual(versions.toSorted((a, b) => a - b));
    expect(new Set(versions).size).toBe(versions.length);
    stop();
    await create(store, "notes", {});
    expect(heard).toHaveLength(5);
    await store.close();
  });
}

test("what the disk refuses is never announced", async () => {
  const folder = createFolder({ "db.json": BEGIN });
  const server = await serveSpecially({ folder, before: "ulimit -S -f 64" });
  const reader = await readEvents(`${server.url}/__events`);
  const kept: unknown[] = [];
  let isRefused = false;
  while (!isRefused) {
    const answers = await Promise.all(
      [1, 2, 3, 4, 5].map(() => ask(server.url, "POST", "/notes", { text: "x".repeat(700) })),
    );
    kept.push(...answers.filter(({ status }) => status === 201).map(({ body }) => (body as { id: number }).id));
    isRefused = answers.some(({ status }) => status === 503);
  }
  const events = await reader.atLeast(kept.length);
  const announced = events.map(({ data }) => (data as { edits: { id: number }[] }).edits[0]!.id);
  expect(new Set(announced)).toEqual(new Set(kept));
  expect(announced).toHaveLength(kept.length);
});

import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, onTestFinished, test } from "vitest";
import { atOnce } from "../../src/base/slices.ts";
import { spacedBytes } from "../../src/store/file/spaced-bytes.ts";
import type { Store } from "../../src/store/store.ts";
import { ask } from "../durability/client.ts";
import { create, databaseOf, opened } from "../durability/opened.ts";
import { asFile } from "../durability/place.ts";
import { createFolder } from "../support/cli.ts";
import { serveStore } from "../support/serve-store.ts";

/** The limit of a real start is half a gigabyte; what counts is that nothing crosses it. */
const MAX = 100_000;
const records = Array.from({ length: 60 }, (_, index) => ({ id: index + 1 }));
const BIG = "ä".repeat(1000);

async function limited(database: unknown = { items: records, other: [] }): Promise<{ store: Store; file: string }> {
  const folder = createFolder({ "db.json": JSON.stringify(database) });
  const { store } = await opened(folder, { maxBytes: MAX });
  return { store, file: join(folder, "db.json") };
}

async function served(store: Store): Promise<string> {
  const { url, close } = await serveStore(store, { sandboxes: 5 });
  onTestFinished(close);
  return url;
}

describe("a write that would leave more than a start reads is 413, and changes nothing", () => {
  const half = { method: "PATCH", path: "/items?id:lte=30", body: { text: BIG } };
  const rest = { method: "PATCH", path: "/items?id:gt=30", body: { text: BIG } };
  const writes: Readonly<
    Record<string, { method: string; path: string; body?: unknown; headers?: Record<string, string> }>
  > = {
    "by a filter": rest,
    "of many records": { method: "POST", path: "/items", body: Array.from({ length: 30 }, () => ({ text: BIG })) },
    "of one record": { method: "PUT", path: "/items/40", body: { text: "x".repeat(60_000) } },
    "in a batch": { method: "POST", path: "/__batch", body: { requests: [rest] } },
    "by copies of a JSON Patch": {
      method: "PATCH",
      path: "/items/1",
      body: Array.from({ length: 6 }, (_, index) => ({ op: "copy", from: "", path: `/copy${index}` })),
      headers: { "content-type": "application/json-patch+json" },
    },
  };
  test.each(Object.entries(writes))("%s", async (_name, { method, path, body, headers }) => {
    const { store, file } = await limited();
    const url = await served(store);
    expect((await ask(url, half.method, half.path, half.body)).status).toBe(200);
    const before = await databaseOf(store);
    expect(await ask(url, method, path, body, headers)).toMatchObject({
      status: 413,
      body: {
        code: "DATA_TOO_LARGE",
        message: expect.stringMatching(/at most 100000 can be loaded again.*Nothing was changed/),
      },
    });
    expect(await databaseOf(store)).toEqual(before);
    // Smaller ones are still accepted.
    expect((await ask(url, "POST", "/other", {})).status).toBe(201);
    expect((await ask(url, "PATCH", half.path, { text: "" })).status).toBe(200);
    expect((await ask(url, rest.method, rest.path, rest.body)).status).toBe(200);
    await store.close();
    expect(readFileSync(file).length).toBeLessThan(MAX);
  });

  test("by a promotion", async () => {
    const { store } = await limited();
    const url = await served(store);
    expect((await ask(url, half.method, half.path, half.body)).status).toBe(200);
    expect((await ask(url, "POST", "/__sandboxes", { name: "mine" })).status).toBe(201);
    expect((await ask(url, rest.method, `/__sandbox/mine${rest.path}`, rest.body)).status).toBe(200);
    expect(await ask(url, "POST", "/__sandboxes/mine/promote", {})).toMatchObject({
      status: 413,
      body: { code: "DATA_TOO_LARGE" },
    });
    expect(await ask(url, "GET", "/items/40")).toMatchObject({ body: { id: 40 } });
  });

  test("by a restore", async () => {
    const { store } = await limited();
    const before = await databaseOf(store);
    const tooMuch = { items: records.map((record) => ({ ...record, text: BIG })) };
    await expect(store.swap(tooMuch)).rejects.toMatchObject({ code: "DATA_TOO_LARGE" });
    expect(await databaseOf(store)).toEqual(before);
    await create(store, "other", {});
  });
});

describe("data near the limit", () => {
  const rows = Array.from({ length: 12_000 }, () => 1);
  const compact = JSON.stringify({ items: [{ id: 1, rows }] });

  test("that a save would indent beyond it stops the start, which says what to do", async () => {
    const folder = createFolder({ "db.json": compact.replace("[{", "[\n{") });
    await expect(opened(folder, { maxBytes: MAX })).rejects.toThrow(
      /db\.json would have \d+ bytes once a save has indented it; at most 100000 .*one line.*--memory.*standin import/,
    );
    expect(readdirSync(folder)).toEqual(["db.json"]);
    const { store } = await opened(folder, { maxBytes: MAX, memory: true });
    await store.close();
  });

  test("that a save would indent beyond it does not replace other data", async () => {
    const folder = createFolder({ "db.json": asFile({ items: [{ id: 1 }] }) });
    const { store } = await opened(folder, { maxBytes: MAX, followsOutside: true });
    writeFileSync(join(folder, "db.json"), compact.replace("[{", "[\n{"));
    await expect(store.reload()).rejects.toThrow(/db\.json would have \d+ bytes once a save has indented it/);
    expect(await databaseOf(store)).toEqual({ items: [{ id: 1 }] });
  });

  test("that is on one line is served and saved on one line", async () => {
    const { store, file } = await limited({ items: [{ id: 1, rows }] });
    await create(store, "items", {});
    await expect(create(store, "items", { text: "x".repeat(80_000) })).rejects.toMatchObject({
      code: "DATA_TOO_LARGE",
    });
    await store.close();
    expect(readFileSync(file, "utf8")).toBe(`${compact.slice(0, -2)},{"id":2}]}\n`);
  });
});

test("in a folder, the limit is that of each file", async () => {
  const folder = createFolder();
  mkdirSync(join(folder, "data"));
  for (const name of ["one", "two"]) writeFileSync(join(folder, `data/${name}.json`), asFile([]));
  const { store } = await opened(folder, { source: "data", maxBytes: MAX });
  const body = { text: "x".repeat(60_000) };
  for (const name of ["one", "two"]) {
    await create(store, name, body);
    await expect(create(store, name, body)).rejects.toMatchObject({ code: "DATA_TOO_LARGE" });
  }
  await store.close();
});

test("changes that replace each other do not add up", async () => {
  const { store } = await limited({ items: [{ id: 1 }] });
  for (let round = 0; round < 20; round++) {
    const text = String(round).repeat(20_000);
    await store.apply({ kind: "patch", collection: "items", id: "1", body: { text: text.slice(0, 20_000) } });
  }
  await store.close();
});

test("the weight of a record is the size it has in the file", () => {
  const forms = fc.constantFrom(
    { line: 1, level: 2, colon: 1 },
    { line: 5, level: 2, colon: 1 },
    { line: 3, level: 1, colon: 1 },
    { line: 0, level: 0, colon: 0 },
  );
  fc.assert(
    fc.property(fc.jsonValue(), forms, (value, spacing) => {
      const { line, level } = spacing;
      const before = " ".repeat(Math.max(0, line - 1));
      const text = JSON.stringify(value, null, level).replaceAll("\n", `\n${before}`);
      expect(atOnce(spacedBytes(JSON.stringify(value), spacing))).toBe(Buffer.byteLength(text));
    }),
  );
});

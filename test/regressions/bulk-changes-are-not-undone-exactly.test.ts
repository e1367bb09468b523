import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../src/base/json/json.ts";
import { MAX_INDEXED_EDITS } from "../../src/store/memory/collection.ts";
import { create, databaseOf, opened } from "../durability/opened.ts";
import { eventually, imageOf } from "../durability/place.ts";
import { type Api, startApi } from "../support/api.ts";
import { createFolder } from "../support/cli.ts";

/** So many records are changed by collections that were prepared with pauses. */
const COUNT = MAX_INDEXED_EDITS + 600;
const listOf = (make: (at: number) => JsonObject): JsonObject[] => Array.from({ length: COUNT }, (_, at) => make(at));
const DATA = {
  numbers: listOf((at) => ({ id: at + 1, n: at % 2, number_id: 1 })),
  texts: listOf((at) => ({ id: `t${at}`, n: at % 2, number_id: at % 3 })),
  doubled: listOf((at) => ({ id: at >> 1, n: at % 2 })),
  settings: { theme: "dark" },
};

const BULK: readonly (readonly [line: string, body?: unknown])[] = [
  ["PATCH /numbers?_all=true", { x: 1 }],
  ["DELETE /texts?_all=true"],
  ["DELETE /doubled?n=0"],
  ["POST /texts", listOf((at) => ({ name: `new${at}` }))],
  ["DELETE /numbers/1?_dependent=numbers,texts"],
  ["DELETE /numbers?_all=true"],
  ["PATCH /doubled?_all=true", { y: 1 }],
];

async function send(api: Api, line: string, body?: unknown): Promise<void> {
  const [method, path] = line.split(" ");
  const { status } = await api.ask(`${method} /__sandbox/s${path}`, body === undefined ? {} : { body });
  expect(status, line).toBeLessThan(300);
}

const dataOf = async (api: Api): Promise<string> => (await api.ask("GET /__sandbox/s/db")).text;
const undo = (api: Api, count = 1) => api.ask("POST /__sandboxes/s/undo", { body: { count } });

async function bytesOf(api: Api): Promise<number> {
  const { sandboxes } = (await api.ask("GET /__sandboxes")).body as { sandboxes: { bytes: number }[] };
  return sandboxes[0]!.bytes;
}

describe("changes of thousands of records in a sandbox", () => {
  test("are undone byte for byte, with small ones between them, and give their memory back with their history", async () => {
    const api = await startApi({ data: DATA });
    await send(api, "PATCH /settings", { theme: "light" });
    // The first change of each collection copies it, which stays.
    for (const name of ["numbers", "texts", "doubled"]) await send(api, `POST /${name}`, {});
    const texts: string[] = [];
    const bytes = await bytesOf(api);
    for (const [line, body] of BULK) {
      for (const [small, content] of [
        ["POST /texts", { name: "one" }],
        [line, body],
      ] as const) {
        texts.push(await dataOf(api));
        await send(api, small, content);
      }
    }
    for (const [steps, text] of texts.toReversed().entries()) {
      expect((await undo(api)).body).toMatchObject({ undone: [expect.anything()] });
      expect((await dataOf(api)) === text, `${steps + 1} steps back`).toBe(true);
    }
    // Those that were undone are versions until they are forgotten.
    expect(await bytesOf(api)).toBeGreaterThan(3 * bytes);
    expect((await api.ask("DELETE /__sandbox/s/__history")).status).toBe(204);
    await send(api, "PATCH /settings", { theme: "dark" });
    expect(await bytesOf(api)).toBeLessThan(1.05 * bytes);
    expect((await api.ask("GET /__sandbox/s/texts/t5")).status).toBe(200);
    expect((await api.ask("GET /__sandbox/s/doubled/7")).body).toEqual({ id: 7, n: 0 });
    expect((await api.ask("POST /__sandbox/s/numbers", { body: {} })).body).toEqual({ id: COUNT + 2 });
    expect((await api.ask("GET /db")).text).toBe((await (await startApi({ data: DATA })).ask("GET /db")).text);
  });

  test("are undone or not beside a reset, and beside a write, never in part", async () => {
    const api = await startApi({ data: DATA });
    for (let time = 0; time < 3; time++) {
      await send(api, "PATCH /texts?_all=true", { x: time });
      await send(api, "PATCH /numbers?_all=true", { x: time });
      const [undone, created] = await Promise.all([
        undo(api, 2),
        api.ask("POST /__sandbox/s/texts", { body: { id: "late" } }),
        ...(time === 1 ? [api.ask("POST /__sandboxes/s/reset")] : []),
      ]);
      expect([undone.status, created.status]).toEqual([200, 201]);
      if (time !== 1) expect((await api.ask("GET /__sandbox/s/texts/late")).status).toBe(200);
      await api.ask("POST /__sandboxes/s/reset");
      expect(await dataOf(api)).toBe((await api.ask("GET /db")).text);
    }
  });
});

describe("changes of thousands of records of a file", () => {
  const dependents = ["numbers", "texts"].map((collection) => ({ collection, key: "number_id" }));
  const removal = { kind: "remove", collection: "numbers", id: "1", dependents } as const;

  test("removals of many dependents are in the journal in their order", async () => {
    const folder = createFolder({ "db.json": DATA });
    const { store } = await opened(folder);
    await store.apply(removal);
    const { store: next } = await opened(imageOf(folder));
    const texts = DATA.texts.filter((record) => record.number_id !== 1);
    expect(await databaseOf(next)).toEqual({ ...DATA, numbers: [], texts });
    expect(await databaseOf(store)).toEqual(await databaseOf(next));
  });

  test("a refused one leaves the data as it was, for the next one, too", async () => {
    const { store } = await opened(createFolder({ "db.json": DATA }), { maxJournal: 1000 });
    await create(store, "numbers", { id: 5000 });
    const before = await databaseOf(store);
    await expect(store.apply(removal)).rejects.toMatchObject({ code: "STORE_UNAVAILABLE" });
    expect(await databaseOf(store)).toEqual(before);
    expect(await store.get("numbers", "7")).toMatchObject({ value: { id: 7 } });
    await eventually(async () =>
      create(store, "numbers", {}).then(
        () => true,
        () => false,
      ),
    );
    expect(await store.get("numbers", "5001")).toBeDefined();
  });
});

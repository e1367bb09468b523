import { beforeAll, describe, expect, test } from "vitest";
import type { JsonObject } from "../../src/base/json/json.ts";
import { createStandin } from "../../src/index.ts";
import { askAt } from "../support/api.ts";
import { createFolder } from "../support/cli.ts";
import { createClock, DATA, expectedTranscript, SEED, SETTINGS, transcript } from "./settings-cases.ts";

const OPTIONS = { collections: SETTINGS, seed: SEED };
const ORDER = /^ord_[0-9A-Za-z]{16}$/;
const at = (second: number): string => new Date(Date.UTC(2030, 0, 1, 0, 0, second)).toISOString();

let said: Awaited<ReturnType<typeof transcript>>;
beforeAll(async () => {
  said = await expectedTranscript();
});

/** The body of the nth response, counted from 1: it was sent at second n. */
function bodyOf(second: number): never {
  return said[second - 1]![2] as never;
}

describe("ids, timestamps and defaults of a collection", () => {
  test("every request succeeds", () => {
    expect(said.map(([line, status]) => [line, status]).filter(([, status]) => Number(status) >= 400)).toEqual([]);
  });

  test("a new record gets an id, defaults and timestamps", () => {
    const made = bodyOf(2) as JsonObject;
    expect(made).toEqual({
      total: 1,
      id: expect.stringMatching(ORDER),
      status: "new",
      tags: [],
      created_at: at(2),
      updated_at: at(2),
    });
  });

  test("a dry run leaves the next id as it was", () => {
    expect(bodyOf(1)).toEqual({ ...(bodyOf(2) as JsonObject), created_at: at(1), updated_at: at(1) });
  });

  test("values in the body of a new record win; null is a value, but no time", () => {
    expect(bodyOf(3)).toEqual([
      { id: "own", status: null, tags: ["x"], created_at: at(3), updated_at: at(3) },
      { id: expect.stringMatching(ORDER), status: "new", tags: [], created_at: at(3), updated_at: at(3) },
      {
        id: expect.stringMatching(ORDER),
        status: "new",
        tags: [],
        created_at: "1999-01-01T00:00:00.000Z",
        updated_at: at(3),
      },
    ]);
  });

  test("a nested POST counts as any other", () => {
    expect(bodyOf(4)).toMatchObject({ sku: "p1", count: 1, made: at(4) });
    expect(bodyOf(4)).not.toHaveProperty("updated_at");
  });

  test("later writes keep the time of creation, and fill in no defaults", () => {
    const { id } = bodyOf(2) as { id: string };
    expect(bodyOf(5)).toEqual({ total: 2, id, created_at: at(2), updated_at: at(5) });
    expect(bodyOf(6)).toEqual({ total: 3, id, created_at: at(2), updated_at: at(6) });
    expect(bodyOf(7)).toEqual({ total: 3, id, tags: ["y"], created_at: at(2), updated_at: at(7) });
    expect(bodyOf(8)).toEqual({ total: 3, id, tags: ["y"], created_at: at(2), updated_at: at(8) });
    expect(bodyOf(9)).toMatchObject([
      { status: "open", created_at: at(3), updated_at: at(9) },
      { status: "open", created_at: "1999-01-01T00:00:00.000Z", updated_at: at(9) },
    ]);
  });

  test("a record that never had a time of creation gets none", () => {
    expect(bodyOf(10)).toEqual({ status: "sent", id: "old", updated_at: at(10) });
  });

  test("upsert creates and changes", () => {
    expect(bodyOf(11)).toMatchObject([
      { id: "old", total: 9, updated_at: at(11) },
      { id: "ord_2", status: "new", created_at: at(11) },
      { id: expect.stringMatching(ORDER), total: 10, status: "new", created_at: at(11) },
    ]);
  });

  test("each kind of id has its form", () => {
    const ids = (second: number): unknown[] => (bodyOf(second) as { id: unknown }[]).map(({ id }) => id);
    expect(bodyOf(12)).toEqual({ name: "first", id: 1 });
    expect(ids(13)).toEqual([10, 9, 11]);
    for (const id of ids(14)) expect(id).toMatch(/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
    const times = ids(15) as string[];
    for (const id of times) expect(id).toMatch(/^[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
    expect(Number.parseInt(times[0]!.replaceAll("-", "").slice(0, 12), 16)).toBe(Date.parse(at(15)));
    expect(times.toSorted()).toEqual(times);
    expect(bodyOf(15)).toMatchObject([{ changed: at(15) }, {}, {}]);
    expect((bodyOf(16) as { id: string }).id).toMatch(/^[\w-]{21}$/);
    expect(bodyOf(17)).toEqual({ id: 1 });
  });

  test("a batch refers to ids that were generated", () => {
    const { responses } = bodyOf(18) as { responses: { body: JsonObject }[] };
    const [order, line, changed] = responses.map(({ body }) => body);
    expect(order).toMatchObject({ id: expect.stringMatching(ORDER), status: "new", created_at: at(18) });
    expect(line).toMatchObject({ order_id: order!.id, count: 1, made: at(18) });
    expect(changed).toEqual({ ...order, total: 12 });
  });

  test("a singleton stays as it is", () => {
    expect(bodyOf(19)).toEqual({ name: "you" });
  });

  test("the same seed and clock give the same again", async () => {
    expect(await expectedTranscript()).toEqual(said);
  });

  test("a sandbox says the same", async () => {
    const clock = createClock();
    await using api = await createStandin({ data: DATA, ...OPTIONS, clock: clock.now });
    const { url } = api.sandbox();
    const path = new URL(url).pathname;
    const ask: Parameters<typeof transcript>[0] = (line, options) =>
      askAt(api.url, line.replace(" ", ` ${path}`), options);
    expect(await transcript(ask, clock)).toEqual(said);
  });

  for (const [kind, files] of [
    ["file", { "db.json": JSON.stringify(DATA) }],
    [
      "folder",
      Object.fromEntries(Object.entries(DATA).map(([name, value]) => [`${name}.json`, JSON.stringify(value)])),
    ],
  ] as const) {
    test(`a data ${kind} says the same, and has it after a restart`, async () => {
      const clock = createClock();
      const folder = createFolder(files);
      const source = kind === "file" ? `${folder}/db.json` : folder;
      const start = () => createStandin({ source, persist: true, ...OPTIONS, clock: clock.now });
      const byName = (database: unknown): unknown => Object.entries(database as object).sort();
      {
        await using api = await start();
        const here = await transcript((line, options) => askAt(api.url, line, options), clock);
        expect(here.slice(0, -1)).toEqual(said.slice(0, -1));
        expect(byName(here.at(-1)![2])).toEqual(byName(said.at(-1)![2]));
      }
      await using api = await start();
      expect(byName((await askAt(api.url, "GET /db")).body)).toEqual(byName(said.at(-1)![2]));
    });
  }

  test("programs get the same", async () => {
    await using api = await createStandin({ data: DATA, ...OPTIONS, clock: "2030-01-01T00:00:02Z" });
    const orders = api.db.orders!;
    expect(await orders.create({ total: 1 })).toEqual(bodyOf(2));
    expect(await orders.update("old", { total: 2 })).toMatchObject({ updated_at: at(2) });
    expect(await orders.replace("own", {}).catch(({ code }) => code)).toBe("RECORD_NOT_FOUND");
    expect(await orders.upsert({ id: "ord_1" })).toMatchObject({ status: "new", created_at: at(2) });
  });

  test("without a seed, ids are unlike in every run", async () => {
    const ids = async (): Promise<unknown[]> => {
      await using api = await createStandin({ data: DATA, collections: SETTINGS });
      return Promise.all(
        ["orders", "uuids", "times", "nanos"].map(async (name) => (await api.db[name]!.create({})).id),
      );
    };
    const [first, second] = [await ids(), await ids()];
    expect(new Set([...first, ...second]).size).toBe(8);
  });

  test("OpenAPI knows timestamps and defaults, also of an empty collection", async () => {
    await using api = await createStandin({ data: { orders: [] }, ...OPTIONS });
    const document = (await askAt(api.url, "GET /__openapi.json")).body as {
      components: { schemas: Record<string, JsonObject> };
    };
    const { Order, "Order.Input": input } = document.components.schemas;
    expect(Order!.properties).toMatchObject({
      created_at: { type: "string", format: "date-time", readOnly: true },
      updated_at: { readOnly: true },
    });
    expect(input!.properties).toMatchObject({ status: { default: "new" }, tags: { default: [] } });
  });

  const wrong: readonly [JsonObject, RegExp][] = [
    [{ orders: 1 }, /collections\.orders: must be an object/],
    [{ orders: { ids: "uuid" } }, /collections\.orders\.ids: is not a setting.*Did you mean "id"/],
    [{ orders: { id: "uuuid" } }, /collections\.orders\.id: "uuuid" is not a kind of id.*Did you mean "uuid"/],
    [{ orders: { id: "prefix:" } }, /collections\.orders\.id/],
    [{ orders: { id: "prefix:a/b" } }, /collections\.orders\.id/],
    [{ orders: { timestamps: "yes" } }, /collections\.orders\.timestamps: must be true/],
    [{ orders: { timestamps: { made: "x" } } }, /collections\.orders\.timestamps\.made: is not a setting/],
    [
      { orders: { timestamps: { created: "id" } } },
      /collections\.orders\.timestamps\.created: "id" is the primary key/,
    ],
    [{ orders: { timestamps: { created: "x", updated: "x" } } }, /names "x" twice/],
    [{ orders: { defaults: [] } }, /collections\.orders\.defaults: must be an object/],
    [{ orders: { defaults: { id: 1 } } }, /collections\.orders\.defaults\.id: this field cannot have a default/],
    [{ orders: { timestamps: true, defaults: { created_at: "" } } }, /defaults\.created_at/],
    [{ orders: { defaults: JSON.parse('{"__proto__":{}}') } }, /defaults\.__proto__/],
  ];
  for (const [collections, message] of wrong) {
    test(`${JSON.stringify(collections)} stops the start`, async () => {
      const started = createStandin({ data: DATA, collections: collections as never });
      await expect(started).rejects.toThrow(message);
      await expect(started).rejects.toThrow(/^createStandin: collections\.orders/);
    });
  }
});

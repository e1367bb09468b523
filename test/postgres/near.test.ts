import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { cloneJson, type Json, type JsonObject, parseJson } from "../../src/base/json/json.ts";
import { parseParameters, parseQuery } from "../../src/query/parse-query.ts";
import { MemoryStore } from "../../src/store/memory/memory-store.ts";
import { State } from "../../src/store/memory/state.ts";
import type { Store } from "../../src/store/store.ts";
import { PLACES } from "../query-language/places.ts";
import { IS_SOAK } from "../support/soak.ts";
import { createStore } from "./database.ts";

const SEED = Number(process.env.STANDIN_SEED ?? 1);
/** The places of random data, so close to each other that many are as far away. */
const degrees = fc.oneof(
  fc.integer({ min: -9, max: 9 }).map((tens) => tens * 10),
  fc.double({ min: -90, max: 90, noNaN: true }),
  fc.constantFrom(0, 1e-200, -1e-13, 89.999999, 179.999999, -180, 91, 200, 1e300),
);
const coordinate: fc.Arbitrary<Json> = fc.oneof(
  { weight: 8, arbitrary: degrees },
  {
    weight: 1,
    arbitrary: fc.constantFrom("1e400", "1e-400", "41.90000000000000000001").map((text) => parseJson(text) as Json),
  },
  { weight: 1, arbitrary: fc.constantFrom<Json>("10", "10.5", "-0.25", "1e1", "", null, true, "12345", [1]) },
);
const place: fc.Arbitrary<Json> = fc
  .tuple(fc.constantFrom("lat", "latitude"), coordinate, fc.constantFrom("lon", "lng", "longitude"), coordinate)
  .map(([north, latitude, east, longitude]) => ({ [north]: latitude, [east]: longitude }));
const places: fc.Arbitrary<Json> = fc.oneof(
  { weight: 4, arbitrary: place },
  { weight: 2, arbitrary: fc.array(fc.oneof(place, fc.array(place, { maxLength: 2 })), { maxLength: 3 }) },
  { weight: 1, arbitrary: fc.constantFrom<Json>(null, "Rome", 5, { city: "Rome" }, []) },
);
const centre = fc
  .tuple(degrees, degrees)
  .map(([a, b]) => [Math.max(-90, Math.min(90, a)), Math.max(-180, Math.min(180, b))]);
const fixed = ([latitude, longitude]: number[]): string => `${latitude!.toFixed(6)},${longitude!.toFixed(6)}`;
const query = fc
  .tuple(centre, centre, fc.constantFrom("0m", "1500km", "900mi", "9000", "20100km"), fc.integer({ min: 0, max: 6 }))
  .map(([from, other, radius, kind]) => {
    const filter = `at:near=${fixed(from)},${radius}`;
    const sort = `_sort=at:near(${fixed(from)})`;
    const forms = [
      filter,
      sort,
      `_sort=-at:near(${fixed(from)}),id`,
      `${filter}&${sort}&_limit=5`,
      `at:!near=${fixed(from)},${radius}`,
      `${filter}&at:near=${fixed(other)},1000km`,
      `_or=${filter}&_or=id:lt=4&_sort=in.at:near(${fixed(other)}),-at:near(${fixed(from)})`,
    ];
    return forms[kind]!;
  });

let opened: Awaited<ReturnType<typeof createStore>>;

beforeAll(async () => {
  opened = await createStore({ indexes: { things: ["at", "kind"] } });
});

afterAll(() => opened.close());

async function both(things: JsonObject[]): Promise<[Store, Store]> {
  await opened.store.swap({ things });
  return [opened.store, new MemoryStore(State.load({ things: cloneJson(things) }, "id"))];
}

async function idsIn(store: Store, search: string): Promise<string> {
  const { records, total } = await store.find("things", parseQuery(parseParameters(search)));
  return JSON.stringify([total, records.map(({ value }) => (value as JsonObject).id)]);
}

/** All pages of three records, one after the other. */
async function walk(store: Store, sort: string): Promise<unknown[]> {
  const ids: unknown[] = [];
  let cursor: string | undefined = "";
  while (cursor !== undefined) {
    const found = await store.find("things", parseQuery(parseParameters(`_sort=${sort}&_limit=3&_after=${cursor}`)));
    ids.push(...found.records.map(({ value }) => (value as JsonObject).id));
    cursor = found.next;
  }
  return ids;
}

test(`memory and PostgreSQL find and sort the same places (STANDIN_SEED=${SEED})`, async () => {
  for (const [round, isNested] of (IS_SOAK ? [true, false, true] : [true, false]).entries()) {
    const one = isNested ? places : place;
    const records = fc.sample(fc.tuple(one, one), { numRuns: IS_SOAK ? 60 : 15, seed: SEED + round });
    const [database, memory] = await both(records.map(([at, inner], id) => ({ id, at, in: [{ at: inner }] })));
    for (const search of fc.sample(query, { numRuns: IS_SOAK ? 200 : 20, seed: SEED + round })) {
      expect(await idsIn(database, search), search).toBe(await idsIn(memory, search));
    }
    for (const sort of ["at:near(10,10)", "-at:near(-40.5,179)", "in.at:near(0,0),id"]) {
      const walked = await walk(database, sort);
      expect(walked, sort).toEqual(await walk(memory, sort));
      expect(new Set(walked).size).toBe(records.length);
    }
  }
});

test("PostgreSQL knows every form of a place", async () => {
  const [database, memory] = await both(structuredClone(PLACES) as JsonObject[]);
  for (const search of [
    "at:near=41.9,12.5,190km",
    "at:near=-36.8,-179,600km",
    "branches.at:near=45.5,9.2,10km",
    "_sort=kind,-at:near(41.9,12.5)",
    "_sort=branches.at:near(45.5,9.2)",
  ]) {
    expect(await idsIn(database, search), search).toBe(await idsIn(memory, search));
  }
});

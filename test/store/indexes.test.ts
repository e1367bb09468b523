import { setImmediate as nextTurn, setTimeout as wait } from "node:timers/promises";
import fc from "fast-check";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import type { Json, JsonObject } from "../../src/base/json/json.ts";
import { parseParameters, parseQuery } from "../../src/query/parse-query.ts";
import { MemoryStore } from "../../src/store/memory/memory-store.ts";
import { State } from "../../src/store/memory/state.ts";
import type { Trace, Write } from "../../src/store/store.ts";
import { expectEqual } from "../support/expect-equal.ts";
import { tellNumbers } from "../support/tell-numbers.ts";
import { body, query, write } from "./arbitrary.ts";

/** Rounds of random changes and queries; npm run soak asks for more. */
const ROUNDS = Number(process.env.STANDIN_INDEX_ROUNDS ?? 2);
const QUERIES_PER_ROUND = 100;

async function answerOf(store: MemoryStore, asked: string): Promise<string> {
  const { records, total } = await store.find("things", parseQuery(parseParameters(asked)));
  return JSON.stringify([total, records.map((record) => record.value)]);
}

describe("indexes and scans agree", () => {
  test(`over ${ROUNDS * QUERIES_PER_ROUND} queries on mixed data that changes in between`, async () => {
    const round = fc.array(fc.tuple(fc.option(write, { freq: 2 }), query), {
      minLength: QUERIES_PER_ROUND,
      maxLength: QUERIES_PER_ROUND,
    });
    const start = fc.array(body, { minLength: 20, maxLength: 50 });
    let compared = 0;
    await fc.assert(
      fc.asyncProperty(start, round, async (bodies, steps) => {
        const things = bodies.map((one, position) => ({ ...one, id: position + 1 }));
        const [indexed, scanned] = [0, Number.POSITIVE_INFINITY].map(
          (minIndexed) => new MemoryStore(State.load({ things: structuredClone(things) }, "id", { minIndexed })),
        ) as [MemoryStore, MemoryStore];
        for (const [change, asked] of steps) {
          if (change) {
            const outcomes = await Promise.allSettled([indexed.apply(change), scanned.apply(change)]);
            expectEqual(outcomes[0].status, outcomes[1].status);
          }
          expectEqual(await answerOf(indexed, asked), await answerOf(scanned, asked), asked);
          compared++;
        }
      }),
      { numRuns: ROUNDS, seed: Number(process.env.STANDIN_SEED ?? 1) },
    );
    expect(compared).toBeGreaterThanOrEqual(ROUNDS * QUERIES_PER_ROUND);
    tellNumbers(`${compared} queries by index and by scan, in ${ROUNDS} rounds: no difference.`);
  });

  test("a parameter without a name before its _like does not spoil the index of q", async () => {
    const store = new MemoryStore(State.load({ things: [{ id: 1, b: 100 }, { id: 2 }] }, "id", { minIndexed: 0 }));
    for (const asked of ["_like=100", "q=100", "_like=100", "q=100"]) {
      const { total } = await store.find("things", parseQuery(parseParameters(asked)), {});
      if (asked === "q=100") expect(total).toBe(1);
    }
  });
});

describe("a small collection", () => {
  const load = (count: number): MemoryStore => {
    const things = Array.from({ length: count }, (_, at) => ({ id: at + 1, size: (at * 7) % count }));
    return new MemoryStore(State.load({ things }, "id"));
  };
  for (const asked of ["_sort=size&_limit=5", "size=3", "size_gte=3&size_lte=7"]) {
    test(`${asked}: 20 records are read by an index, and 19 are scanned`, async () => {
      const [small, tiny] = [load(20), load(19)];
      expect(JSON.parse(await answerOf(small, asked))[1].length).toBeGreaterThan(0);
      expect(small.indexes("things")).toHaveLength(1);
      await answerOf(tiny, asked);
      expect(tiny.indexes("things")).toEqual([]);
    });
  }
});

describe("filters by id", () => {
  const records = (count: number): JsonObject[] => Array.from({ length: count }, (_, at) => ({ id: at + 1 }));
  const cases: [title: string, things: JsonObject[], indexes: string[]][] = [
    ["need no index where each record has an id of its own", [...records(50), { id: "x" }, { id: 1e21 }], []],
    ["build one where two records have the same id", [...records(50), { id: "3", n: 2 }], ["equality of id"]],
    ["build one where a record has no usable id", [...records(50), { id: [3, 4] }, {}], ["equality of id"]],
  ];
  for (const [title, things, indexes] of cases) {
    test(title, async () => {
      const [store, scanned] = [0, Number.POSITIVE_INFINITY].map(
        (minIndexed) => new MemoryStore(State.load({ things: structuredClone(things) }, "id", { minIndexed })),
      ) as [MemoryStore, MemoryStore];
      const asked = ["id=3", "id=03", "id=x", "id=1e+21", "id:in=40,3,99,4", "_or=id=3&_or=id=4"];
      const writes: Write[] = [
        { kind: "remove", collection: "things", id: "4", dependents: [] },
        { kind: "create", collection: "things", bodies: [{ id: 99 }, { id: 4 }] },
      ];
      for (const write of [undefined, ...writes]) {
        if (write) await Promise.all([store.apply(write), scanned.apply(write)]);
        for (const one of asked) expectEqual(await answerOf(store, one), await answerOf(scanned, one), one);
      }
      expect(store.indexes("things")).toEqual(indexes);
    });
  }
});

test("alternatives are looked up only until a scan would read no more", async () => {
  const things = Array.from({ length: 1000 }, (_, at) => ({ id: at + 1, name: `Hat ${at}`, note: "none" }));
  const store = new MemoryStore(State.load({ things }, "id"));
  const [total] = JSON.parse(await answerOf(store, "_or=name:like=[h]at&_or=name:like=ha[t]&_or=note:like=[x]yz"));
  expect(total).toBe(1000);
  expect(store.indexes("things")).toEqual(["text of name"]);
  expect(JSON.parse(await answerOf(store, "_or=name:like=[h]at 7$&_or=note:like=[x]yz"))[0]).toBe(1);
  expect(store.indexes("things")).toEqual(["text of name", "text of note"]);
});

describe("indexes are not kept for ever", () => {
  const things = Array.from({ length: 100 }, (_, at) => ({ id: at + 1, common: at % 10 }));
  const load = (): MemoryStore =>
    new MemoryStore(State.load({ things: structuredClone(things) }, "id", { minIndexed: 0 }));

  test("the one used least recently goes when there are too many, and responses stay right", async () => {
    const store = load();
    for (let path = 0; path < 50; path++) {
      await answerOf(store, `field${path}_gte=1`);
      expect(JSON.parse(await answerOf(store, "common=3"))[0]).toBe(10);
      // Use is told apart by the clock.
      await wait(2);
    }
    const names = store.indexes("things");
    expect(names.length).toBeLessThanOrEqual(32);
    expect(names).toContain("equality of common");
    expect(names).toContain("range of field49");
    expect(names).not.toContain("range of field0");
  });

  test("one that was not used for ten minutes is dropped", async () => {
    const store = load();
    await answerOf(store, "id=3");
    vi.useFakeTimers({ toFake: ["Date"] });
    onTestFinished(() => void vi.useRealTimers());
    vi.setSystemTime(Date.now() + 11 * 60 * 1000);
    for (let time = 0; time < 1000; time++) await answerOf(store, "common=3");
    expect(store.indexes("things")).toEqual(["equality of common"]);
  });
});

describe("writes by filter", () => {
  const things = Array.from({ length: 5000 }, (_, at) => ({ id: at + 1, size: at, kind: at % 100 }));
  const load = (): MemoryStore => new MemoryStore(State.load({ things: structuredClone(things) }, "id"));
  const patch = async (store: MemoryStore, asked: string): Promise<number> => {
    const { where, search } = parseQuery(parseParameters(asked));
    const { edits } = await store.apply({
      kind: "transaction",
      members: ["things"],
      *run(data) {
        for (const before of yield* data.matching("things", { where, search })) {
          const transform = (value: Json): Json => ({ ...(value as JsonObject), isSeen: true });
          yield* data.apply({ kind: "rewrite", collection: "things", before, transform });
        }
      },
    });
    return edits.length;
  };

  test("that find few records prepare an index for the next one", async () => {
    const store = load();
    expect(await patch(store, "kind=7")).toBe(50);
    expect(store.indexes("things")).toEqual(["equality of kind"]);
    expect(await patch(store, "kind=7&isSeen=true")).toBe(50);
  });

  test("that search texts find the records of that moment, by the index or without", async () => {
    const store = load();
    for (const asked of ["q=499", "kind_like=^7$", "kind:nin=1&size_like=^49.9$"]) {
      const found = await store.find("things", parseQuery(parseParameters(asked)));
      for (const time of [1, 2, 3]) expect(await patch(store, asked), `${asked}, time ${time}`).toBe(found.total);
    }
  });

  test("that find so many records that they would drop it build none", async () => {
    const store = load();
    expect(await patch(store, "size_gte=1000")).toBe(4000);
    expect(store.indexes("things")).toEqual([]);
    expect(JSON.parse(await answerOf(store, "isSeen=true"))[0]).toBe(4000);
    expect(store.indexes("things")).toEqual(["equality of isSeen"]);
    expect(await patch(store, "isSeen=true")).toBe(4000);
    expect(JSON.parse(await answerOf(store, "isSeen=true&size_gte=4999"))[0]).toBe(1);
  });
});

describe("the cost of a query is that of its response", () => {
  const COUNT = process.env.STANDIN_SOAK ? 100_000 : 20_000;
  const products = Array.from({ length: COUNT }, (_, position) => ({
    id: position + 1,
    name: `Product ${position} ${position % (COUNT / 10) === 7 ? "rare word" : "common"}`,
    price: position / 10,
    company_id: position % (COUNT / 10),
    tags: [`t${position % (COUNT / 20)}`],
  }));
  const store = new MemoryStore(State.load({ products }, "id"));

  const cases: [asked: string, total: number, mostTouched: number][] = [
    ["company_id=7", 10, 50],
    [`company_id=7&price_gte=${COUNT / 20}`, 5, 50],
    ["tags=t12", 20, 50],
    ["price_gte=100&price_lte=101", 11, 50],
    ["_sort=price&_page=300&_limit=20", COUNT, 50],
    ["_sort=price&_order=desc&_page=300&_limit=20", COUNT, 50],
    ["price_gte=5&_limit=10", COUNT - 50, 100],
    ["price_gte=5&_sort=name&_limit=10", COUNT - 50, 50],
    ["price_lte=1&_sort=name", 11, 50],
    ["_sort=company_id,name&_page=300&_limit=20", COUNT, 50],
    ["_sort=company_id,name&_order=desc,asc&_start=15&_limit=20", COUNT, 50],
    ["_start=5000&_limit=10", COUNT, 50],
    ["q=rare word", 10, 50],
    ["name_like=rare.*word$", 10, 50],
    ["name_like=[r]are word", 10, 50],
  ];
  for (const [asked, total, mostTouched] of cases) {
    test(`${asked}: ${total} of ${COUNT} match, at most ${mostTouched} are touched`, async () => {
      const look = async (): Promise<{ found: number; trace: Trace }> => {
        const trace: Trace = { steps: [], touched: 0 };
        const found = await store.find("products", parseQuery(parseParameters(asked)), { trace });
        return { found: found.total, trace };
      };
      // The first of these may scan, or build an index.
      await look();
      const { found, trace } = await look();
      expect(found).toBe(total);
      expect(trace.touched, trace.steps.join("; ")).toBeLessThanOrEqual(mostTouched);
    });
  }
});

describe("an index of a large collection", () => {
  const COUNT = 30_000;
  const create = (minIndexed?: number): MemoryStore => {
    const things = Array.from({ length: COUNT }, (_, position) => ({
      id: position + 1,
      a: (position * 7919) % COUNT,
      b: position % 3 === 0 ? `text ${position % 500}` : position % 500,
      c: [position % 50, "all"],
    }));
    return new MemoryStore(State.load({ things }, "id", { minIndexed }));
  };
  const writes: readonly Write[] = [
    { kind: "create", collection: "things", bodies: [{ a: -1, b: 7, c: [7] }] },
    { kind: "patch", collection: "things", id: "2", body: { a: 99_999, b: "zz", c: [] } },
    { kind: "remove", collection: "things", id: "1", dependents: [] },
    { kind: "replace", collection: "things", id: "3", body: { a: 0 } },
  ];

  for (const asked of [
    "_sort=a&_limit=20",
    "_sort=b&_order=desc&_start=5&_limit=20",
    "b=7",
    "c=7",
    "a_gte=29990",
    "b_lte=text 1",
  ]) {
    test(`${asked}: others have their turn while it is built, and what they write is in the response`, async () => {
      const store = create();
      const found = answerOf(store, asked);
      const turns = { count: 0, isOver: false };
      void (async () => {
        while (!turns.isOver) {
          turns.count++;
          await nextTurn();
        }
      })();
      for (const write of writes) {
        await nextTurn();
        await store.apply(write);
      }
      await found;
      turns.isOver = true;
      expect(turns.count).toBeGreaterThan(writes.length);
      const scanned = create(Number.POSITIVE_INFINITY);
      for (const write of writes) await scanned.apply(write);
      expect(await answerOf(store, asked)).toBe(await answerOf(scanned, asked));
    });
  }

  test("a write to a copy of the state while it is built", async () => {
    const store = create();
    const sorted = answerOf(store, "_sort=a&_limit=3");
    await store.reset();
    await store.apply(writes[0]!);
    expect(JSON.parse(await sorted)[1][0].a).toBe(-1);
  });
});

import { describe, expect, test } from "vitest";
import { burstsOf } from "../../../console/src/traffic/bursts.ts";
import { ALL_ENTRIES, countMethods, countStatuses, matchesFilter } from "../../../console/src/traffic/entry-filter.ts";
import { faultFromEntry } from "../../../console/src/traffic/fault-from-entry.ts";
import { latencyBins, percentile, percentilesOf, timeSlots } from "../../../console/src/traffic/statistics.ts";
import { niceTicks, timeStep, timeTicks } from "../../../console/src/ui/charts/ticks.ts";
import { type Entry, trafficEntry as entry } from "./traffic-entry.ts";

const START = Date.parse("2026-05-01T09:30:00.000Z");
const at = (ms: number): string => new Date(START + ms).toISOString();

describe("percentiles", () => {
  const cases: [number[], number, number | undefined][] = [
    [[], 50, undefined],
    [[7], 99, 7],
    [[1, 2, 3, 4], 50, 2],
    [[1, 2, 3, 4, 5], 50, 3],
    [Array.from({ length: 100 }, (_, index) => index + 1), 95, 95],
    [Array.from({ length: 100 }, (_, index) => index + 1), 99, 99],
  ];
  for (const [values, share, expected] of cases) {
    test(`${share} % of ${values.length} values is ${expected}`, () =>
      expect(percentile(values, share)).toBe(expected));
  }

  test("of entries in any order", () => {
    const entries = [entry({ durationMs: 9 }), entry({ durationMs: 1 })];
    expect(percentilesOf(entries)).toEqual({ p50: 1, p95: 9, p99: 9, max: 9 });
  });
});

describe("the charts", () => {
  test("requests are counted in slots of a round length, the newest last, older ones not at all", () => {
    const { slots, stepMs, to } = timeSlots(
      [
        entry({ time: at(-600_000) }),
        entry({ time: at(500) }),
        entry({ time: at(900), status: 404, durationMs: 20 }),
        entry({ time: at(2000), status: 0 }),
        entry({ time: at(2001), status: 503 }),
      ],
      START + 2100,
      60_000,
    );
    expect([slots.length, stepMs, to]).toEqual([60, 1000, START + 3000]);
    expect(slots.slice(-3)).toEqual([
      { from: START, count: 2, rejected: 1, failed: 0, p95: 20 },
      { from: START + 1000, count: 0, rejected: 0, failed: 0, p95: undefined },
      { from: START + 2000, count: 2, rejected: 0, failed: 2, p95: 5 },
    ]);
    expect(slots.slice(0, -3).every(({ count }) => count === 0)).toBe(true);
  });

  test("every duration is in the bin that has it, and few values still make a histogram", () => {
    const durations = [0, 0.3, 1, 1.9, 10, 2500];
    const bins = latencyBins(durations.map((durationMs) => entry({ durationMs })));
    for (const ms of durations.slice(1)) {
      const bin = bins.find(({ from, to }) => ms >= from * 0.999_999 && ms < to);
      expect([ms, bin?.count]).toEqual([ms, expect.any(Number)]);
      expect(bin!.count).toBeGreaterThan(0);
    }
    expect(bins.reduce((sum, { count }) => sum + count, 0)).toBe(durations.length);
    expect(latencyBins([])).toEqual([]);
    expect(latencyBins([entry()]).length).toBeGreaterThanOrEqual(6);
  });

  test("ticks are round, start at 0 and reach the largest value", () => {
    expect(niceTicks(7, 4)).toEqual([0, 2, 4, 6, 8]);
    expect(niceTicks(0.3, 4)).toEqual([0, 0.1, 0.2, 0.3]);
    expect(niceTicks(1, 4, true)).toEqual([0, 1]);
    expect(niceTicks(1000, 4)).toEqual([0, 500, 1000]);
    expect(timeStep(60_000, 60)).toBe(1000);
    expect(timeStep(61_000, 60)).toBe(2000);
    expect(timeTicks(START, START + 60_000, 4)).toEqual([0, 15, 30, 45, 60].map((seconds) => START + seconds * 1000));
  });
});

describe("bursts", () => {
  test("a pause ends one; requests at the same time are counted", () => {
    const entries = [
      entry({ id: 1, time: at(100), durationMs: 100 }),
      entry({ id: 2, time: at(150), durationMs: 100 }),
      entry({ id: 3, time: at(640), durationMs: 10 }),
      // It began in the first burst, and ended late.
      entry({ id: 4, time: at(1500), durationMs: 1480 }),
      entry({ id: 5, time: at(2500), durationMs: 0 }),
    ];
    const [first, second, ...more] = burstsOf(entries);
    expect(more).toEqual([]);
    expect(first!.entries.map(({ id }) => id)).toEqual([1, 4, 2, 3]);
    expect(first).toMatchObject({ from: START, to: START + 1500, mostAtOnce: 3 });
    expect(second).toMatchObject({ from: START + 2500, to: START + 2500, mostAtOnce: 1 });
    expect(burstsOf([])).toEqual([]);
  });
});

describe("the filter of the traffic", () => {
  const ofConsole = { requestHeaders: { "x-standin-console": "1" } };
  const faulty: Partial<Entry> = { faults: [{ id: "1", fault: "latency", delayMs: 20 }] };
  const cases: [string, Partial<Entry>, Partial<typeof ALL_ENTRIES>, boolean][] = [
    ["nothing asked", {}, {}, true],
    ["a part of the address", {}, { text: "products" }, true],
    ["a part of what it became", { url: "/x" }, { text: "get /products" }, true],
    ["the status", { status: 404 }, { text: "404" }, true],
    ["another method", {}, { text: "post" }, false],
    ["the sandbox by its name", { sandbox: "ann" }, { text: "ann" }, true],
    ["the fault by its kind", faulty, { text: "latency" }, true],
    ["one of two methods", {}, { methods: ["POST", "GET"] }, true],
    ["none of the methods", {}, { methods: ["POST"] }, false],
    ["only what failed", {}, { statuses: ["4xx", "5xx"] }, false],
    ["only what succeeded", { status: 201 }, { statuses: ["2xx"] }, true],
    ["what got no response", { status: 0 }, { statuses: ["none"] }, true],
    ["the main data, in a sandbox", { sandbox: "ann" }, { sandbox: "" }, false],
    ["the sandbox", { sandbox: "ann" }, { sandbox: "ann" }, true],
    ["with a fault, without one", {}, { withFault: true }, false],
    ["with a fault", faulty, { withFault: true }, true],
    ["what the console reads", ofConsole, {}, false],
    ["what the console reads, asked for", ofConsole, { withConsole: true }, true],
    ["what the console writes", { method: "PATCH", ...ofConsole }, {}, true],
  ];
  for (const [name, changed, filter, kept] of cases) {
    test(`${name}: ${kept ? "kept" : "dropped"}`, () => {
      expect(matchesFilter(entry(changed), { ...ALL_ENTRIES, ...filter })).toBe(kept);
    });
  }

  test("chips count what there is", () => {
    const entries = [entry(), entry({ status: 0 }), entry({ method: "POST", status: 201 }), entry({ status: 101 })];
    expect(countMethods(entries)).toEqual([
      ["GET", 3],
      ["POST", 1],
    ]);
    expect(countStatuses(entries)).toEqual([
      ["2xx", 3],
      ["none", 1],
    ]);
  });
});

describe("a fault from a request", () => {
  const cases: [Partial<Entry>, object][] = [
    [{}, { fault: "status", status: 503 }],
    [{ status: 429 }, { fault: "status", status: 429 }],
    [{ status: 0 }, { fault: "reset" }],
    [{ durationMs: 1500.4 }, { fault: "latency", ms: 1500 }],
    [
      { sandbox: "ann", url: "/__sandbox/ann/api/products?x=1" },
      { fault: "status", status: 503, sandbox: "ann" },
    ],
  ];
  for (const [changed, expected] of cases) {
    test(`${JSON.stringify(changed)} makes ${JSON.stringify(expected)}`, () => {
      expect(faultFromEntry(entry(changed))).toEqual({ method: "GET", path: "/api/products", ...expected });
    });
  }
});

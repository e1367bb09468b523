import { describe, expect, test } from "vitest";
import { ALL_ENTRIES, type Entry, matchesFilter } from "../../../console/src/traffic/entry.ts";
import { percentile, percentilesOf, perSecond } from "../../../console/src/traffic/statistics.ts";

function entry(changed: Partial<Entry> = {}): Entry {
  return {
    id: 1,
    time: "2026-05-01T09:30:00.500Z",
    method: "GET",
    url: "/api/products?x=1",
    rewritten: "/products?x=1",
    status: 200,
    durationMs: 5,
    answeredBy: "route",
    requestHeaders: {},
    responseHeaders: {},
    requestBytes: 0,
    responseBytes: 2,
    ...changed,
  };
}

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
    expect(percentilesOf([entry({ durationMs: 9 }), entry({ durationMs: 1 })])).toEqual({ p50: 1, p95: 9, p99: 9 });
  });
});

test("requests are counted by the second, the newest last, older ones not at all", () => {
  const now = Date.parse("2026-05-01T09:30:02.100Z");
  const seconds = perSecond(
    [
      entry({ time: "2026-05-01T09:29:00.000Z" }),
      entry(),
      entry({ status: 404, durationMs: 20 }),
      entry({ time: "2026-05-01T09:30:02.000Z" }),
    ],
    now,
    3,
  );
  expect(seconds).toEqual([
    { count: 2, failed: 1, p95: 20 },
    { count: 0, failed: 0, p95: undefined },
    { count: 1, failed: 0, p95: 5 },
  ]);
});

describe("the filter of the traffic", () => {
  const cases: [string, Partial<Entry>, Partial<typeof ALL_ENTRIES>, boolean][] = [
    ["nothing asked", {}, {}, true],
    ["a part of the address", {}, { text: "products" }, true],
    ["a part of what it became", { url: "/x" }, { text: "get /products" }, true],
    ["the status", { status: 404 }, { text: "404" }, true],
    ["another method", {}, { text: "post" }, false],
    ["only what failed", {}, { status: "failed" }, false],
    ["only what succeeded", { status: 500 }, { status: "ok" }, false],
    ["what the console reads", { requestHeaders: { "x-standin-console": "1" } }, {}, false],
    [
      "what the console reads, asked for",
      { requestHeaders: { "x-standin-console": "1" } },
      { withConsole: true },
      true,
    ],
    ["what the console writes", { method: "PATCH", requestHeaders: { "x-standin-console": "1" } }, {}, true],
  ];
  for (const [name, changed, filter, kept] of cases) {
    test(`${name}: ${kept ? "kept" : "dropped"}`, () => {
      expect(matchesFilter(entry(changed), { ...ALL_ENTRIES, ...filter })).toBe(kept);
    });
  }
});

import { expect, test } from "vitest";
import { bucketed, rowFilters } from "../../../console/src/data/grouping-buckets.ts";
import { shapeFieldsOf, shapeFor, shapesOf } from "../../../console/src/data/shapes/shapes.ts";

const rows = [
  { at: "2026-02-01", count: 1, avg_price: 10 },
  { at: "2026-01-31T10:00:00Z", count: 3, avg_price: 20 },
  { at: "2026-01-01", count: 1, avg_price: 40 },
  { at: null, count: 9, avg_price: 1 },
];

test("days are put together by month, year and day, in order; averages count their records", () => {
  const grouping = { fields: ["at"], kind: "count", of: "", by: "month" } as const;
  expect(bucketed(rows, grouping)).toEqual([
    { at: "2026-01", count: 4 },
    { at: "2026-02", count: 1 },
  ]);
  expect(bucketed(rows, { ...grouping, by: "year" })).toEqual([{ at: "2026", count: 5 }]);
  expect(bucketed(rows, { ...grouping, by: "day" })).toHaveLength(3);
  expect(bucketed(rows, { ...grouping, kind: "avg", of: "price" })).toEqual([
    { at: "2026-01", avg_price: 25 },
    { at: "2026-02", avg_price: 10 },
  ]);
});

test("lists are put together by element, the largest first", () => {
  const lists = [
    { tags: ["a", "b"], count: 2 },
    { tags: ["b", "b"], count: 3 },
    { tags: [], count: 1 },
  ];
  expect(bucketed(lists, { fields: ["tags"], kind: "count", of: "", by: "element" })).toEqual([
    { tags: "b", count: 5 },
    { tags: "a", count: 2 },
  ]);
});

test.each([
  ["2026", "year", "2027"],
  ["2026-12", "month", "2027-01"],
  ["2024-02-28", "day", "2024-02-29"],
  ["2026-12-31", "day", "2027-01-01"],
] as const)("the records of %s are those before %s", (at, by, end) => {
  expect(rowFilters({ at }, { fields: ["at"], kind: "count", of: "", by })).toEqual([
    [{ path: "at", operator: "gte", value: at }],
    [{ path: "at", operator: "lt", value: end }],
  ]);
});

test("a form is there where its field is", () => {
  const number = (name: string) => ({ name, kind: "number", isMany: false }) as const;
  const none = shapeFieldsOf(new Map(), [number("lat")]);
  expect(shapesOf(none)).toEqual([]);
  const places = [
    [number("lat"), number("lng")],
    [number("home.latitude"), number("home.longitude")],
  ];
  for (const fields of places) expect(shapesOf(shapeFieldsOf(new Map(), fields))).toEqual([["map", "Map"]]);
  expect(shapeFor("gallery", none)).toBe(undefined);
});

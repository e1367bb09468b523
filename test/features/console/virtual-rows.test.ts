import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  type Extent,
  follow,
  MAX_SCROLL_HEIGHT,
  placeAt,
  revealRow,
  rowsInSight,
  scrollHeight,
} from "../../../console/src/data/table/virtual-rows.ts";

const SHORT: Extent = { rowCount: 500, rowHeight: 40, viewHeight: 600 };
const LONG: Extent = { rowCount: 1_000_000, rowHeight: 40, viewHeight: 600 };
const TOP = { scrollTop: 0, top: 0 };

describe("a list that fits into what a browser can scroll", () => {
  test("moves with the scrollbar, pixel by pixel", () => {
    expect(scrollHeight(SHORT)).toBe(20_000);
    const place = follow(TOP, 1_234, SHORT);
    expect(place.top).toBe(1_234);
    expect(rowsInSight(place, SHORT)).toEqual({ first: 30, end: 46, shift: 34 });
  });
});

describe("a list of a million", () => {
  test("is no higher than a browser can scroll", () => expect(scrollHeight(LONG)).toBe(MAX_SCROLL_HEIGHT));

  test("moves pixel by pixel under the wheel", () => {
    const place = follow(follow(TOP, 100, LONG), 220, LONG);
    expect(place.top).toBe(220);
  });

  test("jumps in proportion when the scrollbar is dragged", () => {
    const place = follow(TOP, (MAX_SCROLL_HEIGHT - 600) / 2, LONG);
    expect(rowsInSight(place, LONG).first).toBeCloseTo(500_000, -2);
  });

  test("has its last row at the end of the scrollbar, and its first at the beginning", () => {
    const end = follow(TOP, MAX_SCROLL_HEIGHT - 600, LONG);
    expect(rowsInSight(end, LONG).end).toBe(1_000_000);
    expect(follow(end, 0, LONG).top).toBe(0);
  });

  test("any row can be reached, and the scrollbar stands where the list does", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 999_999 }), (row) => {
        const place = revealRow(row, TOP, LONG);
        const { first, end } = rowsInSight(place, LONG);
        expect(row).toBeGreaterThanOrEqual(first);
        expect(row).toBeLessThan(end);
        expect(placeAt(place.top, LONG).scrollTop).toBe(place.scrollTop);
      }),
    );
  });

  test("wherever one scrolls, the rows in sight exist", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -100, max: MAX_SCROLL_HEIGHT + 100 })), (stops) => {
        let place = TOP;
        for (const stop of stops) {
          place = follow(place, stop, LONG);
          const { first, end } = rowsInSight(place, LONG);
          expect(first).toBeGreaterThanOrEqual(0);
          expect(end).toBeLessThanOrEqual(LONG.rowCount);
          expect(end).toBeGreaterThan(first);
        }
      }),
    );
  });
});

test("an empty list has no rows", () => {
  const empty = { ...SHORT, rowCount: 0 };
  expect(rowsInSight(follow(TOP, 50, empty), empty)).toMatchObject({ first: 0, end: 0 });
});

import { expect, test } from "vitest";
import { comparedText } from "../../../console/src/records/comparison/compared-text.ts";
import { nestedDifferences } from "../../../console/src/records/comparison/nested-differences.ts";

test("two records are compared field by field, inside of objects by the path", () => {
  const before = { id: 1, name: "Hat", at: { lat: 1, lon: 2, city: { name: "Rome" } }, tags: ["a"], old: {} };
  const after = { id: 1, name: "Cap", at: { lat: 1, lon: 3, city: { name: "Oslo" } }, tags: ["a", "b"], new: null };
  expect(nestedDifferences(before, after)).toEqual([
    { field: "name", before: "Hat", after: "Cap" },
    { field: "at.lon", before: 2, after: 3 },
    { field: "at.city.name", before: "Rome", after: "Oslo" },
    { field: "tags", before: ["a"], after: ["a", "b"] },
    { field: "old", before: {}, after: undefined },
    { field: "new", before: undefined, after: null },
  ]);
});

test("an object that loses all its fields, or lies very deep, is compared as a whole", () => {
  expect(nestedDifferences({ at: { lat: 1 } }, { at: {} })).toEqual([{ field: "at", before: { lat: 1 }, after: {} }]);
  const deep = (value: number) => ({ a: { b: { c: { d: { e: value } } } } });
  expect(nestedDifferences(deep(1), deep(2))).toEqual([{ field: "a.b.c.d", before: { e: 1 }, after: { e: 2 } }]);
});

test("objects in lists are compared by their places, unless one was inserted before the others", () => {
  const [hat, cap, bag] = ["Hat", "Cap", "Bag"].map((name) => ({ name, size: { width: 1 } })) as [
    object,
    object,
    object,
  ];
  const list = (...lines: object[]) => ({ lines }) as { lines: { [key: string]: string }[] };
  expect(nestedDifferences(list(hat, cap), list(hat, { ...cap, size: { width: 2 } }, bag))).toEqual([
    { field: "lines", before: [hat, cap], after: [hat, { ...cap, size: { width: 2 } }, bag] },
  ]);
  expect(nestedDifferences(list(hat, cap), list(hat, { ...cap, size: { width: 2 } }))).toEqual([
    { field: "lines[1].size.width", before: 1, after: 2 },
  ]);
  expect(nestedDifferences(list(hat, cap), list(hat, cap, bag))).toEqual([
    { field: "lines[2]", before: undefined, after: bag },
  ]);
});

test("values that differ never look the same", () => {
  expect([comparedText(1, "1"), comparedText("1", 1)]).toEqual(["1", '"1"']);
  expect(comparedText("Hat ", "Hat")).toBe('"Hat "');
  expect(comparedText("Hat", "Cap")).toBe("Hat");
  const long = "a".repeat(1000);
  expect(comparedText(`${long}b`, `${long}c`)).toBe(`…${"a".repeat(40)}b"`);
});

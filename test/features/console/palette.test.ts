import { describe, expect, test } from "vitest";
import type { Overview } from "../../../console/src/api/overview.ts";
import { lookupsFor } from "../../../console/src/shell/palette/find-records.ts";
import { fitOf, fitOfWords } from "../../../console/src/shell/palette/match.ts";

describe("what the palette finds", () => {
  test("the whole name before its start, that before a word, that before a part, that before scattered letters", () => {
    const texts = ["products", "products of today", "new products", "byproducts", "people, roads, docks"];
    const fits = texts.map((text) => fitOf(text, "Products"));
    expect(fits).toEqual([...fits].sort((a, b) => b - a));
    expect(fits.slice(0, 4).every((fit) => fit > 0)).toBe(true);
    expect(fitOf("products", "prd")).toBeGreaterThan(0);
  });

  test("every word has to be there; nothing typed fits everything", () => {
    expect(fitOf("New record in products", "products new")).toBeGreaterThan(0);
    expect(fitOf("New record in products", "products old")).toBe(0);
    expect(fitOf("anything", " ")).toBeGreaterThan(0);
    expect(fitOf("anything", "z")).toBe(0);
    expect(fitOfWords("New sandbox create add", "add sandbox")).toBeGreaterThan(0);
    expect(fitOfWords("Data collections records table", "lost")).toBe(0);
  });

  const overview = {
    members: [
      { name: "products", kind: "collection", count: 2 },
      { name: "order-lines", kind: "collection", count: 2 },
      { name: "a/b", kind: "collection", count: 2 },
      { name: "settings", kind: "singleton", count: 1 },
    ],
  } as unknown as Overview;
  const cases: [string, string[]][] = [
    ["products 12", ["products=12"]],
    ["prod/12", ["products=12"]],
    ["lines / a b", ["order-lines=a b"]],
    ["products 12/3", ["products=12/3"]],
    ["a/b 12", ["a/b=12", "a/b=b 12"]],
    ["12", ["products=12", "order-lines=12", "a/b=12"]],
    ["k3Xw9bQ", ["products=k3Xw9bQ", "order-lines=k3Xw9bQ", "a/b=k3Xw9bQ"]],
    ["products", []],
    ["settings 1", []],
    ["", []],
  ];
  for (const [typed, expected] of cases) {
    test(`"${typed}" is looked for as ${expected.join(", ") || "no record"}`, () => {
      expect(lookupsFor(typed, overview).map(({ collection, id }) => `${collection}=${id}`)).toEqual(expected);
    });
  }
});

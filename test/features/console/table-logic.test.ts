import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../../console/src/api/json.ts";
import type { Overview } from "../../../console/src/api/overview.ts";
import { parseListQuery } from "../../../console/src/data/list-query.ts";
import { binEdges, binOf } from "../../../console/src/data/table/bins.ts";
import { type Figures, loadFigures } from "../../../console/src/data/table/column-figures.ts";
import { type Column, columnsOf } from "../../../console/src/data/table/columns.ts";
import { decimalPad, fractionDigits } from "../../../console/src/data/table/decimals.ts";
import { moveColumn, orderColumns, PLAIN_LAYOUT, parseLayout } from "../../../console/src/data/table/layout.ts";
import { fitColumns, looksOf } from "../../../console/src/data/table/looks.ts";
import { ReferenceLabels } from "../../../console/src/data/table/reference-labels.ts";
import { relativeTime } from "../../../console/src/data/table/relative-time.ts";
import { isColour, isImage, linkOf, toneOf, tonesOf } from "../../../console/src/data/table/value-looks.ts";
import { labelOf, titleIn } from "../../../console/src/records/relations.ts";

describe("the layout of columns", () => {
  test("a kept order puts the id first, known columns as chosen, and new ones behind", () => {
    const columns = columnsOf("id", [], [{ id: 1, a: 1, b: 1, c: 1, d: 1 }]);
    const order = orderColumns(columns, "id", { ...PLAIN_LAYOUT, order: ["c", "gone", "a"] });
    expect(order.map(({ name }) => name)).toEqual(["id", "c", "a", "b", "d"]);
  });

  test.each([
    ["b", 3, ["id", "a", "hidden", "c", "b"]],
    ["c", 1, ["id", "c", "a", "hidden", "b"]],
  ])("%s moves to place %i among those shown", (name, place, expected) => {
    expect(moveColumn(["id", "a", "hidden", "b", "c"], ["id", "a", "b", "c"], name, place)).toEqual(expected);
  });

  test.each(["", "null", "[1]", '{"order":7,"widths":{"a":"x"},"hidden":[1]}'])("%j counts as none", (text) => {
    expect(parseLayout(text)).toEqual(PLAIN_LAYOUT);
  });

  test("a width has limits", () => {
    expect(parseLayout('{"widths":{"a":1,"b":1e9}}').widths).toEqual({ a: 64, b: 960 });
  });
});

describe("looks", () => {
  const overview = {
    idKey: "id",
    members: [],
    relations: [{ from: "orders", field: "user_id", to: "users" }],
    fields: { orders: [{ name: "size", types: ["string"], values: ["small", "large"] }] },
    recordRules: { orders: { fields: [{ name: "level", enum: ["low", "high"] }] } },
  } as unknown as Overview;
  const looks = (records: JsonObject[]): unknown =>
    Object.fromEntries(
      [...looksOf(overview, "orders", columnsOf("id", [], records), records)].map(([name, { kind }]) => [name, kind]),
    );

  test("columns of short texts have the room that these need; others share the rest", () => {
    const records = [{ id: 1, name: "Oak Mug", a_rather_long_name: "x", note: "x".repeat(40), total: 1 }];
    const columns = columnsOf("id", [], records);
    const fitted = fitColumns(columns, looksOf(overview, "orders", columns, records), records);
    expect(fitted.map(({ name, width, isWide }) => [name, width, isWide])).toEqual([
      ["id", 88, false],
      ["name", 104, false],
      ["a_rather_long_name", 200, false],
      ["note", 232, true],
      ["total", 128, false],
    ]);
  });

  test("follow types, forms and relations", () => {
    const record = {
      id: 1,
      user_id: 2,
      paid: true,
      total: 1.5,
      tint: "#ff8800",
      photo: "/a/b.png",
      note: "hm",
      tags: [],
    };
    const times = { due: "2026-01-05", placed_at: "2026-01-05T10:00:00Z", level: "low", size: "small" };
    expect(looks([{ ...record, ...times }])).toEqual({
      id: "plain",
      user_id: "reference",
      paid: "boolean",
      total: "number",
      tint: "colour",
      photo: "image",
      note: "plain",
      tags: "plain",
      due: "date",
      placed_at: "date-time",
      level: "badge",
      size: "badge",
    });
  });

  test("texts that repeat are badges; a column of different ones, or of long ones, is not", () => {
    const records = Array.from({ length: 12 }, (_, at) => ({
      id: at,
      state: ["new", "paid", "sent"][at % 3] as string,
      name: `Name ${at}`,
      text: "a text as long as no badge should ever be",
      mixed: at % 2 === 0 ? "one" : 2,
    }));
    expect(looks(records)).toMatchObject({ state: "badge", name: "plain", text: "plain", mixed: "plain" });
  });

  test.each(["#fff", "#FF8800", "#ff880080", "rgb(1, 2, 3)", "hsl(120deg 10% 20% / 50%)"])("%s is a colour", (text) => {
    expect(isColour(text)).toBe(true);
  });
  test.each(["#12", "#ggg", "red", "url(x)", "rgb(1);x"])("%s is none", (text) => expect(isColour(text)).toBe(false));

  test.each([
    ["https://host.example/a.PNG?w=1", "x", true],
    ["/pictures/a.webp", "x", true],
    ["https://host.example/7", "avatar_url", true],
    ["data:image/png;base64,AA", "x", true],
    ["https://host.example/7", "homepage", false],
    ["//host.example/a.png", "x", false],
    ["javascript:a.png", "photo", false],
    ["a.png", "photo", false],
  ])("%s in %s: %s", (text, field, expected) => expect(isImage(text, field)).toBe(expected));

  test("badges have the colour of what they say; others only colours without a meaning", () => {
    const words = ["error", "Cancelled", "pending", "active", "paid", "draft", "in progress"];
    expect(words.map(toneOf)).toEqual([6, 6, 3, 2, 2, 0, 1]);
    const others = [...tonesOf(["linen", "oak", "brass", "clay"]).values()];
    expect(new Set(others).size).toBe(4);
    for (const tone of [...others, toneOf("walnut"), toneOf("")]) expect([0, 1, 4, 5]).toContain(tone);
    expect([...tonesOf(["paid", "active"]).values()]).toEqual([2, 2]);
  });

  test.each([
    ["https://shop.example.com/a?b=1", "https://shop.example.com/a?b=1"],
    ["ada@example.com", "mailto:ada@example.com"],
    ["javascript:alert(1)", undefined],
    ["see https://shop.example.com", undefined],
    ["@ada", undefined],
  ])("%s leads to %s", (text, expected) => expect(linkOf(text)).toBe(expected));

  test("decimal points stand below each other", () => {
    expect([1, 1.5, -2.25, 1e21, 1e-7].map(fractionDigits)).toEqual([0, 1, 2, 0, 0]);
    expect([1, 1.5, 2.25].map((value) => decimalPad(value, 2))).toEqual([".00", "0", ""]);
  });

  const now = Date.parse("2026-05-10T12:00:00Z");
  test.each([
    ["2026-05-10T11:59:50Z", "date-time", "now"],
    ["2026-05-10T11:30:00Z", "date-time", "30 minutes ago"],
    ["2026-05-10T15:00:00Z", "date-time", "in 3 hours"],
    ["2026-05-07T12:00:00Z", "date-time", "3 days ago"],
    ["2024-05-10T12:00:00Z", "date-time", "10 May 2024"],
    ["2026-05-10", "date", "today"],
    ["2026-05-11", "date", "tomorrow"],
    ["2026-02-10", "date", "10 Feb 2026"],
    ["2026-99-99", "date", undefined],
    ["2026-99-99T10:00", "date-time", undefined],
  ] as const)("%s (%s) is %s", (text, kind, words) => expect(relativeTime(text, kind, now)).toBe(words));
});

describe("the names behind foreign keys", () => {
  const records = [{ a: 1, b: "x" }, { a: 2, b: "x" }, { a: 1 }, { a: null, b: [] }] as JsonObject[];
  const fields = [
    { field: "a", to: "as" },
    { field: "b", to: "bs" },
    { field: "c", to: "as" },
  ];

  test("are fetched once, in one request per collection, and again after a change", async () => {
    const asked: unknown[] = [];
    let changes = 0;
    const labels = new ReferenceLabels(
      async (to, ids) => {
        asked.push([to, ids]);
        return new Map([["1", `One of ${to}`]]);
      },
      () => changes++,
    );
    labels.look(records, fields);
    labels.look(records, fields);
    await expect.poll(() => changes).toBe(2);
    const all = [
      ["as", ["1", "2"]],
      ["bs", ["x"]],
    ];
    expect(asked).toEqual(all);
    expect(labels.of("as", "1")).toEqual({ kind: "found", name: "One of as" });
    expect(labels.of("as", "2")).toEqual({ kind: "missing" });
    expect(labels.of("as", "3")).toBeUndefined();
    labels.refresh();
    expect(labels.of("as", "1")).toBeDefined();
    labels.look(records, fields);
    expect(asked).toEqual([...all, ...all]);
  });

  test.each([
    [{ id: 1, title: "Sir", name: "Ada" }, "Ada"],
    [{ firstName: "Ada", lastName: "Lovelace", email: "a@b.example" }, "Ada Lovelace"],
    [{ last_name: "Lovelace" }, "Lovelace"],
    [{ email: "a@b.example" }, "a@b.example"],
    [{ name: 7 }, undefined],
  ])("%j is called %s", (record, name) => expect(labelOf(record)).toBe(name));

  test("a record in several states is called as in the first that has a name", () => {
    expect(titleIn(null, { id: 1 }, { name: "Hat" }, { name: "Cap" })).toBe("Hat");
    expect(titleIn(null, 7)).toBeUndefined();
  });
});

describe("the figures of a column", () => {
  test.each([
    ["number", 0, 996, ["0", "100", "1000", 10]],
    ["number", 3, 3, ["3", "4", "4", 1]],
    ["number", -0.4, 0.5, ["-0.4", "-0.3", "0.6", 10]],
    ["date", "2026-01-01", "2026-01-09", ["2026-01-01", "2026-01-02", "2026-01-10", 9]],
    [
      "date-time",
      "2026-01-01T00:10:00Z",
      "2026-01-01T02:00:00Z",
      ["2026-01-01T00:00:00.000Z", "2026-01-01T00:15:00.000Z", "2026-01-01T02:15:00.000Z", 9],
    ],
  ] as const)("%s from %s to %s", (kind, least, greatest, [first, second, last, bins]) => {
    const edges = binEdges(kind, least, greatest);
    expect([edges?.texts[0], edges?.texts[1], edges?.texts.at(-1), (edges?.texts.length ?? 0) - 1]).toEqual([
      first,
      second,
      last,
      bins,
    ]);
    expect(edges && [binOf(edges, least), binOf(edges, greatest)]).toEqual([0, bins - 1]);
  });

  test("none without a range", () => expect(binEdges("date", null, null)).toBeUndefined());

  test("few different values are sorted into bins here; for many, the server counts each bin", async () => {
    const price = columnsOf("id", [], [{ id: 1, price: 1 }])[1] as Column;
    for (const [total, requests] of [
      [2, 3],
      [1000, 13],
    ] as const) {
      const asked: string[] = [];
      const shown: Figures[] = [];
      await loadFigures(
        async (path) => {
          asked.push(path);
          if (path.includes("_group"))
            return {
              records: [
                { price: 0, count: 3 },
                { price: 95, count: 1 },
              ],
              total,
            };
          if (path.includes("_aggregate"))
            return { records: [{ min_price: 0, max_price: 95, avg_price: 23.75 }], total: 1 };
          return { records: [], total: path.includes("null") ? 0 : 7 };
        },
        { collection: "things", column: price, query: parseListQuery("name=x&_sort=name") },
        (figures) => shown.push(figures),
      );
      expect(asked).toHaveLength(requests);
      expect(asked.every((path) => path.startsWith("/things?name=x&"))).toBe(true);
      const [first, last] = shown;
      expect(first).toMatchObject({ distinct: total, empty: 0, average: 23.75, least: 0, greatest: 95 });
      expect(last?.bins.map(({ count }) => count)).toEqual(
        total === 2 ? [3, 0, 0, 0, 0, 0, 0, 0, 0, 1] : Array(10).fill(7),
      );
    }
  });
});

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  formatListQuery,
  type ListQuery,
  nextSort,
  OPERATORS,
  parseListQuery,
  windowPath,
} from "../../../console/src/data/list-query.ts";
import { operatorsFor } from "../../../console/src/data/operators.ts";
import { startApi } from "../../support/api.ts";

describe("the query of a list", () => {
  const cases: [string, ListQuery][] = [
    ["", { filters: [], search: "", sort: undefined }],
    [
      "price_gte=10&price_lte=50",
      {
        filters: [
          { path: "price", operator: "gte", value: "10" },
          { path: "price", operator: "lte", value: "50" },
        ],
        search: "",
        sort: undefined,
      },
    ],
    [
      "company_id=2&q=lamp&_sort=price&_order=desc",
      {
        filters: [{ path: "company_id", operator: "eq", value: "2" }],
        search: "lamp",
        sort: { path: "price", descending: true },
      },
    ],
    [
      "name_like=%5Esteel",
      { filters: [{ path: "name", operator: "like", value: "^steel" }], search: "", sort: undefined },
    ],
    [
      "headquarter.lat_gte=40",
      {
        filters: [{ path: "headquarter.lat", operator: "gte", value: "40" }],
        search: "",
        sort: undefined,
      },
    ],
  ];
  for (const [text, query] of cases) {
    test(`"${text}" is read and written back`, () => {
      expect(parseListQuery(text)).toEqual(query);
      expect(formatListQuery(query)).toBe(text);
    });
  }

  test("a filter without a value asks for nothing yet", () => {
    expect(
      formatListQuery({ filters: [{ path: "price", operator: "gte", value: "" }], search: "", sort: undefined }),
    ).toBe("");
  });

  test("the window of the list is not part of what is asked", () => {
    expect(parseListQuery("_page=2&_limit=5&_start=1&_end=3&_embed=products&name=x").filters).toHaveLength(1);
  });

  test("the window is added to any query", () => {
    expect(windowPath("products", "", 200, 100)).toBe("/products?_start=200&_limit=100");
    expect(windowPath("a b", "x=1", 0, 100)).toBe("/a%20b?x=1&_start=0&_limit=100");
  });

  test("any list survives the URL", () => {
    const filter = fc.record({
      path: fc.constantFrom("name", "price", "a.b", "läge"),
      operator: fc.constantFrom(...OPERATORS),
      value: fc.string({ minLength: 1, unit: "grapheme" }),
    });
    const query = fc.record({
      filters: fc.array(filter, { maxLength: 4 }),
      search: fc.string({ unit: "grapheme" }),
      sort: fc.option(fc.record({ path: fc.constantFrom("name", "a.b"), descending: fc.boolean() }), {
        nil: undefined,
      }),
    });
    fc.assert(
      fc.property(query, (asked) => {
        expect(parseListQuery(formatListQuery(asked))).toEqual(asked);
      }),
    );
  });

  test("the server understands what is written: a range finds the products in it", async () => {
    const { ask } = await startApi();
    const query = formatListQuery(parseListQuery("price_gte=20&price_lte=60&_sort=price"));
    const answer = await ask(`GET ${windowPath("products", query, 0, 100)}`);
    expect((answer.body as { name: string }[]).map(({ name }) => name)).toEqual([
      "Wooden Chair",
      "Steel Lamp",
      "Concrete Lamp",
      "Silk Scarf",
    ]);
    expect(answer.headers.get("x-total-count")).toBe("4");
  });

  test("a column is sorted up, down, not at all", () => {
    const up = nextSort(undefined, "price");
    const down = nextSort(up, "price");
    expect([up, down, nextSort(down, "price"), nextSort(down, "name")]).toEqual([
      { path: "price", descending: false },
      { path: "price", descending: true },
      undefined,
      { path: "name", descending: false },
    ]);
  });

  test("each kind of column is asked the likeliest question first", () => {
    expect(operatorsFor(["number"])[0]).toBe("gte");
    expect(operatorsFor(["number", "null"])[0]).toBe("gte");
    expect(operatorsFor(["string", "number"])[0]).toBe("like");
    expect(operatorsFor(["boolean"])).toEqual(["eq", "ne"]);
    expect(operatorsFor([])).toHaveLength(5);
  });
});

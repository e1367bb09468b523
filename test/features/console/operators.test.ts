import { describe, expect, test } from "vitest";
import { groupFilters } from "../../../console/src/data/grouping.ts";
import { choicesFor, conditionText, menuWords } from "../../../console/src/data/operators.ts";
import { columnsOf, nestedPaths } from "../../../console/src/data/table/columns.ts";

const RECORDS = [
  {
    id: 1,
    name: "a",
    price: 1,
    sold: true,
    day: "2026-01-31",
    at: "2026-01-31T12:00:00Z",
    at_home: null,
    home: { lat: 1 },
    cities: [{ name: "Rome" }],
  },
  {
    id: 2,
    name: "2026-01-31",
    price: null,
    sold: false,
    day: "2026-02-01",
    at: "2026-01-31T12:00:00Z",
    home: { lat: 2 },
    cities: [],
  },
];

describe("the operator menu", () => {
  test("fields are told apart by their values", () => {
    const kinds = Object.fromEntries(columnsOf("id", [], RECORDS).map(({ name, kind }) => [name, kind]));
    expect(kinds).toEqual({
      id: "number",
      name: "text",
      price: "number",
      sold: "boolean",
      day: "date",
      at: "date-time",
      at_home: "text",
      home: "object",
      cities: "text",
    });
    expect(columnsOf("id", [{ name: "at", types: ["string"], format: "date-time" }], []).at(-1)?.kind).toBe(
      "date-time",
    );
    expect(nestedPaths(RECORDS)).toEqual([
      { name: "home.lat", kind: "number", isMany: false },
      { name: "cities.name", kind: "text", isMany: true },
    ]);
  });

  test("each kind of field is asked the likeliest question first", () => {
    expect(choicesFor("number").map(menuWords)).toEqual([
      "≥ at least",
      "≤ at most",
      "> more than",
      "< less than",
      "= is",
      "≠ is not",
      "is one of",
      "is none of",
      "is empty",
      "is not empty",
    ]);
    expect(choicesFor("date")).toBe(choicesFor("number"));
    expect(choicesFor("boolean").map(menuWords)).toEqual(["is true", "is false", "is empty", "is not empty"]);
    expect(choicesFor("object").map(menuWords)).toEqual(["is near", "is empty", "is not empty"]);
    expect(choicesFor("text").map(menuWords).slice(0, 4)).toEqual([
      "contains",
      "does not contain",
      "starts with",
      "ends with",
    ]);
  });

  test("a condition reads in one line", () => {
    expect(conditionText({ path: "price", operator: "gte", value: "10" }, "number")).toBe("price ≥ 10");
    expect(conditionText({ path: "id", operator: "in", value: "1,a\\,b" }, "text")).toBe("id is one of 1, a,b");
    expect(conditionText({ path: "sold", operator: "eq", value: "true" }, "boolean")).toBe("sold is true");
    expect(conditionText({ path: "price", operator: "null", value: "false" }, "number")).toBe("price is not empty");
    expect(conditionText({ path: "price", operator: "!gt", value: "1" }, "number")).toBe("price not: more than 1");
    expect(conditionText({ path: "name", operator: "contains", value: "" }, "text")).toBe("name contains …");
    expect(conditionText({ path: "home", operator: "near", value: "1,2,3km" }, "object")).toBe("home is near 1,2,3km");
  });

  test("a group leads to its records, unless it is one of objects", () => {
    expect(groupFilters({ a: 1, b: null, c: "" }, ["a", "b", "c"])).toEqual([
      [{ path: "a", operator: "eq", value: "1" }],
      [{ path: "b", operator: "null", value: "true" }],
      [{ path: "c", operator: "like", value: "^$" }],
    ]);
    expect(groupFilters({ a: {} }, ["a"])).toBeUndefined();
  });
});

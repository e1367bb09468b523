import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../../console/src/api/json.ts";
import { parseListQuery } from "../../../console/src/data/list-query.ts";
import { cellDraft, readCell } from "../../../console/src/data/rows/cell-draft.ts";
import { conditionFor, copyOf, withCondition } from "../../../console/src/data/rows/row-values.ts";
import { countSelected, EVERYTHING, isSelected, NOTHING, select } from "../../../console/src/data/rows/selection.ts";

describe("a selection", () => {
  test("is of some records, or of all but some", () => {
    const some = select(select(NOTHING, ["1", "2", "3"], true), ["2"], false);
    expect([...some.ids]).toEqual(["1", "3"]);
    expect([countSelected(some, 100), isSelected(some, "3"), isSelected(some, "2")]).toEqual([2, true, false]);
    const most = select(EVERYTHING, ["2", "5"], false);
    expect([countSelected(most, 100), isSelected(most, "3"), isSelected(most, "2")]).toEqual([98, true, false]);
    expect(countSelected(select(most, ["2"], true), 100)).toBe(99);
  });
});

describe("a row", () => {
  test("is copied without its id and the times that the server keeps", () => {
    const fields = [{ name: "createdAt", types: ["string" as const], isKept: true }];
    expect(copyOf({ id: 1, name: "Hat", createdAt: "2026" }, "id", fields)).toEqual({ name: "Hat" });
  });

  test("makes a filter of a value, in the place of another on it", () => {
    expect(conditionFor("a", 1)).toEqual({ path: "a", operator: "eq", value: "1" });
    expect(conditionFor("a", true, true)).toEqual({ path: "a", operator: "ne", value: "true" });
    expect(conditionFor("a", null)).toEqual({ path: "a", operator: "null", value: "true" });
    expect(conditionFor("a", undefined, true)).toEqual({ path: "a", operator: "null", value: "false" });
    expect([conditionFor("a", ""), conditionFor("a", [1])]).toEqual([undefined, undefined]);
    const filtered = withCondition(parseListQuery("a=1&b=2&a:ne=3"), { path: "a", operator: "eq", value: "4" });
    expect(filtered.filters.flat().map(({ path, operator, value }) => path + operator + value)).toEqual([
      "beq2",
      "ane3",
      "aeq4",
    ]);
  });

  test("edits a value as what it is, and one that is not there as its column has it", () => {
    expect(cellDraft("a", 5, ["string"])).toEqual({ name: "a", kind: "number", text: "5" });
    expect(cellDraft("a", null, ["number", "null"])).toEqual({ name: "a", kind: "number", text: "" });
    expect(cellDraft("a", undefined, ["number", "string"]).kind).toBe("text");
    const typed = (text: string, kind: "text" | "number" | "json", before: JsonObject[string] | undefined) =>
      readCell({ name: "a", kind, text }, before);
    expect(typed("", "number", null)).toEqual({ kind: "same" });
    expect(typed("", "text", "x")).toEqual({ kind: "value", value: "" });
    expect(typed("", "number", 5)).toEqual({ kind: "problem", message: "must be a number" });
    expect(typed("12345678901234567890", "number", 5)).toMatchObject({ kind: "problem" });
    expect(typed("12345678901234567000", "number", 5)).toMatchObject({ kind: "value" });
    expect(typed("5.0", "number", 5)).toEqual({ kind: "same" });
    expect(typed('{"b":1}', "json", undefined)).toEqual({ kind: "value", value: { b: 1 } });
    expect(typed("{", "json", {})).toMatchObject({ kind: "problem" });
  });
});

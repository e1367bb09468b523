import { describe, expect, test } from "vitest";
import { isSameJson, type JsonObject } from "../../../console/src/api/json.ts";
import { draftOf, inKind } from "../../../console/src/data/editor/field-drafts.ts";
import { formOf, newForm, readForm, switchMode } from "../../../console/src/data/editor/record-form.ts";
import { columnsOf, nestedPaths } from "../../../console/src/data/table/columns.ts";
import { changeRequest, differences, mergeOnto } from "../../../console/src/records/record-diff.ts";
import { childrenOf, labelOf, parentOf, parentsOf } from "../../../console/src/records/relations.ts";
import { cellText } from "../../../console/src/ui/cell-text.ts";

const HAT: JsonObject = { id: 1, name: "Hat", price: 10, tags: ["a"], size: null };

describe("the smallest request that makes a change", () => {
  test("nothing changed: none", () => expect(changeRequest(HAT, { ...HAT })).toBeUndefined());

  test("fields changed or added: a patch with those alone", () => {
    expect(changeRequest(HAT, { ...HAT, price: 12, colour: "red" })).toEqual({
      method: "PATCH",
      body: { price: 12, colour: "red" },
    });
  });

  test("a field taken away: the whole record", () => {
    const { size: _size, ...rest } = HAT;
    expect(changeRequest(HAT, rest as JsonObject)).toEqual({ method: "PUT", body: rest });
  });

  test("the order of keys says nothing, the order of elements does", () => {
    expect(isSameJson({ a: 1, b: [1, 2] }, { b: [1, 2], a: 1 })).toBe(true);
    expect(isSameJson([1, 2], [2, 1])).toBe(false);
    expect(isSameJson({ a: null }, {})).toBe(false);
    expect(differences({ a: 1 }, { a: 1, b: null }).map(({ field }) => field)).toEqual(["b"]);
  });

  test("my changes on top of theirs: both are kept, mine win", () => {
    const theirs = { ...HAT, price: 99, name: "Big Hat" };
    expect(mergeOnto(theirs, HAT, { ...HAT, price: 12 })).toEqual({ ...HAT, name: "Big Hat", price: 12 });
  });

  test("a field I took away is gone from theirs, too", () => {
    const { size: _size, ...mine } = HAT;
    expect(mergeOnto({ ...HAT, name: "x" }, HAT, mine as JsonObject)).toEqual({
      id: 1,
      name: "x",
      price: 10,
      tags: ["a"],
    });
  });
});

describe("the form of a record", () => {
  test("what is not touched comes back as it was", () => {
    for (const mode of ["fields", "json"] as const) {
      expect(readForm(formOf(HAT, "id", mode), "id", HAT)).toEqual({ kind: "record", value: HAT });
    }
  });

  test("a mistake in the form of an object keeps a new record from being created without it", () => {
    const size = { ...draftOf("size", { width: 5 }), innerProblem: "is not complete: width must be a number" };
    expect(readForm({ mode: "fields", drafts: [size] }, "id", undefined)).toMatchObject({
      kind: "problem",
      problem: "size is not complete: width must be a number.",
    });
  });

  test("fields to JSON and back", () => {
    const json = switchMode(formOf(HAT, "id"), "id", HAT);
    expect(json).toMatchObject({ mode: "json" });
    expect(switchMode(json as never, "id", HAT)).toEqual(formOf(HAT, "id"));
  });

  const problems: [string, string, RegExp][] = [
    ["broken JSON", '{"a":', /not valid JSON/],
    ["no object", "[1]", /must be a JSON object/],
    ["another id", '{"id":2}', /cannot be changed/],
  ];
  for (const [name, text, message] of problems) {
    test(`${name} is said, and stays as typed`, () => {
      const read = readForm({ mode: "json", text }, "id", HAT);
      expect(read).toMatchObject({ kind: "problem", problem: expect.stringMatching(message) });
    });
  }

  test("a number that is none, JSON that is none and a name given twice are said", () => {
    const read = (drafts: Parameters<typeof readForm>[0]) => readForm(drafts, "id", HAT);
    const number = { name: "price", kind: "number", text: "ten" } as const;
    const json = { name: "tags", kind: "json", text: "[" } as const;
    const twice = { name: "a", kind: "text", text: "" } as const;
    expect(read({ mode: "fields", drafts: [number] })).toMatchObject({ problem: "price must be a number." });
    expect(read({ mode: "fields", drafts: [json] })).toMatchObject({ problem: "tags is not valid JSON." });
    expect(read({ mode: "fields", drafts: [twice, twice] })).toMatchObject({
      problem: "a is there twice.",
    });
  });

  test("a new record has the fields of its neighbours; those left empty are left out", () => {
    const form = newForm(
      [
        { name: "id", types: ["number"] },
        { name: "name", types: ["string"] },
        { name: "price", types: ["null", "number"] },
      ],
      "id",
    );
    expect(form).toEqual({
      mode: "fields",
      drafts: [
        { name: "name", kind: "text", text: "" },
        { name: "price", kind: "number", text: "" },
      ],
    });
    const filled = {
      mode: "fields",
      drafts: [
        { name: "name", kind: "text", text: "Hat" },
        { name: "price", kind: "number", text: "" },
      ],
    } as const;
    expect(readForm(filled, "id", undefined)).toEqual({ kind: "record", value: { name: "Hat" } });
  });

  test("a text becomes JSON in quotes, and loses them again", () => {
    const json = inKind(draftOf("a", 'say "hi"'), "json");
    expect(json.text).toBe('"say \\"hi\\""');
    expect(inKind(json, "text").text).toBe('say "hi"');
  });
});

describe("a cell", () => {
  const cases: [string, Parameters<typeof cellText>[0], string][] = [
    ["text", "Hat", "Hat"],
    ["line breaks", "a\n  b", "a b"],
    ["an object", { lat: 1, lon: [2, "x"] }, '{lat: 1, lon: [2, "x"]}'],
    ["nothing", undefined, ""],
    ["false", false, "false"],
  ];
  for (const [name, value, text] of cases) test(`${name} reads ${text}`, () => expect(cellText(value)).toBe(text));

  test("a long text is cut, and not through an emoji", () => {
    const text = cellText(`${"x".repeat(159)}😀 and more`);
    expect(text).toBe(`${"x".repeat(159)}…`);
  });

  test("a large or deep value costs no more than it shows", () => {
    const large = Array.from({ length: 300_000 }, () => "word");
    let deep: JsonObject = {};
    for (let depth = 0; depth < 10_000; depth++) deep = { deep };
    expect(cellText(large).length).toBeLessThan(200);
    expect(cellText(deep)).toContain("…");
  });
});

describe("columns and relations", () => {
  test("the id comes first, then what is known, then what records bring along", () => {
    const columns = columnsOf(
      "id",
      [
        { name: "name", types: ["string"] },
        { name: "id", types: ["number"] },
      ],
      [{ id: 1, extra: true }],
    );
    expect(columns.map(({ name }) => name)).toEqual(["id", "name", "extra"]);
  });

  test("nested values can be asked for by their paths", () => {
    const company = { id: 1, headquarter: { lat: 1, lon: 2 }, locations: [{ city: "Rome" }, { state: "x" }] };
    expect(nestedPaths([company]).map(({ name }) => name)).toEqual([
      "headquarter.lat",
      "headquarter.lon",
      "locations.city",
      "locations.state",
    ]);
  });

  test("relations lead both ways", () => {
    const relations = [{ from: "products", field: "company_id", to: "companies" }];
    expect(parentOf(relations, "products", "company_id")).toBe("companies");
    expect(parentOf(relations, "products", "price")).toBeUndefined();
    expect(childrenOf(relations, "companies").map(({ from }) => from)).toEqual(["products"]);
    expect(parentsOf(relations, "products", { company_id: 5 })).toEqual([
      { field: "company_id", to: "companies", id: "5" },
    ]);
    expect(parentsOf(relations, "products", { company_id: null })).toEqual([]);
    expect([labelOf({ title: "T" }), labelOf({ name: 5 })]).toEqual(["T", undefined]);
  });
});

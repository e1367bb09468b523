import { describe, expect, test } from "vitest";
import { helpFor } from "../../../console/src/data/field-help.ts";
import { formOf, newForm, readForm, switchMode } from "../../../console/src/data/record-form.ts";

describe("a form by the rules", () => {
  const ruled = [
    { name: "price", type: ["integer", "null"] },
    { name: "size", type: ["object"] },
  ];

  test("a new record has the fields of its neighbours, then those of the rules, which decide their kind", () => {
    const fields = [
      { name: "id", types: ["number" as const] },
      { name: "price", types: ["string" as const] },
    ];
    expect(newForm(fields, "id", ruled)).toEqual({
      mode: "fields",
      drafts: [
        { name: "price", kind: "number", text: "" },
        { name: "size", kind: "json", text: "" },
      ],
    });
  });

  test("fields that a record lacks are offered, left out while empty, and survive a look at the JSON", () => {
    const record = { id: 1, price: 5, note: "" };
    const form = formOf(record, "id", "fields", ruled);
    expect(form).toMatchObject({ drafts: [{ name: "price" }, { name: "note" }, { name: "size", isSpare: true }] });
    expect(readForm(form, "id", record)).toEqual({ kind: "record", value: record });
    const json = switchMode(form, "id", record, ruled);
    expect(switchMode(json as typeof form, "id", record, ruled)).toEqual(form);
  });

  const help: [string, Omit<Parameters<typeof helpFor>[0], "name">][] = [
    ["", {}],
    ["Net price. In euro. 0 to 10.", { title: "Net price", description: "In euro.", minimum: 0, maximum: 10 }],
    ["A whole number, more than 0.", { type: ["integer"], exclusiveMinimum: 0 }],
    ["A multiple of 0.5, at least 1 and less than 4.", { multipleOf: 0.5, minimum: 1, exclusiveMaximum: 4 }],
    ["At most 1 character.", { maxLength: 1 }],
    [
      "Exactly 3 characters, matching ^[A-Z]+$, unique.",
      { minLength: 3, maxLength: 3, pattern: "^[A-Z]+$", isUnique: true },
    ],
    ["An email address, 5 to 80 characters.", { format: "email", minLength: 5, maxLength: 80 }],
    ["In the format ipv4.", { format: "ipv4" }],
    ["Ids of records in tags.", { type: ["array"], refersTo: "tags" }],
  ];
  for (const [text, rule] of help) {
    test(`${JSON.stringify(rule)} is described as "${text}"`, () => expect(helpFor({ name: "x", ...rule })).toBe(text));
  }
});

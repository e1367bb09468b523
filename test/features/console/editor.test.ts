import type { Locator } from "playwright-core";
import { describe, expect, test } from "vitest";
import type { Field, RuledField } from "../../../console/src/api/overview.ts";
import { draftOf, type FieldDraft } from "../../../console/src/data/editor/field-drafts.ts";
import type { FieldFacts } from "../../../console/src/data/editor/field-facts.ts";
import { canShow, inputFor } from "../../../console/src/data/editor/input-for.ts";
import { fillIn, knownFields } from "../../../console/src/data/editor/plausible.ts";
import { newForm, switchMode } from "../../../console/src/data/editor/record-form.ts";
import { sixDigits } from "../../../console/src/data/editor/values/colour.ts";
import { withLineEnds } from "../../../console/src/data/editor/values/line-ends.ts";
import { formatMoment, parseMoment } from "../../../console/src/data/editor/values/moment.ts";
import { stepped } from "../../../console/src/data/editor/values/step.ts";
import { jsonProblem } from "../../../console/src/ui/json-problem.ts";
import { tokensOf } from "../../../console/src/ui/json-tokens.ts";
import { newLineAt } from "../../../console/src/ui/new-line.ts";
import { askAt } from "../../support/api.ts";
import { inBrowserAtLength, inBrowserWithServer, openConsole, PHONE } from "./browser.ts";
import { serveForFile } from "./serve.ts";

const PRODUCTS = Array.from({ length: 12 }, (_, at) => ({
  id: at + 1,
  name: `Product ${at + 1}`,
  price: at + 0.5,
  stock: at,
  status: at % 2 === 0 ? "new" : "sold",
  on_sale: at % 3 === 0,
  colour: "#4f46e5",
  made_on: "2026-01-31",
  made_at: "2026-01-31T09:30:00+02:00",
  size: { width: at },
  company_id: 12,
  seller_ids: [1, 2],
}));
const COMPANIES = Array.from({ length: 40 }, (_, at) => ({
  id: at + 1,
  name: at === 11 ? "Ada Lovelace" : `Co ${at}`,
}));
const SELLERS = [
  { id: 1, title: "Corner shop" },
  { id: 2, title: "Market stall" },
  { id: 3, title: "Web shop" },
];
const serve = serveForFile([], { "db.json": { products: PRODUCTS, companies: COMPANIES, sellers: SELLERS } });

describe("the editor", () => {
  inBrowserWithServer(
    "has a control for each type, a search for relations, and fills a form with plausible data",
    async () => {
      const url = await serve();
      const page = await openConsole(url, { at: "/new/products" });
      const form = page.getByRole("dialog", { name: "New in products" });
      const field = (name: string): Locator => form.getByLabel(name, { exact: true });
      await field("name").fill("Mine");
      await form.getByRole("button", { name: "Fill with plausible data" }).click();
      await form.getByText("Filled 10 fields").waitFor();
      const first = await field("price").inputValue();
      await form.getByRole("button", { name: "Fill with plausible data" }).click();
      await expect.poll(() => field("price").inputValue()).not.toBe(first);
      expect(await field("name").inputValue()).toBe("Mine");

      await field("price").fill("19.95");
      await field("price").press("ArrowUp");
      await form.getByRole("switch", { name: "on_sale" }).setChecked(true);
      await field("status").selectOption("sold");
      await field("made_on").fill("2026-02-28");
      await field("made_at").fill("2026-02-28T10:15");
      await form.getByLabel("Pick colour").fill("#11aa33");
      await field("size").fill('{ "width": 5, "deep": [true, null] }');
      expect(await form.locator(".json-key").allTextContents()).toEqual(['"width"', '"deep"']);
      await form.getByRole("button", { name: "Format" }).click();
      expect(await field("size").inputValue()).toContain('\n  "width": 5,');

      const company = form.getByRole("combobox", { name: "company_id" });
      await company.fill("ada LOVE");
      await page.getByRole("option", { name: "12 Ada Lovelace" }).waitFor();
      await company.press("Enter");
      expect(await company.inputValue()).toBe("12 · Ada Lovelace");
      await company.press("ArrowDown");
      await page.getByRole("option", { name: "30 Co 29" }).waitFor();
      await company.press("Escape");
      expect(await company.inputValue()).toBe("12 · Ada Lovelace");

      await form.getByRole("combobox", { name: "seller_ids" }).fill("web");
      await page.getByRole("option", { name: "3 Web shop" }).click();
      for (const id of [1, 2]) {
        const chip = form.getByRole("button", { name: new RegExp(`^Remove ${id}( ·|$)`) });
        if ((await chip.count()) > 0) await chip.click();
      }

      await form.getByRole("button", { name: "Options of stock" }).click();
      await page.getByRole("menuitemradio", { name: "Text" }).click();
      await field("stock").fill("many");
      await form.getByRole("button", { name: "Create" }).click();
      await page.getByText("Created products/13").waitFor();
      expect((await askAt(url, "GET /products/13")).body).toEqual({
        id: 13,
        name: "Mine",
        price: 19.96,
        stock: "many",
        status: "sold",
        on_sale: true,
        colour: "#11aa33",
        made_on: "2026-02-28",
        made_at: expect.stringMatching(/^2026-02-28T10:15:00(Z|\+02:00)$/),
        size: { width: 5, deep: [true, null] },
        company_id: 12,
        seller_ids: [3],
      });
    },
  );

  inBrowserAtLength(
    "moves the focus to a wrong field and its message into sight, in the drawer of a phone, too",
    async () => {
      const url = await serve();
      const page = await openConsole(url, { at: "/data/products/3", viewport: PHONE });
      const form = page.getByRole("dialog", { name: "products / 3" });
      await form.getByLabel("price", { exact: true }).fill("ten");
      await form.getByRole("button", { name: "Options of on_sale" }).click();
      await page.getByRole("menuitem", { name: "Remove field" }).click();
      await expect.poll(() => page.evaluate("document.activeElement.ariaLabel")).toBe("colour");
      await form.getByRole("button", { name: "Add field" }).click();
      await expect.poll(() => page.evaluate("document.activeElement.ariaLabel")).toBe("Name of the field");
      await page.keyboard.type("note");
      await form.getByRole("button", { name: "Save" }).click();
      const message = form.getByText("Must be a number");
      await message.waitFor();
      await expect.poll(() => page.evaluate("document.activeElement.ariaLabel")).toBe("price");
      // The topmost thing at its place is the message itself: neither scrolled away nor covered.
      const isSeen =
        "(node) => { const { x, y, width, height } = node.getBoundingClientRect();" +
        " return document.elementFromPoint(x + width / 2, y + height / 2) === node; }";
      await expect.poll(() => message.evaluate(`(${isSeen})(document.querySelector('.field-errors li'))`)).toBe(true);

      await form.getByLabel("price", { exact: true }).fill("10");
      await form.getByLabel("Name of the field").fill("name");
      await form.getByRole("button", { name: "Save" }).click();
      await form.getByText("Is there twice").first().waitFor();
      await expect.poll(() => page.evaluate("document.activeElement.ariaLabel")).toBe("Name of the field");
      await form.getByLabel("Name of the field").fill("note");

      // A field that is null has the control of its type.
      await form.getByRole("button", { name: "Options of company_id" }).click();
      await page.getByRole("menuitemradio", { name: "Null" }).click();
      const company = form.getByRole("combobox", { name: "company_id" });
      expect(await company.getAttribute("placeholder")).toBe("null");
      await company.fill("Co 20");
      await page.getByRole("option", { name: "21 Co 20" }).click();
      await form.getByRole("button", { name: "Save" }).click();
      await page.getByText("Changed products/3").waitFor();
      const { on_sale: _, ...rest } = PRODUCTS[2]!;
      expect((await askAt(url, "GET /products/3")).body).toEqual({ ...rest, price: 10, note: "", company_id: 21 });
    },
  );
});

describe("the control of a field", () => {
  const known = (facts: Omit<Field, "name" | "types">): FieldFacts => ({
    known: { name: "x", types: ["string"], ...facts },
  });
  const ruled = (rule: Omit<RuledField, "name">): FieldFacts => ({ rule: { name: "x", ...rule } });
  const blank: FieldDraft = { name: "x", kind: "text", text: "" };
  const cases: [ReturnType<typeof inputFor>, FieldDraft, FieldFacts][] = [
    ["choice", blank, ruled({ enum: ["a", "b"] })],
    ["suggestion", blank, known({ values: ["new", "sold"] })],
    ["suggestion", draftOf("x", "sold"), known({ values: ["new", "sold"] })],
    ["text", draftOf("x", "lost"), known({ values: ["new", "sold"] })],
    ["toggle", draftOf("x", false), {}],
    ["null", draftOf("x", null), {}],
    ["number", draftOf("x", 1.5), {}],
    ["relation", draftOf("x", 12), { reference: { to: "companies", idKey: "id", naming: [] } }],
    ["relations", draftOf("x", [12, "a"]), { reference: { to: "companies", idKey: "id", naming: [] } }],
    ["json", draftOf("x", [{ id: 1 }]), { reference: { to: "companies", idKey: "id", naming: [] } }],
    ["date", blank, known({ format: "date" })],
    ["date", draftOf("x", "2024-02-29"), {}],
    ["text", draftOf("x", "2026-02-29"), {}],
    ["date-time", blank, ruled({ format: "date-time" })],
    ["date-time", draftOf("x", "2026-01-31 09:30"), {}],
    // A control for dates would show nothing in the place of these.
    ["text", draftOf("x", "2026-01-31T24:00:00Z"), {}],
    ["text", draftOf("x", "2026-01-31T10:00.5Z"), {}],
    ["line", draftOf("x", "0000-01-01"), known({ format: "date" })],
    ["line", draftOf("x", "soon"), ruled({ format: "date-time" })],
    ["colour", blank, known({ format: "color", values: ["#fff", "#000"] })],
    ["colour", draftOf("x", "#Fa0"), {}],
    ["json", draftOf("x", { a: 1 }), {}],
    ["line", blank, known({ format: "email" })],
    ["text", draftOf("x", "a\nb"), known({ format: "email" })],
    ["text", blank, {}],
  ];
  test.each(cases)("%s for %j with %j", (input, draft, facts) => {
    expect(inputFor(draft, facts)).toBe(input);
    expect(canShow(input, draft, facts)).toBe(true);
  });

  test("stays while a person types, and gives way to a value that it cannot show", () => {
    expect(canShow("text", draftOf("x", "2026-01-31"), {})).toBe(true);
    expect(canShow("date", draftOf("x", "tomorrow"), {})).toBe(false);
    expect(canShow("line", draftOf("x", "a\nb"), {})).toBe(false);
    expect(canShow("number", draftOf("x", null), {})).toBe(false);
  });
});

test("a form of a new record keeps its empty fields and an id through its JSON", () => {
  const untouched = newForm(
    [
      { name: "name", types: ["string"] },
      { name: "price", types: ["number"] },
    ],
    "id",
  );
  expect(
    switchMode({ mode: "json", text: '{"id":"a","price":5,"more":null}' }, "id", undefined, { untouched }),
  ).toEqual({
    mode: "fields",
    drafts: [
      { name: "name", kind: "text", text: "" },
      { name: "price", kind: "number", text: "5" },
      { name: "id", kind: "text", text: "a", isAdded: true },
      { name: "more", kind: "null", text: "", isAdded: true },
    ],
  });
});

describe("values in controls", () => {
  const whole = { known: { name: "x", types: ["number" as const], isWhole: true } };
  const decimal = { known: { name: "x", types: ["number" as const] } };
  const steps: [string, number, FieldFacts, string | undefined][] = [
    ["5", 1, whole, "6"],
    ["", 1, decimal, "0.01"],
    ["0.1", 2, {}, "0.3"],
    ["19.99", 1, decimal, "20.00"],
    ["2", -1, { rule: { name: "x", multipleOf: 0.5, exclusiveMinimum: 1.5 } }, "2.0"],
    ["9", 10, { rule: { name: "x", type: ["integer"], maximum: 12 } }, "12"],
    ["1e3", 1, {}, undefined],
    ["ten", 1, {}, undefined],
  ];
  test.each(steps)("%j and %j steps with %j make %j", (text, count, facts, expected) => {
    expect(stepped(text, count, facts)).toBe(expected);
  });

  const moments: [string, string, string][] = [
    ["2026-01-31T09:30:00Z", "2026-02-01T10:00", "2026-02-01T10:00:00Z"],
    ["2026-01-31T09:30:00.120+02:00", "2026-02-01T10:00:05", "2026-02-01T10:00:05.000+02:00"],
    ["2026-01-31 09:30", "2026-02-01T10:00", "2026-02-01 10:00"],
    ["", "2026-02-01T10:00:05.5", "2026-02-01T10:00:05.5Z"],
  ];
  test.each(moments)("%j set to %j is written as %j", (before, wall, after) => {
    expect(formatMoment(wall, parseMoment(before))).toBe(after);
  });

  test("a text keeps its line ends, which a control does not know", () => {
    expect(withLineEnds("a\nb!", "a\r\nb")).toBe("a\r\nb!");
    expect([withLineEnds("a\nb!", "a\nb"), withLineEnds("a\nb", "a")]).toEqual(["a\nb!", "a\nb"]);
  });

  test("a colour has six digits", () => {
    expect([sixDigits("#Fa0"), sixDigits("#4F46E5"), sixDigits("red")]).toEqual(["#ffaa00", "#4f46e5", "#000000"]);
  });

  test("the parts of a JSON text are told apart, however broken it is", () => {
    const kinds = (text: string) => tokensOf(text).flatMap(({ kind, text: part }) => (kind ? [`${kind} ${part}`] : []));
    expect(kinds('{ "a\\"": [-1.5e3, true] }')).toEqual([
      "mark {",
      'key "a\\""',
      "mark :",
      "mark [",
      "number -1.5e3",
      "mark ,",
      "word true",
      "mark ]",
      "mark }",
    ]);
    expect(kinds("[01, trueish, 'x', \"open]\n]")).toEqual([
      "mark [",
      "bad 01",
      "mark ,",
      "bad trueish",
      "mark ,",
      "bad 'x'",
      "mark ,",
      'bad "open]',
      "mark ]",
    ]);
    for (const text of ["", '{"a":1}\n', "\\ud83d 😀 \u0000", '"a\\']) {
      expect(
        tokensOf(text)
          .map((token) => token.text)
          .join(""),
      ).toBe(text);
    }
  });

  const mistakes: [string, string | undefined][] = [
    ['{"a": [1, {}, []], "b": "\\u0041"}', undefined],
    ['{\n  "a": x\n}', "Line 2, column 8: a value is expected."],
    ['{"a": 1 "b": 2}', "Line 1, column 9: a comma or } is expected."],
    ['{"a" 1}', "Line 1, column 6: a colon is expected."],
    ["{a: 1}", "Line 1, column 2: a key in double quotes or } is expected."],
    ["[1,\n", "Line 1, column 4: a value is missing."],
    ['{"a": [1]', "Line 1, column 10: a comma or } is missing."],
    ["[1,]", "Line 1, column 4: a value is expected."],
    ["[1}", "Line 1, column 3: a comma or ] is expected."],
    ['{"a": "b": 1}', "Line 1, column 7: a value is expected."],
    ['["\\x"]', "Line 1, column 2: a value or ] is expected."],
    ["1 2", "Line 1, column 3: the end is expected."],
    [" ", "Line 1, column 1: a value is missing."],
  ];
  test.each(mistakes)("the place of the mistake in %j is told: %s", (text, problem) => {
    expect(jsonProblem(text)).toBe(problem);
    if (problem === undefined) expect(() => JSON.parse(text)).not.toThrow();
    else expect(() => JSON.parse(text)).toThrow();
  });

  test("a new line is indented like the one before, deeper behind a bracket", () => {
    expect(newLineAt('  "a": {', 8)).toBe("\n    ");
    expect(newLineAt('  "a": 1,', 9)).toBe("\n  ");
  });
});

describe("plausible data", () => {
  const drafts: FieldDraft[] = [
    { name: "name", kind: "text", text: "Mine" },
    { name: "price", kind: "number", text: "ten" },
    { name: "stock", kind: "number", text: "5", isFilled: true },
    { name: "note", kind: "text", text: "", isSpare: true },
  ];

  test("keeps what was typed, and sends it along where it is valid", () => {
    expect(knownFields(drafts)).toEqual({ name: "Mine" });
    expect(fillIn(drafts, { name: "Other", price: 1, stock: 7, note: "x", id: 3 })).toEqual([
      drafts[0],
      drafts[1],
      { name: "stock", kind: "number", text: "7", isFilled: true },
      { name: "note", kind: "text", text: "x", isSpare: true, isFilled: true },
    ]);
  });

  test("replaces one field on request", () => {
    expect(knownFields(drafts, "name")).toEqual({ stock: 5 });
    expect(fillIn(drafts, { name: "Other", stock: 7 }, "name").map(({ text }) => text)).toEqual([
      "Other",
      "ten",
      "5",
      "",
    ]);
  });
});

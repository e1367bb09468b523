import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import type { Overview } from "../../../console/src/api/overview.ts";
import { helpFor } from "../../../console/src/data/editor/field-help.ts";
import { formOf, newForm, readForm, switchMode } from "../../../console/src/data/editor/record-form.ts";
import { askAt } from "../../support/api.ts";
import { inBrowserAtLength, openConsole, problemsOnTheWay } from "./browser.ts";
import { serveForFile } from "./serve.ts";

const RULES = {
  products: {
    required: ["name", "price"],
    minProperties: 6,
    properties: {
      name: { type: "string", minLength: 2, title: "Display name" },
      price: { type: "number", minimum: 0 },
      status: { enum: ["draft", "active", "retired"] },
      size: { type: "object", properties: { sides: { type: "array", items: { type: "number" } } } },
      made_on: { type: "string", format: "date" },
      maker_id: { type: "integer" },
    },
    "x-unique": ["sku"],
    "x-references": { maker_id: "companies" },
  },
  companies: {
    $defs: { code: { type: ["string", "null"], pattern: "^[A-Z]+$", allOf: [{ maxLength: 3 }] } },
    allOf: [{ required: ["name"] }, { properties: { kind: { const: "maker" } } }],
    properties: {
      code: { $ref: "#/$defs/code", description: "As on invoices" },
      rank: { enum: Array.from({ length: 101 }, (_, at) => at), description: "x".repeat(5000) },
    },
  },
};
const DATA = {
  products: [
    { id: 1, name: "Hat", price: 10, sku: "A-1", size: { sides: [1] }, maker_id: 7 },
    { id: 2, name: "Cap", price: -1, sku: "A-2", size: {}, maker_id: 7 },
  ],
  companies: [{ id: 7, name: "Seven" }],
};

const serve = serveForFile(["--rules", "rules.json"], { "db.json": DATA, "rules.json": RULES });

/** The label of the control that has the focus, and the text that describes it. */
function focused(page: Page): Promise<[string, string]> {
  return page.evaluate(`(({ ariaLabel, attributes }) => [ariaLabel, (attributes["aria-describedby"]?.value ?? "")
    .split(" ").map((id) => document.getElementById(id)?.textContent).join(" ")])(document.activeElement)`);
}

describe("rules in the console", () => {
  inBrowserAtLength(
    "a refused record marks its fields, keeps what was typed, and is saved once corrected",
    async () => {
      const url = await serve();
      const page = await openConsole(url, { at: "/new/products", provokes: [422] });
      const form = page.getByRole("dialog", { name: "New in products" });
      const field = (name: string) => form.getByLabel(name, { exact: true });
      await field("price").fill("-5");
      await field("size").fill('{"sides":[1,"two"]}');
      await field("maker_id").fill("8");
      await form.getByRole("button", { name: "Create" }).click();

      const summary = form.getByRole("alert");
      await summary.waitFor();
      await expect.poll(() => focused(page)).toEqual(["name", "Is required Display name. At least 2 characters."]);
      expect(await summary.getByRole("listitem").allTextContents()).toEqual([
        "name is required",
        "price must be at least 0",
        "size.sides.1 must be a number",
        "maker_id must be the id of a record of companies",
        "The record must have at least 6 fields",
      ]);
      for (const name of ["name", "price", "size", "maker_id"]) {
        expect(await field(name).getAttribute("aria-invalid")).toBe("true");
      }
      expect(await problemsOnTheWay(page)).toEqual([]);
      await summary.getByRole("button", { name: "size.sides.1" }).click();
      await expect.poll(() => focused(page)).toEqual(["size", "sides.1 must be a number"]);
      expect(await field("size").inputValue()).toBe('{"sides":[1,"two"]}');

      await field("size").fill('{"sides":[1,2]}');
      await expect.poll(() => field("size").getAttribute("aria-invalid")).toBeNull();
      expect(await field("price").getAttribute("aria-invalid")).toBe("true");
      await field("price").fill("5");
      await field("name").fill("Scarf");
      await field("sku").fill("A-1");
      await field("maker_id").fill("sev");
      await page.getByRole("option", { name: "7 Seven" }).click();
      await field("status").focus();
      await page.keyboard.press("a");
      await page.keyboard.press("Control+Enter");
      await form.getByText("Must be unique").waitFor();
      await expect.poll(async () => (await focused(page))[0]).toBe("sku");
      await field("sku").fill("A-3");
      await page.keyboard.press("Control+Enter");
      await page.getByText("Created products/3").waitFor();
      expect((await askAt(url, "GET /products/3")).body).toEqual({
        id: 3,
        name: "Scarf",
        price: 5,
        sku: "A-3",
        size: { sides: [1, 2] },
        maker_id: 7,
        status: "active",
      });
    },
  );

  inBrowserAtLength("JSON and requests list the broken rules; fields that a record lacks are offered", async () => {
    const url = await serve();
    const page = await openConsole(url, { at: "/data/products/1", provokes: [422], colorScheme: "dark" });
    const form = page.getByRole("dialog", { name: "products / 1" });
    await form.getByText("Seven").waitFor();
    expect(await form.getByLabel("made_on", { exact: true }).isVisible()).toBe(false);
    await form.getByRole("button", { name: "JSON", exact: true }).click();
    const text = form.getByLabel("The record as JSON");
    const typed = (await text.inputValue()).replace("10", "-10").replace(/\}$/, ', "made_on": 5, "status": "old" }');
    await text.fill(typed);
    await form.getByRole("button", { name: "Save" }).click();
    const listed = [
      "price must be at least 0",
      'status must be one of "draft", "active", "retired"',
      "made_on must be a string",
    ];
    const items = form.getByRole("alert").getByRole("listitem");
    await expect.poll(() => items.allTextContents()).toEqual(listed);
    expect(await text.inputValue()).toBe(typed);
    await expect.poll(async () => (await focused(page))[0]).toBe("The record as JSON");

    await form.getByRole("button", { name: "Fields" }).click();
    await form.locator("[aria-label=price][aria-invalid=true]").waitFor();
    expect(await form.getByLabel("status", { exact: true }).locator("option").allTextContents()).toEqual([
      "old (not allowed)",
      "draft",
      "active",
      "retired",
    ]);
    expect(await problemsOnTheWay(page)).toEqual([]);
    await form.getByRole("button", { name: "Options of made_on" }).click();
    await page.getByRole("menuitem", { name: "Remove field" }).click();
    await form.getByLabel("status", { exact: true }).selectOption("retired");
    await form.getByLabel("price", { exact: true }).fill("11");
    await form.getByRole("button", { name: "Save" }).click();
    await page.getByText("Changed products/1").waitFor();
    expect((await askAt(url, "GET /products/1")).body).toEqual({ ...DATA.products[0], price: 11, status: "retired" });

    await page.evaluate('location.hash = "#/"');
    await page.getByText("1 record broke them at the start").waitFor();
    await page.evaluate('location.hash = "#/request"');
    await page.getByLabel("Method").selectOption("POST");
    await page.getByLabel("Path").fill("/products");
    await page.getByLabel("Body").fill('[{"name":"A","price":1},{"name":"BB","price":-1}]');
    await page.getByRole("button", { name: "Send" }).click();
    await page.getByText("[1].price must be at least 0, not -1").waitFor();
  });

  test("the overview has what a form needs", async () => {
    const url = await serve();
    const recordRules = async () => ((await askAt(url, "GET /__overview")).body as Overview).recordRules;
    await expect.poll(recordRules).toEqual({
      products: {
        broken: 1,
        fields: [
          { name: "name", isRequired: true, type: ["string"], minLength: 2, title: "Display name" },
          { name: "price", isRequired: true, type: ["number"], minimum: 0 },
          { name: "status", enum: ["draft", "active", "retired"] },
          { name: "size", type: ["object"] },
          { name: "made_on", type: ["string"], format: "date" },
          { name: "maker_id", type: ["integer"], refersTo: "companies" },
          { name: "sku", isUnique: true },
        ],
      },
      companies: {
        broken: 0,
        fields: [
          { name: "code", type: ["string", "null"], pattern: "^[A-Z]+$", maxLength: 3, description: "As on invoices" },
          { name: "rank" },
          { name: "kind", enum: ["maker"] },
          { name: "name", isRequired: true },
        ],
      },
    });
  });
});

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
    const json = switchMode(form, "id", record, { ruled });
    expect(switchMode(json as typeof form, "id", record, { ruled })).toEqual(form);
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

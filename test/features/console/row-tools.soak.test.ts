import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { refusalOf } from "../../../console/src/api/refusal.ts";
import { importRequest, problemsOf } from "../../../console/src/data/files/import-request.ts";
import { type AskOptions, askAt } from "../../support/api.ts";
import { inBrowser } from "./browser.ts";
import { cell, choose, openProducts, serve, undo } from "./products-page.ts";

describe("rows, at length", () => {
  inBrowser("a cell is edited where it stands, by mouse or keyboard; problems are shown beside it", async () => {
    const { page, ask, product } = await openProducts([412, 422]);
    const editor = page.getByRole("group", { name: /^Edit / });
    await cell(page, 2, "name").dblclick();
    await editor.waitFor();
    await page.keyboard.type("Oak Chair");
    await page.keyboard.press("Enter");
    await page.getByText("Changed products/2").waitFor();
    await editor.waitFor({ state: "detached" });
    expect(await product(2)).toMatchObject({ name: "Oak Chair", price: 25.5 });

    // The cell has the focus: on to the price, which the rules refuse below zero.
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("F2");
    await editor.waitFor();
    await page.keyboard.type("-1");
    await page.keyboard.press("Enter");
    await editor.getByRole("alert").getByText("Must be at least 0.").waitFor();
    await page.keyboard.press("Escape");
    await editor.waitFor({ state: "detached" });
    expect(await product(2)).toMatchObject({ price: 25.5 });

    // Tab saves, and edits the next one.
    await page.keyboard.press("ArrowLeft");
    await page.keyboard.press("Enter");
    await editor.waitFor();
    await page.keyboard.type("Elm Chair");
    await page.keyboard.press("Tab");
    await editor.getByLabel("price", { exact: true }).waitFor();
    expect(await product(2)).toMatchObject({ name: "Elm Chair" });
    await page.keyboard.press("Escape");
    await editor.waitFor({ state: "detached" });

    // Another field was changed elsewhere: nothing to ask. The same one: both are shown.
    await cell(page, 4, "name").dblclick();
    await editor.waitFor();
    await ask("PATCH /products/4", { price: 16 });
    await page.keyboard.type("Wool Shirt");
    await page.keyboard.press("Enter");
    await page.getByText("Changed products/4").waitFor();
    await editor.waitFor({ state: "detached" });
    expect(await product(4)).toMatchObject({ name: "Wool Shirt", price: 16 });
    await cell(page, 4, "name").dblclick();
    await editor.waitFor();
    await ask("PATCH /products/4", { name: "Silk Shirt" });
    await page.keyboard.type("Linen Shirt");
    await page.keyboard.press("Enter");
    await editor.getByText("Changed elsewhere to Silk Shirt.").waitFor();
    expect(await product(4)).toMatchObject({ name: "Silk Shirt" });
    await editor.getByRole("button", { name: "Save mine" }).click();
    await editor.waitFor({ state: "detached" });
    expect(await product(4)).toMatchObject({ name: "Linen Shirt" });
  });

  inBrowser("many rows are changed or deleted in one batch, and come back in one step", async () => {
    const { page, ask } = await openProducts();
    const before = (await ask("GET /products")).text;
    const bar = page.getByRole("region", { name: "Selected records" });
    await page.getByRole("checkbox", { name: "Select 3", exact: true }).click();
    await page.getByRole("checkbox", { name: "Select 6", exact: true }).click({ modifiers: ["Shift"] });
    await bar.getByText("4 selected").waitFor();
    await bar.getByRole("button", { name: "Edit" }).click();
    const dialog = page.getByRole("dialog", { name: "Edit 4 records" });
    await dialog.getByLabel("Field", { exact: true }).selectOption("price");
    await dialog.getByLabel("price", { exact: true }).fill("1.5");
    await dialog.getByRole("button", { name: "Change 4 records" }).click();
    await page.getByText("Changed 4 records of products").waitFor();
    await page.getByText("POST /__batch · 200").waitFor();
    expect((await ask("GET /products?price=1.5&_fields=id")).text).toBe('[{"id":3},{"id":4},{"id":5},{"id":6}]');
    await undo(page);
    await page.getByText("Undone: changed 4 records of products").waitFor();
    expect((await ask("GET /products")).text).toBe(before);

    await page.getByRole("checkbox", { name: "Select all that match" }).click();
    await page.getByRole("checkbox", { name: "Select 1", exact: true }).click();
    await bar.getByText("11 selected").waitFor();
    await bar.getByRole("button", { name: "Delete" }).click();
    await page.getByRole("button", { name: "Delete 11 records" }).click();
    await page.getByText("1 record", { exact: true }).waitFor();
    await undo(page);
    await page.getByText("12 records", { exact: true }).waitFor();
    expect((await ask("GET /products")).text).toBe(before);
  });

  inBrowser("the menu of a row duplicates, copies, filters and deletes", async () => {
    const { page, product } = await openProducts();
    await cell(page, 9, "name").click({ button: "right" });
    await choose(page, "Duplicate");
    await page.getByText("Created products/13").waitFor();
    expect(await product(13)).toEqual({ id: 13, name: "Silk Scarf", price: 60, company_id: 3 });
    await cell(page, 9, "name").click({ button: "right" });
    await choose(page, "Copy as Python");
    await page.getByRole("menuitem", { name: "Copied" }).waitFor();
    await choose(page, "Filter by this value");
    await page.getByText("2 of 13 records").waitFor();
    // From the keyboard: the menu of the row, then all of its values.
    await page.getByRole("link", { name: "13", exact: true }).focus();
    await page.keyboard.press("ArrowLeft");
    await page.keyboard.press("Enter");
    await choose(page, "Delete");
    await page.getByText("1 of 12 records").waitFor();
    await page.getByRole("button", { name: "Actions for 9" }).click();
    await choose(page, "Filter by a value…");
    await choose(page, "company_id = 3");
    await page.getByText("GET /products?name=Silk%20Scarf&company_id=3").waitFor();
  });

  inBrowser("a file is looked at, imported as a whole or not at all, and exported again", async () => {
    // Its list may be read once more when the collection is gone.
    const { page, ask } = await openProducts([404, 409]);
    await page.getByRole("button", { name: "Actions for products" }).click();
    await choose(page, "Import…");
    // A pasted text is there again to be mended.
    await page.getByLabel("Or paste it").fill("name,price\nTin Hat,ten");
    await page.getByRole("button", { name: "Preview" }).click();
    await page.getByText('Line 2: price: "ten" is not a number.').waitFor();
    await page.getByRole("button", { name: "Choose another" }).click();
    expect(await page.getByLabel("Or paste it").inputValue()).toBe("name,price\nTin Hat,ten");
    const lines = ["id,name,price", '20,"=SUM(1)",5', "1,Tin Hat,ten"];
    const file = (text: string) => ({ name: "new.csv", mimeType: "text/csv", buffer: Buffer.from(text) });
    const picker = page.locator("input[type=file]");
    await picker.setInputFiles(file(lines.join("\n")));
    await page.getByText('Line 3: price: "ten" is not a number.').waitFor();
    expect(await page.locator(".preview .rejected").innerText()).toBe("ten");
    expect(await page.getByRole("button", { name: "Import 2 records" }).isDisabled()).toBe(true);
    await page.getByLabel("Type of price").selectOption("not imported");
    await page.getByRole("button", { name: "Import 2 records" }).click();
    await page.getByText("products already has a record with id 1.").waitFor();
    expect((await ask("GET /products/20")).status).toBe(404);
    await page.getByLabel("If there is a record with the same id already").selectOption("update");
    await page.getByRole("button", { name: "Import 2 records" }).click();
    await page.getByText("Imported 2 records into products").waitFor();
    expect((await ask("GET /products?id:in=1,20&_fields=id,name,price")).body).toEqual([
      { id: 1, name: "Tin Hat", price: 10 },
      { id: 20, name: "=SUM(1)" },
    ]);

    await page.getByLabel("Search all fields").fill("SUM");
    await page.getByText("1 of 13 records").waitFor();
    await page.getByRole("button", { name: "Actions for products" }).click();
    await choose(page, "Export…");
    const saved = page.waitForEvent("download");
    await page.getByRole("button", { name: "Export 1 record" }).click();
    const download = await saved;
    expect(download.suggestedFilename()).toBe("products.csv");
    expect(readFileSync(await download.path(), "utf8")).toBe("id,name,price,company_id\r\n20,'=SUM(1),,\r\n");

    // Whole collections are made and named here, too.
    await page.getByRole("button", { name: "Actions for products" }).click();
    await choose(page, "New collection…");
    await page.getByLabel("Name", { exact: true }).fill("orders");
    await page.getByRole("button", { name: "Create" }).click();
    await page.getByRole("heading", { level: 1, name: "orders" }).waitFor();
    await page.getByRole("button", { name: "Actions for orders" }).click();
    await choose(page, "Remove…");
    await page.getByRole("button", { name: "Remove", exact: true }).click();
    await page.getByRole("heading", { level: 1, name: "products" }).waitFor();
  });
});

test("records by the thousand are imported by one request; what is refused is found in the file", async () => {
  const url = await serve();
  const ask = (line: string, options?: AskOptions) => askAt(url, line, options);
  const records = Array.from({ length: 5001 }, (_, at) => ({ price: at < 5000 ? at : -1 }));
  const { path, body } = importRequest("products", records, "refuse");
  const answer = await ask(`POST ${path}`, { body });
  const places = records.map((_, at) => `Line ${at + 2}`);
  expect(problemsOf(refusalOf(answer.status, answer.text), places)).toEqual([
    { place: "Line 5002", message: "price must be at least 0, not -1." },
  ]);
  const fitting = importRequest("products", records.with(5000, { price: 1 }), "refuse");
  expect((await ask(`POST ${fitting.path}`, { body: fitting.body })).status).toBe(200);
  expect((await ask("GET /products?_aggregate=count")).body).toEqual([{ count: 5013 }]);
});

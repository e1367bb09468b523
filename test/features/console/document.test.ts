import { describe, expect } from "vitest";
import { askAt } from "../../support/api.ts";
import { createFolder } from "../../support/cli.ts";
import { inBrowserWithServer, openConsole } from "./browser.ts";
import { cell } from "./products-page.ts";
import { serveForTest } from "./serve.ts";

const BOOK = {
  type: "object",
  required: ["name", "kind"],
  properties: {
    id: { type: "integer", readOnly: true },
    name: { type: "string", minLength: 3 },
    kind: { $ref: "#/components/schemas/Kind" },
    pages: { type: "integer", minimum: 1 },
  },
};
const body = (schema: object) => ({ "application/json": { schema } });
const ref = { $ref: "#/components/schemas/Book" };
const example = [{ id: 1, name: "Kiln Work", kind: "paper", pages: 90 }];
const DOCUMENT = {
  openapi: "3.0.3",
  info: { title: "Library", version: "1.0.0" },
  servers: [{ url: "https://library.example.com/v2" }],
  paths: {
    "/books": {
      get: {
        responses: {
          200: {
            description: "Books",
            content: { "application/json": { schema: { type: "array", items: ref }, example } },
          },
        },
      },
      post: {
        requestBody: { required: true, content: body(ref) },
        responses: { 201: { description: "The book", content: body(ref) } },
      },
    },
    "/books/{id}": {
      get: {
        parameters: [{ name: "id", in: "path", required: true, schema: { type: "integer" } }],
        responses: { 200: { description: "A book", content: body(ref) } },
      },
    },
  },
  components: { schemas: { Book: BOOK, Kind: { type: "string", enum: ["paper", "audio"] } } },
};

describe("a served document", () => {
  inBrowserWithServer("decides what forms offer and take, and which addresses are shown", async () => {
    const { url } = await serveForTest(["api.json"], createFolder({ "api.json": DOCUMENT }));
    const page = await openConsole(url);
    await page.getByText(`${url}/v2`, { exact: true }).waitFor();
    await page.getByText("From the OpenAPI document").waitFor();
    await page.getByText("3 fields, 2 required").waitFor();
    await page.goto(`${url}/__console#/new/books`);
    const record = page.getByRole("dialog", { name: "New in books" });
    await record.getByLabel("kind", { exact: true }).selectOption("audio");
    await record.getByLabel("name", { exact: true }).fill("Q");
    await record.getByLabel("pages", { exact: true }).fill("0");
    await record.getByRole("button", { name: "Create" }).click();
    for (const text of ["Must have at least 3 characters", "Must be at least 1"]) {
      await record.getByText(text).first().waitFor();
    }
    await record.getByLabel("name", { exact: true }).fill("Quince");
    await record.getByLabel("pages", { exact: true }).fill("12");
    await record.getByRole("button", { name: "Create" }).click();
    await record.waitFor({ state: "detached" });
    expect((await askAt(url, "GET /v2/books")).body).toHaveLength(2);

    await page.getByText("/v2/books").first().waitFor();
    await cell(page, 1, "name").dblclick();
    const editor = page.getByRole("group", { name: "Edit name of 1" });
    await page.keyboard.type("Q");
    await page.keyboard.press("Enter");
    await editor.getByText("Must have at least 3 characters.").waitFor();
  });

  inBrowserWithServer("a read-only server says so above every view, and offers nothing that it refuses", async () => {
    const { url } = await serveForTest(["--read-only", "db.json"], createFolder({ "db.json": { hats: [{ id: 1 }] } }));
    const page = await openConsole(url, { at: "/lab" });
    await page.getByRole("banner").getByText("Read-only").waitFor();
    await page.getByText("nothing can be tried in one").waitFor();
    expect(await page.getByText("creates one").count()).toBe(0);
  });
});

import { describe, expect } from "vitest";
import { catalog } from "../../support/catalog.ts";
import { createFolder } from "../../support/cli.ts";
import { addressOf, inBrowser, inBrowserAtLength, openConsole, openPage } from "./browser.ts";
import { IS_DEMO } from "./demo.ts";
import { serveForFile, serveForTest } from "./serve.ts";

const serve = serveForFile([], { "db.json": catalog() });

const PETS = {
  openapi: "3.0.3",
  info: { title: "Shelter", version: "1.0.0", description: "Homes for *all* of them." },
  servers: [{ url: "https://shelter.example.com/v1" }],
  paths: {
    "/pets": {
      get: {
        tags: ["pets"],
        summary: "All pets",
        parameters: [{ name: "status", in: "query", schema: { $ref: "#/components/schemas/Status" } }],
        responses: {
          200: {
            description: "Pets",
            content: {
              "application/json": {
                schema: { type: "array", items: { $ref: "#/components/schemas/Pet" } },
                example: [
                  { id: "rex", name: "Rex", status: "available" },
                  { id: "kitty", name: "Kitty", status: "adopted" },
                ],
              },
            },
          },
        },
      },
    },
    "/pets/{petId}": {
      get: {
        tags: ["pets"],
        parameters: [{ name: "petId", in: "path", required: true, schema: { type: "string" } }],
        responses: {
          200: {
            description: "A pet",
            content: { "application/json": { schema: { $ref: "#/components/schemas/Pet" } } },
          },
        },
      },
    },
    "/photo": {
      get: {
        responses: {
          200: { description: "A photo", content: { "image/png": { schema: { type: "string", format: "binary" } } } },
        },
      },
    },
  },
  components: {
    schemas: {
      Status: { type: "string", enum: ["available", "adopted"] },
      Pet: {
        type: "object",
        required: ["id"],
        properties: {
          id: { type: "string" },
          name: { type: "string" },
          status: { $ref: "#/components/schemas/Status" },
          parent: { $ref: "#/components/schemas/Pet" },
        },
      },
    },
  },
};

describe("the API docs", () => {
  inBrowser("are searched, opened by a link and tried: a filtered read, and a write that is undone", async () => {
    const url = await serve();
    const page = await openConsole(url, { at: "/docs" });
    await page.getByLabel("Search the docs").waitFor();
    await page.keyboard.press("/");
    await expect.poll(() => page.getByLabel("Search the docs").evaluate((field) => field.matches(":focus"))).toBe(true);
    await page.keyboard.type("list products");
    await page.getByText("2 operations", { exact: true }).waitFor();
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "List products", exact: true }).waitFor();
    expect(page.url()).toBe(addressOf(url, "/__console#/docs/listProduct"));
    await page.getByRole("button", { name: "price:gte is at least" }).click();
    // The focus follows with the next frame; until then, a digit is a key of the console.
    await page.locator("[data-parameter]:focus").waitFor();
    await page.keyboard.type("100");
    await page.getByRole("button", { name: "Send" }).click();
    await page.getByRole("region", { name: "Body of the response" }).getByText("Granite Table").waitFor();
    await page.getByText("/products?price:gte=100&_limit=3").first().waitFor();

    await page.goto(`${url}/__console#/docs/createProduct`);
    // The example is a record of the data, not one of "string"s.
    await expect.poll(() => page.getByRole("textbox", { name: "Body" }).inputValue()).toContain("Steel Hat");
    await page.getByRole("textbox", { name: "Body" }).fill('{ "name": "Tried" }');
    await page.getByRole("button", { name: "Send" }).click();
    await page.getByText("201", { exact: true }).last().waitFor();
    await page.getByRole("button", { name: "Undo" }).click();
    await expect.poll(async () => (await fetch(`${url}/products/13`)).status).toBe(404);
    const document = page.getByRole("link", { name: "Download OpenAPI" });
    expect(await document.getAttribute("href")).toBe(`${new URL(url).pathname.replace(/\/$/, "")}/__openapi.json`);
    const editor = page.getByRole("link", { name: "Open in Swagger Editor" });
    if (IS_DEMO) expect(await editor.count()).toBe(0);
    else expect(new URL((await editor.getAttribute("href"))!).searchParams.get("url")).toBe(`${url}/__openapi.json`);
    await page.goto(`${url}/__console#/docs/nothing`);
    await page.getByText("Not part of this API").waitFor();
  });

  inBrowserAtLength("inside a sandbox, a request to try stays there", async () => {
    const url = await serve();
    await fetch(`${url}/__sandboxes`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: '{"name":"ann"}',
    });
    const page = await openPage(url, "/__sandbox/ann/__console#/docs/patchProduct");
    await page.getByLabel("id", { exact: true }).fill("2");
    await page.getByText("/products/2", { exact: true }).waitFor();
    await page.getByRole("textbox", { name: "Body" }).fill('{"name":"Tried out"}');
    await page.getByRole("button", { name: "Send" }).click();
    await page.getByRole("region", { name: "Body of the response" }).getByText("Tried out").waitFor();
    expect(await (await fetch(`${url}/products/2`)).json()).toMatchObject({ name: "Wooden Chair" });
  });

  inBrowserAtLength(
    "of an OpenAPI document name its operations and schemas, and try it below its own path",
    async () => {
      const { url } = await serveForTest(["api.json"], createFolder({ "api.json": PETS }));
      const page = await openConsole(url, { at: "/docs", colorScheme: "dark" });
      await page.getByRole("heading", { name: "Shelter 1.0.0" }).waitFor();
      await page.getByRole("link", { name: "GET /pets" }).first().click();
      await page.getByLabel("Add a parameter").selectOption("status");
      await page.getByLabel("status", { exact: true }).selectOption("adopted");
      await page.getByRole("button", { name: "Send" }).click();
      await page.getByRole("region", { name: "Body of the response" }).getByText('"Kitty"', { exact: true }).waitFor();
      await page.getByRole("link", { name: "GET /pets/{petId}" }).first().click();
      // The id of a record that is there.
      await expect.poll(() => page.getByLabel("petId", { exact: true }).inputValue()).toBe("rex");
      await page.getByRole("link", { name: "Pet", exact: true }).first().click();
      await page.getByRole("heading", { name: "Pet", exact: true }).waitFor();
      // A schema that contains itself is drawn as far as it is opened.
      await page.getByText("4 fields").click();
      await page.getByText("4 fields").nth(1).waitFor();
      await page.getByRole("link", { name: "GET /photo" }).first().click();
      await page.getByRole("button", { name: "Send" }).click();
      await page.getByText("The body is not text but image/png.").waitFor();
    },
  );
});

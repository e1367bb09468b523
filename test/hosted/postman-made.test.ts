import { expect, test } from "vitest";
import type { JsonObject } from "../../src/base/json/json.ts";
import { codeOf } from "../support/api.ts";
import { createFolder } from "../support/cli.ts";
import { openHosted, serveHosted } from "../support/hosted.ts";

const json = (value: unknown): JsonObject => ({ mode: "raw", raw: JSON.stringify(value) });
const tests = (...exec: string[]): JsonObject[] => [{ listen: "test", script: { exec } }];
const SHARK = { name: "Shark", price: 5 };
/** As most public collections are: no request has a saved example. */
const collection = {
  info: { name: "Shop", schema: "https://schema.getpostman.com/json/collection/v2.1.0/collection.json" },
  item: [
    {
      name: "Create",
      request: { method: "POST", url: "{{base}}/products", body: json(SHARK) },
      event: tests("pm.response.to.have.status(201);"),
    },
    {
      name: "One",
      request: { method: "GET", url: "{{base}}/products/:id" },
      event: tests(
        "// the form of a product",
        "const productSchema = { type: 'object', required: ['id', \"name\"], properties: {",
        "  id: { type: 'integer', minimum: 7, maximum: 7 }, name: { enum: ['}'] } },",
        "};",
        "pm.test('form', () => pm.response.to.have.jsonSchema(productSchema));",
      ),
    },
    {
      name: "Computed",
      request: { method: "GET", url: "{{base}}/computed" },
      event: tests("const schema = { type: kind() };"),
    },
    { name: "All", request: { method: "GET", url: "{{base}}/products", body: json(SHARK) } },
    { name: "Remove", request: { method: "DELETE", url: "{{base}}/products/:id" } },
  ],
};

test("requests without a saved example respond with what they send, or by the schema of their tests", async () => {
  const folder = createFolder({ "shop.json": collection });
  const api = await openHosted(`${folder}/shop.json`);
  const created = await api.ask("POST /products", { body: { name: "Other" } });
  expect([created.status, created.body]).toEqual([201, SHARK]);
  const one = await api.ask("GET /products/12");
  expect([one.status, one.body]).toEqual([200, { id: 7, name: "}" }]);
  for (const line of ["GET /computed", "GET /products", "DELETE /products/1"]) {
    expect(codeOf(await api.ask(line))).toBe("EXAMPLE_NOT_FOUND");
  }
  await api.close();
});

test("the start names the requests that have nothing to respond with", async () => {
  const served = await serveHosted(["shop.json"], createFolder({ "shop.json": collection }));
  await served.stop();
  const { stdout } = served.output;
  expect(stdout).toContain("made from what requests send and tests expect: the responses of 2 requests");
  expect(stdout).toMatch(
    /left out: 3 requests without a saved example: GET \/computed, GET \/products, DELETE \/products\/\{\{id\}\}/,
  );
});

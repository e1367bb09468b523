import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../../src/base/json/json.ts";
import { atOnce } from "../../../src/base/slices.ts";
import { asVersion30 } from "../../../src/openapi/write/older-version.ts";
import { type Answer, codeOf, startApi } from "../../support/api.ts";
import { ODD_DATABASES } from "../../support/odd-databases.ts";
import { expectValid, type OpenApi } from "../../support/open-api.ts";
import { COLLECTIONS, DATA, RULES } from "../../support/rules-in-every-form.ts";

const older = (answer: Answer): OpenApi => {
  expect(answer.status).toBe(200);
  const document = answer.body as OpenApi;
  expect(document.openapi).toBe("3.0.3");
  return document;
};

describe("/__openapi.json?version=3.0 is valid OpenAPI 3.0", () => {
  test("for records with rules in every form", async () => {
    const api = await startApi({ data: DATA(), rules: RULES, collections: COLLECTIONS });
    await expectValid(older(await api.ask("GET /__openapi.json?version=3.0")));
  });

  for (const [name, data] of Object.entries(ODD_DATABASES)) {
    test(`for ${name}`, async () => {
      const api = await startApi({ data: structuredClone(data) });
      await expectValid(older(await api.ask("GET /__openapi.json?version=3.0")));
    });
  }

  test("3.1 is the default, and any other version is refused", async () => {
    const api = await startApi();
    for (const query of ["", "?version=3.1"]) {
      expect((await api.ask(`GET /__openapi.json${query}`)).body).toMatchObject({ openapi: "3.1.0" });
    }
    const refused = await api.ask("GET /__openapi.json?version=2.0");
    expect([refused.status, codeOf(refused)]).toEqual([400, "QUERY_INVALID"]);
  });
});

describe("a schema of 3.1 in 3.0", () => {
  const cases: [name: string, schema: JsonObject | boolean, expected: JsonObject][] = [
    ["a type or null", { type: ["string", "null"] }, { type: "string", nullable: true }],
    ["several types", { type: ["string", "number"] }, { anyOf: [{ type: "string" }, { type: "number" }] }],
    ["null alone", { type: "null" }, { nullable: true, enum: [null] }],
    ["a constant", { const: "a" }, { enum: ["a"] }],
    ["choices with null", { enum: ["a", null] }, { enum: ["a", null], nullable: true }],
    ["an exclusive bound", { exclusiveMinimum: 0 }, { minimum: 0, exclusiveMinimum: true }],
    [
      "both bounds, the exclusive one stricter",
      { minimum: 1, exclusiveMinimum: 2 },
      { minimum: 2, exclusiveMinimum: true },
    ],
    ["both bounds, the inclusive one stricter", { maximum: 1, exclusiveMaximum: 2 }, { maximum: 1 }],
    ["examples", { examples: ["a", "b"] }, { example: "a" }],
    [
      "a reference with a description",
      { $ref: "#/x", description: "d" },
      { allOf: [{ $ref: "#/x" }], description: "d" },
    ],
    [
      "a reference or null",
      { anyOf: [{ $ref: "#/x" }, { type: "null" }] },
      { allOf: [{ $ref: "#/x" }], nullable: true },
    ],
    ["an array of anything", { type: "array" }, { type: "array", items: {} }],
    [
      "a tuple",
      { type: "array", prefixItems: [{ type: "string" }] },
      { type: "array", items: { anyOf: [{ type: "string" }] } },
    ],
    ["base64", { type: "string", contentEncoding: "base64" }, { type: "string", format: "byte" }],
    ["false", false, { not: {} }],
    [
      "a property that is called like a keyword",
      { properties: { const: { type: "string" } } },
      { properties: { const: { type: "string" } } },
    ],
    [
      "data that look like a schema",
      { default: { type: ["a"] }, enum: [{ const: 1 }] },
      { default: { type: ["a"] }, enum: [{ const: 1 }] },
    ],
  ];
  for (const [name, schema, expected] of cases) {
    test(name, () => {
      const document = { openapi: "3.1.0", info: {}, paths: {}, components: { schemas: { one: schema } } };
      const { components } = atOnce(asVersion30(document)) as { components: { schemas: JsonObject } };
      expect(components.schemas.one).toEqual(expected);
    });
  }

  test("wherever it stands, and nowhere else", () => {
    const schema = { type: ["string", "null"] };
    const document = {
      openapi: "3.1.0",
      info: { title: "x", version: "1", summary: "s", license: { name: "MIT", identifier: "MIT" } },
      paths: { "/a": { get: { parameters: [{ name: "p", in: "query", schema }], example: { schema } } } },
      webhooks: {},
    };
    expect(atOnce(asVersion30(document))).toEqual({
      openapi: "3.0.3",
      info: { title: "x", version: "1", license: { name: "MIT" } },
      paths: {
        "/a": {
          get: {
            parameters: [{ name: "p", in: "query", schema: { type: "string", nullable: true } }],
            example: { schema },
          },
        },
      },
    });
  });
});

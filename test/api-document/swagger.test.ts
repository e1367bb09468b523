import { join } from "node:path";
import { expect, test } from "vitest";
import type { ApiDocument, Operation } from "../../src/openapi/read/api-document.ts";
import { loadApiDocument } from "../../src/openapi/read/load-api-document.ts";
import { createFolder } from "../support/cli.ts";

const SWAGGER = `
swagger: "2.0"
info: { title: Teas, version: "1" }
host: teas.example.com
basePath: /v1
schemes: [https, http]
consumes: [application/json]
produces: [application/json]
securityDefinitions:
  login: { type: basic }
  key: { type: apiKey, in: header, name: X-Key }
  oauth: { type: oauth2, flow: accessCode, authorizationUrl: https://a.example.com, tokenUrl: https://b.example.com, scopes: { read: all } }
parameters:
  Tea: { name: tea, in: body, required: true, schema: { $ref: "#/definitions/Tea" } }
responses:
  Missing: { description: none, schema: { $ref: "shared.yaml#/definitions/Problem" }, examples: { application/json: { why: gone } } }
paths:
  /teas:
    parameters: [{ name: kind, in: query, type: array, items: { type: string }, collectionFormat: pipes }]
    get:
      produces: [application/xml, text/csv]
      parameters:
        - { name: page, in: query, type: integer, minimum: 1, default: 1, required: true }
        - { name: ids, in: query, type: array, items: { type: integer } }
        - { name: X-Tags, in: header, type: array, items: { type: string } }
      responses:
        200: { description: all, schema: { type: array, items: { $ref: "#/definitions/Tea" } }, headers: { X-Total: { type: integer, example: 4 } } }
        404: { $ref: "#/responses/Missing" }
    post:
      parameters: [{ $ref: "#/parameters/Tea" }]
      responses: { 201: { description: made } }
  /pictures/{id}:
    $ref: "shared.yaml#/item"
definitions:
  Tea:
    type: object
    discriminator: kind
    required: [kind]
    properties: { kind: { type: string }, note: { type: string, x-nullable: true } }
    example: { kind: green, discriminator: kept }
`;
const SHARED = `
definitions: { Problem: { type: object } }
item:
  parameters: [{ name: id, in: path, type: string, required: true }]
  put:
    consumes: [multipart/form-data]
    parameters:
      - { name: title, in: formData, type: string, enum: [a, b] }
      - { name: file, in: formData, type: file, required: true }
    responses: { 200: { description: stored, schema: { $ref: "#/definitions/Problem" } } }
  get:
    responses: { 200: { description: picture, schema: { type: file } } }
`;

async function load(text: string): Promise<ApiDocument> {
  return loadApiDocument(join(createFolder({ "api.yaml": text, "shared.yaml": SHARED }), "api.yaml"));
}

test("Swagger 2.0 is read as OpenAPI 3.0, with references into other files", async () => {
  const document = await load(SWAGGER);
  const { references } = document;
  expect(document).toMatchObject({
    version: "3.0",
    title: "Teas",
    basePaths: ["/v1"],
    notes: ["also read: shared.yaml"],
  });
  expect(Object.fromEntries(document.securitySchemes)).toMatchObject({
    login: { type: "http", scheme: "basic" },
    key: { type: "apiKey", in: "header", name: "X-Key" },
    oauth: { type: "oauth2", flows: { authorizationCode: { scopes: { read: "all" } } } },
  });
  const [list, create, replace, picture] = document.operations as [Operation, Operation, Operation, Operation];
  expect(list.parameters.map(({ name, style, explode, schema }) => [name, style, explode, schema?.value])).toEqual([
    ["kind", "pipeDelimited", false, { type: "array", items: { type: "string" } }],
    ["page", "form", true, { type: "integer", minimum: 1, default: 1 }],
    ["ids", "form", false, { type: "array", items: { type: "integer" } }],
    ["X-Tags", "simple", false, { type: "array", items: { type: "string" } }],
  ]);
  const [all, missing] = list.responses as [Operation["responses"][0], Operation["responses"][0]];
  expect(all.contents.map(({ type }) => type)).toEqual(["application/xml", "text/csv"]);
  expect(all.headers).toMatchObject([{ name: "X-Total", schema: { value: { type: "integer", example: 4 } } }]);
  expect(missing.contents.map(({ type, examples }) => [type, examples[0]?.value])).toEqual([
    ["application/xml", undefined],
    ["text/csv", undefined],
    ["application/json", { why: "gone" }],
  ]);
  expect(references.resolve(missing.contents[0]!.schema!).place).toBe("shared.yaml#/definitions/Problem");
  expect(references.resolve(create.requestBody!.contents[0]!.schema!)).toEqual({
    place: "#/definitions/Tea",
    value: {
      type: "object",
      discriminator: { propertyName: "kind" },
      required: ["kind"],
      properties: { kind: { type: "string" }, note: { type: "string", nullable: true, "x-nullable": true } },
      example: { kind: "green", discriminator: "kept" },
    },
  });
  expect([create.parameters.length, create.requestBody!.isRequired, create.responses[0]!.contents]).toEqual([
    1,
    true,
    [],
  ]);
  expect(replace.parameters.map(({ name, in: at }) => [name, at])).toEqual([["id", "path"]]);
  expect(replace.requestBody).toMatchObject({
    isRequired: true,
    contents: [
      {
        type: "multipart/form-data",
        schema: {
          value: {
            type: "object",
            required: ["file"],
            properties: { title: { type: "string", enum: ["a", "b"] }, file: { type: "string", format: "binary" } },
          },
        },
      },
    ],
  });
  expect(references.resolve(replace.responses[0]!.contents[0]!.schema!).place).toBe("shared.yaml#/definitions/Problem");
  expect(picture.responses[0]!.contents[0]).toMatchObject({
    type: "application/octet-stream",
    schema: { value: { type: "string", format: "binary" } },
  });
});

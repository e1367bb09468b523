import { join } from "node:path";
import { expect, test } from "vitest";
import type { ApiDocument, Operation } from "../../src/openapi/read/api-document.ts";
import { loadApiDocument } from "../../src/openapi/read/load-api-document.ts";
import { createFolder } from "../support/cli.ts";

const TEAS = `
openapi: 3.1.0
info: { title: Teas, version: "1" }
servers: [{ url: "https://{region}.example.com/v{major}/", variables: { region: { default: eu }, major: { default: "2" } } }, { url: /v2 }]
security: [{ key: [] }]
paths:
  /teas/{id}:
    parameters:
      - { name: id, in: path, required: true, schema: { type: integer } }
      - { name: lang, in: query, schema: { type: string } }
    get:
      operationId: readTea
      parameters: [{ name: lang, in: query, style: pipeDelimited, required: true }, { $ref: "#/components/parameters/Trace" }]
      responses:
        "404": { description: none }
        default: { description: any }
        "200":
          description: a tea
          headers: { ETag: { required: true, example: abc } }
          content: { application/json: { example: { id: 1 }, examples: { green: { value: { id: 2 } } }, schema: { $ref: "#/components/schemas/Tea" } } }
    put:
      security: [{}, { key: [] }]
      requestBody: { required: true, content: { application/json: {} } }
      responses: { "2XX": { description: done } }
components:
  schemas: { Tea: { type: object } }
  parameters: { Trace: { name: Trace, in: header, content: { text/plain: { schema: { type: string } } } } }
  securitySchemes: { key: { type: apiKey, in: header, name: X-Key } }
`;

async function load(text: string): Promise<ApiDocument> {
  return loadApiDocument(join(createFolder({ "api.yaml": text }), "api.yaml"));
}

test("a document is read into operations with their parameters, bodies, responses and security", async () => {
  const document = await load(TEAS);
  expect(document).toMatchObject({ version: "3.1", title: "Teas", basePaths: ["/v2"] });
  expect([...document.securitySchemes]).toEqual([["key", { type: "apiKey", in: "header", name: "X-Key" }]]);
  const [get, put] = document.operations as [Operation, Operation];
  expect([get.method, get.path.text, get.place, get.operationId]).toEqual([
    "GET",
    "/teas/{id}",
    "#/paths/~1teas~1{id}/get",
    "readTea",
  ]);
  expect(get.parameters.map(({ name, style, explode, isRequired }) => [name, style, explode, isRequired])).toEqual([
    ["id", "simple", false, true],
    ["lang", "pipeDelimited", false, true],
    ["Trace", "simple", false, false],
  ]);
  expect(get.parameters[2]).toMatchObject({
    contentType: "text/plain",
    schema: { value: { type: "string" }, place: "#/components/parameters/Trace/content/text~1plain/schema" },
  });
  expect(get.responses.map(({ code, status, range }) => [code, status, range])).toEqual([
    ["200", 200, undefined],
    ["default", 200, { min: 200, max: 599 }],
    ["404", 404, undefined],
  ]);
  const [{ headers, contents }] = get.responses as [(typeof get.responses)[number]];
  expect(headers).toEqual([
    { name: "ETag", isRequired: true, schema: undefined, examples: [{ name: "default", value: "abc" }] },
  ]);
  expect(contents[0]!.examples).toEqual([
    { name: "default", value: { id: 1 } },
    { name: "green", value: { id: 2 } },
  ]);
  expect(document.references.resolve(contents[0]!.schema!)).toEqual({
    value: { type: "object" },
    place: "#/components/schemas/Tea",
  });
  expect([get.security, put.security]).toEqual([[[{ scheme: "key", scopes: [] }]], []]);
  expect([get.requestBody, put.requestBody?.isRequired, put.requestBody?.contents[0]?.type]).toEqual([
    undefined,
    true,
    "application/json",
  ]);
  expect(put.responses[0]).toMatchObject({ code: "2XX", status: 200, range: { min: 200, max: 299 } });
});

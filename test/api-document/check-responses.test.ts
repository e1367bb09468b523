import { describe, expect, test } from "vitest";
import { StandinError } from "../../src/base/errors.ts";
import type { Json, JsonObject } from "../../src/base/json/json.ts";
import { createErrorBodies } from "../../src/openapi/check/error-body.ts";
import { requestError } from "../../src/openapi/check/request-error.ts";
import { createSchemaBook } from "../../src/openapi/check/schema-book.ts";
import type { Operation } from "../../src/openapi/read/api-document.ts";
import { readApiDocument } from "../../src/openapi/read/load-api-document.ts";
import { createResponseCheck, type ResponseParts } from "./response-check.ts";

async function checksOf(responses: JsonObject, schemas: JsonObject = {}) {
  const root = { openapi: "3.1.0", info: {}, paths: { "/teas": { get: { responses } } }, components: { schemas } };
  const document = await readApiDocument({ file: "own.yaml", root });
  const book = createSchemaBook(document);
  const operation = document.operations[0] as Operation;
  return { document, book, operation, check: createResponseCheck(document, book) };
}

const json = (schema: Json): JsonObject => ({ content: { "application/json": { schema } } });

describe("responses", async () => {
  const list: JsonObject = {
    type: "object",
    required: ["items", "total"],
    properties: {
      total: { type: "integer" },
      items: { type: "array", uniqueItems: true, maxItems: 3, items: { $ref: "#/components/schemas/Tea" } },
    },
  };
  const Tea: JsonObject = { type: "object", required: ["name"], properties: { name: { type: "string" } } };
  const { check, operation } = await checksOf(
    {
      200: { ...json(list), headers: { "X-Total": { required: true, schema: { type: "integer" } } } },
      204: {},
      "4XX": json(true),
      404: json({ type: "string" }),
    },
    { Tea },
  );
  const type = "application/json; charset=utf-8";

  test.each<readonly [ResponseParts, readonly string[]]>([
    [{ status: 200, contentType: type, body: { total: 1, items: [{ name: "Sencha" }] } }, []],
    [
      { status: 200, contentType: type, body: { items: [{}] } },
      ["/body/total is required", "/body/items/0/name is required"],
    ],
    [{ status: 200, contentType: type, headers: {}, body: { total: 0, items: [] } }, ["/header/X-Total is required"]],
    [
      { status: 200, contentType: type, headers: { "x-total": "x" }, body: { total: 0, items: [] } },
      ["/header/X-Total must be a whole number"],
    ],
    [{ status: 200, contentType: "text/plain", body: "x" }, ["/header/Content-Type must be application/json"]],
    [{ status: 200, contentType: undefined, body: undefined }, ["/body is required"]],
    [{ status: 204, contentType: undefined, body: undefined }, []],
    [{ status: 204, contentType: type, body: 1 }, ["/body must not be there"]],
    [{ status: 404, contentType: type, body: 1 }, ["/body must be a string"]],
    [{ status: 409, contentType: type, body: 1 }, []],
    [{ status: 500, contentType: type, body: 1 }, ["/status must be one of 200, 204, 404, 4XX"]],
  ])("%j", (response, expected) => {
    const problems = check(operation, response).map(({ pointer, message }) => `${pointer} ${message}`);
    expect(problems.sort()).toEqual([...expected].sort());
  });
});

const NOT_FOUND = new StandinError("RECORD_NOT_FOUND", "teas has no record with id 7.");

type ErrorCase = readonly [what: string, schema: JsonObject, sample: Json | undefined, body: Json];

describe("errors in the shape of the document", () => {
  test.each<ErrorCase>([
    [
      "by names, the rest from the sample",
      {
        type: "object",
        required: ["code", "message", "trace"],
        properties: { code: { type: "integer" }, message: { type: "string" }, trace: { type: "string" } },
      },
      { code: 1, message: "?", trace: "abc" },
      { code: 404, message: NOT_FOUND.message, trace: "abc" },
    ],
    [
      "in an object of its own",
      {
        type: "object",
        properties: {
          error: { type: "object", properties: { error_code: { type: "string" }, detail: { type: "string" } } },
          success: { type: "boolean" },
        },
      },
      {},
      { error: { error_code: "RECORD_NOT_FOUND", detail: NOT_FOUND.message }, success: false },
    ],
    [
      "a code that is not allowed stays as it was made",
      {
        type: "object",
        properties: { code: { enum: ["missing"] }, error: { type: "string" }, status: { type: "string" } },
      },
      { code: "missing" },
      { code: "missing", error: NOT_FOUND.message, status: "404" },
    ],
    [
      "a list of errors",
      {
        type: "object",
        properties: { errors: { type: "array", items: { type: "object", properties: { title: { type: "string" } } } } },
      },
      { errors: [] },
      { errors: [{ title: "Record not found" }] },
    ],
    [
      "the only text, which says what to change",
      { type: "object", properties: { error: { type: "string" }, developer_message: { type: "string" } } },
      {},
      { error: "Record not found", developer_message: NOT_FOUND.message },
    ],
    [
      "the text of an object",
      {
        type: "object",
        properties: {
          "odata.error": {
            type: "object",
            properties: { message: { type: "object", properties: { value: { type: "string" } } } },
          },
        },
      },
      {},
      { "odata.error": { message: { value: NOT_FOUND.message } } },
    ],
    [
      "a list whose elements need more than the error tells",
      {
        type: "object",
        properties: {
          errors: {
            type: "array",
            items: {
              type: "object",
              required: ["source", "message"],
              properties: { source: { enum: ["api"] }, message: { type: "string" } },
            },
          },
        },
      },
      { errors: [{ source: "api", message: "?" }] },
      { errors: [{ source: "api", message: NOT_FOUND.message }] },
    ],
    ["an array", { type: "array", items: { type: "string" } }, ["?"], [NOT_FOUND.message]],
    ["a text", { type: "string" }, "?", NOT_FOUND.message],
    ["another kind", { type: "integer" }, 5, 5],
  ])("%s", async (_what, schema, sample, body) => {
    const { document, book, operation, check } = await checksOf({ 200: {}, 404: json(schema) });
    const tell = createErrorBodies({ document, book, sample: () => sample });
    expect(tell(operation, NOT_FOUND)).toEqual({ status: 404, type: "application/json", body });
    expect(check(operation, { status: 404, contentType: "application/json", body })).toEqual([]);
  });

  test("problems of a request, with 400 where the document has no 422", async () => {
    const item = { type: "object", properties: { field: { type: "string" }, message: { type: "string" } } };
    const schema = { type: "object", properties: { errors: { type: "array", items: item } } };
    const { document, book, operation } = await checksOf({ 200: {}, 400: json(schema), default: json({}) });
    const tell = createErrorBodies({ document, book, sample: () => ({}) });
    const problems = [{ pointer: "/body/origin/year", rule: "type", message: "must be a whole number" }];
    expect(tell(operation, requestError(operation, problems))).toEqual({
      status: 400,
      type: "application/json",
      body: { errors: [{ field: "origin.year", message: "must be a whole number" }] },
    });
  });

  test.each<readonly [string, JsonObject, number | undefined]>([
    ["the range", { 200: {}, "4XX": json({}) }, 404],
    ["default", { 200: {}, default: json({}) }, 404],
    ["not default where it is the success", { default: json({}) }, undefined],
    ["none without content", { 200: {}, 404: {} }, undefined],
    ["none", { 200: json({}) }, undefined],
  ])("%s", async (_what, responses, status) => {
    const { document, book, operation } = await checksOf(responses);
    const tell = createErrorBodies({ document, book, sample: () => null });
    expect(tell(operation, NOT_FOUND)?.status).toBe(status);
  });
});

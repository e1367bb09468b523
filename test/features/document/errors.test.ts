import { expect, test } from "vitest";
import type { JsonObject } from "../../../src/base/json/json.ts";
import { json, ref, response } from "./documents.ts";
import { payments, sendingForm, someCustomers } from "./payments.ts";
import { type Served, serve } from "./serve.ts";

const text: JsonObject = { type: "string" };
const integer: JsonObject = { type: "integer" };
const PROBLEM = "application/problem+json";
const object = (properties: JsonObject, required: string[] = []): JsonObject => ({
  type: "object",
  properties,
  required,
});

/** Teas, with these error responses. */
async function teas(errors: JsonObject, schemas: JsonObject): Promise<Served["ask"]> {
  const tea = object({ id: integer, name: text, tags: { type: "array", items: integer } }, ["name"]);
  const { ask } = await serve(
    {
      openapi: "3.1.0",
      info: { title: "Teas", version: "1" },
      paths: {
        "/teas": {
          get: { responses: { 200: response({ type: "array", items: tea }), ...errors } },
          post: { requestBody: { required: true, ...json(tea) }, responses: { 201: response(tea), ...errors } },
        },
        "/teas/{id}": {
          parameters: [{ name: "id", in: "path", required: true, schema: integer }],
          get: { responses: { 200: response(tea), ...errors } },
        },
      },
      components: { schemas },
    },
    { data: { teas: [{ id: 1, name: "Sencha" }] } },
  );
  return ask;
}

test("FastAPI: detail has the place, the message and the type of each problem, or a text", async () => {
  const problem = object({ loc: { type: "array", items: { anyOf: [text, integer] } }, msg: text, type: text }, [
    "loc",
    "msg",
    "type",
  ]);
  const detail = object({ detail: { type: "array", items: ref("ValidationError") } });
  const either = object({ detail: { anyOf: [text, { type: "array", items: ref("ValidationError") }] } });
  const ask = await teas(
    { 422: response(ref("HTTPValidationError")), 404: response(either) },
    { HTTPValidationError: detail, ValidationError: problem },
  );
  expect((await ask("POST /teas", { body: { tags: [1, "x"] } })).body).toEqual({
    detail: [
      { loc: ["body", "name"], msg: "is required", type: "missing" },
      { loc: ["body", "tags", 1], msg: "must be a whole number", type: "type" },
    ],
  });
  expect((await ask("GET /teas/9")).body).toEqual({
    detail: expect.stringContaining('teas has no record with id "9"'),
  });
});

test("ASP.NET: a problem has its errors by field, and no other words", async () => {
  const problem = object({
    type: { ...text, nullable: true },
    title: text,
    status: integer,
    detail: text,
    instance: text,
    traceId: text,
    errors: { type: "object", additionalProperties: { type: "array", items: text } },
  });
  const ask = await teas({ 400: response(problem, PROBLEM), 404: response(problem, PROBLEM) }, {});
  const { status, body } = await ask("POST /teas", { body: { tags: ["x"] } });
  expect([status, body]).toEqual([
    400,
    {
      type: "about:blank",
      title: "Request does not match the API document",
      status: 400,
      detail: expect.stringContaining("/body/name is required"),
      instance: "/teas",
      errors: { name: ["is required"], "tags.0": ["must be a whole number"] },
    },
  ]);
  expect((await ask("GET /teas/9")).body).toMatchObject({ status: 404, title: "Record not found" });
});

test("a problem that is declared as plain JSON has no type of our own, and the address of the request", async () => {
  const problem = object({ type: text, title: text, status: integer, detail: text, instance: text });
  const ask = await teas({ 404: response(problem) }, {});
  expect((await ask("GET /teas/9")).body).toMatchObject({ type: "about:blank", status: 404, instance: "/teas/9" });
});

test("errors with a list for each field name those of the request", async () => {
  const fields = object({ color: { type: "array", items: text } });
  const laravel = await teas({ 422: response(object({ message: text, errors: fields })) }, {});
  expect((await laravel("POST /teas", { body: {} })).body).toEqual({
    message: expect.stringContaining("name is required"),
    errors: { name: ["is required"] },
  });
  const rails = await teas({ 422: response(fields) }, {});
  expect((await rails("POST /teas", { body: { tags: "x" } })).body).toEqual({
    name: ["is required"],
    tags: ["must be an array"],
  });
  const recorded = await teas({ 422: response(object({ color: { type: "array", items: text } }, ["color"])) }, {});
  expect((await recorded("POST /teas", { body: {} })).body).toEqual({ color: [], name: ["is required"] });
  const whole = await teas({ 422: response(object({ errors: { type: "array", items: text } })) }, {});
  expect((await whole("POST /teas", { body: {} })).body).toEqual({ errors: ["/body/name is required"] });
});

test("a parameter of another path is not asked for", async () => {
  const { ask } = await serve(
    {
      openapi: "3.0.3",
      info: { title: "Teas", version: "1" },
      paths: {
        "/teas": { get: { responses: { 200: response({ type: "array", items: object({ id: integer }) }) } } },
        "/teas/{id}": {
          parameters: ["id", "tea"].map((name) => ({ name, in: "path", required: true, schema: integer })),
          get: { responses: { 200: response(object({ id: integer })) } },
        },
      },
    },
    { data: { teas: [{ id: 1 }] } },
  );
  expect((await ask("GET /teas/1")).body).toEqual({ id: 1 });
});

test("payments: the type is the one that fits, optional fields are left out, and the status is 400", async () => {
  const { ask } = await serve(payments, { data: { customers: someCustomers } });
  const { status, body, headers } = await ask("POST /v1/customers", sendingForm("balance=5"));
  expect([status, headers.get("x-standin-code"), body]).toEqual([
    400,
    "REQUEST_INVALID",
    {
      error: {
        type: "invalid_request_error",
        code: "REQUEST_INVALID",
        message: expect.stringContaining("/body/email is required"),
        param: "email",
      },
    },
  ]);
  const missing = await ask("GET /v1/customers/none");
  expect([missing.status, missing.body]).toEqual([
    404,
    { error: { type: "invalid_request_error", code: "RECORD_NOT_FOUND", message: expect.stringContaining("none") } },
  ]);
});

test("an empty form lacks its fields, and a field in it is named with brackets", async () => {
  const error = object({ error: object({ message: text, param: text }, ["message"]) });
  const line = object({ price: text, quantity: integer }, ["price"]);
  const form = object({ customer: text, lines: { type: "array", items: line } }, ["customer"]);
  const { ask } = await serve({
    openapi: "3.0.3",
    info: { title: "Orders", version: "1" },
    paths: {
      "/orders": {
        get: { responses: { 200: response({ type: "array", items: object({ id: text, customer: text }) }) } },
        post: {
          requestBody: { required: true, content: { "application/x-www-form-urlencoded": { schema: form } } },
          responses: { 201: response(object({ id: text, customer: text })), 400: response(error) },
        },
      },
    },
  });
  const empty = await ask("POST /orders");
  expect([empty.status, empty.body]).toEqual([
    400,
    { error: { message: expect.stringContaining("/body/customer is required"), param: "customer" } },
  ]);
  const nested = await ask("POST /orders", sendingForm("customer=a&lines[0][price]=x&lines[0][quantity]=many"));
  expect(nested.body).toMatchObject({ error: { param: "lines[0][quantity]" } });
});

test("a named value is chosen only where one is like the error", async () => {
  const kind = object({
    kind: { ...text, enum: ["blue", "red"] },
    code: { ...text, enum: ["CONFLICT", "NOT_FOUND"] },
    message: text,
  });
  const ask = await teas({ "4XX": response(kind) }, {});
  expect((await ask("GET /teas/9")).body).toEqual({ code: "NOT_FOUND", message: expect.any(String) });
});

test("the traffic has the reason of a refusal that the document has no place for", async () => {
  const ask = await teas({ 400: response(object({ type: text })), 404: response(object({ type: text })) }, {});
  expect((await ask("POST /teas", { body: { tags: [] } })).body).toEqual({ type: "request_invalid" });
  const { requests } = (await ask("GET /__requests")).body as { requests: JsonObject[] };
  expect(requests.at(-1)?.refusal).toBe(
    "The request does not match the API document at POST /teas: /body/name is required.",
  );
});

test("problems are told in a list of texts inside an object of errors", async () => {
  const errors = object({ body: { type: "array", items: text } }, ["body"]);
  const ask = await teas({ 422: response(object({ errors }, ["errors"])) }, {});
  expect((await ask("POST /teas", { body: { tags: [] } })).body).toEqual({
    errors: { body: ["/body/name is required"] },
  });
});

test("a new record has null in what was not sent and may be null, and nothing in lists of the server", async () => {
  const sent = object({ name: text, note: { anyOf: [text, { type: "null" }] } }, ["name"]);
  const cups = { type: "array", items: integer, readOnly: true };
  const tea = object({ ...(sent.properties as JsonObject), id: integer, cups }, ["name", "id", "cups"]);
  const { ask } = await serve({
    openapi: "3.1.0",
    info: { title: "Teas", version: "1" },
    paths: {
      "/teas": {
        get: { responses: { 200: response({ type: "array", items: tea }) } },
        post: { requestBody: { required: true, ...json(sent) }, responses: { 201: response(tea) } },
      },
    },
  });
  const { body } = await ask("POST /teas", { body: { name: "Sencha" } });
  expect(body).toEqual({ id: expect.any(Number), name: "Sencha", note: null, cups: [] });
});

test("an error that is not declared has the shape of another one that has a message", async () => {
  const shape = object({ error: object({ message: text, code: text }, ["message", "code"]) }, ["error"]);
  const ask = await teas({ 429: response(shape) }, {});
  const { status, body } = await ask("GET /teas/9");
  expect([status, body]).toEqual([
    404,
    { error: { message: expect.stringContaining('id "9"'), code: expect.any(String) } },
  ]);
  const other = await teas({ 409: response(object({ existing: integer }, ["existing"])) }, {});
  expect((await other("GET /teas/9")).body).toMatchObject({ code: "RECORD_NOT_FOUND" });
});

test("a problem has no problems of its own, although its schema may contain itself", async () => {
  const problem = object({ code: text, message: text, details: { type: "array", items: ref("Problem") } });
  const ask = await teas(
    { 404: response(object({ error: ref("Problem") })), 422: response(object({ error: ref("Problem") })) },
    { Problem: problem },
  );
  expect(await ask("GET /teas/9")).toMatchObject({
    status: 404,
    body: { error: { message: expect.stringContaining('teas has no record with id "9"') } },
  });
  const { status, body } = await ask("POST /teas", { body: { name: 1, tags: ["x"] } });
  expect(status).toBe(422);
  const { error } = body as unknown as { error: { details: JsonObject[] } };
  expect(error.details.map(({ message }) => message)).toEqual([
    expect.stringContaining("/body/name"),
    expect.stringContaining("/body/tags/0"),
  ]);
  expect(error.details.every((one) => !("details" in one))).toBe(true);
});

import type { JsonObject } from "../../../src/base/json/json.ts";
import { ref, response } from "./documents.ts";

const FORM = "application/x-www-form-urlencoded";
const text: JsonObject = { type: "string" };
const integer: JsonObject = { type: "integer" };
const unset: JsonObject = { type: "string", enum: [""] };
const texts: JsonObject = { type: "object", additionalProperties: text };
const deep = { style: "deepObject", explode: true };

const fields: JsonObject = {
  email: text,
  balance: integer,
  validate: { type: "boolean" },
  description: { anyOf: [text, unset] },
  metadata: { anyOf: [texts, unset] },
  address: { type: "object", properties: { city: text, country: text } },
  languages: { anyOf: [{ type: "array", items: text }, unset] },
  items: {
    type: "array",
    items: {
      type: "object",
      properties: {
        price: text,
        quantity: integer,
        price_data: {
          type: "object",
          properties: { amount: integer, recurring: { type: "object", properties: { count: integer } } },
        },
      },
    },
  },
  expand: { type: "array", items: text },
  events: { type: "array", items: text },
};

const form = (required: string[] = []): JsonObject => ({
  content: {
    [FORM]: {
      encoding: {
        metadata: deep,
        address: deep,
        languages: deep,
        items: deep,
        expand: deep,
        events: { style: "form", explode: false },
      },
      schema: { type: "object", required, properties: fields, additionalProperties: false },
    },
  },
});

const range: JsonObject = {
  anyOf: [{ type: "object", properties: { gt: integer, gte: integer, lt: integer, lte: integer } }, integer],
};
const customer = response(ref("Customer"));
const error = { ...response(ref("Error")), description: "Error" };

/** Payments, written as APIs of forms are: brackets for objects and lists, updates by POST, one response for all errors. */
export const payments: JsonObject = {
  openapi: "3.0.0",
  info: { title: "Payments", version: "1" },
  paths: {
    "/v1/customers": {
      get: {
        parameters: [
          { name: "created", in: "query", ...deep, schema: range },
          { name: "email", in: "query", schema: text },
          { name: "limit", in: "query", schema: integer },
          { name: "expand", in: "query", ...deep, schema: { type: "array", items: text } },
        ],
        responses: {
          200: response({
            type: "object",
            required: ["data", "has_more"],
            properties: { data: { type: "array", items: ref("Customer") }, has_more: { type: "boolean" } },
          }),
          default: error,
        },
      },
      post: { requestBody: form(["email"]), responses: { 200: customer, default: error } },
    },
    "/v1/customers/{customer}": {
      parameters: [{ name: "customer", in: "path", required: true, schema: text }],
      get: { responses: { 200: customer, default: error } },
      post: { requestBody: form(), responses: { 200: customer, default: error } },
    },
  },
  components: {
    schemas: {
      Customer: {
        type: "object",
        required: ["id"],
        properties: {
          id: text,
          created: { type: "integer", format: "unix-time" },
          email: text,
          balance: integer,
          validate: { type: "boolean" },
          description: { ...text, nullable: true },
          metadata: texts,
          address: { type: "object", properties: { city: text, country: text } },
          languages: { type: "array", items: text, nullable: true },
          items: fields.items!,
          events: fields.events!,
        },
      },
      Error: {
        type: "object",
        required: ["error"],
        properties: {
          error: {
            type: "object",
            required: ["type"],
            properties: {
              charge: text,
              code: text,
              decline_code: text,
              doc_url: text,
              message: text,
              param: text,
              type: {
                type: "string",
                enum: ["api_error", "card_error", "idempotency_error", "invalid_request_error"],
              },
            },
          },
        },
      },
    },
  },
};

export const someCustomers = [1, 2, 3, 4].map((number) => ({
  id: `cus_${number}`,
  created: 1000 * number,
  email: `${number}@example.com`,
  description: `Customer ${number}`,
  metadata: { order: String(number), kept: "yes" },
}));

/** A request with a form for a body. */
export function sendingForm(body: string): { headers: Record<string, string>; body: string } {
  return { headers: { "content-type": FORM }, body };
}

import type { JsonObject } from "../../../src/base/json/json.ts";
import { ref } from "./documents.ts";

const text: JsonObject = { type: "string" };
const json = (schema: JsonObject): JsonObject => ({ content: { "application/json": { schema } } });
const sends = (schema: JsonObject): JsonObject => ({ 200: { description: "", ...json(schema) } });
const listOf = (items: JsonObject): JsonObject => ({ type: "array", items });
const expand: JsonObject = { name: "expand", in: "query", schema: listOf(text) };
const item: JsonObject = { type: "object", properties: { price: { type: "integer" } } };

/** Orders that are created in another form than they are shown, acted on, and sent with their customers. */
export const orders: JsonObject = {
  openapi: "3.0.3",
  info: { title: "Orders", version: "1" },
  paths: {
    "/customers": { get: { responses: sends(listOf(ref("Customer"))) } },
    "/customers/{id}": { get: { responses: sends(ref("Customer")) } },
    "/orders": {
      get: { responses: sends(listOf(ref("Order"))) },
      post: {
        operationId: "createOrder",
        requestBody: json({
          type: "object",
          properties: { customer: text, items: listOf(item), Title: text, expand: listOf(text) },
        }),
        responses: sends(ref("Order")),
      },
    },
    "/orders/{id}": { get: { parameters: [expand], responses: sends(ref("Order")) } },
    "/orders/{id}/cancel": { post: { responses: sends(ref("Order")) } },
  },
  components: {
    schemas: {
      Customer: { type: "object", required: ["id", "name"], properties: { id: text, name: text } },
      Order: {
        type: "object",
        required: ["id", "status", "items", "title", "canceled_at"],
        properties: {
          id: text,
          title: text,
          customer: { anyOf: [text, ref("Customer")] },
          status: { type: "string", enum: ["canceled", "open"] },
          canceled_at: { type: "integer", nullable: true },
          items: {
            type: "object",
            required: ["data", "has_more"],
            properties: { data: listOf(item), has_more: { type: "boolean" } },
          },
        },
      },
    },
  },
};

import type { JsonObject } from "../../base/json/json.ts";
import type { DescribedPaths, ServerFacts } from "../../openapi/write/facts.ts";
import { json, listContent, parameters, reference } from "../../openapi/write/parts.ts";
import { makers, responding } from "../../openapi/write/server-operations.ts";
import { MAX_REQUESTS, METHODS } from "./read-batch.ts";

const TEXT = { type: "string" };

export function batchPaths(facts: ServerFacts): DescribedPaths {
  const { make } = makers(facts);
  const responses = listContent(reference("schemas", "BatchResponse"));
  return {
    paths: {
      "/__batch": {
        post: make("batch", "standin_batch", {
          summary: "Several requests to the data, as one change: all of them or none",
          parameters: parameters("prefer-write", "idempotency-key"),
          requestBody: { required: true, ...json(reference("schemas", "Batch")) },
          ...responding({ type: "object", properties: { responses }, required: ["responses"] }),
        }),
      },
    },
    schemas: batchSchemas(),
  };
}

function batchSchemas(): JsonObject {
  const request = {
    type: "object",
    properties: {
      method: { enum: [...METHODS] },
      path: { ...TEXT, description: "Path and query, such as `/products/{{order.product_id}}`.", pattern: "^/" },
      body: { description: "Values may refer to earlier responses, as in `{{order.id}}`." },
      headers: {
        type: "object",
        properties: { "If-Match": TEXT, Prefer: TEXT, "Content-Type": TEXT },
      },
      as: { ...TEXT, description: "A name by which later requests refer to the response." },
    },
    required: ["method", "path"],
  };
  return {
    Batch: {
      type: "object",
      properties: { requests: { ...listContent(request), maxItems: MAX_REQUESTS } },
      required: ["requests"],
    },
    BatchResponse: {
      type: "object",
      properties: {
        status: { type: "integer" },
        headers: { type: "object", additionalProperties: TEXT },
        body: { description: "The body that the request would have had as its response by itself." },
      },
      required: ["status", "headers", "body"],
    },
  };
}

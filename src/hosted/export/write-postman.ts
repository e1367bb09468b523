import type { JsonObject } from "../../base/json/json.ts";
import { type ExampleOperation, type OperationExample, operationsOf, type SampledMember } from "./operations.ts";

const SCHEMA = "https://schema.getpostman.com/json/collection/v2.1.0/collection.json";
const JSON_HEADER: JsonObject = { key: "Content-Type", value: "application/json" };

/** A Postman collection v2.1: a folder for each collection, with saved examples. */
export function toCollection(title: string, samples: readonly SampledMember[]): JsonObject {
  return {
    info: { name: title, schema: SCHEMA },
    item: samples.map((sample) => ({ name: sample.name, item: operationsOf(sample).map(toItem) })),
    variable: [{ key: "baseUrl", value: "http://localhost:3000" }],
  };
}

function toItem(operation: ExampleOperation): JsonObject {
  return {
    name: operation.name,
    request: toRequest(operation, operation.examples[0]?.id),
    response: operation.examples.map((example) => toResponse(operation, example)),
  };
}

function toRequest({ method, member, hasId, requestBody }: ExampleOperation, id: string | undefined): JsonObject {
  const path = [encodeURIComponent(member), ...(hasId ? [":id"] : [])];
  const url: JsonObject = { raw: `{{baseUrl}}/${path.join("/")}`, host: ["{{baseUrl}}"], path };
  if (hasId) url.variable = [{ key: "id", value: id ?? "" }];
  if (requestBody === undefined) return { method, header: [], url };
  const raw = JSON.stringify(requestBody, null, 2);
  return { method, header: [JSON_HEADER], url, body: { mode: "raw", raw, options: { raw: { language: "json" } } } };
}

function toResponse(operation: ExampleOperation, { name, id, status, body }: OperationExample): JsonObject {
  return {
    name,
    originalRequest: toRequest(operation, id),
    code: status,
    _postman_previewlanguage: "json",
    header: [JSON_HEADER],
    body: JSON.stringify(body),
  };
}

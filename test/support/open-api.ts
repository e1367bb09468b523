import { Validator } from "@seriousme/openapi-schema-validator";
import { expect } from "vitest";
import type { JsonObject } from "../../src/base/json/json.ts";

interface Operation {
  operationId: string;
  parameters?: { $ref?: string; name?: string; in?: string; schema?: unknown }[];
  responses: Record<string, { headers?: Record<string, unknown>; $ref?: string }>;
  security?: Record<string, string[]>[];
}

export interface OpenApi {
  openapi: string;
  servers: { url: string }[];
  paths: Record<string, Record<string, Operation>>;
  components: {
    schemas: Record<string, JsonObject & { properties: Record<string, JsonObject>; required?: string[] }>;
    securitySchemes?: Record<string, unknown>;
    responses: Record<string, unknown>;
  };
}

export async function describedBy(ask: (line: string) => Promise<{ status: number; body: unknown }>): Promise<OpenApi> {
  const answer = await ask("GET /__openapi.json");
  expect(answer.status).toBe(200);
  return answer.body as OpenApi;
}

/** One for all: it compiles the official schema when it first meets it. */
const validator = new Validator();

/** By the official schema, and by what that cannot say: references lead somewhere, ids of operations are unlike. */
export async function expectValid(document: OpenApi): Promise<void> {
  const { valid, errors } = await validator.validate(structuredClone(document) as unknown as JsonObject);
  expect(errors).toBeUndefined();
  expect(valid).toBe(true);
  const text = JSON.stringify(document);
  for (const [, kind, name] of text.matchAll(/"#\/components\/(\w+)\/([^"]+)"/g)) {
    const components = document.components as unknown as Record<string, Record<string, unknown>>;
    expect(Object.keys(components[kind!]!)).toContain(name);
  }
  const operations = Object.values(document.paths).flatMap((path) =>
    Object.entries(path).flatMap(([method, operation]) => (method === "parameters" ? [] : [operation])),
  );
  const ids = operations.map(({ operationId }) => operationId);
  expect(new Set(ids).size).toBe(ids.length);
  for (const { parameters = [] } of operations) {
    const names = parameters.map((parameter) => parameter.$ref ?? `${parameter.in} ${parameter.name}`);
    expect(new Set(names).size).toBe(names.length);
  }
}

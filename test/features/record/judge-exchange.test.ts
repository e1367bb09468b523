import { beforeAll, describe, expect, test } from "vitest";
import type { JsonObject } from "../../../src/base/json/json.ts";
import { createExchangeJudge, type JudgeExchange } from "../../../src/features/record/judge-exchange.ts";
import { readApiDocument } from "../../../src/openapi/read/load-api-document.ts";
import { type Row, traffic } from "./traffic.ts";

const pet: JsonObject = {
  type: "object",
  required: ["id"],
  properties: { id: { type: "integer" }, name: { type: "string", minLength: 1 } },
};
const json = (schema: JsonObject): JsonObject => ({ content: { "application/json": { schema } } });
const document: JsonObject = {
  openapi: "3.1.0",
  info: { title: "Pets", version: "1" },
  servers: [{ url: "https://api.test/v1" }],
  paths: {
    "/pets": {
      get: {
        parameters: [{ name: "limit", in: "query", schema: { type: "integer", maximum: 10 } }],
        responses: {
          "200": {
            description: "",
            headers: { "X-Total": { required: true, schema: { type: "integer" } } },
            ...json({ type: "array", items: pet }),
          },
        },
      },
      post: { requestBody: json(pet), responses: { "201": { description: "", ...json(pet) } } },
    },
    "/pets/{id}": {
      parameters: [{ name: "id", in: "path", required: true, schema: { type: "integer" } }],
      get: {
        responses: {
          "200": { description: "", ...json(pet) },
          "4XX": { description: "", ...json({ type: "object", required: ["why"] }) },
        },
      },
    },
  },
};

describe("an exchange is judged by the document in both directions", () => {
  let judge: JudgeExchange;
  beforeAll(async () => {
    judge = createExchangeJudge(await readApiDocument({ file: "api.json", root: document }));
  });
  const total = { headers: [["x-total", "1"]] } as const;
  const cases: readonly (readonly [...Row, findings: readonly string[]])[] = [
    ["GET /v1/pets?limit=5", 200, { body: [{ id: 1 }], ...total }, []],
    ["GET /pets?limit=50", 200, { body: [{ id: 1 }], ...total }, ["request /query/limit maximum"]],
    ["GET /v1/pets", 200, { body: [{ id: "1" }] }, ["response /header/X-Total required", "response /body/0/id type"]],
    ["POST /v1/pets", 201, { body: { id: 1 }, sent: { id: 1, name: "" } }, ["request /body/name minLength"]],
    ["GET /v1/pets/1", 404, { body: { why: "gone" } }, []],
    ["GET /v1/pets/1", 404, { body: {} }, ["response /body/why required"]],
    ["GET /v1/pets/x", 400, { body: { why: "x" } }, ["request /path/id type"]],
    ["GET /v1/pets/1", 500, { body: {} }, ["response /status status"]],
    ["GET /v1/pets/1", 200, { body: "<p>", type: "text/html" }, ["response /header/Content-Type content-type"]],
    ["GET /v1/pets/1", 200, { body: "{" }, ["response /body json"]],
    ["GET /v1/pets/1", 200, {}, []],
    ["GET /v1/pets/1", 304, {}, []],
    ["DELETE /v1/pets/1", 204, {}, ["request  operation"]],
    ["GET /v1/dogs", 200, { body: [] }, ["request  operation"]],
  ];
  for (const [line, status, sent, findings] of cases) {
    test(`${line} ${status}: ${findings.join(", ") || "nothing"}`, () => {
      const [exchange] = traffic([line, status, sent ?? {}]);
      const found = exchange ? judge(exchange).findings : [];
      expect(found.map(({ direction, pointer, rule }) => `${direction} ${pointer} ${rule}`)).toEqual(findings);
    });
  }
});

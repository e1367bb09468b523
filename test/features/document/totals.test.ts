import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../../src/base/json/json.ts";
import { serve } from "./serve.ts";

const text: JsonObject = { type: "string" };
const whole: JsonObject = { type: "integer" };
const flag: JsonObject = { type: "boolean" };
const task: JsonObject = { type: "object", required: ["id"], properties: { id: text } };

interface Counted {
  readonly parameter: JsonObject;
  readonly required?: string[];
  readonly total?: JsonObject;
  readonly headers?: JsonObject;
}

function counted({ parameter, required = [], total = whole, headers = {} }: Counted): JsonObject {
  const properties = { tasks: { type: "array", items: task }, page: whole, total, totalPages: total };
  const schema = { type: "object", required, properties };
  const limit = { name: "limit", in: "query", schema: whole };
  const offset = { name: "offset", in: "query", schema: whole };
  const parameters = [limit, offset, { in: "query", schema: flag, ...parameter }];
  const list = { description: "", headers, content: { "application/json": { schema } } };
  return {
    openapi: "3.1.0",
    info: { title: "Tasks", version: "1" },
    paths: {
      "/tasks": { get: { parameters, responses: { 200: list } } },
      "/tasks/{id}": {
        parameters: [{ name: "id", in: "path", required: true, schema: text }],
        get: { responses: { 200: { description: "", content: { "application/json": { schema: task } } } } },
      },
    },
  };
}

async function bodyOf(options: Counted, search: string): Promise<JsonObject> {
  const { ask, warnings } = await serve(counted(options));
  const { status, body } = await ask(`GET /tasks?limit=5&offset=0${search}`);
  expect([status, warnings]).toEqual([200, []]);
  return body as JsonObject;
}

describe("a list tells how many records there are", () => {
  const told = { total: 12, totalPages: 3 };
  const usual = { name: "total_required" };
  const cases: [string, Counted, string, boolean][] = [
    ["as it does if nothing asks", { parameter: usual }, "", true],
    ["if a parameter asks", { parameter: usual }, "&total_required=true", true],
    ["not if a parameter says so", { parameter: usual }, "&total_required=false", false],
    ["only if asked, by a default", { parameter: { ...usual, schema: { ...flag, default: false } } }, "", false],
    ["only if asked, by words", { parameter: { ...usual, description: "Defaults to false." } }, "", false],
    [
      "if asked, against words",
      { parameter: { ...usual, description: "Default: false" } },
      "&total_required=true",
      true,
    ],
    ["if asked, in OData", { parameter: { name: "$count" } }, "&$count=true", true],
    ["not if asked to skip it", { parameter: { name: "skipCount" } }, "&skipCount=true", false],
    ["if not asked to skip it", { parameter: { name: "skipCount" } }, "", true],
    ["always, where it must", { parameter: usual, required: ["total", "totalPages"] }, "&total_required=false", true],
    [
      "always, where counts are of others",
      { parameter: { name: "with_counts", description: "The count of each." } },
      "&with_counts=false",
      true,
    ],
  ];
  for (const [title, options, search, isTold] of cases) {
    test(title, async () => {
      const { total, totalPages, tasks } = await bodyOf(options, search);
      expect((tasks as unknown[]).length).toBe(5);
      expect({ total, totalPages }).toEqual(isTold ? told : {});
    });
  }

  test("as null, where it must be there and may be null", async () => {
    const total = { type: ["integer", "null"] };
    const options = { parameter: usual, required: ["total", "totalPages"], total };
    expect(await bodyOf(options, "&total_required=false")).toMatchObject({ total: null, totalPages: null });
  });

  test("in a header", async () => {
    const headers = { "X-Total": { schema: whole } };
    const { ask } = await serve(counted({ parameter: usual, headers }));
    const totalOf = async (line: string) => (await ask(line)).headers.get("x-total");
    expect(await totalOf("GET /tasks?limit=5")).toBe("12");
    expect(await totalOf("GET /tasks?limit=5&total_required=false")).toBeNull();
  });
});

test("a page begins with the record of the id that its cursor is", async () => {
  const from = { name: "from", schema: text, description: "Start the page with the task of the given id." };
  const { ask } = await serve(counted({ parameter: from }));
  const idsOf = async (search: string) =>
    ((await ask(`GET /tasks?${search}`)).body as { tasks: { id: string }[] }).tasks.map(({ id }) => id);
  const all = await idsOf("limit=12");
  expect(await idsOf(`limit=3&from=${all[4]}`)).toEqual(all.slice(4, 7));
});

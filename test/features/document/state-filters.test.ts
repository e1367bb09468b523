import { expect, test } from "vitest";
import type { JsonObject } from "../../../src/base/json/json.ts";
import { response } from "./documents.ts";
import { serve } from "./serve.ts";

const text: JsonObject = { type: "string" };
const flag: JsonObject = { type: "boolean" };
const task: JsonObject = {
  type: "object",
  properties: {
    id: { type: "integer" },
    deleted: flag,
    private: flag,
    done: flag,
    doneAt: { ...text, format: "date-time" },
  },
};
const tasks = [
  { id: 1, deleted: false, private: true, done: true, doneAt: "2026-01-01T10:00:00Z" },
  { id: 2, deleted: true, private: false, doneAt: "2026-01-02T10:00:00Z" },
  { id: 3, private: false, doneAt: "2026-01-03T10:00:00Z" },
];

test("states and ranges in one value filter lists, and hidden records are shown when asked for", async () => {
  const parameters = [
    { name: "include_deleted", in: "query", schema: { ...flag, default: false } },
    { name: "deleted", in: "query", schema: flag },
    { name: "visibility", in: "query", schema: { ...text, enum: ["all", "public", "private"] } },
    { name: "private", in: "query", description: "Whether to include private tasks.", schema: flag },
    { name: "is_deleted", in: "query", schema: { ...text, format: "boolean" } },
    { name: "done", in: "query", description: "If true, filters to only include done ones.", schema: flag },
    { name: "kind", in: "query", schema: { ...text, enum: ["all", "done", "main"] } },
    { name: "target", in: "query", schema: { ...text, enum: ["done", "index"] } },
    { name: "undone", in: "query", description: "If true, returns only undone tasks.", schema: flag },
    { name: "done_range", in: "query", schema: text },
  ];
  const { ask } = await serve(
    {
      openapi: "3.0.3",
      info: { title: "Tasks", version: "1" },
      paths: {
        "/tasks": { get: { parameters, responses: { 200: response({ type: "array", items: task }) } } },
        "/tasks/{id}": {
          get: {
            parameters: [{ name: "id", in: "path", required: true, schema: { type: "integer" } }],
            responses: { 200: response(task) },
          },
        },
      },
    },
    { data: { tasks } },
  );
  const found: Record<string, string> = {};
  const lists = {
    "": "1,3",
    "?include_deleted=true": "1,2,3",
    "?include_deleted=false": "1,3",
    "?deleted=true": "2",
    "?visibility=public": "3",
    "?visibility=private": "1",
    "?visibility=all": "1,3",
    "?private=true": "1,3",
    "?private=false": "3",
    "?is_deleted=constructor": "1,3",
    "?undone=true": "3",
    "?done=true": "1",
    "?done=false": "1,3",
    "?kind=done": "1",
    "?kind=main": "3",
    "?kind=all": "1,3",
    "?target=index": "1,3",
    "?undone=false": "1,3",
    "?done_range=2026-01-02..2026-01-03&include_deleted=true": "2,3",
    "?done_range=2026-01-02T00:00:00Z,&include_deleted=true": "2,3",
  };
  for (const search of Object.keys(lists)) {
    found[search] = ((await ask(`GET /tasks${search}`)).body as { id: number }[]).map(({ id }) => id).join();
  }
  expect(found).toEqual(lists);
});

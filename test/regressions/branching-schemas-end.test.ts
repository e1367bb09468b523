import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { createStandin } from "../../src/index.ts";
import { askAt } from "../support/api.ts";
import { createFolder } from "../support/cli.ts";
import { openHosted } from "../support/hosted.ts";

const LEVELS = 30;

/** Each schema leads to the next one in two ways: a thousand million ways in all. */
function branchingDocument(): object {
  const to = (level: number) => ({ $ref: `#/components/schemas/S${level}` });
  const levels = Array.from({ length: LEVELS }, (_, at) => [
    `S${at}`,
    { anyOf: [to(at + 1), { allOf: [to(at + 1)] }] },
  ]);
  const properties = { id: { type: "integer" }, name: { type: "string", pattern: "^zz[a-f]+$" } };
  const last = { type: "object", required: ["id", "name"], properties };
  const content = { "application/json": { schema: to(0) } };
  const responses = { 200: { description: "ok", content } };
  const list = {
    200: { description: "ok", content: { "application/json": { schema: { type: "array", items: to(0) } } } },
  };
  const id = { name: "id", in: "path", required: true, schema: { type: "integer" } };
  return {
    openapi: "3.0.3",
    info: { title: "Branching", version: "1" },
    paths: {
      "/pets": { get: { responses: list }, post: { requestBody: { required: true, content }, responses } },
      "/pets/{id}": { get: { parameters: [id], responses } },
      "/other": { get: { responses }, put: { requestBody: { content }, responses } },
    },
    components: { schemas: { ...Object.fromEntries(levels), [`S${LEVELS}`]: last } },
  };
}

test("a schema with a thousand million branches is served and judged, or refused with words", async () => {
  const source = join(createFolder({ "api.json": branchingDocument() }), "api.json");
  await using api = await createStandin({ source });
  const ask = (line: string, body?: unknown) => askAt(api.url, line, { body });
  expect((await ask("GET /other")).body).toMatchObject({ name: expect.stringMatching(/^zz/) });
  expect((await ask("GET /pets")).status).toBe(200);
  const made = await ask("POST /pets", { id: 500, name: "zza" });
  expect([made.status, made.body]).toEqual([200, { id: 500, name: "zza" }]);
  const refused = await ask("POST /pets", { id: "no", name: 5 });
  expect([refused.status, refused.text]).toEqual([422, expect.stringContaining('too many parts to be judged.",')]);
});

test("hosted mode has an example of it", async () => {
  const hosted = await openHosted(join(createFolder({ "api.json": branchingDocument() }), "api.json"));
  onTestFinished(() => hosted.close());
  expect((await hosted.ask("GET /other")).body).toMatchObject({ name: expect.stringMatching(/^zz/) });
});

import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../src/base/json/json.ts";
import { createStandin } from "../../src/index.ts";
import { createFolder } from "../support/cli.ts";

const ref = (name: string): JsonObject => ({ $ref: `#/components/schemas/${name}` });

function documentWith(schemas: JsonObject): JsonObject {
  const content = { "application/json": { schema: ref("A") } };
  return {
    openapi: "3.0.3",
    info: { title: "Pets", version: "1" },
    paths: { "/pets": { get: { responses: { 200: { description: "OK", content } } } } },
    components: { schemas },
  };
}

async function statusWith(schemas: JsonObject, more: JsonObject = {}): Promise<number> {
  const folder = createFolder({ "api.json": documentWith(schemas), ...more });
  await using api = await createStandin({ source: join(folder, "api.json"), warn: () => {} });
  return (await fetch(`${api.url}/pets`)).status;
}

const loops: [what: string, schemas: JsonObject][] = [
  ["a schema that refers to itself", { A: ref("A") }],
  ["two that refer to each other", { A: ref("B"), B: ref("A") }],
  ["two that no operation uses", { A: { type: "object" }, B: ref("C"), C: ref("B") }],
  ["a property", { A: { type: "object", properties: { b: ref("B") } }, B: ref("B") }],
  ["one through another file", { A: { $ref: "other.json#/B" } }],
];

describe("references of a document that lead round in a circle stop the start", () => {
  for (const [what, schemas] of loops) {
    test(what, async () => {
      const other = { "other.json": { B: { $ref: "api.json#/components/schemas/A" } } };
      await expect(statusWith(schemas, other)).rejects.toThrow(/leads back to itself/);
    });
  }

  test("recursive data does not, nor does an unused reference that leads nowhere", async () => {
    const node = { type: "object", properties: { id: { type: "integer" }, next: ref("A") } };
    expect(await statusWith({ A: node, B: { allOf: [ref("A"), ref("B")] } })).toBe(200);
    expect(await statusWith({ A: { type: "object" }, B: { type: "object", properties: { c: ref("D") } } })).toBe(200);
  });
});

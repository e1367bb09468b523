import { expect, test } from "vitest";
import { askAt } from "../support/api.ts";
import { startMetered } from "../support/metered-server.ts";

const PROPERTIES = 5000;

const named = Array.from({ length: PROPERTIES }, (_, at) => `p${at}`);
const properties = Object.fromEntries(named.map((name) => [name, { type: "string", maxLength: 5 }]));
const wide = { type: "object", required: named, properties };
const schemas: Readonly<Record<string, object>> = {
  wide,
  closed: { ...wide, additionalProperties: false },
  nullable: { ...wide, nullable: true },
  parts: { allOf: [{ properties: { id: { type: "integer" } } }, wide] },
};

function documentWith(): object {
  const paths = Object.entries(schemas).map(([name, schema]) => {
    const content = { "application/json": { schema } };
    const responses = { 200: { description: "ok", content: { "application/json": { schema: { type: "object" } } } } };
    return [`/${name}`, { post: { requestBody: { required: true, content }, responses } }];
  });
  return { openapi: "3.0.3", info: { title: "Large", version: "1" }, paths: Object.fromEntries(paths) };
}

test("the first body for a schema of 5000 properties is judged in several turns", async () => {
  const server = await startMetered(documentWith());
  for (const name of Object.keys(schemas)) {
    await server.turns();
    const refused = await askAt(server.url, `POST /${name}`, { body: { p0: "x", p4999: "too long" } });
    const { longestOwn, sum } = await server.turns();
    expect([name, refused.status]).toEqual([name, 422]);
    expect(refused.text).toContain('"/body/p4999"');
    expect(refused.text).toContain("5 characters");
    expect(longestOwn / sum).toBeLessThan(0.5);
  }
});

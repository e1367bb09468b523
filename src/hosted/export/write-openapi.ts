import type { JsonObject } from "../../base/json/json.ts";
import { schemaOfValues } from "../../schema/inference/inferred-schema.ts";
import { type ExampleOperation, operationsOf, type SampledMember } from "./operations.ts";

const ID_PARAMETER: JsonObject = { name: "id", in: "path", required: true, schema: { type: "string" } };

/** An OpenAPI 3.1 document whose responses have the records as named examples. */
export function toOpenApi(title: string, samples: readonly SampledMember[]): JsonObject {
  const paths: [string, JsonObject][] = [];
  const schemas: [string, JsonObject][] = [];
  for (const sample of samples) {
    const records = sample.kind === "collection" ? sample.records : [sample.record];
    const schemaName = freeName(sample.name, schemas);
    schemas.push([schemaName, schemaOfValues(records, { isPlain: true })]);
    const operations = operationsOf(sample);
    for (const hasId of [false, true]) {
      const here = operations.filter((operation) => operation.hasId === hasId);
      if (here.length === 0) continue;
      const path = `/${encodeURIComponent(sample.name)}${hasId ? "/{id}" : ""}`;
      const methods = here.map((operation) => [operation.method.toLowerCase(), toOperation(operation, schemaName)]);
      paths.push([path, { ...(hasId ? { parameters: [ID_PARAMETER] } : {}), ...Object.fromEntries(methods) }]);
    }
  }
  return {
    openapi: "3.1.0",
    info: { title, version: "1.0.0" },
    servers: [{ url: "http://localhost:3000" }],
    paths: Object.fromEntries(paths),
    components: { schemas: Object.fromEntries(schemas) },
  };
}

function toOperation(operation: ExampleOperation, schemaName: string): JsonObject {
  const { name, requestBody, examples } = operation;
  const statuses = [...new Set(examples.map(({ status }) => status))];
  const responses = statuses.map((status) => {
    const here = examples.filter((example) => example.status === status);
    const named = Object.fromEntries(here.map((example) => [example.name, { value: example.body }]));
    const content = { "application/json": { ...schemaFor(operation, status, schemaName), examples: named } };
    return [String(status), { description: status < 400 ? name : "There is no such record", content }];
  });
  const described: JsonObject = { summary: name, responses: Object.fromEntries(responses) };
  if (requestBody !== undefined) described.requestBody = { content: { "application/json": { example: requestBody } } };
  return described;
}

function schemaFor({ isList, method }: ExampleOperation, status: number, schemaName: string): JsonObject {
  if (status >= 400 || method === "DELETE") return {};
  const one = { $ref: `#/components/schemas/${schemaName}` };
  return { schema: isList ? { type: "array", items: one } : one };
}

/** Names of components are letters, digits, dots, dashes and underscores; two members must not share one. */
function freeName(member: string, taken: readonly (readonly [string, JsonObject])[]): string {
  const plain = member.replace(/[^\w.-]/g, "_");
  const used = new Set(taken.map(([name]) => name));
  let name = plain;
  for (let number = 2; used.has(name); number++) name = `${plain}_${number}`;
  return name;
}

import { StandinError } from "../base/errors.ts";
import type { Json, JsonObject } from "../base/json/json.ts";
import { schemaOfValues } from "../schema/inference/inferred-schema.ts";

const POSTMAN_SCHEMA = "https://schema.getpostman.com/json/collection/v2.1.0/collection.json";
const JSON_HEADER: JsonObject = { key: "Content-Type", value: "application/json" };
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

/** A Postman collection v2.1: a folder for each collection, with saved examples. */
export function toCollection(title: string, samples: readonly SampledMember[]): JsonObject {
  return {
    info: { name: title, schema: POSTMAN_SCHEMA },
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

/** One collection or singleton of a data file, cut to as many records as become examples. */
export type SampledMember =
  | CollectionSample
  | { readonly kind: "singleton"; readonly name: string; readonly record: Json };

interface CollectionSample {
  readonly kind: "collection";
  readonly name: string;
  readonly idKey: string;
  readonly records: readonly JsonObject[];
}

/** One request to the data, with its saved responses: both documents are written from these. */
interface ExampleOperation {
  readonly name: string;
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** The name of the collection or singleton, and whether an id follows it. */
  readonly member: string;
  readonly hasId: boolean;
  readonly isList: boolean;
  readonly requestBody: Json | undefined;
  readonly examples: readonly OperationExample[];
}

interface OperationExample {
  readonly name: string;
  /** The id in the address; undefined for any. */
  readonly id: string | undefined;
  readonly status: number;
  readonly body: Json;
}

/** The operations that a server of this data offers. */
function operationsOf(sample: SampledMember): ExampleOperation[] {
  return sample.kind === "singleton" ? ofSingleton(sample.name, sample.record) : ofCollection(sample);
}

function ofSingleton(member: string, record: Json): ExampleOperation[] {
  const base = { member, hasId: false, isList: false } as const;
  const examples = [{ name: member, id: undefined, status: 200, body: record }];
  return [
    { ...base, name: `Get ${member}`, method: "GET", requestBody: undefined, examples },
    { ...base, name: `Replace ${member}`, method: "PUT", requestBody: record, examples },
    { ...base, name: `Update ${member}`, method: "PATCH", requestBody: record, examples },
  ];
}

function ofCollection(sample: CollectionSample): ExampleOperation[] {
  const { name: member, records } = sample;
  const [first] = records;
  const list: ExampleOperation = {
    name: `List ${member}`,
    method: "GET",
    member,
    hasId: false,
    isList: true,
    requestBody: undefined,
    examples: [{ name: `${member}`, id: undefined, status: 200, body: [...records] }],
  };
  return first ? [list, ...ofRecords(sample, first)] : [list];
}

function ofRecords({ name: member, idKey, records }: CollectionSample, first: JsonObject): ExampleOperation[] {
  const { [idKey]: _id, ...withoutId } = first;
  const saved = (record: JsonObject): OperationExample => {
    const id = String(record[idKey]);
    return { name: id, id, status: 200, body: record };
  };
  const missing: OperationExample = {
    name: "not found",
    id: undefined,
    status: 404,
    body: { ...new StandinError("RECORD_NOT_FOUND", `${member} has no such record.`).toJSON() },
  };
  const base = { member, hasId: true, isList: false, requestBody: undefined } as const;
  const created = { ...saved(first), name: "created", id: undefined, status: 201 };
  const deleted = { ...saved(first), name: "deleted", body: {} };
  const examples = [saved(first), missing];
  return [
    { ...base, name: `Get one of ${member}`, method: "GET", examples: [...records.map(saved), missing] },
    { ...base, name: `Create in ${member}`, method: "POST", hasId: false, requestBody: withoutId, examples: [created] },
    { ...base, name: `Replace one of ${member}`, method: "PUT", requestBody: first, examples },
    { ...base, name: `Update one of ${member}`, method: "PATCH", requestBody: withoutId, examples },
    { ...base, name: `Delete one of ${member}`, method: "DELETE", examples: [deleted, missing] },
  ];
}

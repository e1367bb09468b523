import { describe, expect, test } from "vitest";
import type { Json, JsonObject } from "../../src/base/json/json.ts";
import { bindDocument } from "../../src/openapi/bind/bind-document.ts";
import type { BoundCollection, BoundOperation } from "../../src/openapi/bind/binding.ts";
import { readApiDocument } from "../../src/openapi/read/load-api-document.ts";

const text: JsonObject = { type: "string" };
const whole: JsonObject = { type: "integer" };
const object = (properties: JsonObject, required: string[] = []): JsonObject => ({
  type: "object",
  properties,
  required,
});
const array = (items: Json): JsonObject => ({ type: "array", items });
const json = (schema: JsonObject): JsonObject => ({ content: { "application/json": { schema } } });
const sends = (schema: JsonObject, status = 200): JsonObject => ({
  responses: { [status]: { description: "", ...json(schema) } },
});
const ref = (name: string): JsonObject => ({ $ref: `#/components/schemas/${name}` });
const path = (name: string, schema = text, description = ""): JsonObject => ({
  name,
  in: "path",
  required: true,
  schema,
  description,
});
const query = (name: string, schema: JsonObject = text, description = ""): JsonObject => ({
  name,
  in: "query",
  schema,
  description,
});

async function bind(paths: JsonObject, schemas: JsonObject = {}): Promise<readonly BoundCollection[]> {
  const root = { openapi: "3.1.0", info: { title: "Told", version: "1" }, paths, components: { schemas } };
  return bindDocument(await readApiDocument({ file: "told.json", root })).collections;
}

function found(collections: readonly BoundCollection[], line: string): BoundOperation | undefined {
  const all = collections.flatMap(({ operations }) => operations);
  return all.find(({ operation: { method, path } }) => `${method} ${path.text}` === line);
}

describe("the id of a path", () => {
  test("is the only field of its type", async () => {
    const device = object({ serialNo: ref("DeviceId"), kind: text });
    const [devices] = await bind(
      {
        "/devices": { get: sends(array(device)) },
        "/devices/{deviceId}": { parameters: [path("deviceId", ref("DeviceId"))], get: sends(device) },
      },
      { DeviceId: { ...text, minLength: 4 } },
    );
    expect(devices?.idKey).toBe("serialNo");
  });

  test.each([
    ["app", "The name of the app.", ["name"], "name"],
    ["app", "The name of the app.", [], "id"],
    ["app", "The app.", ["name"], "id"],
    ["appId", "The name of the app.", ["name"], "id"],
  ])("{%s}, %j, where a create must have %j, is the %s", async (name, description, required, idKey) => {
    const app = object({ id: text, name: text });
    const [apps] = await bind({
      "/apps": {
        get: sends(array(app)),
        post: { requestBody: json(object({ name: text }, required)), ...sends(app, 201) },
      },
      [`/apps/{${name}}`]: { parameters: [path(name, text, description)], get: sends(app) },
    });
    expect(apps?.idKey).toBe(idKey);
  });

  test("is no other way to name a record where it is the id of something else", async () => {
    const risk = object({ id: text, projectId: text, name: text });
    const collections = await bind({
      "/risks": { get: sends(array(risk)) },
      "/risks/{riskId}": { get: sends(risk), put: { requestBody: json(risk), ...sends(risk) } },
      "/risks/{projectId}": {
        post: { summary: "Create a risk", requestBody: json(object({ name: text })), ...sends(risk) },
      },
    });
    expect(collections[0]?.otherNames).toEqual([]);
    const created = found(collections, "POST /risks/{projectId}");
    expect([created?.action, created?.parents.map(({ field }) => field)]).toEqual(["create", ["projectId"]]);
  });
});

test("a path below a list may list the records with a value", async () => {
  const block = object({ blockId: text, dayType: text, start: text });
  const actionOf = async (name: string): Promise<unknown> => {
    const line = `/blocks/{${name}}`;
    const collections = await bind({
      "/blocks": { get: { summary: "Get the blocks", ...sends(array(block)) } },
      [line]: { get: { summary: "Get the blocks of a day type", ...sends(array(block)) } },
    });
    const bound = found(collections, `GET ${line}`);
    return [bound?.action, bound?.parents.map(({ field }) => field)];
  };
  expect(await actionOf("dayType")).toEqual(["list", ["dayType"]]);
  expect(await actionOf("blockId")).toEqual(["read", []]);
});

test("a list's POST may update what its PUT creates", async () => {
  const size = object({ id: text, name: text });
  const collections = await bind({
    "/sizes": {
      get: sends(array(size)),
      post: { summary: "Updates a size", requestBody: json(size), ...sends(size) },
      put: { summary: "Create a size", requestBody: json(size), ...sends(size, 201) },
    },
    "/sizes/{id}": { get: sends(size) },
  });
  expect(["POST", "PUT"].map((method) => found(collections, `${method} /sizes`)?.action)).toEqual(["patch", "create"]);
});

describe("parameters of lists", () => {
  const record = object({
    id: text,
    method: ref("Method"),
    lab: object({ collection_methods: array(ref("Method")) }),
    log: array(object({ timestamp: { ...text, format: "date-time" } })),
    start_timestamp: { ...text, format: "date-time" },
    owner: object({ name: text, address: { ...text, format: "address" } }),
    metadata: { type: "object", additionalProperties: text },
    created_at: { ...text, format: "date-time" },
  });
  const cases: [string, JsonObject[], string[]][] = [
    ["of the type of a field", [query("collection_method", ref("Method"))], ["filter method"]],
    ["told by words", [query("timestamp", text, "Start timestamp filter")], ["filter start_timestamp"]],
    ["of a format", [query("owner", { ...text, format: "address" })], ["filter owner.address"]],
    ["of no format", [query("owner")], ["filter owner.name"]],
    ["of a map", [query("metadata", { type: "object", additionalProperties: text })], ["filter metadata"]],
    [
      "for a direction beside a sort",
      [query("sort"), query("order", text, "How to order (asc or desc) data within a field.")],
      ["sort", "order"],
    ],
    ["for the order, by a key", [query("order_key"), query("order_direction")], ["sort", "order"]],
    [
      "for times that include both ends",
      [query("created_after", whole, "Created after and equal to a Unix timestamp.")],
      ["filter created_at gte"],
    ],
  ];
  test.each(cases)("%s", async (_, parameters, expected) => {
    const [items] = await bind(
      { "/items": { get: { parameters, ...sends(array(record)) } }, "/items/{id}": { get: sends(record) } },
      { Method: { ...text, enum: ["walk_in", "at_home"] } },
    );
    const told = items!.operations[0]!.parameters.map(({ role, field, operator }) =>
      [role, field, operator].filter((one) => one).join(" "),
    );
    expect(told).toEqual(expected);
  });
});

test("pages that are texts, beside sizes that are numbers, are cursors", async () => {
  const key = object({ id: text });
  const rolesOf = async (page: JsonObject, next: JsonObject): Promise<unknown> => {
    const body = object({ keys: array(key), pagination: object({ next_page: next }) });
    const [keys] = await bind({
      "/keys": {
        get: { parameters: [query("page", page), query("limit", whole)], ...sends(body) },
      },
      "/keys/{id}": { get: sends(key) },
    });
    const { parameters, envelope } = keys!.operations[0]!;
    return [parameters[0]?.role, envelope[0]?.role];
  };
  expect(await rolesOf(text, text)).toEqual(["cursor", "nextCursor"]);
  expect(await rolesOf({ ...text, example: "1" }, text)).toEqual(["page", "nextUrl"]);
  expect(await rolesOf(whole, whole)).toEqual(["page", "nextPage"]);
});

test("fields and headers beside `after_cursor` and pages tell what comes next", async () => {
  const hold = object({ id: text });
  const meta = object({ has_next_results: { type: "boolean" }, has_previous_results: { type: "boolean" } });
  const headers = { "X-After-Cursor": { schema: text } };
  const body = json(object({ holds: array(hold), meta }));
  const [holds] = await bind({
    "/holds": {
      get: { parameters: [query("after_cursor")], responses: { 200: { description: "", headers, ...body } } },
    },
    "/holds/{id}": { get: sends(hold) },
  });
  const { parameters, envelope, headers: bound } = holds!.operations[0]!;
  expect([...parameters, ...bound, ...envelope].map(({ role }) => role)).toEqual([
    "cursor",
    "nextCursor",
    "hasMore",
    "hasPrevious",
  ]);
});

test("records are created by one more segment, where it or the text says so or the status does", async () => {
  const account = object({ id: text, name: text });
  const post = { requestBody: json(object({ name: text })), ...sends(account) };
  const collections = await bind(
    {
      "/accounts": { get: sends(array(ref("Account"))), post: { ...post, ...sends(ref("Account"), 201) } },
      "/accounts/import": { post: { ...post, ...sends(ref("Account")) } },
      "/accounts/from-file": { post: { ...post, ...sends(ref("Account"), 201) } },
      "/accounts/manual": { post: { ...post, summary: "Register an account", ...sends(ref("Account")) } },
      "/accounts/attachments": {
        post: { ...post, operationId: "accounts_attachments_create", ...sends(ref("Account")) },
      },
      "/accounts/{id}": { get: sends(ref("Account")) },
    },
    { Account: account },
  );
  const actionOf = (name: string) => found(collections, `POST /accounts/${name}`)?.action;
  expect(["import", "from-file", "manual", "attachments"].map(actionOf)).toEqual([
    "create",
    "create",
    "create",
    undefined,
  ]);
});

test("a path named like a field of few words is no parent's id", async () => {
  const rule = object({ id: text, type: { ...text, enum: ["min", "max"] } });
  const [rules] = await bind({
    "/types/{parametertype_pk}/rules": { get: sends(array(rule)) },
    "/types/{parametertype_pk}/rules/{id}": { get: sends(rule) },
  });
  expect(rules?.operations[0]?.parents.map(({ field }) => field)).toEqual(["parametertype_pk"]);
});

test("what filters, sorts and turns pages is told by words", async () => {
  const instance = object({ id: text, name: text, ips: array(object({ ip: text })) });
  const rolesOf = async (...parameters: JsonObject[]): Promise<unknown> => {
    const [instances] = await bind({
      "/instances": { get: { parameters, ...sends(array(instance)) } },
      "/instances/{id}": { get: sends(instance) },
    });
    return instances!.operations[0]!.parameters.map(({ role, field }) => [role, field].filter(Boolean).join(" "));
  };
  expect(await rolesOf(query("ip"))).toEqual(["filter ips.ip"]);
  expect(await rolesOf(query("o", text, "Which field to use when ordering the results."))).toEqual(["sort"]);
  expect(await rolesOf(query("filter", text, "Search for those with a name matching filter text"))).toEqual(["search"]);
  expect(await rolesOf(query("startAfterCursor"), query("numberPerPage", whole))).toEqual(["cursor", "limit"]);
  expect(await rolesOf(query("include", text, "Field names to include in the response."))).toEqual(["fields"]);
});

test("the number of records that match is the total", async () => {
  const count = { ...whole, description: "The number of items matching the filter" };
  const pet = object({ id: text });
  const [pets] = await bind({
    "/pets": { get: sends(object({ data: array(pet), count })) },
    "/pets/{id}": { get: sends(pet) },
  });
  expect(pets!.operations[0]!.envelope).toEqual([{ path: ["count"], role: "total" }]);
});

test("a PUT that creates or updates makes what nothing else does", async () => {
  const version = object({ name: text, note: text });
  const put = (summary: string): JsonObject => ({
    summary,
    requestBody: json(object({ note: text })),
    responses: { 200: { description: "", ...json(version) }, 201: { description: "", ...json(version) } },
  });
  const actionOf = async (summary: string): Promise<unknown> => {
    const paths = {
      "/versions": { get: sends(array(version)) },
      "/versions/{name}": { get: sends(version), put: put(summary) },
    };
    return found(await bind(paths), "PUT /versions/{name}")?.action;
  };
  expect(await actionOf("Create a version, or update a draft.")).toBe("add");
  expect(await actionOf("Update a version.")).toBe("replace");
});

test("a path may have Django's word for how a field is compared", async () => {
  const speaker = object({ code: text, name: text });
  const [speakers] = await bind({
    "/speakers": { get: sends(array(speaker)) },
    "/speakers/{code__iexact}": { get: sends(speaker) },
  });
  expect(speakers?.idKey).toBe("code");
});

test("a parameter that is called as the field with the next page turns pages", async () => {
  const project = object({ id: text });
  const [projects] = await bind({
    "/projects": {
      get: { parameters: [query("nextPageKey")], ...sends(object({ projects: array(project), nextPageKey: text })) },
    },
    "/projects/{id}": { get: sends(project) },
  });
  expect(projects!.operations[0]!.parameters).toEqual([{ name: "nextPageKey", role: "cursor" }]);
});

test("a POST on a record that sends something else with an id of its own changes nothing", async () => {
  const actionOf = async (required: string[]): Promise<unknown> => {
    const item = object({ item_id: text, amount: whole, note: text }, required);
    const collections = await bind(
      {
        "/invoices": { get: sends(array(ref("Invoice"))) },
        "/invoices/{id}": {
          get: sends(ref("Invoice")),
          post: { requestBody: json(ref("Item")), responses: { 201: { description: "" } } },
        },
      },
      { Invoice: object({ id: text, amount: whole, note: text }), Item: item },
    );
    return found(collections, "POST /invoices/{id}")?.action;
  };
  expect(await actionOf(["item_id"])).toBeUndefined();
  expect(await actionOf([])).toBe("patch");
});

test("a flag that also returns removed records leaves them out only where it is false", async () => {
  const pet = object({ id: text, is_deleted: { type: "boolean" } });
  const deleted = query("deleted", { type: "boolean" }, "If returns also pets which have been deleted.");
  const [pets] = await bind({
    "/pets": { get: { parameters: [deleted], ...sends(array(pet)) } },
    "/pets/{id}": { get: sends(pet) },
  });
  expect(pets!.operations[0]!.parameters[0]?.states).toEqual({
    false: { field: "is_deleted", operator: "!eq", value: "true" },
  });
});

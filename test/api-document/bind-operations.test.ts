import { describe, expect, test } from "vitest";
import type { Json, JsonObject } from "../../src/base/json/json.ts";
import { bindDocument } from "../../src/openapi/bind/bind-document.ts";
import type { BoundCollection, BoundOperation } from "../../src/openapi/bind/binding.ts";
import { readApiDocument } from "../../src/openapi/read/load-api-document.ts";

const text: JsonObject = { type: "string" };
const number: JsonObject = { type: "integer" };
const flag: JsonObject = { type: "boolean" };
const object = (properties: JsonObject): JsonObject => ({ type: "object", properties });
const array = (items: Json): JsonObject => ({ type: "array", items });
const json = (schema: JsonObject): JsonObject => ({ content: { "application/json": { schema } } });
const sends = (schema?: JsonObject): JsonObject => ({
  responses: { [schema ? 200 : 204]: { description: "", ...(schema && json(schema)) } },
});
const query = (name: string, schema: JsonObject, description = ""): JsonObject => ({
  name,
  in: "query",
  schema,
  description,
});

async function bind(paths: JsonObject): Promise<readonly BoundCollection[]> {
  const root = { openapi: "3.1.0", info: { title: "Operations", version: "1" }, paths };
  return bindDocument(await readApiDocument({ file: "operations.json", root })).collections;
}

function found(collections: readonly BoundCollection[], line: string): BoundOperation {
  const all = collections.flatMap(({ operations }) => operations);
  return all.find(({ operation: { method, path } }) => `${method} ${path.text}` === line)!;
}

const order = object({ id: text, note: text, isArchived: flag, status: { ...text, enum: ["Open", "Shelved"] } });

describe("a DELETE", () => {
  const cases: [string, JsonObject, string][] = [
    ["removes", { summary: "Delete an order", ...sends() }, "remove"],
    [
      "archives records with a flag of it, also without sending them",
      { summary: "Archive an order", ...sends() },
      "end",
    ],
    ["cancels records without a state for it", { summary: "Cancel an order", ...sends() }, "remove"],
    ["resets settings to their defaults", { summary: "Reset an order", ...sends() }, "end"],
    [
      "leads to the state that it tells",
      { description: "Deactivates an order, and marks its `status` as `Shelved`.", ...sends(order) },
      "end",
    ],
    ["deactivates records without a state for it", { description: "Deactivates an order.", ...sends(order) }, "remove"],
  ];
  for (const [title, operation, action] of cases) {
    test(title, async () => {
      const paths = {
        "/orders": { get: sends(array(order)) },
        "/orders/{id}": { get: sends(order), delete: operation },
      };
      expect(found(await bind(paths), "DELETE /orders/{id}").action).toBe(action);
    });
  }
});

test("a DELETE deactivates records that may be inactive", async () => {
  const actionOn = async (properties: JsonObject, summary: string): Promise<string> => {
    const code = object({ id: text, ...properties });
    const item = { get: sends(code), delete: { summary, responses: { 204: { description: "" } } } };
    const collections = await bind({ "/codes": { get: sends(array(code)) }, "/codes/{id}": item });
    return found(collections, "DELETE /codes/{id}").action;
  };
  expect(await actionOn({ state: { ...text, enum: ["inactive", "redeemable"] } }, "Deactivate a code")).toBe("end");
  expect(await actionOn({ is_active: flag }, "Deactivate a code")).toBe("end");
  expect(await actionOn({ active: text }, "Deactivate a code")).toBe("remove");
  expect(await actionOn({ active: flag }, "Revoke a code")).toBe("remove");
  expect(await actionOn({ revoked_at: text }, "Revoke a code")).toBe("end");
});

test("a POST that creates or updates has the status for a new record", async () => {
  const post = (responses: JsonObject): JsonObject => ({
    operationId: "createOrder",
    requestBody: json(order),
    responses,
  });
  const created = { description: "Created", ...json(order) };
  const statusOf = async (responses: JsonObject): Promise<number | undefined> => {
    const paths = {
      "/orders": { get: sends(array(order)), post: post(responses) },
      "/orders/{id}": { get: sends(order) },
    };
    return found(await bind(paths), "POST /orders")?.success.status;
  };
  expect(await statusOf({ 200: { description: "Updated", ...json(order) }, 201: created })).toBe(201);
  expect(await statusOf({ 200: { description: "", ...json(order) }, 201: { description: "" } })).toBe(200);
  expect(await statusOf({ 200: { description: "" }, 201: { description: "" } })).toBe(201);
});

test("a PUT whose body is not described changes its record, although it takes a parameter for the response", async () => {
  const put = (name: string): JsonObject => ({
    summary: "Update order",
    parameters: [query(name, text)],
    ...sends(order),
  });
  const actionOf = async (name: string): Promise<string | undefined> => {
    const paths = { "/orders": { get: sends(array(order)) }, "/orders/{id}": { get: sends(order), put: put(name) } };
    return found(await bind(paths), "PUT /orders/{id}")?.action;
  };
  expect(await actionOf("include")).toBe("patch");
  expect(await actionOf("price_list")).toBeUndefined();
});

test("an id is no other one that ends alike, and the qualified name where the path takes that", async () => {
  const sample = object({ germplasmDbId: text, plateDbId: text, sampleName: text });
  const named = object({ name: text, full_name: text });
  const keyOf = async (
    record: JsonObject,
    name: string,
    description = "",
    summary = "",
  ): Promise<string | undefined> => {
    const parameters = [{ name, in: "path", required: true, schema: text, description }];
    const paths = {
      "/samples": { get: sends(array(record)) },
      [`/samples/{${name}}`]: { parameters, get: { summary, ...sends(record) } },
    };
    return (await bind(paths))[0]?.idKey;
  };
  expect(await keyOf(sample, "sampleDbId")).toBe("sampleDbId");
  expect(await keyOf(named, "name", "The fully-qualified name of the sample.")).toBe("full_name");
  expect(await keyOf(named, "name", "The name of the sample.")).toBe("name");
  expect(await keyOf(named, "name", "The three-level (fully qualified) name of the sample.")).toBe("full_name");
  const address = {
    ...object({ sampleaddress: text, network: text, name: text }),
    required: ["sampleaddress", "network"],
  };
  expect(await keyOf(address, "id", "identifier of the sample")).toBe("sampleaddress");
  expect(await keyOf({ ...address, required: ["sampleaddress", "name"] }, "id")).toBe("name");
  expect(await keyOf({ ...address, required: ["network"] }, "id")).toBe("name");
  const numbered = object({ id: text, sample: number });
  const version = { name: "sample", in: "path", required: true, schema: number };
  const versions = await bind({
    "/samples": { get: sends(array(object({ sample: number }))) },
    "/samples/{sample}": { parameters: [version], get: sends(numbered) },
  });
  expect(versions[0]?.idKey).toBe("sample");
  const archive = object({ arcid: { ...text, description: "Unique identifier for the sample" }, title: text });
  expect(await keyOf(archive, "id")).toBe("arcid");
  const other = object({ arcid: { ...text, description: "Unique identifier for the sample's owner" }, title: text });
  expect(await keyOf(other, "id")).not.toBe("arcid");
  expect(await keyOf(object({ name: text, note: text }), "_id", "The id of the sample")).toBe("name");
  expect(await keyOf(object({ name: text, note: text }), "_id", "The object id of the sample")).not.toBe("name");
  const item = { ...object({ address: text, index: number }), required: ["address"] };
  expect(await keyOf(item, "account_id", "", "Get an item by its address")).toBe("address");
  expect(await keyOf(item, "account_id", "", "Get a sample by sample address")).toBe("address");
  expect(await keyOf(item, "account_id", "", "Get a sample by owner address")).not.toBe("address");
  expect(await keyOf({ ...item, required: [] }, "account_id", "", "Get an item by its address")).not.toBe("address");
});

test("a parent is an attribute of JSON:API, also with the nouns of the path in its name", async () => {
  const attempt = object({ type: text, id: text, attributes: object({ hook_message_id: text, status: text }) });
  const path = "/hooks/{id}/messages/{messageId}/attempts";
  const paths = { [path]: { get: sends(array(attempt)) }, [`${path}/{attemptId}`]: { get: sends(attempt) } };
  const { parents } = found(await bind(paths), `GET ${path}`);
  expect(parents[1]).toMatchObject({ parameter: "messageId", holder: "attributes", field: "hook_message_id" });
});

test("a name of a schema says what its records are, without the package in front", async () => {
  const config = object({ id: text, url: text });
  const root: JsonObject = {
    openapi: "3.1.0",
    info: { title: "Servers", version: "1" },
    components: { schemas: { "models.ServerConfig": config } },
    paths: {
      "/servers": { get: sends(array({ $ref: "#/components/schemas/models.ServerConfig" })) },
      "/servers/{serverconfig}": { get: sends({ $ref: "#/components/schemas/models.ServerConfig" }) },
    },
  };
  const { collections } = bindDocument(await readApiDocument({ file: "servers.json", root }));
  expect(collections.map(({ name, idKey }) => [name, idKey])).toEqual([["servers", "id"]]);
});

test("a handle is a name, where records have no handle", async () => {
  const channel = object({ id: number, name: text, host: text });
  const paths = { "/channels": { get: sends(array(channel)) }, "/channels/{channelHandle}": { get: sends(channel) } };
  expect((await bind(paths))[0]?.idKey).toBe("name");
});

test("an action may send one form of its record", async () => {
  const root: JsonObject = {
    openapi: "3.1.0",
    info: { title: "Runs", version: "1" },
    components: {
      schemas: {
        Begun: object({ id: text, begun: text }),
        Run: { anyOf: [{ $ref: "#/components/schemas/Begun" }, object({ id: text, begun: text, ended: text })] },
        Other: object({ id: text, color: text }),
      },
    },
    paths: {
      "/runs": { get: sends(array({ $ref: "#/components/schemas/Run" })) },
      "/runs/{id}": { get: sends({ $ref: "#/components/schemas/Run" }) },
      "/runs/{id}/start": { post: sends({ $ref: "#/components/schemas/Begun" }) },
      "/runs/{id}/paint": { post: sends({ $ref: "#/components/schemas/Other" }) },
    },
  };
  const { collections } = bindDocument(await readApiDocument({ file: "runs.json", root }));
  expect(found(collections, "POST /runs/{id}/start")?.action).toBe("act");
  expect(found(collections, "POST /runs/{id}/paint")).toBeUndefined();
});

test("a PUT below a parent creates, if it says so and nothing lists there", async () => {
  const task = object({ id: number, title: text, project_id: number });
  const actionOf = async (summary: string): Promise<string | undefined> => {
    const paths = {
      "/tasks": { get: sends(array(task)) },
      "/tasks/{id}": { get: sends(task) },
      "/projects/{id}/tasks": {
        put: { summary, requestBody: json(task), responses: { 201: { description: "", ...json(task) } } },
      },
    };
    return found(await bind(paths), "PUT /projects/{id}/tasks")?.action;
  };
  expect(await actionOf("Create a task")).toBe("create");
  expect(await actionOf("Replace all tasks")).toBeUndefined();
});

test("a PUT at a list creates, if nothing else does and it responds with 201", async () => {
  const actionOf = async (status: number): Promise<string | undefined> => {
    const put = {
      summary: "Share it",
      requestBody: json(order),
      responses: { [status]: { description: "", ...json(order) } },
    };
    const paths = { "/orders": { get: sends(array(order)), put }, "/orders/{id}": { get: sends(order) } };
    return found(await bind(paths), "PUT /orders")?.action;
  };
  expect(await actionOf(201)).toBe("create");
  expect(await actionOf(200)).toBe("replace");
});

test("a POST at an id makes the record, if it says so and sends one", async () => {
  const actionOf = async (operationId: string, body: JsonObject): Promise<string | undefined> => {
    const create = { operationId: "createOrder", requestBody: json(order), ...sends(order) };
    const post = { operationId, requestBody: json(body), ...sends(order) };
    const paths = {
      "/orders": { get: sends(array(order)), post: create },
      "/orders/{id}": { get: sends(order), put: { requestBody: json(order), ...sends(order) }, post },
    };
    return found(await bind(paths), "POST /orders/{id}")?.action;
  };
  expect(await actionOf("createOrderWithId", order)).toBe("add");
  expect(await actionOf("createOrderWithId", object({ reason: text, hours: number }))).toBeUndefined();
  expect(await actionOf("payOrder", order)).toBeUndefined();
});

test("actions may be one segment deeper, and take what is their own", async () => {
  const cluster = object({ id: text, name: text, type: text, status: text });
  const action = (body: JsonObject): JsonObject => ({ post: { requestBody: json(body), ...sends(cluster) } });
  const collections = await bind({
    "/teams/{teamId}/clusters": { get: sends(array(cluster)) },
    "/teams/{teamId}/clusters/{id}": { get: sends(cluster) },
    "/teams/{teamId}/clusters/{id}/actions/stop": action(object({ action: object({ type: text, delay: number }) })),
    "/teams/{teamId}/clusters/{id}/nodes/stop": action(object({ node: text })),
  });
  const stop = found(collections, "POST /teams/{teamId}/clusters/{id}/actions/stop");
  expect([stop.action, stop.requestAt, stop.parents.map(({ parameter }) => parameter)]).toEqual([
    "act",
    [],
    ["teamId"],
  ]);
  expect(found(collections, "POST /teams/{teamId}/clusters/{id}/nodes/stop")).toBeUndefined();
});

test("an id is the field that a description quotes, the first one told to be an id, and no flag", async () => {
  const keyOf = async (record: JsonObject, name: string, description = ""): Promise<string | undefined> => {
    const parameters = [{ name, in: "path", required: true, schema: text, description }];
    const item = { parameters, get: sends(record) };
    return (await bind({ "/plays": { get: sends(array(record)) }, [`/plays/{${name}}`]: item }))[0]?.idKey;
  };
  const play = object({ key: text, playKey: text, title: text });
  expect(await keyOf(play, "playId", "The id of the play (its `playKey`).")).toBe("playKey");
  expect(await keyOf(play, "playId", "The id of the play.")).toBe("key");
  expect(await keyOf(play, "playId", "The id, or the title with the `title` query parameter.")).toBe("key");
  const listed = object({ my_id: { ...number, description: "MyPlays ID" }, title: text });
  expect(await keyOf(listed, "id")).toBe("my_id");
  expect(await keyOf(listed, "play")).toBe("my_id");
  expect(await keyOf(object({ ...(listed.properties as JsonObject), slug: text }), "play")).toBe("slug");
  expect(await keyOf(object({ title: text, my_id: number }), "id")).not.toBe("my_id");
  const space = object({ isGlobalSpace: flag, spaceInfo: object({ id: text, name: text }) });
  const spaces = { "/spaces": { get: sends(array(space)) }, "/spaces/{space}": { get: sends(space) } };
  expect(found(await bind(spaces), "GET /spaces/{space}").keys).toEqual([
    { parameter: "space", path: ["spaceInfo", "id"] },
  ]);
});

test("paths name records by other fields that have their names", async () => {
  const attribute = object({ id: text, uid: text, name: text });
  const namesOf = async (
    record: JsonObject,
    wildcards: string[],
    description = "",
    summary = "",
  ): Promise<readonly string[]> => {
    const items = wildcards.map((name) => [
      `/attributes/{${name}}`,
      {
        [name === "id" ? "get" : "delete"]: {
          summary,
          parameters: [{ name, in: "path", required: true, schema: text, description }],
          ...sends(record),
        },
      },
    ]);
    return (await bind({ "/attributes": { get: sends(array(record)) }, ...Object.fromEntries(items) }))[0]!.otherNames;
  };
  expect(await namesOf(attribute, ["id", "uid"])).toEqual(["uid"]);
  expect(await namesOf(attribute, ["id"])).toEqual([]);
  const told = "Identifier of the attribute (at_ prefixed), or its canonical name";
  expect(await namesOf(attribute, ["id"], told)).toEqual(["name"]);
  const either = "Get an attribute by its id or otherId.";
  expect(await namesOf(object({ id: text, otherId: text }), ["id"], "", either)).toEqual(["otherId"]);
  expect(await namesOf(object({ id: text, otherId: text }), ["id"], "", "Get it by name or otherId.")).toEqual([]);
  const numbered = object({ id: number, name: text });
  expect(await namesOf(numbered, ["id"], "This parameter can be a string or an integer.")).toEqual(["name"]);
  expect(await namesOf(attribute, ["id"], "This parameter can be a string or an integer.")).toEqual([]);
});

test("a map of texts in a request is no record", async () => {
  const space = object({ name: text, note: text, owner: text });
  const labels: JsonObject = { type: "object", additionalProperties: text };
  const body = object({ name: text, note: text, data: labels });
  const post = { operationId: "createSpace", requestBody: json(body), ...sends(space) };
  const paths = { "/spaces": { get: sends(array(space)), post }, "/spaces/{name}": { get: sends(space) } };
  expect(found(await bind(paths), "POST /spaces")?.requestAt).toEqual([]);
});

test("a POST that moves a record makes none", async () => {
  const actionOf = async (summary: string): Promise<string | undefined> => {
    const post = { summary, requestBody: json(order), ...sends(order) };
    return found(
      await bind({ "/orders": { get: sends(array(order)), post }, "/orders/{id}": { get: sends(order) } }),
      "POST /orders",
    )?.action;
  };
  expect(await actionOf("Moves an order")).toBeUndefined();
  expect(await actionOf("Update or create an order")).toBe("create");
  expect(await actionOf("Order things")).toBe("create");
});

test("an upload that is accepted with the id of its record creates it", async () => {
  const job = object({ job_id: text, status: text, rows: number });
  const upload = (schema: JsonObject): JsonObject => ({
    requestBody: { content: { "multipart/form-data": { schema: text } } },
    responses: { 202: { description: "", ...json(schema) } },
  });
  const actionOf = async (schema: JsonObject): Promise<string | undefined> => {
    const paths = {
      "/jobs": { get: sends(array(job)), post: upload(schema) },
      "/jobs/{job_id}": { get: sends(job) },
    };
    return found(await bind(paths), "POST /jobs")?.action;
  };
  expect(await actionOf(object({ job_id: text, total: number }))).toBe("create");
  expect(await actionOf(object({ total: number }))).toBeUndefined();
});

test("another list of the same records has the same parents", async () => {
  const formula = object({ formulaId: text, score: number });
  const path = "/projects/{projectId}/formulas";
  const page = object({ content: array(formula), page: object({ number, totalElements: number }) });
  const paths = {
    "/projects": { get: sends(array(object({ projectId: text }))) },
    "/projects/{projectId}": { get: sends(object({ projectId: text })) },
    [path]: { get: sends(array(formula)) },
    [`${path}/{formulaId}`]: { get: sends(formula) },
    [`${path}/page`]: { get: { parameters: [query("page", number)], ...sends(page) } },
  };
  const list = found(await bind(paths), `GET ${path}/page`);
  expect(list.parents).toMatchObject([{ parameter: "projectId", isOfAll: false }]);
});

describe("pages that responses count from 0", () => {
  const page = object({ content: array(order), page: object({ number, totalElements: number, totalPages: number }) });
  const roleOf = async (schema: JsonObject, description?: string): Promise<string | undefined> => {
    const list = { parameters: [query("page", schema, description)], ...sends(page) };
    const paths = { "/orders": { get: list }, "/orders/{id}": { get: sends(order) } };
    return found(await bind(paths), "GET /orders").parameters[0]?.role;
  };
  test("are counted so in requests", async () => expect(await roleOf(number)).toBe("pageIndex"));
  test("unless a default is 1", async () => expect(await roleOf({ ...number, default: 1 })).toBe("page"));
  test("unless the description says so", async () => expect(await roleOf(number, "The page, from 1.")).toBe("page"));
});

test("a header of totals may be told by the parameter that asks for it alone", async () => {
  const parameters = [query("totalCount", { ...flag, default: false }, "Whether the 'Total-Count' header is sent.")];
  const paths = { "/orders": { get: { parameters, ...sends(array(order)) } }, "/orders/{id}": { get: sends(order) } };
  const list = found(await bind(paths), "GET /orders");
  expect(list.headers).toEqual([{ name: "Total-Count", role: "total" }]);
  expect(list.parameters).toMatchObject([{ name: "totalCount", role: "totals" }]);
});

test("flags ask for a state, hidden ones unless they are asked for", async () => {
  const parameters = [
    query("isOpen", flag),
    query("exclude_archived", { ...flag, default: true }),
    query("include_archived", flag, "Archived orders are excluded from the results by default."),
  ];
  const paths = { "/orders": { get: { parameters, ...sends(array(order)) } }, "/orders/{id}": { get: sends(order) } };
  const hidden = { field: "isArchived", operator: "!eq", value: "true" };
  expect(found(await bind(paths), "GET /orders").parameters.map(({ states }) => states)).toEqual([
    { true: { field: "status", value: "Open" }, false: { field: "status", operator: "!eq", value: "Open" } },
    { true: hidden, "": hidden },
    { false: hidden, "": hidden },
  ]);
});

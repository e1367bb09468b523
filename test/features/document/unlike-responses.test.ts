import { beforeAll, expect, test } from "vitest";
import type { JsonObject } from "../../../src/base/json/json.ts";
import { withSameIds } from "../../../src/features/openapi-source/seeds/same-ids.ts";
import { apart, type Served, serve } from "./serve.ts";

const text: JsonObject = { type: "string" };
const whole: JsonObject = { type: "integer" };
const ref = (name: string): JsonObject => ({ $ref: `#/components/schemas/${name}` });
const json = (schema: JsonObject): JsonObject => ({ content: { "application/json": { schema } } });
const sends = (schema: JsonObject, status = "200"): JsonObject => ({ [status]: { description: "", ...json(schema) } });
const listOf = (items: JsonObject): JsonObject => ({ type: "array", items });
const object = (properties: JsonObject): JsonObject => ({
  type: "object",
  required: Object.keys(properties),
  properties,
});
const path = (name: string, schema = text): JsonObject => ({ name, in: "path", required: true, schema });
const named = json(object({ name: text }));

/** Responses that describe a record otherwise than its own path does. */
const office: JsonObject = {
  openapi: "3.0.3",
  info: { title: "Office", version: "1" },
  paths: {
    "/schemes": {
      get: { responses: sends(listOf(ref("Scheme"))) },
      post: { requestBody: named, responses: sends(object({ id: text }), "201") },
    },
    "/schemes/{id}": { parameters: [path("id")], get: { responses: sends(ref("Scheme")) } },
    "/projects": {
      get: { responses: sends(listOf(ref("Project"))) },
      post: {
        requestBody: named,
        responses: sends(object({ project_id: whole, status_code: whole, took: text }), "201"),
      },
    },
    "/projects/{project_id}": {
      parameters: [path("project_id", whole)],
      get: { responses: sends(ref("Project")) },
    },
    "/cards": {
      get: { responses: sends(listOf(ref("Card"))) },
      post: { requestBody: json(object({ number: text, holder: text })), responses: sends(ref("Card"), "201") },
    },
    "/cards/{id}": { parameters: [path("id")], get: { responses: sends(ref("Card")) } },
    "/processes": {
      get: { responses: sends(listOf(ref("Process"))) },
      post: { requestBody: json(ref("ProcessConfig")), responses: sends(ref("Process"), "201") },
    },
    "/processes/{id}": {
      parameters: [path("id")],
      get: { responses: sends(ref("Process")) },
      put: { requestBody: json(ref("ProcessConfig")), responses: sends(ref("Process")) },
    },
    "/notes": { get: { responses: sends(object({ pagelen: whole, values: listOf(ref("User")) })) } },
    "/notes/{id}": {
      parameters: [path("id")],
      get: { responses: sends(object({ data: ref("User") })) },
      delete: { responses: sends(object({ data: { type: "object" } })) },
    },
    "/users": {
      get: { responses: sends(listOf(ref("User"))) },
      post: { requestBody: named, responses: sends(ref("User"), "201") },
    },
    "/users/{id}": { parameters: [path("id", { type: "number" })], get: { responses: sends(ref("User")) } },
    "/rooms": { get: { responses: sends(listOf(ref("RoomInList"))) } },
    "/rooms/{id}": { parameters: [path("id")], get: { responses: sends(ref("Room")) } },
    "/reports": { get: { responses: sends(ref("Reports")) } },
    "/reports/{kind}": {
      parameters: [path("kind", { ...text, enum: ["daily", "weekly"] })],
      get: { responses: sends(ref("Reports")) },
    },
    "/variables": {
      get: {
        responses: sends({
          oneOf: [ref("Variable"), object({ variables: listOf(ref("Variable")), page: object({ number: whole }) })],
        }),
      },
    },
    "/variables/{id}": { parameters: [path("id")], patch: { requestBody: named, responses: sends(ref("Variable")) } },
    "/log": {
      get: {
        parameters: [
          { name: "after", in: "query", schema: whole },
          { name: "limit", in: "query", schema: whole },
        ],
        responses: sends(listOf(ref("User"))),
      },
    },
  },
  components: {
    schemas: {
      Process: object({ id: text, type: text, config: ref("ProcessConfig") }),
      ProcessConfig: { type: "object", properties: { id: text, type: text, input: text, limit: whole } },
      Card: object({ id: text, holder: text, last4: text }),
      Variable: object({ id: text, key: text, user_id: text, user: object({ id: text, name: text }) }),
      Scheme: object({ id: whole, name: text }),
      Project: object({ project_id: whole, name: text, budget: whole, owner: text }),
      User: object({ id: text, name: text }),
      Room: object({ id: text, name: text, ports: listOf(whole), desks: listOf(object({ place: text })) }),
      RoomInList: object({
        id: text,
        name: text,
        ports: listOf(text),
        desks: listOf(object({ place: text, labels: object({}) })),
      }),
      Report: object({ name: text, kind: { ...text, enum: ["daily", "weekly"] } }),
      Reports: object({ self: text, reports: listOf(ref("Report")) }),
    },
  },
};

let served: Served;
beforeAll(async () => {
  served = await serve(office);
});

test("the id in the response to a create is that of the record, in the declared type", async () => {
  const ask = apart(served);
  const { body } = await ask("POST /schemes", { body: { name: "Alarm" } });
  expect(body).toEqual({ id: expect.stringMatching(/^\d+$/) });
  const { id } = body as { id: string };
  expect((await ask(`GET /schemes/${id}`)).body).toEqual({ id: Number(id), name: "Alarm" });
});

test("a notice of a create names the new record", async () => {
  const ask = apart(served);
  const { body } = await ask("POST /projects", { body: { name: "Roof" } });
  const { project_id: id } = body as { project_id: number };
  expect((await ask(`GET /projects/${id}`)).body).toMatchObject({ project_id: id, name: "Roof" });
});

test("ids are numbers where the path takes numbers only", async () => {
  const ask = apart(served);
  await ask("POST /users", { body: { name: "Ada" } });
  const { body } = await ask("GET /users");
  expect(body).toContainEqual({ id: expect.any(String), name: "Ada" });
  for (const { id } of body as { id: string }[]) expect((await ask(`GET /users/${id}`)).status).toBe(200);
});

test("lists show parts of records with what they require of them, in the types that they have", async () => {
  const rooms = (await served.ask("GET /rooms")).body as { id: string; ports: string[]; desks: JsonObject[] }[];
  expect(rooms.length).toBeGreaterThan(0);
  for (const { id, ports, desks } of rooms) {
    const { body } = await served.ask(`GET /rooms/${id}`);
    expect(body).toMatchObject({ ports: ports.map(Number), desks: desks.map(({ place }) => ({ place })) });
    expect(ports).toEqual(ports.map(String));
    for (const desk of desks) expect(desk).toHaveProperty("labels");
  }
});

test("a wildcard of a few values shows a part of the list", async () => {
  const { reports } = (await served.ask("GET /reports")).body as { reports: { kind: string }[] };
  expect(reports.length).toBeGreaterThan(0);
  for (const kind of ["daily", "weekly"]) {
    const { status, body } = await served.ask(`GET /reports/${kind}`);
    expect([status, body]).toMatchObject([200, { reports: reports.filter((one) => one.kind === kind) }]);
  }
});

test("of several bodies, a list has the one that it stands in", async () => {
  const { body } = await served.ask("GET /variables");
  expect(Object.keys(body as JsonObject).sort()).toEqual(["page", "variables"]);
});

test("the object in a record is the one that the record names", async () => {
  const { variables } = (await served.ask("GET /variables")).body as {
    variables: { user_id: string; user: JsonObject }[];
  };
  expect(variables.length).toBeGreaterThan(0);
  for (const { user_id, user } of variables) expect(user.id).toBe(user_id);
  expect(withSameIds({ issue_id: 3, issue: { id: 9 } }, { issue_id: 3 })).toEqual({ issue_id: 3, issue: { id: 3 } });
  expect(withSameIds({ issue_id: 3, issue: { id: 9 } }, { issue: { id: 9 } })).toEqual({
    issue_id: 9,
    issue: { id: 9 },
  });
});

test("a number after which texts come is a time, and no cursor", async () => {
  const all = (await served.ask("GET /log")).body;
  expect((await served.ask("GET /log?after=1700000000&limit=100")).body).toEqual(all);
});

test("a field that only requests have is not in responses", async () => {
  const ask = apart(served);
  const { body } = await ask("POST /cards", { body: { number: "4242424242424242", holder: "Ada" } });
  expect(body).toEqual({ id: expect.any(String), holder: "Ada", last4: expect.any(String) });
  const { id } = body as { id: string };
  expect((await ask(`GET /cards/${id}`)).body).toEqual(body);
  expect((await ask("GET /cards")).body).toContainEqual(body);
});

test("an object without fields in the response to a removal is empty", async () => {
  const ask = apart(served);
  const { pagelen, values } = (await ask("GET /notes")).body as { pagelen: number; values: { id: string }[] };
  expect(pagelen).toBe(values.length);
  const [note] = values;
  expect((await ask(`DELETE /notes/${note?.id}`)).body).toEqual({ data: {} });
  expect((await ask(`GET /notes/${note?.id}`)).status).toBe(404);
});

test("what is sent is the part of a record that has its schema", async () => {
  const ask = apart(served);
  const sent = { id: "p1", type: "copy", input: "a.mp4" };
  const { status, body } = await ask("POST /processes", { body: sent });
  expect([status, body]).toEqual([201, { id: "p1", type: "copy", config: sent }]);
  await ask("PUT /processes/p1", { body: { limit: 3 } });
  expect((await ask("GET /processes/p1")).body).toEqual({ id: "p1", type: "copy", config: { ...sent, limit: 3 } });
});

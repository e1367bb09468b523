import { beforeAll, describe, expect, test } from "vitest";
import type { JsonObject } from "../../../src/base/json/json.ts";
import { ref, response } from "./documents.ts";
import { apart, type Served, serve } from "./serve.ts";

const text: JsonObject = { type: "string" };
const inPath = (name: string, schema = text): JsonObject => ({ name, in: "path", required: true, schema });
const json = (schema: JsonObject): JsonObject => ({ content: { "application/json": { schema } } });
const sends = (schema: JsonObject): JsonObject => ({ "200": response(schema) });
const listOf = (schema: JsonObject): JsonObject => sends({ type: "array", items: schema });
const object = (properties: JsonObject, required = Object.keys(properties)): JsonObject => ({
  type: "object",
  required,
  properties,
});

const api: JsonObject = {
  openapi: "3.0.3",
  info: { title: "Reachable", version: "1" },
  paths: {
    "/teams": { get: { responses: listOf(ref("Team")) }, post: { responses: sends(ref("Team")) } },
    "/teams/{teamId}": { parameters: [inPath("teamId")], get: { responses: sends(ref("Team")) } },
    "/teams/{teamId}/boards": {
      parameters: [inPath("teamId")],
      get: { responses: listOf(ref("BoardReference")) },
      post: { requestBody: json(ref("NewBoard")), responses: sends(ref("Board")) },
    },
    "/teams/{teamId}/boards/{id}": {
      parameters: [inPath("teamId"), inPath("id", { type: "integer" })],
      get: { responses: sends(ref("Board")) },
      put: { requestBody: json(ref("Board")), responses: sends(ref("Board")) },
    },
    "/teams/{teamId}/boards/{boardId}/cards": {
      parameters: [inPath("teamId"), inPath("boardId", { type: "integer" })],
      get: { responses: listOf(ref("Card")) },
      post: { requestBody: json(object({ title: text })), responses: sends(ref("Card")) },
    },
    "/teams/{teamId}/boards/{boardId}/cards/{id}": {
      parameters: [inPath("teamId"), inPath("boardId", { type: "integer" }), inPath("id")],
      get: { responses: sends(ref("Card")) },
    },
    "/spaces/{namespace}/jobs": {
      parameters: [inPath("namespace")],
      get: { responses: listOf(ref("Job")) },
      post: { requestBody: json(ref("Job")), responses: sends(ref("Job")) },
    },
    "/spaces/{namespace}/jobs/{name}": {
      parameters: [inPath("namespace"), inPath("name")],
      get: { responses: sends(ref("Job")) },
    },
    "/types/{id}/options": {
      parameters: [inPath("id")],
      get: { responses: listOf(ref("Option")) },
      post: { requestBody: json(object({ name: text })), responses: sends(ref("Option")) },
    },
    "/types/{id}/options/{optionId}": {
      parameters: [inPath("id"), inPath("optionId")],
      get: { responses: sends(ref("Option")) },
    },
    "/replays": {
      get: {
        responses: {
          "200": {
            ...response({ type: "array", items: ref("Replay") }),
            content: {
              "application/json": {
                schema: { type: "array", items: ref("Replay") },
                example: [{ id: "7e07485f-12f9", url: "/a" }],
              },
            },
          },
        },
      },
    },
    "/replays/{id}": {
      parameters: [inPath("id", { type: "string", pattern: "^[0-9a-f]{32}$" })],
      get: { responses: sends(ref("Replay")) },
    },
  },
  components: {
    schemas: {
      Team: object({ id: text, name: text }),
      Board: object(
        { id: text, teamId: { type: "integer" }, title: text, type: { ...text, enum: ["kanban", "list"] } },
        ["id", "teamId", "title", "type"],
      ),
      Card: object({ id: text, title: text }),
      NewBoard: object({ id: text, title: text }, ["title"]),
      BoardReference: object({
        id: text,
        title: text,
        type: { ...text, enum: ["list_reference", "kanban_reference"] },
      }),
      Job: object({
        kind: text,
        metadata: object({ name: text, generateName: text, namespace: text }, []),
        spec: object({ image: text }, []),
      }),
      Option: object({ id: text, name: text, type: { ...text, enum: ["option"] } }),
      Replay: object({ id: text, url: text }),
    },
  },
};

let served: Served;
beforeAll(async () => {
  served = await serve(api);
});

describe("paths can name every record", () => {
  test("an id that no path can have is not used", async () => {
    const ask = apart(served);
    const { id } = (await ask("POST /teams/1/boards", { body: { id: "mine", title: "Plan" } })).body as JsonObject;
    expect(id).toMatch(/^\d+$/);
    expect((await ask(`GET /teams/1/boards/${id}`)).status).toBe(200);
    const { id: sent } = (await ask("POST /teams/1/boards", { body: { id: "77", title: "Plan" } })).body as JsonObject;
    expect(sent).toBe("77");
  });

  test("nor is one of an example", async () => {
    const [replay] = (await served.ask("GET /replays")).body as JsonObject[];
    expect((await served.ask(`GET /replays/${replay!.id}`)).body).toEqual(replay);
  });

  test.each([
    ["a name is made", {}, /^[\da-z]{7}$/],
    ["it begins as it is asked to", { generateName: "nightly-" }, /^nightly-[\da-z]{7}$/],
    ["a sent one is kept", { name: "nightly" }, /^nightly$/],
  ])("where an object has the name, %s", async (_how, metadata, form) => {
    const ask = apart(served);
    const job = (await ask("POST /spaces/one/jobs", { body: { kind: "Job", metadata, spec: {} } })).body as JsonObject;
    const { name } = job.metadata as { name: string };
    expect(name).toMatch(form);
    expect((await ask(`GET /spaces/one/jobs/${name}`)).body).toEqual(job);
  });
});

describe("keys of parents", () => {
  test("have the type of their field", async () => {
    const ask = apart(served);
    const [team] = (await ask("GET /teams")).body as JsonObject[];
    const made = (await ask(`POST /teams/${team!.id}/boards`, { body: { title: "Plan" } })).body as JsonObject;
    expect(made.teamId).toBe(Number(team!.id));
    const all = (await ask("GET /boards", { headers: { "x-standin-routes": "own" } })).body as JsonObject[];
    expect(all.map(({ teamId }) => typeof teamId)).toEqual(all.map(() => "number"));
  });

  test("are not in a field that has one value", async () => {
    const { body } = await apart(served)("POST /types/P5/options", { body: { name: "Large" } });
    expect(body).toEqual({ id: expect.any(String), name: "Large", type: "option" });
  });

  test("stay where a change names a parent that does not exist", async () => {
    const ask = apart(served);
    const made = (await ask("POST /teams/1/boards", { body: { title: "Plan" } })).body as JsonObject;
    const path = `/teams/1/boards/${made.id}`;
    const lost = await ask(`PUT ${path}`, { body: { ...made, teamId: 99, title: "Later" } });
    expect(lost.body).toMatchObject({ teamId: 1, title: "Later" });
    expect((await ask(`GET ${path}`)).status).toBe(200);
    const moved = await ask(`PUT ${path}`, { body: { ...made, teamId: 2 } });
    expect(moved.body).toMatchObject({ teamId: 2 });
  });
});

test("a list shows a value of its own enum that is named like the record's", async () => {
  const ask = apart(served);
  const made = (await ask("POST /teams/1/boards", { body: { title: "Plan" } })).body as JsonObject;
  const listed = (await ask("GET /teams/1/boards")).body as JsonObject[];
  expect(listed.find(({ id }) => id === made.id)).toEqual({
    id: made.id,
    title: "Plan",
    type: `${made.type}_reference`,
  });
});

test("below a record that belongs to another parent, nothing is found", async () => {
  const ask = apart(served);
  const { id: board } = (await ask("POST /teams/1/boards", { body: { title: "Plan" } })).body as JsonObject;
  const { id: card } = (await ask(`POST /teams/1/boards/${board}/cards`, { body: { title: "A" } })).body as JsonObject;
  for (const line of ["GET", "POST"]) {
    const own = await ask(`${line} /teams/1/boards/${board}/cards`, line === "POST" ? { body: { title: "B" } } : {});
    const other = await ask(`${line} /teams/2/boards/${board}/cards`, line === "POST" ? { body: { title: "B" } } : {});
    expect([own.status, other.status]).toEqual([200, 404]);
  }
  expect((await ask(`GET /teams/1/boards/${board}/cards/${card}`)).status).toBe(200);
  expect((await ask(`GET /teams/2/boards/${board}/cards/${card}`)).status).toBe(404);
});

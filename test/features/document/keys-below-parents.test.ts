import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import type { JsonObject } from "../../../src/base/json/json.ts";
import { createDatabase } from "../../postgres/database.ts";
import { createFolder } from "../../support/cli.ts";
import { apart, type Served, serve } from "./serve.ts";

const text: JsonObject = { type: "string" };
const whole: JsonObject = { type: "integer" };
const ref = (name: string): JsonObject => ({ $ref: `#/components/schemas/${name}` });
const body = (schema: JsonObject): JsonObject => ({ content: { "application/json": { schema } } });
const object = (properties: JsonObject, required: string[] = []): JsonObject => ({
  type: "object",
  properties,
  required,
});
const given = (...names: string[]) => names.map((name) => ({ name, in: "path", required: true, schema: text }));
const sends = (schema: JsonObject, status = 200): JsonObject => ({ responses: { [status]: body(schema) } });
const list = (name: string): JsonObject => sends({ type: "array", items: ref(name) });
const gone: JsonObject = { responses: { 204: {} } };

/** The paths of a collection below those of its parents. */
function below(path: string, wildcard: string, name: string, sent: JsonObject): JsonObject {
  const parents = [...path.matchAll(/\{(\w+)\}/g)].map(([, one = ""]) => one);
  return {
    [path]: {
      parameters: given(...parents),
      get: list(name),
      post: { requestBody: body(sent), ...sends(ref(name), 201) },
    },
    [`${path}/{${wildcard}}`]: {
      parameters: given(...parents, wildcard),
      get: sends(ref(name)),
      patch: { requestBody: body(sent), ...sends(ref(name)) },
      delete: gone,
    },
  };
}

const tracker: JsonObject = {
  openapi: "3.0.3",
  info: { title: "Tracker", version: "1" },
  paths: {
    ...below("/boards", "board_id", "Board", object({ title: text })),
    ...below("/boards/{board_id}/labels", "label_name", "Label", object({ name: text, color: text, new_name: text })),
    ...below(
      "/boards/{board_id}/cards",
      "card_number",
      "Card",
      object({ title: text, labels: { type: "array", items: text } }),
    ),
    ...below("/boards/{board_id}/cards/{card_number}/notes", "note_id", "Note", object({ text })),
    ...below("/boards/{board_id}/secrets", "name", "Secret", object({ name: text, value: text })),
    "/boards/{board_id}/cards/{card_number}/labels": {
      parameters: given("board_id", "card_number"),
      get: list("Label"),
      post: { requestBody: body(object({ labels: { type: "array", items: text } })), ...list("Label") },
    },
    "/boards/{board_id}/members": { parameters: given("board_id"), get: list("User") },
    "/boards/{board_id}/members/{user_id}": { parameters: given("board_id", "user_id"), put: gone, delete: gone },
    "/projects": {
      get: list("Project"),
      post: { requestBody: body(object({ name: text })), ...sends(ref("Project"), 201) },
    },
    "/projects/{owner}/{project}": { parameters: given("owner", "project"), get: sends(ref("Project")) },
    ...below("/projects/{owner}/{project}/milestones", "number", "Milestone", object({ title: text })),
  },
  components: {
    schemas: {
      Board: object({ id: whole, title: text }, ["id"]),
      Label: object({ id: whole, name: text, color: text }, ["id", "name"]),
      Card: object({ id: whole, number: whole, title: text, labels: { type: "array", items: ref("Label") } }, [
        "id",
        "number",
        "labels",
      ]),
      Note: object({ id: whole, text }, ["id"]),
      Secret: object({ name: text, value: text }, ["name"]),
      User: object({ id: whole, login: text }, ["id"]),
      Project: object({ id: whole, name: text, owner: object({ login: text }, ["login"]) }, ["id", "name", "owner"]),
      Milestone: object({ number: whole, title: text }, ["number"]),
    },
  },
};

let served: Served;
beforeAll(async () => {
  served = await serve(tracker);
});

/** Two new boards, and what asks about them. */
async function boards(ask: Served["ask"] = apart(served)) {
  const made = async () => ((await ask("POST /boards", { body: { title: "B" } })).body as JsonObject).id;
  return { ask, one: `/boards/${await made()}`, other: `/boards/${await made()}` };
}

test("two parents have a record of the same name, and each has it once", async () => {
  const { ask, one, other } = await boards();
  const { body: red } = await ask(`POST ${one}/labels`, { body: { name: "bug", color: "red" } });
  const { body: blue, headers } = await ask(`POST ${other}/labels`, { body: { name: "bug", color: "blue" } });
  expect(headers.get("location")).toMatch(new RegExp(`${other}/labels/bug$`));
  expect((await ask(`GET ${one}/labels`)).body).toEqual([red]);
  expect((await ask(`GET ${other}/labels/bug`)).body).toEqual(blue);
  expect((red as JsonObject).id).not.toBe((blue as JsonObject).id);
  expect((await ask(`POST ${one}/labels`, { body: { name: "bug" } })).status).toBe(409);
  expect((await ask(`DELETE ${one}/labels/bug`)).status).toBe(204);
  expect((await ask(`GET ${other}/labels/bug`)).status).toBe(200);
});

test("a record is renamed, but not to the name of another one", async () => {
  const { ask, one } = await boards();
  await ask(`POST ${one}/labels`, { body: { name: "bug", color: "red" } });
  await ask(`POST ${one}/labels`, { body: { name: "idea" } });
  expect((await ask(`PATCH ${one}/labels/bug`, { body: { new_name: "idea" } })).status).toBe(409);
  expect((await ask(`PATCH ${one}/labels/bug`, { body: { new_name: "fault" } })).body).toMatchObject({ name: "fault" });
  expect((await ask(`GET ${one}/labels/fault`)).body).toMatchObject({ color: "red" });
  expect((await ask(`GET ${one}/labels/bug`)).status).toBe(404);
});

test("each parent counts from 1, also for requests at once", async () => {
  const { ask, one, other } = await boards();
  const numberIn = async (path: string) =>
    ((await ask(`POST ${path}/cards`, { body: { title: path } })).body as JsonObject).number;
  const numbers = await Promise.all([one, other, one, one].map(numberIn));
  expect(numbers.toSorted()).toEqual([1, 1, 2, 3]);
  expect((await ask(`GET ${other}/cards/1`)).body).toMatchObject({ title: other });
  expect((await ask(`PATCH ${one}/cards/1`, { body: { title: "Done" } })).body).toMatchObject({ number: 1 });
  expect((await ask(`GET ${other}/cards/1`)).body).toMatchObject({ title: other });
});

test("records below it belong to the one of their path", async () => {
  const { ask, one, other } = await boards();
  for (const path of [one, other]) await ask(`POST ${path}/cards`, { body: { title: "Card" } });
  const { body: note } = await ask(`POST ${one}/cards/1/notes`, { body: { text: "Seen" } });
  expect((await ask(`GET ${one}/cards/1/notes`)).body).toEqual([note]);
  expect((await ask(`GET ${other}/cards/1/notes`)).body).toEqual([]);
  expect((await ask(`POST ${other}/cards/2/notes`, { body: { text: "Lost" } })).status).toBe(404);
});

test("a list in a record takes the one of the same parent", async () => {
  const { ask, one, other } = await boards();
  for (const path of [one, other]) {
    await ask(`POST ${path}/labels`, { body: { name: "bug", color: path } });
    await ask(`POST ${path}/cards`, { body: { title: "Card" } });
    const { body: labels } = await ask(`POST ${path}/cards/1/labels`, { body: { labels: ["bug"] } });
    expect(labels).toMatchObject([{ name: "bug", color: path }]);
  }
});

test("somebody may be a member of two boards, and leave one of them", async () => {
  const { ask, one, other } = await boards();
  for (const path of [one, other, one]) expect((await ask(`PUT ${path}/members/7`)).status).toBe(204);
  expect((await ask(`GET ${one}/members`)).body).toMatchObject([{ id: 7 }]);
  expect((await ask(`DELETE ${one}/members/7`)).status).toBe(204);
  expect((await ask(`GET ${one}/members`)).body).toEqual([]);
  expect((await ask(`GET ${other}/members`)).body).toMatchObject([{ id: 7 }]);
});

test("a new project has nothing that was generated, and counts for itself", async () => {
  const ask = apart(served);
  const { body: project } = await ask("POST /projects", { body: { name: "north" } });
  const path = `/projects/${((project as JsonObject).owner as JsonObject).login}/north/milestones`;
  expect(project).not.toHaveProperty("startsEmpty");
  expect((await ask(`GET ${path}`)).body).toEqual([]);
  expect((await ask(`POST ${path}`, { body: { title: "v1" } })).body).toMatchObject({ number: 1 });
  expect((await ask("GET /projects/any/thing/milestones")).body).not.toEqual([]);
});

test("data of a version that had names as ids is served, with ids of our own", async () => {
  const data = createFolder({
    "db.json": {
      boards: [
        { id: 1, title: "A" },
        { id: 2, title: "B" },
      ],
      labels: [
        { name: "bug", id: 5, color: "red", board_id: 1 },
        { name: "idea", id: 5, color: "blue", board_id: 2 },
      ],
    },
  });
  const file = join(data, "db.json");
  const { ask, standin } = await serve(tracker, { data: file, persist: true });
  expect((await ask("GET /boards/2/labels/idea")).body).toEqual({ name: "idea", id: 5, color: "blue" });
  expect((await ask("POST /boards/2/labels", { body: { name: "bug", color: "gray" } })).status).toBe(201);
  expect((await ask("DELETE /boards/2/labels/idea")).status).toBe(204);
  expect((await ask("GET /boards/1/labels/bug")).body).toMatchObject({ color: "red" });
  await standin.close();
  const { labels } = JSON.parse(readFileSync(file, "utf8"));
  expect(labels.map(({ color }: JsonObject) => color)).toEqual(["red", "gray"]);
});

test("names and numbers are those of a parent on PostgreSQL, too", async () => {
  const { ask: asked } = await serve(tracker, { data: await createDatabase() });
  const { ask, one, other } = await boards(asked);
  for (const path of [one, other]) await ask(`POST ${path}/secrets`, { body: { name: "KEY", value: path } });
  expect((await ask(`GET ${one}/secrets/KEY`)).body).toEqual({ name: "KEY", value: one });
  expect((await ask(`POST ${one}/secrets`, { body: { name: "KEY", value: "x" } })).status).toBe(409);
  const made = await Promise.all(
    [one, one, other].map((path) => ask(`POST ${path}/cards`, { body: { title: "Card" } })),
  );
  expect(made.map(({ body: card }) => (card as JsonObject).number).toSorted()).toEqual([1, 1, 2]);
});

test("a field of requests that is called like a wildcard of their path is another", async () => {
  const hooks = below("/projects/{owner}/hooks", "hook", "Hook", {
    anyOf: [object({ name: text, owner: text }), object({ name: text })],
  });
  const { ask } = await serve({
    openapi: "3.0.3",
    info: { title: "Hooks", version: "1" },
    paths: hooks,
    components: { schemas: { Hook: { ...object({ id: whole, name: text }, ["id"]), additionalProperties: true } } },
  });
  const sent = { name: "push", owner: "octo" };
  const made = await ask("POST /projects/acme/hooks", { body: sent });
  expect(made.body).toMatchObject(sent);
  expect((await ask("GET /projects/acme/hooks")).body).toContainEqual(expect.objectContaining(sent));
});

import { beforeAll, expect, test } from "vitest";
import type { JsonObject } from "../../../src/base/json/json.ts";
import { apart, type Served, serve } from "./serve.ts";

const text: JsonObject = { type: "string" };
const whole: JsonObject = { type: "integer" };
const ref = (name: string): JsonObject => ({ $ref: `#/components/schemas/${name}` });
const body = (schema: JsonObject): JsonObject => ({ content: { "application/json": { schema } } });
const object = (properties: JsonObject, required = Object.keys(properties)): JsonObject => ({
  type: "object",
  properties,
  required,
});
const given = (name: string, description = "") => ({ name, in: "path", required: true, schema: text, description });
const sends = (schema: JsonObject, status = 200): JsonObject => ({ responses: { [status]: body(schema) } });
const list = (name: string): JsonObject => sends({ type: "array", items: ref(name) });
const creates = (name: string): JsonObject => ({
  requestBody: body(object({ name: text, about: text }, ["name"])),
  ...sends(ref(name), 201),
});
const owner = object({ id: whole, login: text });

const forge: JsonObject = {
  openapi: "3.0.3",
  info: { title: "Forge", version: "1" },
  paths: {
    "/user/repos": { get: list("Repo"), post: creates("Repo") },
    "/orgs/{org}/repos": { parameters: [given("org")], get: list("SimpleRepo"), post: creates("Repo") },
    "/users/{username}/repos": { parameters: [given("username")], get: list("SimpleRepo") },
    "/repos/{owner}/{repo}": {
      parameters: [given("owner"), given("repo")],
      get: sends(ref("Repo")),
      delete: { responses: { 204: {} } },
    },
    "/people": { get: list("Person"), post: creates("Person") },
    "/people/{id_or_name}": { parameters: [given("id_or_name")], get: sends(ref("Person")) },
    "/people/{id_or_name}/keys": { parameters: [given("id_or_name")], get: list("Key"), post: creates("Key") },
    "/people/{id_or_name}/keys/{id}": { parameters: [given("id_or_name"), given("id")], get: sends(ref("Key")) },
    "/keys/{keyId}": {
      parameters: [given("keyId")],
      get: sends(ref("Key")),
      delete: { responses: { 204: {} } },
    },
    "/people/{id_or_name}/labels": { parameters: [given("id_or_name")], get: list("Label"), post: creates("Label") },
    "/people/{id_or_name}/labels/{name}": {
      parameters: [given("id_or_name"), given("name")],
      get: sends(ref("Label")),
    },
    "/labels/{id}": { parameters: [given("id")], get: sends(ref("Label")), delete: { responses: { 204: {} } } },
    "/tasks": { get: list("Task"), post: { requestBody: body(ref("NewTask")), ...sends(ref("Task"), 201) } },
    "/tasks/{id}": { parameters: [given("id")], get: sends(ref("Task")) },
    "/people/{id_or_name}/tasks": { parameters: [given("id_or_name")], get: list("Task"), post: creates("Task") },
    "/projects": { get: list("Project"), post: creates("Project") },
    "/projects/{id}": {
      parameters: [given("id", "The ID or URL-encoded path of the project")],
      get: sends(ref("Project")),
      delete: { responses: { 204: {} } },
    },
  },
  components: {
    schemas: {
      Repo: object({ id: whole, name: text, owner, about: text, size: whole }, ["id", "name", "owner"]),
      SimpleRepo: object({ id: whole, name: text, owner, about: text }, ["id", "name", "owner"]),
      Person: object({ id: whole, name: text }),
      Key: object({ id: whole, name: text }),
      Label: object({ id: whole, name: text }),
      Task: object({ id: whole, name: text, person: object({ id: whole, name: text }) }),
      NewTask: object({ name: text, person: object({ id: whole, name: text }, ["id"]) }),
      Project: object({ id: whole, name: text, path_with_namespace: text }, ["id", "name"]),
    },
  },
};

let served: Served;
beforeAll(async () => {
  served = await serve(forge);
});

test("what an organization creates is in its list, in all of them, and at its own path", async () => {
  const ask = apart(served);
  const { body: made } = await ask("POST /orgs/acme/repos", { body: { name: "engine", about: "Turns" } });
  const { id, owner: acme } = made as { id: number; owner: JsonObject };
  expect(acme).toEqual({ id: expect.any(Number), login: "acme" });
  const shown = [{ id, name: "engine", owner: acme, about: "Turns" }];
  expect((await ask("GET /orgs/acme/repos")).body).toEqual(shown);
  expect((await ask("GET /users/acme/repos")).body).toEqual(shown);
  expect((await ask("GET /orgs/umbrella/repos")).body).toEqual([]);
  expect((await ask("GET /user/repos")).body).toContainEqual(made);
  expect((await ask("GET /repos/acme/engine")).body).toEqual(made);
  expect((await ask("DELETE /repos/acme/engine")).status).toBe(204);
  expect((await ask("GET /orgs/acme/repos")).body).toEqual([]);
});

test("{id_or_name} finds a record by either, also as a parent", async () => {
  const ask = apart(served);
  const { body: person } = await ask("POST /people", { body: { name: "ada" } });
  const { id } = person as JsonObject;
  for (const path of [`/people/${id}`, "/people/ada"]) expect((await ask(`GET ${path}`)).body).toEqual(person);
  const { body: key } = await ask("POST /people/ada/keys", { body: { name: "laptop" } });
  for (const path of [`/people/${id}/keys`, "/people/ada/keys"]) expect((await ask(`GET ${path}`)).body).toEqual([key]);
  expect((await ask(`GET /people/ada/keys/${(key as JsonObject).id}`)).body).toEqual(key);
  expect((await ask("GET /people/eve")).status).toBe(404);
});

test("a record says in an object whose it is", async () => {
  const ask = apart(served);
  const { body: person } = await ask("POST /people", { body: { name: "ada" } });
  const { id } = person as JsonObject;
  const { body: one } = await ask("POST /people/ada/tasks", { body: { name: "Write" } });
  expect(one).toMatchObject({ person: { id } });
  const { body: other } = await ask("POST /tasks", { body: { name: "Read", person: { id } } });
  expect((await ask(`GET /people/${id}/tasks`)).body).toEqual([one, other]);
  const { body: tasks } = await ask("GET /tasks");
  const { person: owner } = (tasks as JsonObject[])[0] as { person: JsonObject };
  expect((await ask(`GET /people/${owner.id}/tasks`)).body).toContainEqual((tasks as JsonObject[])[0]);
});

test("a record below a parent is found by a path of its own, too", async () => {
  const ask = apart(served);
  await ask("POST /people", { body: { name: "ada" } });
  const { body: key } = await ask("POST /people/ada/keys", { body: { name: "laptop" } });
  const { id } = key as JsonObject;
  expect((await ask(`GET /keys/${id}`)).body).toEqual(key);
  expect((await ask(`DELETE /keys/${id}`)).status).toBe(204);
  expect((await ask(`GET /people/ada/keys/${id}`)).status).toBe(404);
  const { body: label } = await ask("POST /people/ada/labels", { body: { name: "bug" } });
  expect((await ask(`GET /labels/${(label as JsonObject).id}`)).body).toEqual(label);
  expect((await ask("GET /labels/bug")).status).toBe(404);
  expect((await ask(`DELETE /labels/${(label as JsonObject).id}`)).status).toBe(204);
  expect((await ask("GET /people/ada/labels/bug")).status).toBe(404);
});

test("a description says which other name a path takes", async () => {
  const ask = apart(served);
  const { body: project } = await ask("POST /projects", { body: { name: "Site", path_with_namespace: "web/site" } });
  expect((await ask("GET /projects/web%2Fsite")).body).toEqual(project);
  expect((await ask("GET /projects/Site")).status).toBe(404);
  expect((await ask("DELETE /projects/web%2Fsite")).status).toBe(204);
  expect((await ask(`GET /projects/${(project as JsonObject).id}`)).status).toBe(404);
});

test("a fixed query in a path tells its operation from the one without", async () => {
  const cert = { type: "object", required: ["id", "name"], properties: { id: text, name: text } };
  const sends = (schema: JsonObject) => ({ responses: { 200: { description: "", ...body(schema) } } });
  const paths = {
    "/certs?deep=1": { get: sends({ type: "array", items: cert }) },
    "/certs": { get: sends({ type: "array", items: text }) },
    "/certs?all&deep=1": { get: sends({ type: "array", items: object({ id: text, name: text, size: whole }) }) },
    "/certs/{id}": {
      get: { parameters: [{ name: "id", in: "path", required: true, schema: text }], ...sends(cert) },
    },
  };
  for (const entries of [Object.entries(paths), Object.entries(paths).reverse()]) {
    const { ask, warnings } = await serve({
      openapi: "3.1.0",
      info: { title: "Certs", version: "1" },
      paths: Object.fromEntries(entries),
    });
    const typesOf = async (search: string) =>
      ((await ask(`GET /certs${search}`)).body as unknown[]).map((one) => typeof one);
    expect(new Set(await typesOf(""))).toEqual(new Set(["string"]));
    expect(new Set(await typesOf("?deep=0"))).toEqual(new Set(["string"]));
    expect(new Set(await typesOf("?deep=1"))).toEqual(new Set(["object"]));
    const { body: all } = await ask("GET /certs?deep=1&all=");
    expect((all as JsonObject[]).every(({ size }) => typeof size === "number")).toBe(true);
    expect(all).not.toEqual([]);
    expect(warnings).toEqual([]);
  }
});

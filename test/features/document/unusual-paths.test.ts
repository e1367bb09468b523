import { beforeAll, expect, test } from "vitest";
import type { JsonObject } from "../../../src/base/json/json.ts";
import { json, ref, response } from "./documents.ts";
import { apart, type Served, serve } from "./serve.ts";

const text: JsonObject = { type: "string" };
const integer: JsonObject = { type: "integer" };
const nothing: JsonObject = { responses: { 204: { description: "Done" } } };

function object(properties: JsonObject, required = Object.keys(properties)): JsonObject {
  return { type: "object", required, properties };
}

function sends(schema: JsonObject): JsonObject {
  return { responses: { 200: response(schema) } };
}

function listOf(name: string): JsonObject {
  return sends({ type: "array", items: ref(name) });
}

function at(...names: string[]): JsonObject {
  return {
    parameters: names.map((name) => ({
      name,
      in: "path",
      required: true,
      schema: /^(id1?|gist_id)$/.test(name) ? integer : text,
    })),
  };
}

/** Paths that are no plain list with records below it. */
const desk: JsonObject = {
  openapi: "3.0.3",
  info: { title: "Desk", version: "1" },
  paths: {
    "/times": { get: listOf("Time") },
    "/times/{user}": { ...at("user"), get: listOf("Time") },
    "/times/{user}/{task}": { ...at("user", "task"), get: listOf("Time") },
    "/pairs/{tool}": { ...at("tool"), get: listOf("Pair") },
    "/pairs/{tool}/{language}": { ...at("tool", "language"), get: listOf("Pair") },
    "/licenses": { get: sends(ref("License")) },
    "/licenses/{name}": { ...at("name"), get: sends(ref("License")) },
    "/templates": { get: sends(object({ name: text })) },
    "/templates/{name}": { ...at("name"), get: sends(object({ name: text, content: text })) },
    "/suggestions": { get: sends(ref("Account")) },
    "/suggestions/{account_id}": { ...at("account_id"), delete: nothing },
    "/settings": { get: sends(object({ values: { type: "array", items: ref("License") }, name: text })) },
    "/settings/{name}": {
      ...at("name"),
      get: sends(object({ values: { type: "array", items: ref("License") }, name: text })),
    },
    "/tokens": { get: listOf("Token") },
    "/tokens/{id}": {
      ...at("id"),
      post: { requestBody: json(object({ action: text, reason: text })), ...nothing },
    },
    "/backups": { get: listOf("Backup") },
    "/backups/{name}": {
      ...at("name"),
      get: { responses: { 200: { description: "A file", content: { "application/octet-stream": {} } } } },
      delete: nothing,
    },
    "/models/{id}/mappers": { ...at("id"), get: listOf("Token") },
    "/models/{id}/mappers/{id1}": { ...at("id", "id1"), get: sends(ref("Token")) },
    "/gists": { get: listOf("Gist"), post: { requestBody: json(object({ title: text })), ...sends(ref("Gist")) } },
    "/gists/{gist_id}": { ...at("gist_id"), get: sends(ref("Gist")) },
    "/gists/{gist_id}/{revision}": { ...at("gist_id", "revision"), get: sends(ref("Gist")) },
    "/runs": { get: listOf("Run") },
    "/runs/{id}": { ...at("id"), get: sends(ref("Run")) },
    "/runs/{workflow}/{transaction}": { ...at("workflow", "transaction"), get: sends(ref("Run")) },
    "/tags": { get: listOf("Tag"), post: { requestBody: json(ref("Tag")), ...sends(ref("Tag")) } },
    "/tags/{label}": { ...at("label"), get: listOf("License"), delete: nothing },
    "/sets": { get: listOf("Tag") },
    "/sets/{label}": {
      ...at("label"),
      get: sends(object({ points: integer, state: text })),
      put: { requestBody: json(object({ size: integer, shards: integer })), ...sends(object({ ok: integer })) },
    },
    "/parcels": { get: listOf("Parcel") },
    "/parcels/{kind}": { ...at("kind"), get: listOf("Parcel") },
    "/parcels/{kind}/{number}": {
      ...at("kind", "number"),
      get: sends(ref("Parcel")),
      put: { requestBody: json(object({ hold: text, until: text })), ...nothing },
    },
    "/orders": { get: sends(object({ page: ref("Page"), deductions: { type: "array", items: ref("Gist") } })) },
    "/orders/{id}": { ...at("id"), get: sends(object({ page: ref("Page"), deduction: ref("Gist") })) },
  },
  components: {
    schemas: {
      Time: object({ id: integer, user: { ...text, enum: ["ada", "bob"] }, time: integer }),
      Pair: object({ source: text, target: text }),
      License: object({ name: text, body: text }),
      Account: object({ id: integer, username: text }),
      Token: object({ id: integer, owner: text }),
      Backup: object({ name: text, size: integer }),
      Gist: object({ id: integer, title: text }),
      Run: object({ id: integer, workflow: text, transaction: text }),
      Page: object({ count: integer, number: integer }),
      Tag: object({ label: text, color: text }),
      Parcel: object({ number: text, kind: text }),
    },
  },
};

let served: Served;
beforeAll(async () => {
  served = await serve(desk);
});

async function listAt(path: string): Promise<JsonObject[]> {
  return (await served.ask(`GET ${path}`)).body as JsonObject[];
}

test("the same list below a list is the part of it whose field has the value of the path", async () => {
  const all = await listAt("/times");
  expect(all.length).toBeGreaterThan(2);
  for (const user of ["ada", "bob"])
    expect(await listAt(`/times/${user}`)).toEqual(all.filter((one) => one.user === user));
});

test("values that records do not tell of leave the list whole", async () => {
  const ofAda = await listAt("/times/ada");
  expect(await listAt("/times/ada/any")).toEqual(ofAda);
  const pairs = await listAt("/pairs/a");
  expect(pairs.length).toBeGreaterThan(1);
  expect(await listAt("/pairs/a/b")).toEqual(pairs);
});

test.each([
  ["/licenses", ["body", "name"]],
  ["/templates", ["content", "name"]],
])("GET %s that is described as one record sends one that its path finds", async (path, fields) => {
  const { name } = (await served.ask(`GET ${path}`)).body as JsonObject;
  const { body } = await served.ask(`GET ${path}/${encodeURIComponent(String(name))}`);
  expect(body).toMatchObject({ name });
  expect(Object.keys(body as JsonObject).sort()).toEqual(fields);
  expect((await served.ask(`GET ${path}/none`)).status).toBe(404);
});

test("one record of a list is removed where nothing else is done with it", async () => {
  const ask = apart(served);
  const { id } = (await ask("GET /suggestions")).body as JsonObject;
  expect((await ask(`DELETE /suggestions/${id}`)).status).toBe(204);
  expect((await ask("GET /suggestions")).body).not.toMatchObject({ id });
});

test("a body with a list in it that nothing writes is no record", async () => {
  expect((await served.ask("GET /settings/none")).status).toBe(200);
});

test("a request that sends no field of its record and gets no body changes nothing that is shown", async () => {
  const ask = apart(served);
  const [token] = (await ask("GET /tokens")).body as JsonObject[];
  const body = { action: "revoke", reason: "Lost" };
  expect((await ask(`POST /tokens/${token!.id}`, { body })).status).toBe(204);
  expect((await ask("GET /tokens")).body).toContainEqual(token);
  expect((await ask("POST /tokens/9999", { body })).status).toBe(404);
});

test("the path of a record may send its file", async () => {
  const ask = apart(served);
  const [backup] = (await ask("GET /backups")).body as JsonObject[];
  const path = `/backups/${encodeURIComponent(String(backup!.name))}`;
  const { status, headers } = await ask(`GET ${path}`);
  expect([status, headers.get("Content-Type")]).toEqual([200, "application/octet-stream"]);
  await ask(`DELETE ${path}`);
  expect((await ask(`GET ${path}`)).status).toBe(404);
});

test("a wildcard may be numbered because another one has its name", async () => {
  const [mapper] = await listAt("/models/1/mappers");
  expect((await served.ask(`GET /models/1/mappers/${mapper!.id}`)).body).toEqual(mapper);
});

test("a path below a record that sends the record finds it, whatever its last wildcard is", async () => {
  const ask = apart(served);
  const { id } = (await ask("POST /gists", { body: { title: "Notes" } })).body as JsonObject;
  expect((await ask(`GET /gists/${id}/0a1b`)).body).toEqual({ id, title: "Notes" });
  expect((await ask("GET /gists/9999/0a1b")).status).toBe(404);
});

test("two wildcards that are both fields find a record by both", async () => {
  const [, run] = await listAt("/runs");
  const { workflow, transaction } = run as { workflow: string; transaction: string };
  const [first, second] = [workflow, transaction].map(encodeURIComponent);
  expect((await served.ask(`GET /runs/${first}/${second}`)).body).toEqual(run);
  expect((await served.ask(`GET /runs/${first}/none`)).status).toBe(404);
});

test("a path that sends something else about a record is there as long as the record", async () => {
  const ask = apart(served);
  expect((await ask("GET /tags/new")).status).toBe(404);
  await ask("POST /tags", { body: { label: "new", color: "red" } });
  const { status, body } = await ask("GET /tags/new");
  expect([status, Object.keys((body as JsonObject[])[0]!).sort()]).toEqual([200, ["body", "name"]]);
  await ask("DELETE /tags/new");
  expect((await ask("GET /tags/new")).status).toBe(404);
});

test("a PUT that may make a record leaves such a path to the examples", async () => {
  expect((await served.ask("GET /sets/any")).status).toBe(200);
});

test("a list above a list of one kind has those of all kinds", async () => {
  const all = await listAt("/parcels");
  const [{ kind, number }] = all as [{ kind: string; number: string }];
  expect(all.length).toBeGreaterThan(1);
  const path = `/parcels/${encodeURIComponent(kind)}`;
  expect(await listAt(path)).toEqual(all.filter((one) => one.kind === kind));
  expect((await served.ask(`GET ${path}/${number}`)).body).toEqual({ kind, number });
});

test("a PUT of something else changes a record that nothing removes, and makes none", async () => {
  const ask = apart(served);
  const [{ kind, number }] = (await ask("GET /parcels")).body as [{ kind: string; number: string }];
  const path = `/parcels/${encodeURIComponent(kind)}`;
  const body = { hold: "yes", until: "Monday" };
  expect((await ask(`PUT ${path}/${number}`, { body })).status).toBe(204);
  expect((await ask(`GET ${path}/${number}`)).body).toEqual({ kind, number });
  expect((await ask(`PUT ${path}/none`, { body })).status).toBe(404);
});

test("a record stands where its path has what the list has, whatever the name", async () => {
  const { deductions } = (await served.ask("GET /orders")).body as { deductions: JsonObject[] };
  const { body } = await served.ask(`GET /orders/${deductions[0]!.id}`);
  expect(body).toMatchObject({ deduction: deductions[0] });
});

test("a path may have its methods with and without a slash at the end", async () => {
  const rule = object({ id: integer, name: text });
  const { ask } = await serve({
    openapi: "3.0.3",
    info: { title: "Rules", version: "1" },
    paths: {
      "/rules": { post: { requestBody: json(object({ name: text })), responses: { 201: response(rule) } } },
      "/rules/": { get: sends({ type: "array", items: rule }) },
      "/rules/{id}": { ...at("id"), get: sends(rule) },
    },
  });
  const made = await ask("POST /rules", { body: { name: "first" } });
  expect(made.status).toBe(201);
  for (const path of ["/rules", "/rules/"]) expect((await ask(`GET ${path}`)).body).toContainEqual(made.body);
});

import { expect, test } from "vitest";
import type { JsonObject } from "../../../src/base/json/json.ts";
import { apart, serve } from "./serve.ts";

const json = (schema: JsonObject) => ({ content: { "application/json": { schema } } });
const ok = (schema: JsonObject) => ({ responses: { 200: { description: "", ...json(schema) } } });
const done = { responses: { 204: { description: "" } } };
const check = { responses: { 204: { description: "" }, 404: { description: "" } } };
const path = (name: string) => ({ name, in: "path", required: true, schema: { type: "string" } });
const text = { type: "string" };

const topic = {
  type: "object",
  required: ["id", "title", "locked"],
  properties: {
    id: text,
    title: text,
    locked: { type: "boolean" },
    hidden: { type: "boolean" },
    created_at: { type: "string", format: "date-time" },
    status: { type: "string", enum: ["open", "archived"] },
    active_lock_reason: { type: ["string", "null"] },
    locked_at: { type: ["string", "null"], format: "date-time" },
    links: { type: "array", items: text },
  },
};
const note = {
  type: "object",
  required: ["id", "topic_id", "body"],
  properties: { id: text, topic_id: text, body: text, role: text },
};
const member = { type: "object", required: ["id", "topic_id"], properties: { id: text, topic_id: text } };
const newNote = { type: "object", properties: { body: text, role: text } };
const newTopic = {
  type: "object",
  properties: {
    title: text,
    links: { anyOf: [{ type: "array", items: text }, { enum: [""] }] },
    notes: { type: "array", items: newNote },
    member_ids: { type: "array", items: text },
  },
};

const document: JsonObject = {
  openapi: "3.1.0",
  info: { title: "Talk", version: "1" },
  paths: {
    "/topics": {
      get: ok({ type: "array", items: topic }),
      post: { requestBody: json(newTopic), responses: { 201: { description: "", ...json(topic) } } },
    },
    "/topics/{topic_id}": {
      parameters: [path("topic_id")],
      get: ok(topic),
      patch: { requestBody: json(newTopic), ...ok(topic) },
    },
    "/topics/{topic_id}/lock": {
      parameters: [path("topic_id")],
      get: check,
      put: { requestBody: json({ type: "object", properties: { lock_reason: text } }), ...done },
      delete: done,
    },
    "/topics/{topic_id}/issues": { parameters: [path("topic_id")], post: done },
    "/topics/{topic_id}/create_link": { parameters: [path("topic_id")], post: done },
    "/topics/{topic_id}/hide": { parameters: [path("topic_id")], post: done },
    "/topics/{topic_id}/archive": {
      parameters: [path("topic_id")],
      post: { responses: { 202: { description: "", ...json({ type: "object", properties: { message: text } }) } } },
    },
    "/topics/{topic_id}/notes": {
      parameters: [path("topic_id")],
      get: ok({ type: "array", items: note }),
      post: { requestBody: json(newNote), responses: { 201: { description: "", ...json(note) } } },
    },
    "/topics/{topic_id}/members": {
      parameters: [path("topic_id")],
      get: ok({ type: "array", items: member }),
      post: {
        requestBody: json({ type: "object", required: ["member_id"], properties: { member_id: text } }),
        responses: { 201: { description: "", ...json(member) } },
      },
    },
    "/topics/{topic_id}/members/{member_id}": {
      parameters: [path("topic_id"), path("member_id")],
      get: ok(member),
    },
    "/me/starred/{kind}/{name}": {
      parameters: [path("kind"), path("name")],
      get: check,
      put: done,
      delete: done,
    },
    "/topics/{topic_id}/pin": { parameters: [path("topic_id")], get: check, put: done, delete: done },
  },
};

test("records that a new one lists are created below it, also by their ids", async () => {
  const { ask } = await serve(document);
  const notes = [{ body: "One", role: "guest" }, { body: "Two" }];
  const { body } = await ask("POST /topics", { body: { title: "Hats", notes, member_ids: ["ada", "bob"] } });
  const { id } = body as { id: string };
  expect(body).not.toHaveProperty("notes");
  expect((await ask(`GET /topics/${id}/notes`)).body).toMatchObject([
    { body: "One", role: "guest", topic_id: id },
    { body: "Two", topic_id: id },
  ]);
  expect((await ask(`GET /topics/${id}/members`)).body).toMatchObject([{ id: "ada" }, { id: "bob" }]);
  expect((await ask(`GET /topics/${id}/members/ada`)).body).toMatchObject({ id: "ada", topic_id: id });
  const dry = { body: { title: "No", notes }, headers: { prefer: "tx=rollback" } };
  expect((await ask("POST /topics", dry)).status).toBe(201);
  // All of it, or nothing.
  const twice = { title: "Coats", notes, member_ids: ["eve", "eve"] };
  expect((await ask("POST /topics", { body: twice })).status).toBe(409);
  expect((await ask("GET /topics")).text).not.toMatch(/Coats|No/);
});

test("a word below a record sets its flag, time and reason, DELETE takes them back, and GET tells", async () => {
  const ask = apart(await serve(document));
  const { id } = (await ask("POST /topics", { body: { title: "Loud" } })).body as { id: string };
  const at = `/topics/${id}`;
  expect((await ask(`GET ${at}/lock`)).status).toBe(404);
  expect((await ask(`PUT ${at}/lock`, { body: { lock_reason: "spam" } })).status).toBe(204);
  expect((await ask(`GET ${at}`)).body).toMatchObject({
    locked: true,
    active_lock_reason: "spam",
    locked_at: expect.stringMatching(/^20/),
  });
  expect((await ask(`GET ${at}/lock`)).status).toBe(204);
  expect((await ask(`DELETE ${at}/lock`)).status).toBe(204);
  expect((await ask(`GET ${at}`)).body).toMatchObject({ locked: false, active_lock_reason: null, locked_at: null });
  expect((await ask("PUT /topics/none/lock", { body: {} })).status).toBe(404);
});

test("an action that responds with something else changes the state of its record", async () => {
  const ask = apart(await serve(document));
  const { id, status, created_at } = (await ask("POST /topics", { body: { title: "Old" } })).body as Record<
    string,
    string
  >;
  expect((await ask(`POST /topics/${id}/create_link`)).status).toBe(204);
  expect(status).toBe("open");
  expect((await ask(`POST /topics/${id}/archive`)).status).toBe(202);
  expect((await ask(`GET /topics/${id}`)).body).toMatchObject({ status: "archived" });
  expect((await ask("POST /topics/none/archive")).status).toBe(404);
  // Making issues is not reopening the topic.
  expect((await ask(`POST /topics/${id}/issues`)).status).toBe(204);
  expect((await ask(`POST /topics/${id}/hide`)).status).toBe(204);
  expect((await ask(`GET /topics/${id}`)).body).toMatchObject({ status: "archived", hidden: true, created_at });
});

test("what is only there or not is kept by PUT and DELETE", async () => {
  const ask = apart(await serve(document));
  const star = "/me/starred/hats/red";
  expect((await ask(`GET ${star}`)).status).toBe(404);
  expect((await ask(`PUT ${star}`)).status).toBe(204);
  expect((await ask(`PUT ${star}`)).status).toBe(204);
  expect((await ask(`GET ${star}`)).status).toBe(204);
  expect((await ask("GET /me/starred/hats/blue")).status).toBe(404);
  expect((await ask(`DELETE ${star}`)).status).toBe(204);
  expect((await ask(`GET ${star}`)).status).toBe(404);
  for (const method of ["PUT", "DELETE"]) {
    const all = await Promise.all(Array.from({ length: 8 }, () => ask(`${method} ${star}`)));
    expect(new Set(all.map(({ status }) => status))).toEqual(new Set([204]));
  }
  expect((await ask("PUT /topics/none/pin")).status).toBe(404);
});

test("an empty text empties a list where its schema names it", async () => {
  const { ask } = await serve(document);
  const { body } = await ask("POST /topics", { body: { title: "Linked", links: ["a"] } });
  const { id } = body as { id: string };
  expect((await ask(`PATCH /topics/${id}`, { body: { links: "" } })).body).toMatchObject({ links: [] });
});

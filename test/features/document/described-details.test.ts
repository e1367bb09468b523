import { beforeAll, describe, expect, test } from "vitest";
import type { Json, JsonObject } from "../../../src/base/json/json.ts";
import { type Served, serve } from "./serve.ts";

const text: JsonObject = { type: "string" };
const integer: JsonObject = { type: "integer" };
const object = (properties: JsonObject): JsonObject => ({ type: "object", properties });
const list = (items: JsonObject): JsonObject => ({ type: "array", items });
const json = (schema: JsonObject, example?: Json): JsonObject => ({
  content: { "application/json": { schema, ...(example === undefined ? {} : { example }) } },
});
const sends = (schema: JsonObject, example?: Json): JsonObject => ({
  "200": { description: "", ...json(schema, example) },
});
const query = (name: string, schema: JsonObject, description = ""): JsonObject => ({
  name,
  in: "query",
  schema,
  description,
});
const nothing: JsonObject = { "204": { description: "" } };

const user = object({ id: integer, name: text });
const wall = object({ id: integer, name: text, labels: { type: "object", additionalProperties: text } });
const reason = object({ id: text, name: text });
const card = object({ id: text, object: { ...text, enum: ["card"] }, number: text });
const account = object({ id: text, object: { ...text, enum: ["account"] }, iban: text });
const track = object({ id: { ...text, example: "2takcwOaAZWiXQijPHIx7B" }, title: text });
const source = object({ id: integer, name: text, kind: text });
const mail = object({
  id: integer,
  sent: { ...text, format: "date-time-rfc-2822" },
  read_at: { ...text, format: "date-time" },
});
const note = object({ id: integer, text: { ...text, nullable: true } });
const episode = object({ id: integer, seriesId: text, title: text });
const series: JsonObject = { name: "id", in: "path", required: true, schema: integer };
const task = object({ id: integer, assigned_by: { ...text, description: "ID of `/users/` who assigned the task" } });

const api: JsonObject = {
  openapi: "3.0.3",
  info: { title: "Described", version: "1" },
  paths: {
    "/users": {
      get: {
        parameters: [query("startIndex", { ...integer, minimum: 1 }), query("count", integer, "Default 4, maximum 9.")],
        responses: sends(object({ Resources: list(user), startIndex: integer, itemsPerPage: integer })),
      },
    },
    "/users/{id}": { get: { responses: sends(user) } },
    "/mails": {
      get: {
        parameters: [
          query("sent", { ...text, format: "date" }),
          query("startDate", { ...text, format: "date" }, "The beginning of the time range."),
          query("endDate", { ...text, format: "date" }, "The end of the time range."),
        ],
        responses: sends(list(mail)),
      },
    },
    "/mails/{id}": { get: { responses: sends(mail) } },
    "/series/{id}/episodes": { parameters: [series], get: { responses: sends(list(episode)) } },
    "/series/{id}/episodes/{episodeId}": { parameters: [series], get: { responses: sends(episode) } },
    "/tasks": { get: { responses: sends(list(task)) }, post: { responses: sends(task), summary: "Create a task" } },
    "/tasks/{id}": { get: { responses: sends(task) } },
    "/members": { get: { responses: sends(list(user)) } },
    "/members/{user_id}": { put: { responses: nothing }, delete: { responses: nothing } },
    "/secrets": { get: { responses: sends(list(object({ name: text, created_at: text }))) } },
    "/secrets/{secret_name}": {
      put: {
        summary: "Create or update a secret",
        requestBody: json(object({ value: text })),
        responses: nothing,
      },
      delete: { responses: nothing },
      get: { responses: sends(object({ name: text, created_at: text })) },
    },
    "/walls": {
      get: { responses: sends(list(wall)) },
      post: { requestBody: json(wall), responses: { "201": { description: "", ...json(wall) } } },
    },
    "/walls/{id}": {
      get: { responses: sends(wall) },
      put: {
        description: "When updating labels, the current set of labels will be replaced.",
        requestBody: json(wall),
        responses: sends(wall),
      },
    },
    "/reasons": {
      get: { responses: sends(list(reason)) },
      post: {
        requestBody: json(object({ name: text })),
        responses: {
          "201": {
            description: "",
            ...json({ ...object({ id: text }), additionalProperties: true }, { id: "10001" }),
          },
        },
      },
    },
    "/reasons/{id}": { get: { responses: sends(reason, { id: "10000", name: "Fixed" }) } },
    "/accounts": {
      get: { responses: sends(list(account)) },
      post: { requestBody: json(account), responses: sends(account) },
    },
    "/accounts/{id}": {
      get: { responses: sends(account) },
      patch: { requestBody: json(object({ number: text, iban: text })), responses: sends({ anyOf: [card, account] }) },
    },
    "/tracks": {
      get: {
        parameters: [
          query("ids", { ...text, example: "7ouMYWpwJ422jRcDASZB7P,4VqPOruhp5EdPBeR92t6lQ" }, "Comma-separated"),
        ],
        responses: sends(object({ tracks: list(track) })),
      },
    },
    "/tracks/{id}": { get: { responses: sends(track) } },
    "/sources": {
      get: {
        parameters: [
          query("orderby", text),
          query("orderascending", { type: "boolean" }),
          query("kinds", text, "Any kinds, separated by comma."),
        ],
        responses: sends(list(source)),
      },
    },
    "/notes": {
      get: {
        parameters: [query("has_text", { type: "boolean" }), query("reverse", { type: "boolean" })],
        responses: sends(list(note)),
      },
      post: { requestBody: json(note), responses: sends(note) },
    },
    "/notes/{id}": { get: { responses: sends(note) } },
    "/sources/{id}": { get: { responses: sends(source, { id: 0, name: "", kind: "", isOn: true }) } },
  },
};

let served: Served;
beforeAll(async () => {
  served = await serve(api);
});
const send = (line: string, body?: JsonObject) => served.ask(line, body === undefined ? {} : { body });
const at = async (line: string): Promise<Json> => (await served.ask(line)).body as Json;
const listAt = async (line: string): Promise<JsonObject[]> => (await at(line)) as JsonObject[];

describe("lists", () => {
  test("pages have the size that the description tells, and records are counted from 1", async () => {
    const first = (await at("GET /users")) as { Resources: JsonObject[]; startIndex: number };
    expect(first.Resources).toHaveLength(4);
    expect(first.startIndex).toBe(1);
    const second = (await at("GET /users?startIndex=2&count=2")) as typeof first;
    expect(second).toEqual({ Resources: first.Resources.slice(1, 3), startIndex: 2, itemsPerPage: 2 });
  });

  test("a flag asks for records that have a field, and another one reverses their order", async () => {
    await send("POST /notes", { text: null });
    const notes = await listAt("GET /notes");
    const withText = notes.filter((one) => one.text !== null && one.text !== undefined);
    expect(withText.length).toBeGreaterThan(0);
    expect(withText.length).toBeLessThan(notes.length);
    expect(await listAt("GET /notes?has_text=true")).toEqual(withText);
    expect(await listAt("GET /notes?has_text=false")).toHaveLength(notes.length - withText.length);
    expect(await listAt("GET /notes?reverse=true")).toEqual(notes.toReversed());
  });

  test("a day finds the times of it, also those that are written as in mail", async () => {
    const [first] = await listAt("GET /mails");
    const day = (time: Json | undefined): string => new Date(String(time)).toISOString().slice(0, 10);
    expect(await listAt(`GET /mails?sent=${day(first!.sent)}`)).toContainEqual(first);
    expect(await listAt("GET /mails?sent=1999-01-01")).toEqual([]);
    const of = day(first!.read_at);
    expect(await listAt(`GET /mails?startDate=${of}&endDate=${of}`)).toContainEqual(first);
    expect(await listAt("GET /mails?endDate=1999-01-01")).toEqual([]);
  });

  test("a text that names a parent is one that the path takes", async () => {
    const { body } = await served.ask("GET /episodes", { headers: { "X-Standin-Routes": "own" } });
    const [first] = body as JsonObject[];
    const found = await served.ask(`GET /series/${String(first!.seriesId)}/episodes`);
    expect(found.status).toBe(200);
    expect(found.body).toContainEqual(first);
  });

  test("the ids of the document's own example find something where nothing makes records", async () => {
    const { tracks } = (await at("GET /tracks?ids=7ouMYWpwJ422jRcDASZB7P,4VqPOruhp5EdPBeR92t6lQ")) as {
      tracks: JsonObject[];
    };
    expect(tracks).toHaveLength(2);
    for (const { id } of ((await at("GET /tracks")) as { tracks: JsonObject[] }).tracks)
      expect(id).toMatch(/^[\dA-Za-z]{22}$/);
  });

  test("a direction may be true or false, and several values one text", async () => {
    const ids = (await listAt("GET /sources?orderby=id&orderascending=true")).map(({ id }) => id);
    expect(ids).toEqual(ids.toSorted((a, b) => Number(a) - Number(b)));
    const descending = await listAt("GET /sources?orderby=id&orderascending=false");
    expect(descending.map(({ id }) => id)).toEqual(ids.toReversed());
    const kinds = descending.slice(0, 2).map(({ kind }) => encodeURIComponent(String(kind)));
    const found = await listAt(`GET /sources?kinds=${kinds.join(",")}`);
    expect(found).toHaveLength(2);
    expect(found).toEqual(expect.arrayContaining(descending.slice(0, 2)));
  });

  test("an example of nothing but empty values is no record", async () => {
    const sources = await listAt("GET /sources");
    expect(sources.length).toBeGreaterThan(3);
    expect(sources.every(({ name }) => name !== "")).toBe(true);
  });

  test("a field is the id of a record whose path its description names", async () => {
    const ids = ((await at("GET /users?count=9")) as { Resources: JsonObject[] }).Resources.map(({ id }) => String(id));
    const more = ((await at("GET /users?startIndex=10&count=9")) as { Resources: JsonObject[] }).Resources;
    const all = [...ids, ...more.map(({ id }) => String(id))];
    for (const { assigned_by } of await listAt("GET /tasks")) expect(all).toContain(assigned_by);
  });
});

describe("writes", () => {
  test("PUT without a body adds a member once, and DELETE takes it out", async () => {
    const before = (await listAt("GET /members")).length;
    for (let time = 0; time < 2; time++) expect((await send("PUT /members/4711")).status).toBe(204);
    const after = await listAt("GET /members");
    expect(after).toHaveLength(before + 1);
    expect(after.at(-1)).toMatchObject({ id: 4711, name: expect.any(String) });
    expect((await send("DELETE /members/4711")).status).toBe(204);
    expect(await listAt("GET /members")).toHaveLength(before);
  });

  test("PUT that says that it creates makes a record, and changes it", async () => {
    for (const value of ["a", "b"]) expect((await send("PUT /secrets/KEY", { value })).status).toBe(204);
    expect(await at("GET /secrets/KEY")).toEqual({ name: "KEY", created_at: expect.any(String) });
  });

  test("a new record names others that exist where nothing was sent", async () => {
    const { body } = await send("POST /tasks");
    expect((await send(`GET /users/${String((body as JsonObject).assigned_by)}`)).status).toBe(200);
  });

  test("maps are replaced where the description says so", async () => {
    const { body } = await send("POST /walls", { name: "North", labels: { env: "dev" } });
    const { id } = body as JsonObject;
    await send(`PUT /walls/${String(id)}`, { labels: { tier: "gold" } });
    expect(await at(`GET /walls/${String(id)}`)).toMatchObject({ name: "North", labels: { tier: "gold" } });
  });

  test("a create shows what its example shows, and new ids are numbers like those of examples", async () => {
    const { body } = await send("POST /reasons", { name: "Duplicate" });
    expect(body).toEqual({ id: expect.stringMatching(/^\d{5}$/) });
    expect(await at(`GET /reasons/${String((body as JsonObject).id)}`)).toMatchObject({ name: "Duplicate" });
  });

  test("of several alternatives, a response has the fields of the one that the record is", async () => {
    const { body } = await send("POST /accounts", { object: "account", iban: "DE02" });
    const { id } = body as JsonObject;
    const changed = await send(`PATCH /accounts/${String(id)}`, { number: "4242", iban: "DE03" });
    expect(changed.body).toEqual({ id, object: "account", iban: "DE03" });
  });
});

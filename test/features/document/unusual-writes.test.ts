import { expect, test } from "vitest";
import type { JsonObject } from "../../../src/base/json/json.ts";
import { json, ref, response } from "./documents.ts";
import { serve } from "./serve.ts";

const text: JsonObject = { type: "string" };
const object = (properties: JsonObject): JsonObject => ({ type: "object", properties });
const listOf = (items: JsonObject): JsonObject => ({ type: "array", items });
const ok = (schema: JsonObject): JsonObject => ({ responses: { 200: response(schema) } });
const named = (name: string): JsonObject => ({ name, in: "path", required: true, schema: text });

const NOTE = object({ id: text, title: text, kind: { type: "string", enum: ["plain", "rich"] }, tags: listOf(text) });

/** Notes with a list, single notes, and more methods on both paths. */
function notes(onList: JsonObject, onItem: JsonObject = {}, schema: JsonObject = NOTE): JsonObject {
  return {
    openapi: "3.0.3",
    info: { title: "Notes", version: "1" },
    paths: {
      "/notes": { get: ok(listOf(ref("Note"))), ...onList },
      "/notes/{id}": { parameters: [named("id")], get: ok(ref("Note")), delete: { responses: { 204: {} } }, ...onItem },
    },
    components: { schemas: { Note: schema } },
  };
}

test("a body that may be anything creates, also as a text", async () => {
  const body = json({ oneOf: [{}, { type: "object", required: ["password"], properties: { password: text } }] });
  const { ask } = await serve(notes({ post: { summary: "Create a note", requestBody: body, ...ok(ref("Note")) } }));
  const headers = { "Content-Type": "application/json" };
  expect((await ask("POST /notes", { body: '"x"', headers })).status).toBe(200);
});

const titles = (body: unknown): unknown[] => (body as { title: string }[]).map(({ title }) => title);

const lists: [string, JsonObject, unknown, (body: unknown) => unknown][] = [
  ["an array", { requestBody: json(listOf(ref("Note"))), ...ok(listOf(ref("Note"))) }, [], (body) => body],
  [
    "an array in an object, which sends an object",
    {
      requestBody: json(object({ notes: listOf(ref("Note")) })),
      ...ok(object({ status: text, notes: listOf(ref("Note")) })),
    },
    "notes",
    (body) => (body as { notes: unknown }).notes,
  ],
];
for (const [name, post, at, shown] of lists) {
  test(`POST of several records in ${name} creates each`, async () => {
    const { ask } = await serve(notes({ post }));
    const sent = [{ title: "one" }, { title: "two" }];
    const made = await ask("POST /notes", { body: at === "notes" ? { notes: sent } : sent });
    expect(titles(shown(made.body))).toEqual(["one", "two"]);
    expect(titles((await ask("GET /notes")).body).slice(-2)).toEqual(["one", "two"]);
  });
}

test("what stands beside a list of new records is the same for each of them", async () => {
  const body = object({ kind: text, notes: listOf(object({ title: text, tags: listOf(text) })) });
  const post = { requestBody: json(body), ...ok(listOf(ref("Note"))) };
  const { ask } = await serve(notes({ post }));
  const sent = { kind: "rich", notes: [{ title: "one" }, { title: "two" }] };
  const { body: made } = await ask("POST /notes", { body: sent });
  expect(made).toMatchObject([
    { title: "one", kind: "rich" },
    { title: "two", kind: "rich" },
  ]);
  expect((made as JsonObject[]).some((note) => "notes" in note)).toBe(false);
});

const creates: [string, JsonObject, unknown, JsonObject][] = [
  [
    "a list of one",
    { summary: "Create-Note", requestBody: json(object({ title: text })), ...ok(listOf(ref("Note"))) },
    { title: "x" },
    { title: "x" },
  ],
  [
    "the record for a body that is nothing like it",
    { summary: "Invite", requestBody: json(object({ emails: text, by: text })), ...ok(ref("Note")) },
    { emails: "a" },
    {},
  ],
  [
    "nothing, and takes a body that is not described",
    { summary: "Creates a note", responses: { 200: { description: "ok" } } },
    { title: "x" },
    { title: "x" },
  ],
  [
    "the record, told by its description alone",
    {
      description: "Creates a new note. Use it well.",
      requestBody: json({ type: "string", enum: ["plain", "rich"] }),
      ...ok(ref("Note")),
    },
    '"rich"',
    { kind: "rich" },
  ],
];
for (const [name, post, body, held] of creates) {
  test(`a POST that sends ${name} creates`, async () => {
    const { ask } = await serve(notes({ post }));
    const before = (await ask("GET /notes")).body as JsonObject[];
    const options = typeof body === "string" ? { body, headers: { "Content-Type": "application/json" } } : { body };
    expect((await ask("POST /notes", options as object)).status).toBe(200);
    const after = (await ask("GET /notes")).body as JsonObject[];
    expect(after).toHaveLength(before.length + 1);
    expect(after.at(-1)).toMatchObject(held);
  });
}

test("POST on the path of a record that a PUT changes makes it", async () => {
  const body = { requestBody: json(ref("Note")), ...ok(ref("Note")) };
  const { ask } = await serve(notes({}, { post: { summary: "Create a note with this id", ...body }, put: body }));
  expect((await ask("POST /notes/mine", { body: { title: "a" } })).body).toMatchObject({ id: "mine", title: "a" });
  expect((await ask("GET /notes/mine")).body).toMatchObject({ title: "a" });
});

test("a list of operations is a JSON Patch, also as plain JSON and in capitals", async () => {
  const op = { type: "string", enum: ["Add", "Replace", "Remove"] };
  const operation = object({ op, path: text, value: { type: "object" } });
  const patch = { requestBody: json(listOf(operation)), ...ok(listOf(ref("Note"))) };
  const { ask } = await serve(notes({ post: { requestBody: json(ref("Note")), ...ok(ref("Note")) } }, { patch }));
  const { id } = (await ask("POST /notes", { body: { title: "a", tags: ["x", "y"] } })).body as { id: string };
  const operations = [
    { op: "Replace", path: "/title", value: "b" },
    { op: "Remove", path: "/tags/1" },
  ];
  expect((await ask(`PATCH /notes/${id}`, { body: operations })).body).toMatchObject([{ title: "b", tags: ["x"] }]);
  expect((await ask(`GET /notes/${id}`)).body).toMatchObject({ title: "b", tags: ["x"] });
});

test("a PATCH whose body the document forgets changes the record", async () => {
  const { ask } = await serve(notes({}, { patch: { summary: "Update an existing note", responses: { 204: {} } } }));
  const [{ id }] = (await ask("GET /notes")).body as [{ id: string }];
  expect((await ask(`PATCH /notes/${id}`, { body: { title: "b" } })).status).toBe(204);
  expect((await ask(`GET /notes/${id}`)).body).toMatchObject({ title: "b" });
});

test("a body of any value is the field that records have beside their name", async () => {
  const any = { content: { "application/json": { schema: {}, example: { green: 2 } } } };
  const put = { summary: "Set the value", requestBody: any, responses: { 200: { description: "ok" } } };
  const { ask } = await serve(notes({}, { put }, object({ id: text, value: {} })));
  await ask("PUT /notes/colour", { body: { red: 1 } });
  expect((await ask("GET /notes/colour")).body).toEqual({ id: "colour", value: { red: 1 } });
});

test("a change of a JSON:API record keeps the attributes that it does not name", async () => {
  const record = object({ id: text, type: text, attributes: object({ title: text, body: text }) });
  const body = json(object({ data: ref("Note") }));
  const one = ok(object({ data: ref("Note") }));
  const { ask } = await serve(
    notes(
      { get: ok(object({ data: listOf(ref("Note")) })), post: { requestBody: body, ...one } },
      { get: one, patch: { requestBody: body, ...one } },
      record,
    ),
  );
  const made = await ask("POST /notes", { body: { data: { type: "notes", attributes: { title: "a", body: "b" } } } });
  const { id } = (made.body as { data: { id: string } }).data;
  await ask(`PATCH /notes/${id}`, { body: { data: { id, type: "notes", attributes: { title: "c" } } } });
  expect((await ask(`GET /notes/${id}`)).body).toMatchObject({ data: { attributes: { title: "c", body: "b" } } });
});

test("fields that are sent flat are the attributes of a JSON:API record", async () => {
  const record = object({ id: text, type: text, attributes: object({ title: text, body: text }) });
  const body = json(object({ title: text, body: text }));
  const one = ok(object({ data: ref("Note") }));
  const { ask } = await serve(
    notes(
      { get: ok(object({ data: listOf(ref("Note")) })), post: { summary: "Create a note", requestBody: body, ...one } },
      { get: one, put: { requestBody: body, ...one } },
      record,
    ),
  );
  const made = (await ask("POST /notes", { body: { title: "a", body: "b" } })).body as { data: { id: string } };
  expect(made.data).toMatchObject({ attributes: { title: "a", body: "b" } });
  await ask(`PUT /notes/${made.data.id}`, { body: { title: "c" } });
  expect((await ask(`GET /notes/${made.data.id}`)).body).toMatchObject({
    data: { attributes: { title: "c", body: "b" } },
  });
});

test("fields that are sent flat are stored in the only object that has them", async () => {
  const record = object({
    id: text,
    state: text,
    data: object({ title: text, body: text, size: { type: "integer" } }),
  });
  const one = ok(ref("Note"));
  const sent = json(object({ title: text, body: text, draft: { type: "boolean" } }));
  const { ask } = await serve(
    notes(
      { post: { summary: "Create a note", requestBody: sent, ...one } },
      { patch: { requestBody: sent, ...one } },
      record,
    ),
  );
  const { id } = (await ask("POST /notes", { body: { title: "a", body: "b" } })).body as { id: string };
  expect((await ask(`GET /notes/${id}`)).body).toMatchObject({ data: { title: "a", body: "b" } });
  await ask(`PATCH /notes/${id}`, { body: { title: "c" } });
  expect((await ask(`GET /notes/${id}`)).body).toMatchObject({ data: { title: "c", body: "b" } });
});

test("an object of any fields beside others in a request is one of them, and not the record", async () => {
  const post = { requestBody: json(object({ name: text, extra: { type: "object" } })), ...ok(ref("Note")) };
  const { ask } = await serve(notes({ post: { summary: "Create a note", ...post } }));
  expect((await ask("POST /notes", { body: { name: "a", extra: { title: "b" } } })).body).not.toMatchObject({
    title: "b",
  });
});

test("a create may answer nothing but the new id", async () => {
  const requestBody = json(ref("Note"));
  const { ask } = await serve(notes({ post: { requestBody, ...ok({ ...text, title: "Note ID" }) } }));
  const made = await ask("POST /notes", { body: { title: "New" } });
  expect((await ask(`GET /notes/${made.body}`)).body).toMatchObject({ id: made.body, title: "New" });
});

test("a POST that adds a record may send it in a list", async () => {
  const requestBody = json(object({ title: text, reason: text, source: text }));
  const { ask } = await serve(notes({ post: { summary: "Adds notes.", requestBody, ...ok(listOf(ref("Note"))) } }));
  expect((await ask("POST /notes", { body: { title: "New" } })).body).toMatchObject([{ title: "New" }]);
});

test("a POST that sends a list and takes no field of its records adds none", async () => {
  const requestBody = json(object({ notes: listOf(text) }));
  const { ask } = await serve(notes({ post: { summary: "Add notes", requestBody, ...ok(listOf(ref("Note"))) } }));
  const before = (await ask("GET /notes")).body;
  await ask("POST /notes", { body: { notes: ["New"] } });
  expect((await ask("GET /notes")).body).toEqual(before);
});

test("a POST that updates takes fields from its query", async () => {
  const post = {
    summary: "Updates a note",
    parameters: [{ name: "title", in: "query", schema: text }],
    ...ok(object({ status: text })),
  };
  const { ask } = await serve(notes({}, { post }));
  const [{ id }] = (await ask("GET /notes")).body as [{ id: string }];
  expect((await ask(`POST /notes/${id}?title=New`)).status).toBe(200);
  expect((await ask(`GET /notes/${id}`)).body).toMatchObject({ title: "New" });
});

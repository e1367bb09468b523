import { beforeAll, expect, test } from "vitest";
import type { Json, JsonObject } from "../../../src/base/json/json.ts";
import { json, ref, response } from "./documents.ts";
import { apart, type Served, serve } from "./serve.ts";

const integer: JsonObject = { type: "integer" };
const texts: JsonObject = { type: "array", items: { type: "string" } };
const integers: JsonObject = { type: "array", items: integer };
const sends = (schema: JsonObject): JsonObject => ({ "200": response(schema) });
const takes = (properties: JsonObject): JsonObject => ({ requestBody: json({ type: "object", properties }) });
const id: JsonObject = { name: "id", in: "path", required: true, schema: integer };
const team: JsonObject = { name: "team_id", in: "path", required: true, schema: integer };
const done: JsonObject = { responses: { "204": { description: "" } } };
const note: JsonObject = ref("Note");
const fields: JsonObject = {
  title: { type: "string" },
  archived: { type: "boolean" },
  is_read: { type: "boolean" },
  rank: integer,
};
const listed = (parameters: readonly JsonObject[]): JsonObject => ({
  parameters: [...parameters],
  get: { responses: sends({ type: "array", items: note }) },
  post: { ...takes(fields), responses: { "201": response(note) } },
});

const notes: JsonObject = {
  openapi: "3.0.3",
  info: { title: "Notes", version: "1" },
  paths: {
    "/notes": { ...listed([]), delete: { ...takes({ ids: integers }), ...done } },
    "/notes/{id}": { parameters: [id], get: { responses: sends(note) } },
    "/notes/archive": { put: { ...takes({ note_ids: integers, archived: { type: "boolean" } }), ...done } },
    "/notes/mark-as-read": { post: { requestBody: json(integers), ...done } },
    "/notes/bulk": {
      put: { ...takes({ ids: integers, rank: integer, title: integer }), ...done },
      delete: { ...takes({ ids: integers, rank: integer }), ...done },
      post: { summary: "Get notes by their ids", ...takes({ ids: integers }), ...done },
    },
    "/notes/bulk-delete": { post: { ...takes({ ids: integers, tags: texts }), ...done } },
    "/notes/remove-users": { post: { ...takes({ ids: integers, user_ids: integers }), ...done } },
    "/teams/{team_id}/notes": listed([team]),
    "/teams/{team_id}/notes/{id}": { parameters: [team, id], get: { responses: sends(note) } },
    "/teams/{team_id}/notes/delete": { parameters: [team], post: { ...takes({ ids: integers }), ...done } },
  },
  components: { schemas: { Note: { type: "object", required: ["id"], properties: { id: integer, ...fields } } } },
};

let served: Served;
beforeAll(async () => {
  served = await serve(notes);
});

const MADE = { title: "Tea", archived: false, is_read: false, rank: 1 };

test.each<[line: string, send: (ids: readonly number[]) => Json, changed: JsonObject | undefined]>([
  ["DELETE /notes", (ids) => ({ ids: [...ids] }), undefined],
  ["DELETE /notes/bulk", (ids) => ({ ids: [...ids, 98765] }), undefined],
  ["POST /notes/bulk-delete", (ids) => ({ ids: [...ids] }), undefined],
  ["PUT /notes/archive", (note_ids) => ({ note_ids: [...note_ids] }), { archived: true }],
  ["PUT /notes/archive", (note_ids) => ({ note_ids: [...note_ids], archived: false }), {}],
  ["POST /notes/mark-as-read", (ids) => [...ids], { is_read: true }],
  ["PUT /notes/bulk", (ids) => ({ ids: [...ids], rank: 7, title: 3 }), { rank: 7 }],
  ["POST /notes/bulk", (ids) => ({ ids: [...ids] }), {}],
  ["POST /notes/remove-users", (ids) => ({ ids: [...ids], user_ids: [1] }), {}],
])("%s concerns the records whose ids it has, and no others", async (line, send, changed) => {
  const ask = apart(served);
  const ids: number[] = [];
  for (let count = 0; count < 3; count++) {
    ids.push(((await ask("POST /notes", { body: MADE })).body as { id: number }).id);
  }
  const [first, second, other] = ids as [number, number, number];
  const before = (await ask("GET /notes")).body as JsonObject[];
  expect((await ask(line, { body: send([first, second]) })).status).toBe(204);
  for (const one of [first, second]) {
    const { status, body } = await ask(`GET /notes/${one}`);
    if (changed) expect(body).toEqual({ id: one, ...MADE, ...changed });
    else expect(status).toBe(404);
  }
  expect((await ask(`GET /notes/${other}`)).body).toEqual({ id: other, ...MADE });
  const after = (await ask("GET /notes")).body as JsonObject[];
  expect(after).toHaveLength(before.length - (changed ? 0 : 2));
});

test("records of another parent stay", async () => {
  const ask = apart(served);
  const made = async (of: number): Promise<number> =>
    ((await ask(`POST /teams/${of}/notes`, { body: MADE })).body as { id: number }).id;
  const [own, other] = [await made(1), await made(2)];
  expect((await ask("POST /teams/1/notes/delete", { body: { ids: [own, other] } })).status).toBe(204);
  expect((await ask(`GET /teams/1/notes/${own}`)).status).toBe(404);
  expect((await ask(`GET /teams/2/notes/${other}`)).body).toMatchObject(MADE);
});

test("a dry run changes nothing, and no ids are none", async () => {
  const ask = apart(served);
  const { id } = (await ask("POST /notes", { body: MADE })).body as { id: number };
  await ask("DELETE /notes", { body: { ids: [id] }, headers: { Prefer: "tx=rollback" } });
  await ask("DELETE /notes", { body: { ids: [] } });
  expect((await ask(`GET /notes/${id}`)).body).toEqual({ id, ...MADE });
});

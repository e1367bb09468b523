import { expect, test } from "vitest";
import type { JsonObject } from "../../../src/base/json/json.ts";
import { inferRecording } from "../../../src/features/record/infer/infer-recording.ts";
import { serve } from "../document/serve.ts";
import { type Row, traffic } from "./traffic.ts";

async function serveRecording(...rows: readonly Row[]) {
  const { document, data } = inferRecording(traffic(...rows));
  return (await serve(document, { data } as never)).ask;
}

const old = { id: 1, title: "Old", state: "done", closed: true, labels: ["a"], author: { name: "Bo" }, note: "n" };
const born = { id: 2, title: "New", state: "open", labels: [], author: { name: "Ada" } };

test("a new record begins like those that were created, without the fields that come later", async () => {
  const ask = await serveRecording(
    ["GET /tasks", 200, { body: [old] }],
    ["POST /tasks", 201, { sent: { title: "New" }, body: born }],
  );
  const { body } = await ask("POST /tasks", { body: { title: "Third" } });
  const { id, ...rest } = body as JsonObject;
  expect(id).not.toBe(2);
  expect(rest).toEqual({ title: "Third", state: "open", labels: [], author: { name: "Ada" } });
});

test("where the POST tells only an address, the first read shows what a new record has", async () => {
  const ask = await serveRecording(
    ["GET /tasks", 200, { body: [old] }],
    ["POST /tasks", 201, { sent: { title: "New" }, body: { ok: true }, headers: [["Location", "/tasks/2"]] }],
    ["GET /tasks/2", 200, { body: born }],
    ["PATCH /tasks/2", 200, { sent: { note: "later" }, body: { ...born, note: "later" } }],
  );
  const created = await ask("POST /tasks", { body: { title: "Third" } });
  const { body } = await ask(`GET ${new URL(created.headers.get("location") ?? "", "http://localhost").pathname}`);
  const { id: _, ...rest } = body as JsonObject;
  expect(rest).toEqual({ title: "Third", state: "open", labels: [], author: { name: "Ada" } });
});

test("ids, times and addresses of a new record are its own", () => {
  const own = {
    uuid: "0edf4708-63d0-45b6-8de4-9c4334b52999",
    at: "2026-01-02T03:04:05Z",
    url: "https://a.test/2",
    number: 7,
  };
  const { document } = inferRecording(
    traffic(
      ["GET /tasks", 200, { body: [{ id: 1, title: "Old" }] }],
      ["POST /tasks", 201, { sent: {}, body: { id: 2, ...own, rank: 7 } }],
    ),
  );
  const { schemas } = document.components as { schemas: Record<string, { properties: Record<string, JsonObject> }> };
  const { properties = {} } = schemas.Task ?? {};
  const fixed = Object.keys(properties).filter((name) => properties[name]?.default !== undefined);
  expect(fixed).toEqual(["rank"]);
});

test("a field that was null in every record is null in new ones", async () => {
  const rows = [1, 2, 3].map((id) => ({ id, crossposted_at: null, opened_at: null }));
  const ask = await serveRecording(
    ["GET /tasks", 200, { body: rows }],
    ["POST /tasks", 201, { sent: { id: 4 }, body: { id: 4, crossposted_at: null, opened_at: null } }],
  );
  const { body } = await ask("POST /tasks", { body: {} });
  expect(body).toMatchObject({ crossposted_at: null, opened_at: null });
});

test("a POST that was answered with 200 and a new record creates one, with or without a body", async () => {
  const ask = await serveRecording(
    ["GET /tasks", 200, { body: [{ id: "a1", title: "Old" }] }],
    ["POST /tasks?title=New", 200, { body: { id: "b2", title: null } }],
  );
  const created = await ask("POST /tasks?title=Third");
  const { id } = created.body as JsonObject;
  expect([created.status, (await ask(`GET /tasks/${id}`)).status]).toEqual([200, 200]);
});

test("a secret that only the response of the POST shows is in no later response", async () => {
  const ask = await serveRecording(
    ["GET /users/1/keys", 200, { body: [{ id: "a", created: 5 }] }],
    ["POST /users/1/keys", 201, { body: { id: "b", created: 7, secret: "redacted-12345678", user_id: 397 } }],
    ["GET /users/1/keys/b", 200, { body: { id: "b", created: 7 } }],
  );
  expect((await ask("GET /users/1/keys")).body).toHaveLength(2);
  const { body } = await ask("POST /users/1/keys");
  const { id, ...shown } = body as JsonObject;
  expect(Object.keys(shown).sort()).toEqual(["created", "secret", "user_id"]);
  expect(Object.keys((await ask(`GET /users/1/keys/${id}`)).body as JsonObject).sort()).toEqual(["created", "id"]);
});

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

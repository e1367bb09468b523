import { expect, test } from "vitest";
import type { JsonObject } from "../../../src/base/json/json.ts";
import { json, response } from "./documents.ts";
import { serve } from "./serve.ts";

const text: JsonObject = { type: "string" };
const number: JsonObject = { type: "integer" };
const object = (properties: JsonObject): JsonObject => ({ type: "object", properties });
const ok = (schema: JsonObject): JsonObject => ({ responses: { 200: response(schema) } });

const LINK = object({ rel: text, href: text });

/** Jobs of one form, in a list with fields around it. */
function jobs(
  fields: JsonObject,
  around: JsonObject,
  more: { query?: JsonObject[]; sends?: JsonObject } = {},
): JsonObject {
  const job = object({ id: text, title: text, ...fields });
  return {
    openapi: "3.0.3",
    info: { title: "Jobs", version: "1" },
    servers: [{ url: "/v1" }],
    paths: {
      "/jobs": {
        get: { parameters: more.query ?? [], ...ok(object({ jobs: { type: "array", items: job }, ...around })) },
        post: { summary: "Create a job", requestBody: json(job), ...ok(more.sends ?? job) },
      },
      "/jobs/{id}": {
        parameters: [{ name: "id", in: "path", required: true, schema: text }],
        get: ok(job),
      },
    },
  };
}

const at = (value: unknown, ...path: string[]): unknown =>
  path.reduce((inner: unknown, name) => (inner as JsonObject)[name], value);

const links: [string, JsonObject, (job: JsonObject) => unknown][] = [
  ["self", { self: text }, ({ self }) => self],
  [
    "_links.self.href",
    { _links: object({ self: object({ href: text }) }) },
    (job) => at(job, "_links", "self", "href"),
  ],
  ["links.self", { links: object({ self: text }) }, (job) => at(job, "links", "self")],
  [
    "a list of links",
    { links: { type: "array", items: LINK } },
    (job) => (job.links as JsonObject[]).find(({ rel }) => rel === "self")?.href,
  ],
];
for (const [name, fields, linkOf] of links) {
  test(`${name} of a record leads to it`, async () => {
    const { ask, standin } = await serve(jobs(fields, {}));
    const [first] = ((await ask("GET /v1/jobs")).body as { jobs: JsonObject[] }).jobs;
    expect(linkOf(first!)).toBe(`${standin.url}/v1/jobs/${first!.id}`);
    const made = (await ask("POST /v1/jobs", { body: { title: "a" } })).body as JsonObject;
    expect((await ask(`GET ${new URL(String(linkOf(made))).pathname}`)).body).toEqual(made);
  });
}

test("a text that looks like the place of an address stays as it is", async () => {
  const { ask } = await serve(jobs({ self: text }, {}));
  const title = "x-standin-server:$&";
  expect((await ask("POST /v1/jobs", { body: { title } })).body).toMatchObject({ title });
});

test("the cursor beside a link in `next` is the one that the link has", async () => {
  const next = { type: "object", required: ["after"], properties: { after: text, link: text } };
  const query = ["after", "limit"].map((name) => ({ name, in: "query", schema: name === "limit" ? number : text }));
  const { ask } = await serve(jobs({}, { paging: object({ next }) }, { query }));
  const { paging } = (await ask("GET /jobs?limit=2")).body as { paging: { next: { after: string; link: string } } };
  expect(new URL(paging.next.link).searchParams.get("after")).toBe(paging.next.after);
});

test("positions and counts around a list are those of the page", async () => {
  const around = { total_record_count: number, resultSetSize: number, startPosition: number, endPosition: number };
  const { ask } = await serve(jobs({}, around));
  const { jobs: list, ...facts } = (await ask("GET /jobs")).body as { jobs: unknown[] };
  const count = list.length;
  expect(facts).toEqual({ total_record_count: count, resultSetSize: count, startPosition: 0, endPosition: count - 1 });
});

test("the body of a success says that it succeeded", async () => {
  const meta = object({ code: { ...number, description: "HTTP result code" } });
  const around = { success: { type: "boolean" }, failed: { type: "boolean" }, meta };
  const sends = object({ status: { ...text, example: "error" }, success: { type: "boolean" } });
  const { ask } = await serve(jobs({}, around, { sends }));
  expect((await ask("GET /jobs")).body).toMatchObject({ success: true, failed: false, meta: { code: 200 } });
  expect((await ask("POST /jobs", { body: { title: "a" } })).body).toEqual({ status: "ok", success: true });
});

test("a description that tells when a field is there does not tell its value", async () => {
  const fee = { ...text, description: "The fee. This is only sent if `status` is `completed`." };
  const time = { ...text, description: "Creation UNIX timestamp" };
  const { ask } = await serve(jobs({ fee, begun: time, job_uuid: text }, {}));
  for (const job of ((await ask("GET /jobs")).body as { jobs: JsonObject[] }).jobs) {
    expect(job.fee).not.toBe("completed");
    expect(job.begun).toMatch(/^\d{9,10}$/);
  }
});

test("the id in the example of a request is free, and an id that is called a guid is one", async () => {
  const job = object({ id: number, title: text });
  const body = { content: { "application/json": { schema: job, example: { id: 3, title: "a" } } } };
  const document = jobs({}, {}) as { paths: Record<string, JsonObject> };
  document.paths["/jobs"] = {
    get: ok({ type: "array", items: job }),
    post: { requestBody: body, ...ok(job) },
  };
  document.paths["/jobs/{id}"] = {
    parameters: [{ name: "id", in: "path", required: true, schema: number }],
    get: ok(job),
  };
  const row = object({ guid: text, name: text });
  document.paths["/rows"] = { get: ok({ type: "array", items: row }) };
  document.paths["/rows/{guid}"] = {
    parameters: [{ name: "guid", in: "path", required: true, schema: text }],
    get: ok(row),
  };
  const { ask } = await serve(document as unknown as JsonObject);
  expect((await ask("POST /jobs", { body: { id: 3, title: "a" } })).body).toMatchObject({ id: 3 });
  for (const { guid } of (await ask("GET /rows")).body as { guid: string }[]) expect(guid).toMatch(/^[\da-f-]{36}$/);
});

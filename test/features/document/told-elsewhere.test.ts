import { beforeAll, describe, expect, test } from "vitest";
import type { JsonObject } from "../../../src/base/json/json.ts";
import { json, ref, response } from "./documents.ts";
import { apart, type Served, serve } from "./serve.ts";

const text: JsonObject = { type: "string" };
const integer: JsonObject = { type: "integer" };
const kinds: JsonObject = { type: "string", enum: ["strict", "loose"] };

function object(properties: JsonObject, required: string[] = []): JsonObject {
  return { type: "object", required, properties };
}

function list(schema: JsonObject): JsonObject {
  return { responses: { 200: response({ type: "array", items: schema }) } };
}

function at(name: string, schema: JsonObject = text): JsonObject {
  return { parameters: [{ name, in: "path", required: true, schema }] };
}

/** Facts of records that stand beside them: in receipts, in the values of wildcards, in names of parts. */
const facts: JsonObject = {
  openapi: "3.0.3",
  info: { title: "Facts", version: "1" },
  paths: {
    "/articles": {
      get: list(ref("Article")),
      post: {
        requestBody: json(object({ title: text })),
        responses: { 201: response(object({ entity_id: integer, Id: object({ id: integer }), location: text })) },
      },
    },
    "/articles/{id}": {
      ...at("id", integer),
      get: { responses: { 200: response(ref("Article")) } },
      put: {
        requestBody: json(object({ title: text })),
        responses: { 200: response(object({ entity_id: integer, location: text })) },
      },
      delete: { responses: { 200: response(object({ ErrorCode: integer, Message: text })) } },
    },
    "/notes": {
      get: list(ref("Article")),
      post: {
        requestBody: json(object({ title: text })),
        responses: {
          201: { description: "", content: { "application/json": { example: { status: "ok", id: "###" } } } },
        },
      },
    },
    "/notes/{id}": { ...at("id", integer), get: { responses: { 200: response(ref("Article")) } } },
    "/jobs": {
      get: list(ref("Job")),
      post: { requestBody: json(object({ title: text })), responses: { 201: response(ref("Job")) } },
    },
    "/jobs/{id}": { ...at("id", integer), get: { responses: { 200: response(ref("Job")) } } },
    "/commits": { get: list(ref("Commit")) },
    "/commits/{ref}": {
      ...at("ref"),
      get: { responses: { 200: response(ref("Commit")) } },
      delete: { responses: { 200: response(object({ object: text, deleted: { type: "boolean" } })) } },
    },
    "/entries": { get: { responses: { 200: response(ref("EntryItems")) } } },
    "/entries/{name}": {
      ...at("name"),
      get: { responses: { 200: response(ref("EntryItems")) } },
      put: { requestBody: json(ref("Entry")), responses: { 204: { description: "Done" } } },
    },
    "/rules": { get: { responses: { 200: response({ type: "array", items: kinds }) } } },
    "/rules/{rule}": { ...at("rule", kinds), get: { responses: { 200: response(ref("Rule")) } } },
    "/overrides": {
      get: {
        requestBody: { required: true, ...json(object({ page: integer })) },
        responses: {
          200: response(
            object({
              results: { type: "array", items: ref("Override") },
              pagination: object({ results: integer }, ["results"]),
            }),
          ),
        },
      },
      post: {
        requestBody: json(object({ start: text, username: text }, ["username"])),
        responses: { 201: response(ref("Override")) },
      },
    },
    "/overrides/{id}": { ...at("id"), get: { responses: { 200: response(ref("Override")) } } },
    "/hooks": {
      get: { responses: { 200: response(ref("Hook")) } },
      post: { requestBody: json(object({ url: text })), responses: { 201: response(ref("Hook")) } },
    },
    "/hooks/{id}": {
      ...at("id", integer),
      get: { responses: { 200: response(ref("Hook")) } },
      delete: { responses: { 204: { description: "Gone" } } },
    },
    "/vms": { get: list(object({ entity_id: text, kind: text })) },
    "/vms/{id}": {
      ...at("id"),
      get: { responses: { 200: response(object({ entity_id: text, kind: text, cpus: integer })) } },
    },
    "/country_specs": { get: list(ref("Spec")) },
    "/country_specs/{country}": { ...at("country"), get: { responses: { 200: response(ref("Spec")) } } },
    "/transfers": { get: list(object({ batchItemUuid: text, batchUuid: text, amount: integer })) },
    "/transfers/{itemUuid}": { ...at("itemUuid"), delete: { responses: { 204: { description: "Gone" } } } },
    "/notices/list": { get: list(ref("Notice")) },
    "/notices/list/{id}": { ...at("id"), get: { responses: { 200: response(ref("Notice")) } } },
  },
  components: {
    schemas: {
      Article: object({ id: integer, title: text, publishedDate: { type: "integer", format: "int64" } }),
      Rule: object({ kind: kinds, note: text }),
      Commit: object({ sha: text, message: text }),
      Job: object({
        ...{ id: integer, title: text, createTime: text, createdDate: text, self: text },
        profileChangedAt: { type: "string", format: "date-time" },
        dateCancelled: { type: "string", format: "date-time", nullable: true },
        createdTime: {
          ...text,
          nullable: true,
          pattern: "^[0-9]{4}-?[0-9]{2}-?[0-9]{2}[ T][0-9]{2}:[0-9]{2}:[0-9]{2}Z$",
        },
      }),
      Entry: object({ name: text, rights: text, links: object({ self: text }) }),
      EntryItems: object({ items: { type: "array", items: ref("Entry") }, links: object({ next: text }) }),
      Override: object({ id: text, start: text, user: object({ username: text, name: text }) }),
      Hook: object({ id: integer, url: text }),
      Spec: object({ id: text, currency: text }),
      Notice: object({ noticeId: text, subjectId: text }),
    },
  },
};

describe("facts of records that documents tell elsewhere", () => {
  let served: Served;
  beforeAll(async () => {
    served = await serve(facts, { validate: "on" });
  });

  test("the response to a create names the new record and its address", async () => {
    const ask = apart(served);
    const { body } = await ask("POST /articles", { body: { title: "Desk" } });
    const { entity_id, location } = body as { entity_id: number; location: string };
    expect(body).toHaveProperty("Id", { id: entity_id });
    expect(new URL(location).pathname).toMatch(new RegExp(`/articles/${entity_id}$`));
    expect((await ask(`GET /articles/${entity_id}`)).body).toMatchObject({ id: entity_id, title: "Desk" });
    expect((await ask(`DELETE /articles/${entity_id}`)).body).toMatchObject({ ErrorCode: 0 });
  });

  test("so does one that only an example describes", async () => {
    const ask = apart(served);
    const { body } = await ask("POST /notes", { body: { title: "Lamp" } });
    const { id } = body as { id: string };
    expect(body).toEqual({ status: "ok", id: expect.stringMatching(/^\d+$/) });
    expect((await ask(`GET /notes/${id}`)).body).toMatchObject({ id: Number(id), title: "Lamp" });
  });

  test("the response to a change names the record as well", async () => {
    const ask = apart(served);
    const { body } = await ask("PUT /articles/2", { body: { title: "Chair" } });
    expect(body).toMatchObject({ entity_id: 2, location: expect.stringMatching(/^http.*\/articles\/2$/) });
  });

  test("texts are times, dates and addresses by their names, made and set alike", async () => {
    const ask = apart(served);
    const started = Date.now();
    const { body } = await ask("POST /jobs", { body: { title: "Sweep" } });
    const [first] = (await ask("GET /jobs")).body as JsonObject[];
    for (const { createdDate, self, dateCancelled } of [body as JsonObject, first!]) {
      expect(createdDate).toMatch(/^\d{4}-\d\d-\d\d$/);
      expect(self).toMatch(/^http:.*\/jobs\/\d+$/);
      expect(dateCancelled).toBeNull();
    }
    const { createTime, profileChangedAt, createdTime } = body as Record<string, string>;
    for (const time of [createTime!, profileChangedAt!]) expect(Date.parse(time)).toBeGreaterThanOrEqual(started);
    expect(Date.parse(createdTime!)).toBeGreaterThan(started - 2000);
  });

  test("a commit is found by its hash, and a notice of its removal says that it is gone", async () => {
    const ask = apart(served);
    const [commit] = (await ask("GET /commits")).body as JsonObject[];
    expect((await ask(`GET /commits/${commit!.sha}`)).body).toEqual(commit);
    expect((await ask(`DELETE /commits/${commit!.sha}`)).body).toMatchObject({ deleted: true });
  });

  test("a path that sends what the list sends has its record in that list", async () => {
    const ask = apart(served);
    const { items } = (await ask("GET /entries")).body as { items: JsonObject[] };
    const { body } = await ask(`GET /entries/${encodeURIComponent(String(items[0]!.name))}`);
    expect(body).toMatchObject({ items: [items[0]] });
  });

  test("numbers that are named like times are times", async () => {
    const [first] = (await served.ask("GET /articles")).body as { publishedDate: number }[];
    expect(first!.publishedDate).toBeGreaterThan(1_600_000_000_000);
  });

  test("a field with the values of the wildcard names a record", async () => {
    expect((await served.ask("GET /rules")).body).toContain("loose");
    expect((await served.ask("GET /rules/loose")).body).toMatchObject({ kind: "loose" });
  });

  test("a part is named by one of its fields, and a count counts what is sent", async () => {
    const ask = apart(served);
    const made = await ask("POST /overrides", { body: { start: "now", username: "ada" } });
    expect(made.body).toMatchObject({ start: "now", user: { username: "ada" } });
    const { results, pagination } = (await ask("GET /overrides")).body as {
      results: JsonObject[];
      pagination: JsonObject;
    };
    expect(pagination).toEqual({ results: results.length });
  });

  test("a path of a list that sends one record sends the first", async () => {
    const ask = apart(served);
    const { id } = (await ask("GET /hooks")).body as { id: number };
    expect((await ask(`GET /hooks/${id}`)).body).toMatchObject({ id });
    const made = (await ask("POST /hooks", { body: { url: "https://example.org" } })).body as { id: number };
    expect((await ask(`GET /hooks/${made.id}`)).body).toMatchObject({ url: "https://example.org" });
    await ask(`DELETE /hooks/${id}`);
    expect((await ask("GET /hooks")).body).not.toMatchObject({ id });
  });

  test.each([
    ["/vms", "entity_id"],
    ["/country_specs", "id"],
    ["/transfers", "batchItemUuid"],
  ])("records of %s are named by %s", async (path, key) => {
    const ask = apart(served);
    const [first] = (await ask(`GET ${path}`)).body as JsonObject[];
    const method = path === "/transfers" ? "DELETE" : "GET";
    expect((await ask(`${method} ${path}/${first![key]}`)).status).toBeLessThan(300);
    expect((await ask(`${method} ${path}/none`)).status).toBe(404);
  });

  test("records of /notices/list are notices", async () => {
    const [first] = (await served.ask("GET /notices/list")).body as { noticeId: string }[];
    expect(first).not.toHaveProperty("id");
    expect((await served.ask(`GET /notices/list/${first!.noticeId}`)).body).toEqual(first);
  });
});

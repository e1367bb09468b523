import { beforeAll, expect, test } from "vitest";
import type { JsonObject } from "../../../src/base/json/json.ts";
import { json, ref, response } from "./documents.ts";
import { apart, type Served, serve } from "./serve.ts";

const plan = ref("Plan");
const sends = (schema: JsonObject, code = "200"): JsonObject => ({ [code]: response(schema) });
const takes = (properties: JsonObject): JsonObject => json({ type: "object", properties });
const path = (...names: string[]): JsonObject[] =>
  names.map((name) => ({ name, in: "path", required: true, schema: { type: "integer" } }));
const text: JsonObject = { type: "string" };

const plans: JsonObject = {
  openapi: "3.0.3",
  info: { title: "Plans", version: "1" },
  paths: {
    "/plans": {
      get: { responses: sends({ type: "array", items: plan }) },
      post: {
        requestBody: takes({ name: text, features: {}, price: {}, image_url: text }),
        responses: sends(plan, "201"),
      },
    },
    "/plans/{id}": { parameters: path("id"), get: { responses: sends(plan) } },
    "/plans/{id}/duplicate": {
      parameters: path("id"),
      post: { requestBody: takes({ name: text }), responses: sends(plan, "201") },
    },
    "/plans/{id}/clone": {
      parameters: path("id"),
      post: { responses: sends({ type: "object", required: ["id"], properties: { id: { type: "integer" } } }) },
    },
    "/plans/{id}/copy": {
      parameters: path("id"),
      put: { responses: sends({ type: "object", properties: { copied_plan: plan } }) },
    },
    "/plans/{id}/copyright": { parameters: path("id"), post: { responses: sends(plan) } },
    "/teams": { get: { responses: sends({ type: "array", items: ref("Team") }) } },
    "/teams/{team_id}": {
      parameters: path("team_id"),
      get: { responses: sends(ref("Team")) },
    },
    "/teams/{team_id}/boards": {
      parameters: path("team_id"),
      get: { responses: sends({ type: "array", items: ref("Board") }) },
      post: { requestBody: takes({ title: text }), responses: sends(ref("Board"), "201") },
    },
    "/teams/{team_id}/boards/{id}": {
      parameters: path("team_id", "id"),
      get: { responses: sends(ref("Board")) },
    },
    "/teams/{team_id}/boards/{id}/fork": {
      parameters: path("team_id", "id"),
      post: { responses: sends(ref("Board"), "201") },
    },
  },
  components: {
    schemas: {
      Plan: {
        type: "object",
        required: ["id", "name", "status"],
        properties: {
          id: { type: "integer" },
          name: text,
          slug: text,
          url: { type: "string", format: "uri" },
          image_url: { type: "string", format: "uri" },
          status: { type: "string", enum: ["draft", "published"] },
          price: { type: "number" },
          features: { type: "array", items: text },
          created_at: { type: "string", format: "date-time" },
          archived_at: { type: "string", format: "date-time", nullable: true },
        },
      },
      Team: { type: "object", properties: { id: { type: "integer" }, name: text } },
      Board: {
        type: "object",
        required: ["id", "team_id", "title"],
        properties: { id: { type: "integer" }, team_id: { type: "integer" }, title: text },
      },
    },
  },
};

let served: Served;
beforeAll(async () => {
  served = await serve(plans, { clock: "2030-01-01T12:00:00Z" });
});

const PRO = { name: "Pro", price: 12.5, features: ["sso", "audit"], image_url: "https://example.com/pro.png" };

async function withPlan(): Promise<{ ask: Served["ask"]; made: JsonObject; count: number }> {
  const ask = apart(served);
  const { id } = (await ask("POST /plans", { body: PRO })).body as { id: number };
  const later = { status: "published", archived_at: "2029-01-01T00:00:00Z", created_at: "2028-01-01T00:00:00Z" };
  await ask(`PATCH /plans/${id}`, { body: later, headers: { "X-Standin-Routes": "own" } });
  const made = (await ask(`GET /plans/${id}`)).body as JsonObject;
  expect(made).toMatchObject({ ...PRO, ...later });
  return { ask, made, count: await countPlans(ask) };
}

async function countPlans(ask: Served["ask"]): Promise<number> {
  return ((await ask("GET /plans")).body as unknown[]).length;
}

test("a duplicate has what was sent, and otherwise what the record has; id, state and times are its own", async () => {
  const { ask, made, count } = await withPlan();
  const { status, body } = await ask(`POST /plans/${made.id}/duplicate`, { body: { name: "Pro 2" } });
  const copy = body as JsonObject;
  expect(status).toBe(201);
  expect(copy).toMatchObject({ ...PRO, name: "Pro 2", status: "draft" });
  expect([copy.archived_at ?? null, String(copy.created_at).slice(0, 10)]).toEqual([null, "2030-01-01"]);
  expect(copy.id).not.toBe(made.id);
  expect([copy.slug, copy.url]).not.toContain(made.slug);
  expect([copy.slug, copy.url]).not.toContain(made.url);
  expect((await ask(`GET /plans/${copy.id}`)).body).toEqual(copy);
  expect((await ask(`GET /plans/${made.id}`)).body).toEqual(made);
  expect(await countPlans(ask)).toBe(count + 1);
});

test("a response that has only the id names the copy", async () => {
  const { ask, made } = await withPlan();
  const { id } = (await ask(`POST /plans/${made.id}/clone`)).body as JsonObject;
  expect(id).not.toBe(made.id);
  expect((await ask(`GET /plans/${id}`)).body).toMatchObject(PRO);
});

test("PUT copies, too, and the copy stands where the response has it", async () => {
  const { ask, made, count } = await withPlan();
  const { copied_plan } = (await ask(`PUT /plans/${made.id}/copy`)).body as { copied_plan: JsonObject };
  expect(copied_plan).toMatchObject(PRO);
  expect(copied_plan.id).not.toBe(made.id);
  expect(await countPlans(ask)).toBe(count + 1);
});

test("what is not there cannot be copied, and a word that only begins alike copies nothing", async () => {
  const { ask, made, count } = await withPlan();
  expect((await ask("POST /plans/98765/duplicate", { body: {} })).status).toBe(404);
  expect((await ask(`POST /plans/${made.id}/copyright`)).body).toEqual(made);
  expect(await countPlans(ask)).toBe(count);
});

test("a copy is below the parent of its path, and none is made of another's record", async () => {
  const ask = apart(served);
  const [one, other] = ((await ask("GET /teams")).body as { id: number }[]).map(({ id }) => id);
  const { id } = (await ask(`POST /teams/${one}/boards`, { body: { title: "Ideas" } })).body as { id: number };
  const { status, body } = await ask(`POST /teams/${one}/boards/${id}/fork`);
  const copy = body as JsonObject;
  expect(status).toBe(201);
  expect(copy).toMatchObject({ title: "Ideas", team_id: one });
  expect((await ask(`GET /teams/${one}/boards/${copy.id}`)).body).toEqual(copy);
  expect((await ask(`POST /teams/${other}/boards/${id}/fork`)).status).toBe(404);
});

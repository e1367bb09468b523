import { beforeAll, expect, test } from "vitest";
import type { JsonObject } from "../../../src/base/json/json.ts";
import { apart, type Served, serve } from "./serve.ts";

const text: JsonObject = { type: "string" };
const flag: JsonObject = { type: "boolean" };
const integer: JsonObject = { type: "integer" };
const time: JsonObject = { type: "string", format: "date-time", nullable: true };
const object = (properties: JsonObject): JsonObject => ({ type: "object", properties });
const list = (items: JsonObject): JsonObject => ({ type: "array", items });
const said = (description: string, schema = text): JsonObject => ({ ...schema, description });
const json = (schema: JsonObject): JsonObject => ({ content: { "application/json": { schema } } });
const sends = (schema: JsonObject): JsonObject => ({ "200": { description: "", ...json(schema) } });
const query = (name: string, description: string): JsonObject => ({ name, in: "query", schema: text, description });
const id: JsonObject = { name: "id", in: "path", required: true, schema: text };
const kind = (type: string, more: JsonObject = {}): JsonObject => ({
  type: "object",
  required: ["type"],
  properties: { type: { type: "string", enum: [type] }, ...more },
});

const milestone: JsonObject = { ...object({ id: integer, number: integer, title: text }), nullable: true };
const dispute = object({
  id: text,
  name: text,
  created: time,
  status: said("This will be `pending` when the dispute is initially created. It ends as `done`, `won` or `lost`."),
  secret: said("Only returned at creation."),
  milestone,
  rules: list({ anyOf: [kind("creation"), kind("deletion", { force: flag })] }),
});
const paths: JsonObject = {
  "/disputes": {
    get: {
      description: "They are sorted by creation date, with the most recent disputes appearing first.",
      parameters: [
        query("milestone", "The `number` of one. If the string `none` is passed, those without milestones."),
        query("limit", ""),
        query("starting_after", ""),
        query("ending_before", ""),
      ],
      responses: sends(object({ data: list(dispute), has_more: flag })),
    },
    post: { requestBody: json(dispute), responses: sends(dispute) },
  },
  "/disputes/{id}": { parameters: [id], get: { responses: sends(dispute) } },
  "/disputes/{id}/close": {
    parameters: [id],
    post: {
      description: "The status of the dispute will change from <code>pending</code> to <code>lost</code>.",
      responses: sends(dispute),
    },
  },
};
const api: JsonObject = { openapi: "3.0.3", info: { title: "Words", version: "1" }, paths };

let served: Served;
beforeAll(async () => {
  served = await serve(api);
});

const create = async (ask: Served["ask"], body: JsonObject): Promise<JsonObject> =>
  (await ask("POST /disputes", { body })).body as JsonObject;

test("a new record begins in the state that its description tells, and an action leads to the one of its own", async () => {
  const ask = apart(served);
  const made = await create(ask, { name: "A" });
  expect(made.status).toBe("pending");
  expect((await ask(`POST /disputes/${made.id}/close`)).body).toMatchObject({ status: "lost" });
});

test("what is only returned at creation is in no other response", async () => {
  const ask = apart(served);
  const made = await create(ask, { name: "A", secret: "s" });
  expect(made.secret).toBe("s");
  expect((await ask(`GET /disputes/${made.id}`)).body).not.toHaveProperty("secret");
});

test("the type of a part tells which alternative it is", async () => {
  const { rules } = await create(apart(served), { rules: [{ type: "deletion", force: true }, { type: "creation" }] });
  expect(rules).toEqual([{ type: "deletion", force: true }, { type: "creation" }]);
});

test("a list begins with the newest records, as its description says", async () => {
  const ask = apart(served);
  await create(ask, { name: "Old", created: "2090-01-01T00:00:00Z" });
  await create(ask, { name: "New", created: "2091-01-01T00:00:00Z" });
  const { data } = (await ask("GET /disputes?limit=2")).body as { data: JsonObject[] };
  expect(data.map(({ name }) => name)).toEqual(["New", "Old"]);
});

test("none stands for records without a value, where the description says so", async () => {
  const ask = apart(served);
  await create(ask, { name: "With", milestone: { id: 1, number: 7 } });
  await create(ask, { name: "Without", milestone: null });
  const { data } = (await ask("GET /disputes?milestone=none&limit=100")).body as { data: JsonObject[] };
  expect(data.some(({ name }) => name === "Without")).toBe(true);
  expect(data.filter((one) => one.milestone)).toEqual([]);
});

test("a client that walks back is told whether there is more before", async () => {
  const ask = apart(served);
  const { data } = (await ask("GET /disputes?limit=3")).body as { data: JsonObject[] };
  const back = `GET /disputes?limit=2&ending_before=${data[2]?.id}`;
  expect((await ask(back)).body).toMatchObject({ data: data.slice(0, 2), has_more: false });
});

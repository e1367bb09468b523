import { beforeAll, expect, test } from "vitest";
import type { JsonObject } from "../../../src/base/json/json.ts";
import { apart, type Served, serve } from "./serve.ts";

const ref = (name: string): JsonObject => ({ $ref: `#/components/schemas/${name}` });
const json = (schema: JsonObject): JsonObject => ({ content: { "application/json": { schema } } });
const sends = (schema: JsonObject): JsonObject => ({ "200": { description: "", ...json(schema) } });
const object = (properties: JsonObject, required = Object.keys(properties)): JsonObject => ({
  type: "object",
  required,
  properties,
});
const text: JsonObject = { type: "string" };
const list = (schema: JsonObject): JsonObject => ({ type: "array", items: schema });

/** A collection whose requests are described otherwise than its records. */
const collection = (name: string, record: JsonObject, sent: JsonObject): JsonObject => ({
  [`/${name}`]: {
    get: { responses: sends(list(record)) },
    post: { operationId: `create_${name}`, requestBody: json(sent), responses: sends(record) },
  },
  [`/${name}/{id}`]: {
    parameters: [{ name: "id", in: "path", required: true, schema: text }],
    get: { responses: sends(record) },
    patch: { requestBody: json({ ...sent, required: [] }), responses: sends(record) },
  },
});

const label = { oneOf: [text, object({ id: { type: "integer" }, name: text, color: text }, ["name"])] };
const issue = object({ id: text, title: text, labels: list(label) });
const labelled = collection("issues", issue, object({ title: text, labels: list(text) }, ["title"]));
labelled["/issues"] = {
  ...(labelled["/issues"] as JsonObject),
  get: {
    parameters: [{ name: "labels", in: "query", description: "Comma-separated names.", schema: text }],
    responses: {
      "200": {
        description: "",
        content: {
          "application/json": {
            schema: list(issue),
            example: [{ id: "1", title: "It rains", labels: [{ id: 7, name: "weather", color: "fff" }] }],
          },
        },
      },
    },
  },
};

const api: JsonObject = {
  openapi: "3.0.3",
  info: { title: "Sent and stored", version: "1" },
  paths: {
    ...collection("prices", ref("Price"), ref("Price")),
    ...collection(
      "subscriptions",
      ref("Subscription"),
      object(
        { customer: text, items: list(object({ price: text })), trial: text, billing: object({ city: text }) },
        [],
      ),
    ),
    ...collection("messages", ref("Message"), object({ Content: text, FriendlyName: text, Odd: text }, [])),
    ...collection("pulls", ref("Pull"), object({ title: text, head: text, count: text, day: text, wrong: text }, [])),
    ...labelled,
    ...collection(
      "roles",
      object({
        id: text,
        permissions: list(text),
        status: { ...text, description: "Can be `pending` or `approved`." },
      }),
      object({ Permission: list(text) }, []),
    ),
    ...collection("vets", ref("Vet"), ref("Vet")),
    ...collection(
      "events",
      { oneOf: [object({ id: text, place: text }), object({ id: text, place: text, link: text })] },
      object({ place: { type: "string", nullable: true } }, []),
    ),
    ...collection("bundles", object({ id: text, name: text }), object({ files: { oneOf: [list(text), text] } })),
    ...collection(
      "accounts",
      ref("Account"),
      object(
        Object.fromEntries(["name", "team", "note", "logo"].map((name) => [name, { type: "string", nullable: true }])),
        [],
      ),
    ),
  },
  components: {
    schemas: {
      Price: object({ id: text, amount: { type: "integer" } }),
      Subscription: object({
        id: text,
        customer: { anyOf: [{ type: "string" }, ref("Price")] },
        items: object({
          object: { type: "string", enum: ["list"] },
          data: list(object({ id: text, price: ref("Price"), quantity: { type: "integer", nullable: true } })),
          has_more: { type: "boolean" },
        }),
        billing: object({ city: text, line: { type: "string", nullable: true } }),
      }),
      Message: object({
        id: text,
        content: list({
          anyOf: [
            object({ type: { type: "string", enum: ["image"] }, image: object({ file: { type: "integer" } }) }),
            object({
              type: { type: "string", enum: ["text"] },
              text: object({ value: text, annotations: list(text) }),
            }),
          ],
        }),
        friendly_name: text,
      }),
      Pull: object({
        id: text,
        title: text,
        head: object({ ref: text, sha: text }),
        count: { type: "integer" },
        day: { type: "integer", format: "unix-time" },
        wrong: object({ left: { type: "integer" } }),
      }),
      Account: object(
        {
          id: text,
          name: text,
          team: text,
          note: { type: "string", nullable: true },
          logo: { type: "object", example: "logo.png" },
          kind: { type: "string", enum: ["private", "public"] },
          plan: { ...ref("Price"), nullable: true },
        },
        ["id", "name"],
      ),
      Vet: object({ id: text, name: text, skills: list(ref("Skill")) }),
      Skill: {
        type: "object",
        required: ["id", "name"],
        properties: { id: { type: "integer", readOnly: true }, name: text },
      },
    },
  },
};

let served: Served;
beforeAll(async () => {
  served = await serve(api);
});

test.each<[line: string, sent: JsonObject, stored: JsonObject]>([
  ["a list in its list object", { items: [] }, { items: { object: "list", data: [], has_more: false } }],
  ["an id where an id or a record may stand", { customer: "c1" }, { customer: "c1" }],
  ["null for what was not sent of an object", { billing: { city: "Rome" } }, { billing: { city: "Rome", line: null } }],
])("a subscription has %s", async (_line, sent, stored) => {
  const ask = apart(served);
  const { body } = await ask("POST /subscriptions", { body: sent });
  expect(body).toMatchObject(stored);
  expect((await ask(`GET /subscriptions/${(body as { id: string }).id}`)).body).toEqual(body);
});

test("an id in an element becomes the record that it names", async () => {
  const ask = apart(served);
  await ask("POST /prices", { body: { id: "p1", amount: 500 } });
  const { body } = await ask("POST /subscriptions", { body: { items: [{ price: "p1" }, { price: "none" }] } });
  const { data } = (body as { items: { data: { id: string; price: JsonObject; quantity: null }[] } }).items;
  expect(data.map(({ price }) => price.id)).toEqual(["p1", "none"]);
  expect(data[0]).toMatchObject({ id: expect.any(String), price: { id: "p1", amount: 500 }, quantity: null });
});

test("names differ in case, and a text becomes the parts that it stands for", async () => {
  const ask = apart(served);
  const { body } = await ask("POST /messages", { body: { Content: "Hello", FriendlyName: "Ada" } });
  const parts = [{ type: "text", text: { value: "Hello", annotations: [] } }];
  expect(body).toMatchObject({ content: parts, friendly_name: "Ada" });
  expect(body).not.toHaveProperty("FriendlyName");
  const { id } = body as { id: string };
  const patched = await ask(`PATCH /messages/${id}`, { body: { FriendlyName: "Eva" } });
  expect(patched.body).toEqual({ ...(body as JsonObject), friendly_name: "Eva" });
});

test("a text becomes the object, the number or the time that records have; what cannot is made", async () => {
  const sent = { title: "Fix", head: "topic", count: "7", day: "2030-01-01T00:00:00Z", wrong: "way" };
  const { body } = await served.ask("POST /pulls", { body: sent });
  expect(body).toMatchObject({
    title: "Fix",
    head: { ref: "topic", sha: expect.any(String) },
    count: 7,
    day: Date.UTC(2030, 0, 1) / 1000,
    wrong: { left: expect.any(Number) },
  });
});

test("objects within a record get the ids that only the server sets", async () => {
  const { body } = await served.ask("POST /vets", { body: { id: "v1", name: "Ada", skills: [{ name: "surgery" }] } });
  expect(body).toMatchObject({ skills: [{ id: expect.any(Number), name: "surgery" }] });
});

test("null unsets a field that records cannot have null in, and leaves one that they must have", async () => {
  const ask = apart(served);
  const { body } = await ask("POST /accounts", { body: { name: "Ada", team: "blue", note: "new" } });
  const { id } = body as { id: string };
  expect(body).toMatchObject({ name: "Ada", team: "blue", note: "new" });
  const patched = await ask(`PATCH /accounts/${id}`, { body: { name: null, team: null, note: null } });
  expect(patched.body).toMatchObject({ id, name: "Ada", note: null });
  expect(patched.body).not.toHaveProperty("team");
});

test("null leaves a field that each form of a record must have", async () => {
  const ask = apart(served);
  const { id } = (await ask("POST /events", { body: { place: "Rome" } })).body as { id: string };
  expect((await ask(`PATCH /events/${id}`, { body: { place: null } })).body).toMatchObject({ id, place: "Rome" });
});

test("a text is not stored where records have an object, nor null beside a reference", async () => {
  const { body } = await apart(served)("POST /accounts", { body: { name: "Ada", logo: "mine.png" } });
  const { logo = {}, plan = {} } = body as JsonObject;
  expect([typeof logo, plan === null]).toEqual(["object", false]);
});

test("a field that requests do not describe is stored if records can have its value", async () => {
  const ask = apart(served);
  const { body } = await ask("POST /accounts", { body: { name: "Ada", Kind: "channel" } });
  expect(["private", "public", undefined]).toContain((body as JsonObject).kind);
  expect((await ask("POST /accounts", { body: { name: "Ada", Kind: "public" } })).body).toMatchObject({
    kind: "public",
  });
});

test("a body without a record where one is expected is the record", async () => {
  const { status, body } = await apart(served)("POST /bundles", { body: { files: ["a.txt", "b.txt"] } });
  expect([status, body]).toMatchObject([200, { id: expect.any(String), name: expect.any(String) }]);
});

test("of a text or an object, records have what their example has, and lists are filtered by it", async () => {
  const ask = apart(served);
  const { body } = await ask("POST /issues", { body: { title: "It snows", labels: ["bug", "cold"] } });
  expect(body).toMatchObject({ labels: [{ name: "bug" }, { name: "cold" }] });
  expect((await ask("GET /issues?labels=bug")).body).toEqual([body]);
  expect((await ask("GET /issues?labels=none,weather")).body).toMatchObject([{ id: "1" }]);
});

test("a list may be named in the singular, and a state in words", async () => {
  const ask = apart(served);
  const { body } = await ask("POST /roles", { body: { Permission: ["read", "write"] } });
  expect(body).toMatchObject({ permissions: ["read", "write"], status: "pending" });
  expect(body).not.toHaveProperty("Permission");
});

test("members of a map get the fields that only the server sets", async () => {
  const members = (schema: JsonObject): JsonObject => ({ type: "object", additionalProperties: schema });
  const scheme = object({ name: text, created_at: { ...text, format: "date-time" } });
  const merchant = object({ id: text, schemes: members({ nullable: true, allOf: [scheme] }) });
  const sent = object({ schemes: members(object({ name: text })) });
  const { ask, warnings } = await serve({
    openapi: "3.0.3",
    info: { title: "Maps", version: "1" },
    paths: collection("merchants", merchant, sent),
  });
  const { body } = await ask("POST /merchants", { body: { schemes: { visa: { name: "Ada" } } } });
  expect(body).toMatchObject({ schemes: { visa: { name: "Ada", created_at: expect.stringMatching(/^\d{4}-/) } } });
  expect(warnings).toEqual([]);
});

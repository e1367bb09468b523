import { beforeAll, describe, expect, test } from "vitest";
import type { Json, JsonObject } from "../../../src/base/json/json.ts";
import { apart, type Served, serve } from "./serve.ts";

const text: JsonObject = { type: "string" };
const flag: JsonObject = { type: "boolean" };
const integer: JsonObject = { type: "integer" };
const time: JsonObject = { type: "string", format: "date-time" };
const object = (properties: JsonObject): JsonObject => ({ type: "object", properties });
const list = (items: JsonObject): JsonObject => ({ type: "array", items });
const json = (schema: JsonObject, example?: Json): JsonObject => ({
  content: { "application/json": { schema, ...(example === undefined ? {} : { example }) } },
});
const sends = (schema: JsonObject, example?: Json): JsonObject => ({
  "200": { description: "", ...json(schema, example) },
});
const creates = (schema: JsonObject, example?: Json): JsonObject => ({
  "201": { description: "", ...json(schema, example) },
});
const query = (name: string, schema: JsonObject, description = ""): JsonObject => ({
  name,
  in: "query",
  schema,
  description,
});
const inPath = (name: string): JsonObject => ({ name, in: "path", required: true, schema: text });

const transfer = object({
  id: text,
  note: text,
  created: time,
  updated: time,
  expiry: time,
  files: list(object({ createdAt: time, updatedAt: time, expiresOn: time })),
  revision: integer,
  numberOfParts: integer,
  issues: object({ open: { type: "integer", description: "Count of open issues." } }),
});
const commit = object({ id: text, description: text, deletedStatus: flag });
const order = object({ id: text, state: text, made_by: object({ kind: text }), link: text });
const version = object({ id: text, name: text, released: flag });
const fee = object({ id: text, fee: text, amount: integer });
const track = object({ id: { type: "integer", format: "int32" }, seriesId: { type: "integer", format: "int32" } });
const license = object({
  id: { ...text, example: "123e4567-e89b-12d3-a456-426655440000" },
  fromDate: time,
  toDate: time,
});
const page = object({ slug: text, title: text });
const member = object({ id: integer, series: text });
const method = object({
  id: text,
  type: { type: "string", enum: ["card", "bank"] },
  card: object({ last4: text }),
  bank: object({ iban: text }),
});
const article = object({
  slug: text,
  title: text,
  lastUsedAt: time,
  isDeleted: flag,
  license: object({ typeId: text, id: text, obj: object({ id: text }) }),
  labels: { type: "object", additionalProperties: text },
});
const hook = object({
  id: { ...text, readOnly: true },
  events: list(text),
  secret: text,
  status: { ...text, enum: ["active", "idle"] },
});
const item = object({ id: { ...text, pattern: "^prd_[0-9a-z]{8}$", example: "prd_01hzzabc" }, name: text });
const currency = object({ code: { ...text, maxLength: 3, example: "USD" }, name: text });
const tag = object({
  id: text,
  name: text,
  value: { ...object({ type: text }), discriminator: { propertyName: "type" } },
});
const customer: JsonObject = { $ref: "#/components/schemas/Customer" };
const address: JsonObject = { $ref: "#/components/schemas/Address" };
const person: JsonObject = { $ref: "#/components/schemas/Person" };
const branch = object({
  id: text,
  sha: text,
  branch: text,
  team: object({ id: text, name: text }),
  owner: object({ id: text, email: text, city: text, phone: text }),
});
const pod = object({ metadata: object({ name: text }), spec: object({ size: integer }) });
const plan = object({ id: text, title: text, updated_at: { ...text, example: "2022-10-04T16:10:06.214Z" } });

const api: JsonObject = {
  openapi: "3.0.3",
  info: { title: "Told", version: "1" },
  components: {
    schemas: {
      Person: object({ id: text, name: text }),
      Customer: object({ id: text, first_name: text, email: text, orders: integer }),
      Address: object({ id: text, first_name: text, city: text, street: text }),
    },
  },
  paths: {
    "/transfers": {
      get: {
        parameters: [query("marker", text), query("limit", integer)],
        responses: sends(
          object({ entries: list(transfer), limit: integer, next_marker: integer, prev_marker: integer }),
        ),
      },
      post: { requestBody: json(object({ note: text })), responses: creates(transfer) },
    },
    "/transfers/{id}": { parameters: [inPath("id")], get: { responses: sends(transfer) } },
    "/commits": {
      get: {
        parameters: [
          query("deleted", flag, "Filter results by deleted status"),
          query("commitIds", list(text)),
          query("amount", integer, "how many items to return"),
        ],
        responses: sends(list(commit)),
      },
      post: {
        summary: "Create a commit",
        requestBody: json(object({ commit_id: text, desc: text, deletedStatus: flag })),
        responses: creates(list(commit)),
      },
    },
    "/commits/{commitId}": {
      parameters: [inPath("commitId")],
      get: { responses: sends(commit) },
      delete: { responses: sends(object({ commit: object({ id: text }) })) },
    },
    "/orders": {
      get: { responses: sends(list(order)) },
      post: {
        requestBody: json(object({ state: text })),
        responses: creates(order, { id: "o1", state: "new", made_by: { kind: "user" }, link: "/orders/o1" }),
      },
    },
    "/orders/{id}": { parameters: [inPath("id")], get: { responses: sends(order) } },
    "/groups": {
      get: { parameters: [query("first", integer), query("max", integer)], responses: sends(list(version)) },
    },
    "/groups/{id}": { parameters: [inPath("id")], get: { responses: sends(version) } },
    "/versions": {
      get: { responses: sends(list(version), '[{ "id": "10", "name": "One", "released": true }]') },
    },
    "/versions/{id}": {
      parameters: [inPath("id")],
      get: { responses: sends(version, '{ "id": "10", "name": "One" }') },
    },
    "/fees": { get: { responses: sends(list(object({ id: text, title: text }))) } },
    "/fees/{id}": { parameters: [inPath("id")], get: { responses: sends(object({ id: text, title: text })) } },
    "/fees/{id}/refunds": {
      parameters: [inPath("id")],
      get: { responses: sends(list(fee)) },
      post: { requestBody: json(object({ amount: integer })), responses: creates(fee) },
    },
    "/fees/{fee}/refunds/{id}": {
      parameters: [inPath("fee"), inPath("id")],
      get: { responses: sends(fee) },
    },
    "/series": { get: { responses: sends(list(object({ id: integer, title: text }))) } },
    "/series/{id}": { parameters: [inPath("id")], get: { responses: sends(object({ id: integer, title: text })) } },
    "/tracks": { get: { responses: sends(list(track)) } },
    "/tracks/{id}": { parameters: [inPath("id")], get: { responses: sends(track) } },
    "/licenses": { get: { responses: sends(list(license)) } },
    "/licenses/{id}": { parameters: [inPath("id")], get: { responses: sends(license) } },
    "/pages": { get: { responses: sends(list(page), [{ id: 51, slug: "shock", title: "Some" }]) } },
    "/pages/{id}": { parameters: [inPath("id")], get: { responses: sends(page) } },
    "/members": { get: { responses: sends(list(member)) } },
    "/members/{id}": { parameters: [inPath("id")], get: { responses: sends(member) } },
    "/methods": { get: { responses: sends(list(method)) } },
    "/methods/{id}": { parameters: [inPath("id")], get: { responses: sends(method) } },
    "/branches": {
      get: {
        parameters: [
          query("max_id", text, "Return branches older than ID"),
          query("sha", text, "The commit to start listing from"),
          query("team", text, "The team of the branch"),
          query("owner_id", text),
        ],
        responses: sends(list(branch)),
      },
      post: {
        operationId: "createBranch",
        requestBody: json(object({ new_branch_name: text, source: text })),
        responses: { "201": { description: "", content: { "text/plain": { schema: text } } } },
      },
    },
    "/branches/{branch}": { parameters: [inPath("branch")], get: { responses: sends(branch) } },
    "/__admin/mappings": { get: { responses: sends(list(page)) } },
    "/__admin/mappings/{slug}": { parameters: [inPath("slug")], get: { responses: sends(page) } },
    "/stars": {
      get: { parameters: [query("count", { type: "number" })], responses: sends(list(branch)) },
      post: { operationId: "createStar", requestBody: json(text), responses: creates(branch) },
    },
    "/stars/{id}": { parameters: [inPath("id")], get: { responses: sends(branch) } },
    "/articles": {
      get: {
        parameters: [query("labels", { type: "object", additionalProperties: text })],
        responses: sends(list(article)),
      },
      post: {
        requestBody: json(object({ title: text, labels: { type: "object", additionalProperties: text } })),
        responses: creates(article),
      },
    },
    "/articles/{slug}": { parameters: [inPath("slug")], get: { responses: sends(article) } },
    "/hooks": {
      get: { responses: sends(list(hook)) },
      post: {
        requestBody: json(
          object({ id: { ...text, readOnly: true }, events: list({ ...text, enum: ["made", "gone"] }) }),
          { id: "h7", events: ["made"] },
        ),
        responses: creates(hook, { id: "h7", status: "idle", events: ["made"] }),
      },
    },
    "/hooks/{id}": { parameters: [inPath("id")], get: { responses: sends(hook) } },
    "/secrets": { get: { responses: sends(list(page)) } },
    "/secrets/{slug}": { parameters: [inPath("slug")], get: { responses: sends(page) } },
    "/items": {
      get: { responses: sends(list(item)) },
      post: { requestBody: json(object({ name: text })), responses: creates(item) },
    },
    "/items/{id}": { parameters: [inPath("id")], get: { responses: sends(item) } },
    "/currencies": {
      get: { responses: sends(list(currency)) },
      post: { requestBody: json(object({ name: text })), responses: creates(currency) },
    },
    "/currencies/{code}": { parameters: [inPath("code")], get: { responses: sends(currency) } },
    "/tags": {
      get: { responses: sends(list(tag)) },
      post: {
        operationId: "createTag",
        requestBody: json(object({ tag_name: text, value: object({ type: text, money: integer }) })),
        responses: creates(tag),
      },
    },
    "/tags/{id}": { parameters: [inPath("id")], get: { responses: sends(tag) } },
    "/addresses": { get: { responses: sends(list(address)) } },
    "/addresses/{id}": {
      parameters: [inPath("id")],
      get: { responses: sends(object({ address })) },
      patch: { requestBody: json(object({ first_name: text })), responses: sends(object({ customer })) },
    },
    "/people": { get: { parameters: [query("page", integer)], responses: sends(list(person)) } },
    "/hints": { get: { responses: sends(person) } },
    "/hints/{id}": { parameters: [inPath("id")], delete: { responses: { "204": { description: "" } } } },
    "/pods": { get: { responses: sends(list(pod)) } },
    "/pods/{name}": { parameters: [inPath("name")], get: { responses: sends(pod) } },
    "/plans": { get: { responses: sends(list(plan)) } },
    "/plans/{id}": {
      parameters: [inPath("id")],
      get: { responses: sends(plan) },
      patch: { requestBody: json(object({ title: text })), responses: sends(plan) },
    },
  },
};

let served: Served;
let ask: Served["ask"];
beforeAll(async () => {
  served = await serve(api);
  ask = apart(served);
});
const at = async (line: string): Promise<JsonObject> => (await ask(line)).body as JsonObject;
const listAt = async (line: string): Promise<JsonObject[]> => (await ask(line)).body as JsonObject[];
const send = (line: string, value: JsonObject) =>
  ask(line, { body: JSON.stringify(value), headers: { "Content-Type": "application/json" } });
const ms = (value: unknown): number => Date.parse(String(value));

describe("times", () => {
  test("of made records and their parts are in order", async () => {
    const { entries } = (await at("GET /transfers")) as { entries: JsonObject[] };
    for (const { created, updated, expiry, files } of entries) {
      expect(ms(updated)).toBeGreaterThanOrEqual(ms(created));
      expect(ms(expiry)).toBeGreaterThan(ms(created));
      for (const file of files as JsonObject[]) {
        expect(ms(file.updatedAt)).toBeGreaterThanOrEqual(ms(file.createdAt));
        expect(ms(file.expiresOn)).toBeGreaterThan(ms(file.createdAt));
      }
    }
  });

  test("a new record ends after now, and has nothing counted yet", async () => {
    const { body } = await send("POST /transfers", { note: "a" });
    const made = body as JsonObject;
    expect(ms(made.expiry)).toBeGreaterThan(ms(made.created));
    expect(made).toMatchObject({ note: "a", revision: 1, numberOfParts: 0, issues: { open: 0 } });
  });

  test("a change sets the time of changes that only an example describes", async () => {
    const [first] = await listAt("GET /plans");
    await send(`PATCH /plans/${first!.id}`, { title: "new" });
    expect(ms((await at(`GET /plans/${first!.id}`)).updated_at)).toBeGreaterThan(ms("2026-01-02"));
  });
});

describe("pages", () => {
  test("next_marker is a number that marker takes, and is left out on the last page", async () => {
    const ids: unknown[] = [];
    let marker: unknown = 0;
    for (let page = 0; page < 20 && marker !== undefined; page++) {
      const body = await at(`GET /transfers?limit=2&marker=${String(marker)}`);
      ids.push(...(body.entries as JsonObject[]).map(({ id }) => id));
      marker = body.next_marker;
    }
    const { entries } = (await at("GET /transfers")) as { entries: JsonObject[] };
    expect(ids).toEqual(entries.map(({ id }) => id));
    expect(await at("GET /transfers")).not.toHaveProperty("prev_marker");
  });

  test("first and max are a position and a size", async () => {
    const all = await listAt("GET /groups");
    expect(await listAt("GET /groups?first=2&max=3")).toEqual(all.slice(2, 5));
  });

  test("amount is a size, as its description says", async () => {
    expect(await listAt("GET /commits?amount=2")).toHaveLength(2);
  });
});

describe("fields by other names", () => {
  test("a create that sends a list of one takes the id and a short name", async () => {
    const { status, body } = await send("POST /commits", { commit_id: "c9", desc: "Fix", deletedStatus: true });
    expect({ status, body }).toEqual({ status: 201, body: [{ id: "c9", description: "Fix", deletedStatus: true }] });
  });

  test("deleted filters by deletedStatus, and commitIds by the id", async () => {
    await send("POST /commits", { commit_id: "c10", desc: "Fix", deletedStatus: true });
    const deleted = await listAt("GET /commits?deleted=true");
    expect(deleted.every(({ deletedStatus }) => deletedStatus === true)).toBe(true);
    expect((await listAt("GET /commits?commitIds=c10")).map(({ id }) => id)).toEqual(["c10"]);
  });

  test("a response to DELETE names the removed record in its part", async () => {
    await send("POST /commits", { commit_id: "c11" });
    expect(await at("DELETE /commits/c11")).toEqual({ commit: { id: "c11" } });
  });

  test("one path of a parent may name the field that all of them mean", async () => {
    const [parent] = await listAt("GET /fees");
    const { body } = await send(`POST /fees/${parent!.id}/refunds`, { amount: 3 });
    expect(body).toMatchObject({ fee: parent!.id, amount: 3 });
  });

  test("numbers with a format refer to records", async () => {
    const ids = (await listAt("GET /series")).map(({ id }) => id);
    for (const { seriesId } of await listAt("GET /tracks")) expect(ids).toContain(seriesId);
  });
});

describe("records of other forms", () => {
  test("ids have the form of their example", async () => {
    for (const { id } of await listAt("GET /licenses")) expect(id).toMatch(/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/);
  });

  test("the id of examples is the id, although the schema does not name it", async () => {
    expect(await at("GET /pages/51")).toEqual({ id: 51, slug: "shock", title: "Some" });
  });

  test("a text names a record whose id is a number", async () => {
    const ids = (await listAt("GET /series")).map(({ id }) => String(id));
    for (const { series } of await listAt("GET /members")) expect(ids).toContain(series);
  });

  test("a made record has the part of its type, and no other", async () => {
    for (const { type, card, bank } of await listAt("GET /methods")) {
      expect({ card: card !== undefined, bank: bank !== undefined }).toEqual({
        card: type === "card",
        bank: type === "bank",
      });
    }
  });

  test("a create whose response is no JSON makes a record, and its name is the id", async () => {
    expect((await send("POST /branches", { new_branch_name: "dev", source: "main" })).status).toBe(201);
    expect(await at("GET /branches/dev")).toMatchObject({ id: "dev" });
  });

  test("records are filtered by the ids of their parts, and a field of their own kind is no reference", async () => {
    const [first] = (await listAt("GET /branches")) as {
      id: string;
      branch: string;
      team: JsonObject;
      owner: JsonObject;
    }[];
    for (const query of [`team=${first!.team.id}`, `owner_id=${first!.owner.id}`]) {
      expect((await listAt(`GET /branches?${query}`)).map(({ id }) => id)).toContain(first!.id);
    }
    expect(await listAt("GET /branches?owner_id=none")).toEqual([]);
    expect(first!.branch).not.toMatch(/^\d+$/);
  });

  test("made records have values that requests may send, and a secret is no reference", async () => {
    for (const { events, secret } of await listAt("GET /hooks")) {
      expect([["made"], ["gone"]]).toContainEqual(events);
      expect(String(secret).length).toBeGreaterThan(10);
    }
  });

  test("the example of a request may choose the id, and that of a response the first state", async () => {
    const { body } = await send("POST /hooks", { id: "h8", events: ["gone"] });
    expect(body).toMatchObject({ id: "h8", events: ["gone"], status: "idle" });
  });

  test("a list that is described as one record is not where others of its kind are listed", async () => {
    const people = await listAt("GET /people");
    expect(people.length).toBeGreaterThan(2);
    expect((await ask(`DELETE /hints/${String((await at("GET /hints")).id)}`)).status).toBe(204);
    expect(await listAt("GET /people")).toEqual(people);
  });

  test("new ids differ although their schema has few", async () => {
    const codes = [];
    for (let at = 0; at < 2; at++)
      codes.push(((await send("POST /currencies", { name: "a" })).body as JsonObject).code);
    expect(new Set(codes).size).toBe(2);
  });

  test("new ids of a pattern differ from its example", async () => {
    const ids = [];
    for (const name of ["a", "b", "c"]) ids.push(((await send("POST /items", { name })).body as JsonObject).id);
    expect(new Set(ids).size).toBe(3);
  });

  test("tag_name is the name of a tag that has an id, and an object of several types keeps what was sent", async () => {
    const { body } = await send("POST /tags", { tag_name: "v1", value: { type: "absolute", money: 5 } });
    expect(body).toMatchObject({ name: "v1", value: { type: "absolute", money: 5 } });
    expect((body as JsonObject).id).not.toBe("v1");
  });

  test("a change that sends something else than the record does not send the record under its name", async () => {
    const [first] = await listAt("GET /addresses");
    const { body } = await send(`PATCH /addresses/${String(first!.id)}`, { first_name: "Ada" });
    expect(body).not.toMatchObject({ customer: { first_name: "Ada", id: first!.id } });
  });

  test("a name in metadata finds made records", async () => {
    const [first] = (await listAt("GET /pods")) as { metadata: { name: string } }[];
    expect(await at(`GET /pods/${first!.metadata.name}`)).toEqual(first);
  });

  test("older than an id is without it, and the start of a list is no filter", async () => {
    const all = await listAt("GET /branches");
    const ids = (await listAt("GET /branches?max_id=3")).map(({ id }) => id);
    expect(ids).toContain("2");
    expect(ids).not.toContain("3");
    expect(await listAt("GET /branches?sha=main")).toEqual(all);
  });

  test("a path may begin like standin's own, unless it is one", async () => {
    const [first] = await listAt("GET /__admin/mappings");
    expect(await at(`GET /__admin/mappings/${String(first!.slug)}`)).toEqual(first);
  });

  test("a text makes a record, and a size that may be any number is rounded", async () => {
    const { status, body } = await ask("POST /stars", {
      body: '"repo"',
      headers: { "Content-Type": "application/json" },
    });
    expect({ status, body }).toMatchObject({ status: 201, body: { id: expect.any(String) } });
    expect(await listAt("GET /stars?count=2.5")).toHaveLength(2);
  });

  test("a slug is made from the title, and no other record has it", async () => {
    const slugs = [];
    for (let at = 0; at < 2; at++)
      slugs.push(((await send("POST /articles", { title: "My TEam, Näme" })).body as JsonObject).slug);
    expect(slugs).toEqual(["my-team-name", "my-team-name-2"]);
  });

  test("a new record was not used yet, and made ones are not deleted", async () => {
    const { body } = await send("POST /articles", { title: "Unused" });
    expect(body).not.toHaveProperty("lastUsedAt");
    expect((await listAt("GET /articles")).some(({ isDeleted }) => isDeleted === true)).toBe(false);
  });

  test("an object that stands for a record has the id of one", async () => {
    const fresh = apart(served);
    const listOf = async (line: string): Promise<JsonObject[]> => (await fresh(line)).body as JsonObject[];
    const ids = (await listOf("GET /licenses")).map(({ id }) => id);
    for (const { license } of await listOf("GET /articles")) {
      const { id, obj } = license as { id: string; obj: JsonObject };
      expect(ids).toContain(id);
      expect(obj.id).toBe(id);
    }
  });

  test("a map is filtered by its members", async () => {
    await send("POST /articles", { title: "Labelled", labels: { tier: "gold-7" } });
    const found = await listAt("GET /articles?labels[tier]=gold-7");
    expect(found.map(({ title }) => title)).toEqual(["Labelled"]);
  });

  test("times from and to are in order", async () => {
    for (const { fromDate, toDate } of await listAt("GET /licenses")) {
      expect(ms(toDate)).toBeGreaterThanOrEqual(ms(fromDate));
    }
  });
});

describe("examples", () => {
  test("in JSON text are records, and those of a list add to those of a path", async () => {
    expect(await listAt("GET /versions")).toEqual([{ id: "10", name: "One", released: true }]);
  });

  test("of a created record give the server's fields, except those of that record alone", async () => {
    const { body } = await send("POST /orders", { state: "open" });
    expect(body).toMatchObject({ state: "open", made_by: { kind: "user" } });
    expect((body as JsonObject).link).not.toBe("/orders/o1");
  });
});

import { expect, test } from "vitest";
import type { Json, JsonObject } from "../../../src/base/json/json.ts";
import { bindDocument } from "../../../src/openapi/bind/bind-document.ts";
import { loadApiDocument } from "../../../src/openapi/read/load-api-document.ts";
import { atlas, library, shelter, warehouse } from "./documents.ts";
import { serve } from "./serve.ts";
import { walkList } from "./walk-list.ts";

const text = { type: "string" };
const whole = { type: "integer" };
const json = (schema: JsonObject, example?: JsonObject) => ({
  description: "",
  content: { "application/json": { schema, ...(example ? { example } : {}) } },
});

/** A document with one list of tasks, in the envelope and with the parameters of a vendor. */
function paged(
  envelope: JsonObject,
  parameters: Record<string, JsonObject>,
  { example, optional = {} }: { example?: JsonObject; optional?: JsonObject } = {},
): JsonObject {
  const task = { type: "object", required: ["id", "name"], properties: { id: text, name: text } };
  const query = Object.entries(parameters).map(([name, schema]) => ({ name, in: "query", schema }));
  const properties = { ...envelope, tasks: { type: "array", items: task } };
  const list = json(
    { type: "object", required: Object.keys(properties), properties: { ...properties, ...optional } },
    example,
  );
  return {
    openapi: "3.1.0",
    info: { title: "Tasks", version: "1" },
    paths: {
      "/tasks": { get: { parameters: query, responses: { 200: list } } },
      "/tasks/{id}": {
        parameters: [{ name: "id", in: "path", required: true, schema: text }],
        get: { responses: { 200: json(task) } },
      },
    },
  };
}

const nextPage = (...types: string[]) => ({
  type: types,
  properties: {
    offset: { ...text, example: "eyJ0" },
    path: { ...text, example: "/tasks?limit=2&offset=eyJ0" },
    uri: text,
  },
});

const VENDORS: Record<string, JsonObject> = {
  "the offset of an object for the next page": paged(
    { next_page: nextPage("object", "null") },
    { limit: whole, offset: text },
  ),
  "an object for the next page that is never null": paged(
    { next_page: nextPage("object") },
    { limit: whole, offset: text },
  ),
  "a next offset that is a cursor": paged(
    {
      pagination: {
        type: "object",
        required: ["has_more", "next_offset"],
        properties: { has_more: { type: "boolean" }, next_offset: text },
      },
    },
    { limit: whole, after: text },
  ),
  "the last id": paged(
    { first_id: { ...text, example: "a" }, last_id: { ...text, example: "b" }, has_more: { type: "boolean" } },
    { limit: whole, after: text },
  ),
  "a required cursor with an example": paged(
    { next_cursor: { ...text, example: "abc" } },
    { limit: whole, cursor: text },
  ),
  "a cursor of 16 characters at least": paged(
    { next_cursor: { ...text, example: "abc" } },
    { limit: whole, cursor: { ...text, minLength: 16 } },
  ),
  "a cursor that no parameter takes": paged(
    { next_cursor: { ...text, example: "abc" }, has_more: { type: "boolean" } },
    { limit: whole },
  ),
  "addresses that are paths": paged(
    {
      first_page_uri: { ...text, format: "uri" },
      next_page_uri: { type: ["string", "null"], format: "uri" },
      uri: { ...text, format: "uri" },
      start: whole,
      end: whole,
    },
    { PageSize: whole, Page: whole },
    {
      example: {
        tasks: [],
        first_page_uri: "/tasks?Page=0",
        next_page_uri: null,
        uri: "/tasks?Page=0",
        start: 0,
        end: 0,
      },
    },
  ),
};

for (const [name, document] of Object.entries({ ...VENDORS, atlas, library, shelter, warehouse })) {
  test(`no list loops: ${name}`, async () => {
    const { ask, file } = await serve(document);
    for (const collection of bindDocument(await loadApiDocument(file)).collections) {
      for (const bound of collection.operations) {
        if (bound.action !== "list" || bound.parents.length > 0) continue;
        const ids = (await walkList(ask, collection, bound)).flat();
        expect(new Set(ids).size).toBe(ids.length);
        if (name in VENDORS && bound.parameters.length > 1) expect(ids).toHaveLength(12);
      }
    }
  });
}

test("an object for the next page is null on the last one, and leads on otherwise", async () => {
  const { ask } = await serve(VENDORS["the offset of an object for the next page"]!);
  const first = (await ask("GET /tasks?limit=8")).body as JsonObject;
  expect(first.next_page).toMatchObject({ offset: "8", path: "/tasks?limit=8&offset=8" });
  expect((await ask("GET /tasks?limit=8&offset=8")).body).toMatchObject({ next_page: null });
});

test("a list of errors that is never empty is left out where all went well", async () => {
  const errors = { type: "array", minItems: 1, items: { type: "object", properties: { detail: text } } };
  const { ask, warnings } = await serve(paged({}, { limit: whole }, { optional: { errors } }));
  expect((await ask("GET /tasks")).body).toEqual({ tasks: expect.any(Array) });
  expect(warnings).toEqual([]);
});

test("brackets that a client sends are encoded in addresses", async () => {
  const next = { type: ["string", "null"], format: "uri" };
  const { ask, warnings } = await serve(paged({ self: text, next }, { "page[size]": whole, "page[number]": whole }));
  const { self, next: url } = (await ask("GET /tasks?page[size]=5&page[number]=1")).body as JsonObject;
  expect(self).toMatch(/page%5Bsize%5D=5&page%5Bnumber%5D=1$/);
  expect(url).toMatch(/page%5Bsize%5D=5&page%5Bnumber%5D=2$/);
  expect(warnings).toEqual([]);
});

test("first and last ids are those of the page, and addresses are paths where the example says so", async () => {
  const ids = await serve(VENDORS["the last id"]!);
  const body = (await ids.ask("GET /tasks?limit=3")).body as {
    tasks: { id: string }[];
    first_id: string;
    last_id: string;
  };
  expect([body.first_id, body.last_id]).toEqual([body.tasks[0]?.id, body.tasks[2]?.id]);
  const paths = await serve(VENDORS["addresses that are paths"]!);
  expect((await paths.ask("GET /tasks?PageSize=5&Page=2")).body).toMatchObject({
    next_page_uri: expect.stringMatching(/^\/tasks\?/),
    uri: "/tasks?PageSize=5&Page=2",
    start: 5,
    end: 9,
  });
  expect(paths.warnings).toEqual([]);
});

test("an address of the next page leads on where no parameter turns pages", async () => {
  const { ask, warnings } = await serve(paged({ next: { type: ["string", "null"], format: "uri" } }, { limit: whole }));
  const ids: unknown[] = [];
  let line: string | undefined = "/tasks?limit=5";
  while (line !== undefined) {
    const { tasks, next } = (await ask(`GET ${line}`)).body as { tasks: { id: string }[]; next: string | null };
    ids.push(...tasks.map(({ id }) => id));
    line = next?.replace(/^https?:\/\/[^/]+/, "");
  }
  expect([ids.length, new Set(ids).size]).toEqual([12, 12]);
  expect(warnings).toEqual([]);
});

test("a list of links has the addresses of the list and of its other pages", async () => {
  const link = (rel: JsonObject) => ({ type: "object", properties: { rel, href: text, method: { const: "GET" } } });
  const links = (rel: JsonObject = text) => ({ links: { type: "array", items: link(rel) } });
  const paging = { limit: whole, offset: whole };
  const served = async (around: JsonObject, search: string, parameters: Record<string, JsonObject> = paging) =>
    ((await (await serve(paged(around, parameters))).ask(`GET /tasks${search}`)).body as { links: { rel: string }[] })
      .links;
  const all = await served(links(), "?limit=5&offset=5");
  expect(all.map(({ rel }) => rel)).toEqual(["self", "first", "prev", "next", "last"]);
  expect(all[3]).toEqual({ rel: "next", href: expect.stringMatching(/limit=5&offset=10$/), method: "GET" });
  const words = { ...text, enum: ["self", "next", "previous"] };
  expect((await served(links(words), "?limit=5&offset=10")).map(({ rel }) => rel)).toEqual(["self", "previous"]);
  expect((await served(links(), "", {})).map(({ rel }) => rel)).not.toContain("self");
});

const CURSORS: [string, JsonObject, RegExp][] = [
  ["a prefix and hexadecimal digits", { pattern: "^cur_[a-f0-9]+$" }, /^cur_[a-f0-9]+$/],
  ["a prefix and anything", { pattern: "^pl_.+$" }, /^pl_\w+$/],
  ["24 hexadecimal digits", { pattern: "^[0-9a-f]{24}$" }, /^[0-9a-f]{24}$/],
  ["8 word characters or more", { pattern: "^\\w{8,}$" }, /^\w{8,}$/],
  ["a UUID", { format: "uuid" }, /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/],
  ["a number in front", { pattern: "^\\d+:(0x)?[a-fA-F0-9]{64}$" }, /^\d+:(0x)?[a-fA-F0-9]{64}$/],
  ["numbers alone", { pattern: "^[0-9]+:[0-9]+:[0-9]+$" }, /^\d+:\d+:\d+$/],
  ["digits behind a word", { pattern: "^page-\\d{16,20}$" }, /^page-\d{16,20}$/],
  ["an end that hides the position", { pattern: "^[0-9a-f]{32}_end$" }, /^c\.0{13}5$/],
  ["4 digits, which are too few", { pattern: "^[0-9a-f]{4}$" }, /^c\.0{13}5$/],
  ["letters, which are no number", { pattern: "^cur_[g-z]+$" }, /^c\.0{13}5$/],
];
for (const [title, schema, form] of CURSORS) {
  test(`a cursor has the form of its parameter: ${title}`, async () => {
    const { ask } = await serve(paged({ next_cursor: text }, { limit: whole, cursor: { ...text, ...schema } }));
    const { next_cursor: next } = (await ask("GET /tasks?limit=5")).body as JsonObject;
    expect(next).toMatch(form);
    if (/^c\./.test(String(next))) return;
    const { body } = await ask(`GET /tasks?limit=5&cursor=${next}`);
    const all = (await ask("GET /tasks?limit=12")).body as { tasks: Json[] };
    expect((body as { tasks: Json[] }).tasks).toEqual(all.tasks.slice(5, 10));
  });
}

test("a count named after its list is the total", async () => {
  const { ask } = await serve(paged({ tasksCount: whole }, { limit: whole, offset: whole }));
  expect((await ask("GET /tasks?limit=5&offset=5")).body).toMatchObject({ tasksCount: 12 });
});

test("links of the first and the last page are left out where they have no address", async () => {
  const link = {
    anyOf: [text, { type: "object", required: ["href"], properties: { href: { ...text, minLength: 1 } } }],
  };
  const links = { type: "object", properties: { prev: link, next: link } };
  const { ask, warnings } = await serve(paged({ links }, { limit: whole, offset: whole }));
  expect(((await ask("GET /tasks")).body as JsonObject).links).toEqual({});
  expect((await ask("GET /tasks?limit=5")).body).toMatchObject({ links: { next: { href: expect.any(String) } } });
  expect(((await ask("GET /tasks?limit=5&offset=10")).body as JsonObject).links).toEqual({
    prev: { href: expect.stringContaining("offset=5") },
  });
  expect(warnings).toEqual([]);
});

test("fields around a list are those of the alternative that has it", async () => {
  const task = { type: "object", required: ["id"], properties: { id: text } };
  const page = { type: "object", properties: { tasks: { type: "array", items: task }, next_href: text } };
  const { ask, warnings } = await serve({
    openapi: "3.0.0",
    info: { title: "Tasks", version: "1" },
    paths: {
      "/tasks": {
        get: {
          parameters: ["limit", "offset"].map((name) => ({ name, in: "query", schema: whole })),
          responses: { 200: json({ oneOf: [page, { type: "array", items: task }] }) },
        },
      },
      "/tasks/{id}": {
        parameters: [{ name: "id", in: "path", required: true, schema: text }],
        get: { responses: { 200: json(task) } },
      },
    },
  });
  expect((await ask("GET /tasks?limit=5")).body).toMatchObject({ next_href: expect.stringContaining("offset=5") });
  expect(Object.keys((await ask("GET /tasks")).body as JsonObject)).toEqual(["tasks"]);
  expect(warnings).toEqual([]);
});

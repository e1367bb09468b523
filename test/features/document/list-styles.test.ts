import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../../src/base/json/json.ts";
import { json, response } from "./documents.ts";
import { payments, someCustomers } from "./payments.ts";
import { serve } from "./serve.ts";

const text: JsonObject = { type: "string" };
const integer: JsonObject = { type: "integer" };
const time: JsonObject = { type: "string", format: "date-time" };
const query = (name: string, schema: JsonObject, more: JsonObject = {}): JsonObject => ({
  name,
  in: "query",
  schema,
  ...more,
});
const deep = { style: "deepObject", explode: true };
const object = (properties: JsonObject): JsonObject => ({ type: "object", properties });

const teas = [3, 1, 2, 5, 4].map((id) => ({
  id,
  name: `Tea ${id}`,
  kind: id % 2 === 0 ? "green" : "black",
  price: id * 10,
  createdAt: `2026-01-0${6 - id}T00:00:00Z`,
}));

/** A list of teas with these parameters, and the ids that it has. */
async function listing(...parameters: JsonObject[]): Promise<(search: string) => Promise<unknown>> {
  const tea = object({
    id: integer,
    name: text,
    kind: { ...text, enum: ["black", "green"] },
    price: integer,
    createdAt: time,
  });
  const { ask } = await serve(
    {
      openapi: "3.0.3",
      info: { title: "Teas", version: "1" },
      paths: {
        "/teas": { get: { parameters, responses: { 200: response({ type: "array", items: tea }) } } },
        "/teas/{id}": {
          get: {
            parameters: [{ name: "id", in: "path", required: true, schema: integer }],
            responses: { 200: response(tea) },
          },
        },
      },
    },
    { data: { teas } },
  );
  return async (search) => {
    const { status, body } = await ask(`GET /teas${search}`);
    return Array.isArray(body) ? (body as { id: number }[]).map(({ id }) => id).join() : status;
  };
}

const pageable = object({
  page: { type: "integer", minimum: 0 },
  size: { type: "integer", minimum: 1 },
  sort: { type: "array", items: text },
});

type Style = readonly [name: string, parameters: JsonObject[], lists: Readonly<Record<string, unknown>>];
const styles: readonly Style[] = [
  [
    "told wildcards and separators, and words in other letters",
    [
      query("name", text, { description: "Beginning and ending wildcards (*) are supported." }),
      query("ids", text, { description: "Ids, pipe-delimited." }),
      query("kind", { ...text, enum: ["GREEN", "BLACK", "ALL"] }),
    ],
    {
      "?name=Tea%201*": "1",
      "?name=*4": "4",
      "?name=*ea*": "3,1,2,5,4",
      "?ids=1%7C4": "1,4",
      "?kind=GREEN": "2,4",
      "?kind=ALL": "3,1,2,5,4",
    },
  ],
  [
    "wildcards that are not allowed",
    [query("name", text, { description: "Wildcards are not allowed here." })],
    { "?name=Tea%201*": "" },
  ],
  [
    "Spring",
    [query("pageable", pageable, { required: true })],
    {
      "": "3,1,2,5,4",
      "?page=0&size=2": "3,1",
      "?page=1&size=2": "2,5",
      "?size=2&sort=name,desc": "5,4",
      "?sort=kind,desc&sort=price,asc": "2,4,1,3,5",
      "?page=-1": 422,
    },
  ],
  [
    "words before fields, and several values",
    [
      query("afterCreatedAt", time),
      query("beforeCreatedAt", time),
      query("names", { type: "array", items: text }),
      query("kind", { ...text, enum: ["black", "green", "iced"] }),
    ],
    {
      "?afterCreatedAt=2026-01-03T00:00:00Z": "1,2",
      "?beforeCreatedAt=2026-01-03T00:00:00Z": "5,4",
      "?names=Tea 1&names=Tea 4": "1,4",
      "?kind=green": "2,4",
      "?kind=iced": "3,1,2,5,4",
    },
  ],
  [
    "FastAPI",
    [query("skip", { ...integer, default: 0 }), query("limit", { ...integer, default: 100 })],
    { "?skip=1&limit=2": "1,2" },
  ],
  [
    "words that order",
    [
      query("sort", {
        ...text,
        enum: ["newest", "oldest_added_first", "alphabetical", "price_desc", "name_z_to_a", "best"],
      }),
    ],
    {
      "?sort=newest": "1,2,3,4,5",
      "?sort=oldest_added_first": "5,4,3,2,1",
      "?sort=alphabetical": "1,2,3,4,5",
      "?sort=price_desc": "5,4,3,2,1",
      "?sort=name_z_to_a": "5,4,3,2,1",
      "?sort=best": "3,1,2,5,4",
    },
  ],
  ["a default that is such a word", [query("sort", { ...text, default: "newest" })], { "": "1,2,3,4,5" }],
  [
    "a direction of any name",
    [query("timeOrdering", { ...text, enum: ["ASCENDING", "DESCENDING"] }, { description: "Sorting by time." })],
    { "?timeOrdering=ASCENDING": "5,4,3,2,1", "?timeOrdering=DESCENDING": "1,2,3,4,5" },
  ],
  [
    "sizes that mean all",
    [query("limit", { ...integer, default: 2 }, { description: "-1 for all. With 0 all are returned, too." })],
    { "": "3,1", "?limit=-1": "3,1,2,5,4", "?limit=0": "3,1,2,5,4" },
  ],
  [
    "pages counted from 0",
    [query("page", integer, { description: "Page numbers are 0-based." }), query("limit", integer)],
    { "?page=1&limit=2": "2,5" },
  ],
  ["NestJS", [query("page", integer), query("limit", integer)], { "?page=2&limit=2": "2,5" }],
  [
    "ASP.NET",
    [
      query("PageNumber", integer),
      query("PageSize", integer),
      query("OrderBy", text),
      query("MinPrice", integer),
      query("Kind", text),
    ],
    {
      "?PageNumber=2&PageSize=2": "2,5",
      "?OrderBy=Price desc&PageSize=2": "5,4",
      "?MinPrice=40": "5,4",
      "?Kind=green": "2,4",
    },
  ],
  [
    "Django",
    [
      query("names", text),
      query("names__n", text),
      query("name__niew", text),
      query("name__nic", text),
      query("price__range", text),
      query("kind", text, { description: "Supports wildcards: `*`." }),
    ],
    {
      "?names=Tea 1": "1",
      "?names=Tea 1,Tea 2": "1,2",
      "?names__n=Tea 1": "3,2,5,4",
      "?name__niew=1": "3,2,5,4",
      "?name__nic=a 2": "3,1,5,4",
      "?price__range=20,40": "3,2,4",
      "?kind=gr*": "2,4",
      "?kind=*ack": "3,1,5",
      "?kind=green": "2,4",
      "?kind=ree": "",
    },
  ],
  [
    "Rails",
    [
      query("page[number]", integer),
      query("page[size]", integer),
      query("filter[kind]", text),
      query("q[name_cont]", text),
    ],
    { "?page[number]=2&page[size]=2": "2,5", "?filter[kind]=green": "2,4", "?q[name_cont]=3": "3" },
  ],
  [
    "deep objects",
    [
      query("page", object({ number: integer, size: integer }), deep),
      query("filter", { type: "object", additionalProperties: true }, deep),
      query("price", object({ gt: integer, lte: integer }), deep),
    ],
    {
      "?page[number]=1&page[size]=2": "3,1",
      "?filter[kind]=green&filter[price_gte]=40": "4",
      "?price[gt]=10&price[lte]=30": "3,2",
    },
  ],
  [
    "ranges",
    [
      query("price_gte", integer),
      query("price_lt", integer),
      query("created_after", time),
      query("createdBefore", time),
      query("max_price", integer),
    ],
    {
      "?price_gte=20&price_lt=40": "3,2",
      "?created_after=2026-01-03T00:00:00Z": "1,2",
      "?createdBefore=2026-01-02T00:00:00Z": "5",
      "?max_price=20": "1,2",
      "?price_gte=many": 422,
    },
  ],
  [
    "a direction alone",
    [query("order", { ...text, enum: ["asc", "desc"] })],
    { "?order=asc": "5,4,3,2,1", "?order=desc": "1,2,3,4,5" },
  ],
  [
    "a direction by another field",
    [query("order", { ...text, enum: ["asc", "desc"] }, { description: "Sort order by the `name`." })],
    { "?order=asc": "1,2,3,4,5" },
  ],
  [
    "an order that is a field",
    [query("order", text, { description: "The field to sort by." })],
    { "?order=-price": "5,4,3,2,1", "?order=name": "1,2,3,4,5" },
  ],
  [
    "a time that is no offset",
    [query("from", integer, { description: "A timestamp." })],
    { "?from=1700000000": "3,1,2,5,4" },
  ],
  [
    "a page from zero",
    [query("page", integer, { description: "Results page (0..N)" }), query("size", integer)],
    { "?page=1&size=2": "2,5" },
  ],
];

describe.each(styles)("lists as in %s", (_name, parameters, lists) => {
  test("have the records that were asked for", async () => {
    const list = await listing(...parameters);
    const found: Record<string, unknown> = {};
    for (const search of Object.keys(lists)) found[search] = await list(search);
    expect(found).toEqual(lists);
  });
});

test("ranges of an object filter, and its plain value", async () => {
  const { ask } = await serve(payments, { data: { customers: someCustomers } });
  const list = async (search: string) =>
    ((await ask(`GET /v1/customers?${search}`)).body as { data: JsonObject[] }).data.map(({ id }) => id);
  expect(await list("created[gte]=2000&created[lt]=4000")).toEqual(["cus_2", "cus_3"]);
  expect(await list("created=2000")).toEqual(["cus_2"]);
});

test("a search in the language that the description speaks of", async () => {
  const description = "The search query. See our query language.";
  const list = await listing({ name: "query", in: "query", schema: text, description });
  const ids = (search: string) => list(`?query=${encodeURIComponent(search)}&_sort=id`);
  for (const [search, found] of [
    ['kind:"green"', "2,4"],
    ["kind:'green' AND price>20", "4"],
    ["kind:green price:<=20", "2"],
    ["-kind:green AND NOT price:10", "3,5"],
    ['name~"Tea 1" OR (kind:"green" AND price<30)', "1,2"],
    ["color:red AND price>=40", "4,5"],
    ["tea kind:green", "2,4"],
    ['name:"Tea 3"', "3"],
    ["price:30", "3"],
    ['price:"30"', "3"],
    ["kind:null", ""],
    ["Tea 3", "3"],
    ['kind["a"]:"b"', ""],
  ] as const) {
    expect([search, await ids(search)]).toEqual([search, found]);
  }
  for (const broken of [
    'kind:"green',
    "kind:green AND",
    "(kind:green",
    "kind:green)",
    "(".repeat(4000),
    "OR",
    "kind:",
  ]) {
    expect([broken, await ids(broken)]).toEqual([broken, 400]);
  }
  const plain = await listing({ name: "query", in: "query", schema: text });
  expect(await plain("?query=kind:green")).toBe("");
});

test("a name filters the list that it is one of, or the object whose property the description names", async () => {
  const author = object({ username: text, age: integer });
  const article = object({ id: integer, tagList: { type: "array", items: text }, author });
  const parameters = [
    { name: "tag", in: "query", schema: text },
    { name: "author", in: "query", schema: text, description: "Filter by author (username)" },
  ];
  const { ask } = await serve(
    {
      openapi: "3.0.3",
      info: { title: "Articles", version: "1" },
      paths: {
        "/articles": {
          get: { parameters, responses: { 200: response({ type: "array", items: article }) } },
          post: { requestBody: json(article), responses: { 201: response(article) } },
        },
      },
    },
    {
      data: {
        articles: [
          { id: 1, tagList: ["tea", "cup"], author: { username: "ada", age: 7 } },
          { id: 2, tagList: ["cup"], author: { username: "bob", age: 8 } },
        ],
      },
    },
  );
  const ids = async (search: string) =>
    ((await ask(`GET /articles${search}`)).body as JsonObject[]).map(({ id }) => id);
  expect([await ids("?tag=tea"), await ids("?tag=cup&author=bob"), await ids("?author=eve")]).toEqual([[1], [2], []]);
});

test("lists are sorted by fields deep in records, and filtered by flags that are numbers or words", async () => {
  const school = object({
    id: integer,
    usage: object({ last_activity_timestamp: time, created_at: time }),
    tags: { type: "array", items: object({ name: text, label: text }) },
    isMagnetSchool: { ...text, description: "(Yes/No)" },
    isOpen: { ...integer, enum: [0, 1] },
    kinds: { type: "array", items: object({ name: text }) },
  });
  const separated = { description: "Separated by commas." };
  const flags = ["isMagnet", "isOpen"].map((name) => query(name, { type: "boolean" }));
  const kinds = ["include_kin", "exclude_kin"].map((name) => query(name, text, separated));
  const facts: readonly (readonly [number, string, number, string])[] = [
    [1, "Yes", 0, "b"],
    [2, "No", 1, "a"],
    [3, "Yes", 1, "b"],
  ];
  const schools = facts.map(([id, isMagnetSchool, isOpen, name]) => ({
    ...{ id, isMagnetSchool, isOpen, kinds: [{ name }], tags: [{ name, label: id === 1 ? "z" : "a" }] },
    usage: {
      last_activity_timestamp: `2026-01-0${(id % 3) + 1}T00:00:00Z`,
      created_at: `2026-02-0${4 - id}T00:00:00Z`,
    },
  }));
  const list = { type: "array", items: school };
  const single = [{ name: "id", in: "path", required: true, schema: integer }];
  const { ask } = await serve(
    {
      openapi: "3.0.3",
      info: { title: "Schools", version: "1" },
      paths: {
        "/schools": {
          get: { parameters: [query("order_by", text), ...flags, ...kinds], responses: { 200: response(list) } },
        },
        "/schools/{id}": { get: { parameters: single, responses: { 200: response(school) } } },
      },
    },
    { data: { schools } },
  );
  const found = async (search: string) =>
    ((await ask(`GET /schools?${search}`)).body as { id: number }[]).map(({ id }) => id).join();
  const lists = {
    "order_by=last_activity": "3,1,2",
    "order_by=-last_activity": "2,1,3",
    "order_by=label": "1,2,3",
    "order_by=created": "1,2,3",
    "isMagnet=true": "1,3",
    "isMagnet=false": "2",
    "isOpen=true": "2,3",
    "isOpen=false": "1",
    "include_kin=a,c": "2",
    "exclude_kin=a,c": "1,3",
  };
  for (const [search, ids] of Object.entries(lists)) expect([search, await found(search)]).toEqual([search, ids]);
});

test("JSON:API sorts and filters by the attributes of records, and chooses them", async () => {
  const book = object({ id: text, type: text, attributes: object({ title: text, year: integer }) });
  const parameters = ["sort", "filter[title]", "fields[books]", "fields[authors]"].map((name) => query(name, text));
  const books = [
    { id: "1", type: "books", attributes: { title: "Tea", year: 1999 } },
    { id: "2", type: "books", attributes: { title: "Cups", year: 2004 } },
  ];
  const list = { get: { parameters, responses: { 200: response(object({ data: { type: "array", items: book } })) } } };
  const single = {
    parameters: [{ name: "id", in: "path", required: true, schema: text }],
    get: { responses: { 200: response(object({ data: book })) } },
  };
  const { ask } = await serve(
    { openapi: "3.0.3", info: { title: "Books", version: "1" }, paths: { "/books": list, "/books/{id}": single } },
    { data: { books } },
  );
  const ids = async (search: string) =>
    ((await ask(`GET /books${search}`)).body as { data: { id: string }[] }).data.map(({ id }) => id).join();
  expect([await ids("?sort=-year"), await ids("?sort=year"), await ids("?filter[title]=Cups")]).toEqual([
    "2,1",
    "1,2",
    "2",
  ]);
  const first = async (search: string) => ((await ask(`GET /books?${search}`)).body as { data: unknown[] }).data[0];
  expect(await first("fields[books]=title")).toEqual({ id: "1", type: "books", attributes: { title: "Tea" } });
  expect(await first("fields[authors]=name")).toEqual(books[0]);
});

test("fields are chosen and left out, also by their place in the response, and other words choose none", async () => {
  const tea = object({ id: integer, name: text, kind: text, origin: object({ city: text, farm: text }) });
  const whole = { id: 1, name: "Assam", kind: "black", origin: { city: "Jorhat", farm: "Mokalbari" } };
  const named = { name: "Assam" };
  const parameters = [query("select", text), query("exclude_fields", text)];
  const lists = response(object({ items: { type: "array", items: tea } }));
  const { ask } = await serve(
    {
      openapi: "3.0.3",
      info: { title: "Teas", version: "1" },
      paths: {
        "/teas": { get: { parameters, responses: { 200: lists } }, post: { responses: { 201: response(tea) } } },
      },
    },
    { data: { teas: [whole] } },
  );
  for (const [search, expected] of [
    ["select=name", named],
    ["select=items.name", named],
    ["select=all", whole],
    ["exclude_fields=id,kind,origin", named],
    ["select=items(name)", named],
    ["select=items(name,origin(city))", { ...named, origin: { city: "Jorhat" } }],
    ["select=name,origin(farm", { ...named, origin: { farm: "Mokalbari" } }],
  ] as const) {
    expect((await ask(`GET /teas?${search}`)).body).toEqual({ items: [expected] });
  }
});

test("pages say the positions of their first and their last record", async () => {
  const tea = object({ id: integer, name: text });
  const page = object({ data: { type: "array", items: tea }, current_page: integer, from: integer, to: integer });
  const parameters = [query("page", integer), query("per_page", integer)];
  const { ask } = await serve(
    {
      openapi: "3.0.3",
      info: { title: "Teas", version: "1" },
      paths: {
        "/teas": { get: { parameters, responses: { 200: response(page) } } },
        "/teas/{id}": {
          parameters: [{ name: "id", in: "path", required: true, schema: integer }],
          get: { responses: { 200: response(tea) } },
        },
      },
    },
    { data: { teas: teas.map(({ id, name }) => ({ id, name })) } },
  );
  expect((await ask("GET /teas?page=2&per_page=2")).body).toMatchObject({ current_page: 2, from: 3, to: 4 });
});

test("pages lead to others by the parameter that the request has", async () => {
  const tea = object({ id: integer, name: text });
  const page = {
    name: "page",
    in: "query",
    schema: { oneOf: [integer, object({ number: integer, size: integer })] },
  };
  const list = object({ data: { type: "array", items: tea }, next: { ...text, nullable: true } });
  const parameters = [page, query("per_page", integer)];
  const { ask } = await serve(
    {
      openapi: "3.0.3",
      info: { title: "Teas", version: "1" },
      paths: {
        "/teas": { get: { parameters, responses: { 200: response(list) } } },
        "/teas/{id}": {
          parameters: [{ name: "id", in: "path", required: true, schema: integer }],
          get: { responses: { 200: response(tea) } },
        },
      },
    },
    { data: { teas: teas.map(({ id, name }) => ({ id, name })) } },
  );
  const nextOf = async (search: string) => ((await ask(`GET /teas${search}`)).body as { next: string }).next;
  expect(await nextOf("?page=1&per_page=2")).toMatch(/\?page=2&per_page=2$/);
  expect(await nextOf("?page%5Bnumber%5D=1&per_page=2")).toMatch(/\?page%5Bnumber%5D=2&per_page=2$/);
});

test("Spring's pages say whether they are empty and sorted, and a 404 names a list that can be asked", async () => {
  const flag: JsonObject = { type: "boolean" };
  const sorting = object({ sorted: flag, unsorted: flag, empty: flag });
  const tea = object({ id: integer, name: text });
  const page = object({
    content: { type: "array", items: tea },
    totalElements: integer,
    pageable: object({ paged: flag, unpaged: flag, sort: sorting }),
    sort: sorting,
    empty: flag,
  });
  const { ask } = await serve(
    {
      openapi: "3.0.3",
      info: { title: "Teas", version: "1" },
      paths: {
        "/teas": {
          get: { parameters: [query("pageable", pageable, { required: true })], responses: { 200: response(page) } },
        },
        "/teas/{id}": {
          parameters: [{ name: "id", in: "path", required: true, schema: integer }],
          get: { responses: { 200: response(tea) } },
        },
      },
    },
    { data: { teas: teas.map(({ id, name }) => ({ id, name })) } },
  );
  const unsorted = { sorted: false, unsorted: true, empty: true };
  expect((await ask("GET /teas")).body).toMatchObject({
    pageable: { paged: true, unpaged: false, sort: unsorted },
    sort: unsorted,
    empty: false,
  });
  expect((await ask("GET /teas?page=9&sort=name,desc")).body).toMatchObject({
    sort: { sorted: true, unsorted: false, empty: false },
    empty: true,
  });
  expect((await ask("GET /teas/9")).text).toContain("GET /teas lists those it has");
});

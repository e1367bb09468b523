import { describe, expect, test } from "vitest";
import type { Json, JsonObject } from "../../src/base/json/json.ts";
import { bindDocument } from "../../src/openapi/bind/bind-document.ts";
import type { Bindings } from "../../src/openapi/bind/binding.ts";
import { BIND_SCHEMA } from "../../src/openapi/bind/config/bind-schema.ts";
import { readBindOverrides } from "../../src/openapi/bind/config/overrides.ts";
import { readApiDocument } from "../../src/openapi/read/load-api-document.ts";
import { createFolder } from "../support/cli.ts";
import { runKept } from "../support/kept-process.ts";

const text = { type: "string" };
const number = { type: "integer" };
const object = (properties: JsonObject): JsonObject => ({ type: "object", properties });
const array = (items: Json): JsonObject => ({ type: "array", items });
const ref = (name: string): JsonObject => ({ $ref: `#/components/schemas/${name}` });

const SCHEMAS: JsonObject = {
  Pet: object({ id: number, name: text, status: text, owner_id: number }),
  NewPet: object({ name: text, status: text }),
  Toy: object({ id: number, label: text }),
  // Base and parts that lead to each other, as documents with discriminators have them.
  Animal: { ...object({ id: number, name: text }), oneOf: [ref("Cat"), ref("Dog")] },
  Cat: { allOf: [ref("Animal"), object({ lives: number, kittens: array(ref("Cat")) })] },
  Dog: { allOf: [ref("Animal"), object({ tricks: array(text), mother: ref("Dog") })] },
  Comment: object({ id: text, comment: text, petId: number }),
};

const PET_WITH_TOYS = object({ id: number, name: text, status: text, toys: array(ref("Toy")) });

interface Described {
  sends?: Json;
  takes?: Json;
  as?: string;
  status?: number;
  query?: Json[];
  summary?: string;
}

/** `{ "GET /pets": { sends: schema } }` as an OpenAPI document. */
async function bind(
  operations: Record<string, Described>,
  more: JsonObject = {},
  overrides: JsonObject = {},
): Promise<Bindings> {
  const root = documentOf(operations, more);
  const document = await readApiDocument({ file: "pets.json", root });
  return bindDocument(document, readBindOverrides(overrides, "standin.json"));
}

function documentOf(operations: Record<string, Described>, more: JsonObject = {}): JsonObject {
  const paths: JsonObject = {};
  for (const [key, { sends, takes, as, status = 200, query = [], summary }] of Object.entries(operations)) {
    const [method, path] = key.split(" ") as [string, string];
    paths[path] ??= {};
    const content = (schema: Json, type = "application/json"): JsonObject => ({ content: { [type]: { schema } } });
    (paths[path] as JsonObject)[method.toLowerCase()] = {
      ...(summary !== undefined && { summary }),
      parameters: query,
      ...(takes !== undefined && { requestBody: content(takes, as) }),
      responses: { [status]: { description: "", ...(sends !== undefined && content(sends)) } },
    };
  }
  return {
    openapi: "3.1.0",
    info: { title: "Pets", version: "1" },
    paths,
    components: { schemas: SCHEMAS },
    ...more,
  };
}

/** One line for each operation: `pets(id): list GET /pets data`. */
function lines({ collections }: Bindings): string[] {
  return collections.flatMap(({ name, idKey, operations }) =>
    operations.map(({ action, operation: { method, path }, at, isListOfOne }) =>
      [`${name}(${idKey}): ${action} ${method} ${path.text}`, at?.join("."), isListOfOne ? "[one]" : ""]
        .filter((part) => part !== undefined && part !== "")
        .join(" "),
    ),
  );
}

const reading = (list: Json, read: Json, path = "/pets", id = "{petId}"): Record<string, Described> => ({
  [`GET ${path}`]: { sends: list },
  [`GET ${path}/${id}`]: { sends: read },
});

describe("where the list and the record stand", () => {
  const cases: [string, Json, Json, string, string][] = [
    ["the bodies themselves", array(ref("Pet")), ref("Pet"), "", ""],
    ["the one array property", object({ animals: array(ref("Pet")), total: number }), ref("Pet"), "animals", ""],
    [
      "data",
      object({ data: array(ref("Pet")), links: array(ref("Toy")) }),
      object({ data: ref("Pet") }),
      "data",
      "data",
    ],
    [
      "named like the segment",
      object({ pets: array(ref("Pet")), toys: array(ref("Toy")) }),
      object({ pet: ref("Pet") }),
      "pets",
      "pet",
    ],
    [
      "items, deeper",
      object({ data: object({ items: array(ref("Pet")), total: number }) }),
      object({ data: ref("Pet") }),
      "data.items",
      "data",
    ],
    [
      "results beside errors",
      object({ results: array(ref("Pet")), errors: array(object({ id: text, name: text })) }),
      ref("Pet"),
      "results",
      "",
    ],
    [
      "the same name twice",
      array(object({ id: number, pet: text })),
      object({ pet: object({ id: number, pet: text }) }),
      "",
      "pet",
    ],
    ["schemas that lead back to themselves", array(ref("Animal")), ref("Animal"), "", ""],
    [
      "the same record in allOf",
      array({ allOf: [ref("Pet")] }),
      { allOf: [ref("Pet"), object({ born: text })] },
      "",
      "",
    ],
    [
      "HAL",
      object({ _embedded: object({ pets: array(ref("Pet")) }), page: object({ size: number }) }),
      ref("Pet"),
      "_embedded.pets",
      "",
    ],
    ["elements of few properties", array(object({ id: number, name: text, self: text })), ref("Pet"), "", ""],
  ];
  for (const [name, list, read, at, recordAt] of cases) {
    test(name, async () => {
      const [pets] = (await bind(reading(list, read))).collections;
      expect(pets?.operations.map((one) => one.at?.join("."))).toEqual([at, recordAt]);
    });
  }

  test("a record sent as a list of one", async () => {
    const results = object({ results: array(ref("Pet")) });
    expect(lines(await bind(reading(results, results)))).toEqual([
      "pets(id): list GET /pets results",
      "pets(id): read GET /pets/{petId} results [one]",
    ]);
  });

  const edge = (more: JsonObject = {}): JsonObject => object({ node: ref("Pet"), ...more });
  for (const [name, list, read, at] of [
    [
      "data of data",
      object({ data: array(object({ data: ref("Pet") })) }),
      object({ data: ref("Pet") }),
      "data[].data",
    ],
    ["edges with nodes", object({ edges: array(edge({ cursor: text })) }), ref("Pet"), "edges[].node"],
    ["the singular of the segment", array(object({ pet: ref("Pet") })), object({ pet: ref("Pet") }), "[].pet"],
    ["a part of a larger element", array(edge({ quantity: number })), edge({ quantity: number }), "[]"],
    ["a part of an element with an id", array(edge({ id: number })), edge({ id: number }), "[]"],
  ] as const) {
    test(`each record in an element of the list: ${name}`, async () => {
      const [pets] = (await bind(reading(list, read))).collections;
      const [first] = pets?.operations ?? [];
      expect(first && [`${first.at!.join(".")}[]`, ...(first.wrapper?.at ?? [])].join(".")).toBe(at);
      if (first?.wrapper) expect(pets?.record.place).toBe("#/components/schemas/Pet");
    });
  }

  test("a body without a schema has that of its example", async () => {
    const content = { "application/json": { example: { pets: [{ id: 1, name: "Rex" }] } } };
    const bindings = await bind(
      { "GET /pets/{id}": { sends: ref("Pet") } },
      {
        paths: {
          "/pets": { get: { responses: { 200: { description: "", content } } } },
          "/pets/{id}": {
            get: { responses: { 200: { description: "", content: { "application/json": { schema: ref("Pet") } } } } },
          },
        },
      },
    );
    expect(lines(bindings)[0]).toBe("pets(id): list GET /pets pets");
  });
});

describe("the id", () => {
  const cases: [string, string, JsonObject, string | undefined][] = [
    ["/pets", "{id}", { id: number, name: text }, "id"],
    ["/pets", "{petId}", { petId: number, id: number }, "petId"],
    ["/pets", "{petId}", { id: number, name: text }, "id"],
    ["/pets", "{pet_id}", { petId: number, name: text }, "petId"],
    ["/pets", "{id}", { petId: number, name: text }, "petId"],
    ["/pets", "{pet}", { id: number, pet: text }, "id"],
    ["/pets", "{pet}", { uuid: text, name: text }, "uuid"],
    ["/pets", "{pet}", { name: text, age: number }, "name"],
    ["/tags", "{tag_id}", { name: text, color: text }, "name"],
    ["/floating-ips", "{floating_ip}", { ip: text, region: text }, "ip"],
    ["/pets", "{id}", { _id: text, name: text }, "_id"],
    ["/pets", "{uuid}", { uuid: text, name: text }, "uuid"],
    ["/pets", "{petName}", { name: text, age: number }, "name"],
    ["/pets", "{slug}", { id: number, slug: text }, "slug"],
    ["/employees", "{number}", { employeeNumber: number, name: text }, "employeeNumber"],
    ["/users", "{username}", { id: number, name: text, login: text }, "login"],
    ["/users", "{username}", { id: number, name: text }, "name"],
    ["/categories", "{categoryUID}", { uid: text, name: text }, "uid"],
    ["/pets", "{id}", { id: object({ value: text }), name: text }, undefined],
    ["/pets", "{ownerId}", { key: text, name: text }, undefined],
    ["/followedPets", "{petId}", { id: number, pet: object({ id: number }) }, "_id"],
    ["/mirrors", "{name}", { url: text, remote_name: text }, "remote_name"],
    ["/plans", "{billingPlanId}", { cycle: text, planId: text }, "planId"],
    ["/contents", "{filepath}", { sha: text, path: text }, "path"],
    ["/issues", "{index}", { id: number, number: number }, "number"],
    ["/devices", "{contactId}", { label: text, extId: text }, "extId"],
    ["/enablements", "{feature_name}", { feature: text, enabled: { type: "boolean" } }, "feature"],
    ["/members", "{user}", { username: text, version: number }, "username"],
    ["/hooks/git", "{id}", { content: text, name: text }, "name"],
    ["/accounts", "{idOrAddress}", { account: { ...text, pattern: "^\\d+\\.\\d+$" }, address: text }, "account"],
    ["/areas", "{area}", { isGlobalArea: { type: "boolean" }, size: number }, "id"],
    ["/rules", "{rule_id}", { contact: object({ id: number }), kind: object({ text }) }, "id"],
    ["/schedule", "{date}", { id: text, name: text }, undefined],
    ["/payments", "{itemId}", { amount: number, note: text }, "itemId"],
    ["/captions", "{language}", { uri: text, src: text }, "language"],
    ["/webscans", "{scanId}", { id: number, title: text }, "id"],
    ["/organizations", "{org}", { id: number, title: text }, "id"],
    ["/ips", "{ip_address}", { ip: text, warm: { type: "boolean" } }, "ip"],
    ["/templates", "{template_id}", { name: text, template_id_master: number }, "template_id_master"],
    ["/templates", "{template_id}", { name: text, template_id_old: number, template_id_new: number }, "name"],
    ["/staff", "{staffCd}", { staffId: number, title: text }, "staffId"],
  ];
  for (const [path, parameter, properties, idKey] of cases) {
    test(`${path}/${parameter} of ${Object.keys(properties)} is ${idKey}`, async () => {
      const record = object(properties);
      const { collections } = await bind(reading(array(record), record, path, parameter));
      expect(collections[0]?.idKey).toBe(idKey);
    });
  }
});

describe("the operations", () => {
  const pets = reading(array(ref("Pet")), ref("Pet"));
  const cases: [string, Record<string, Described>, string[], string?][] = [
    ["POST creates", { "POST /pets": { takes: ref("NewPet"), sends: ref("Pet"), status: 201 } }, ["create POST /pets"]],
    ["POST creates and sends nothing", { "POST /pets": { takes: ref("NewPet"), status: 204 } }, ["create POST /pets"]],
    [
      "POST of something else",
      { "POST /pets": { takes: object({ words: text }), sends: array(ref("Pet")) } },
      [],
      "sends a list: a search, or several at once",
    ],
    ["POST of a list creates", { "POST /pets": { takes: array(ref("NewPet")) } }, ["create POST /pets"]],
    [
      "POST of a list of others",
      { "POST /pets": { takes: array(object({ words: text })) } },
      [],
      "takes a list of records",
    ],
    ["PUT replaces", { "PUT /pets/{petId}": { takes: ref("NewPet") } }, ["replace PUT /pets/{petId}"]],
    ["PATCH updates", { "PATCH /pets/{petId}": { takes: ref("NewPet") } }, ["patch PATCH /pets/{petId}"]],
    ["POST on the record updates", { "POST /pets/{petId}": { takes: ref("NewPet") } }, ["patch POST /pets/{petId}"]],
    ["DELETE removes", { "DELETE /pets/{petId}": { status: 204 } }, ["remove DELETE /pets/{petId}"]],
    ["PUT on the list with an id", { "PUT /pets": { takes: ref("Pet") } }, ["replace PUT /pets"]],
    [
      "PUT on the list without",
      { "PUT /pets": { takes: ref("NewPet") } },
      [],
      "PUT on the whole list: its body has no id",
    ],
    ["DELETE on the list", { "DELETE /pets": { status: 204 } }, [], "removes several records at once"],
    [
      "an action below a record",
      { "POST /pets/{petId}/feed": {} },
      [],
      "an action: there is no list at /pets/{petId}/feed",
    ],
    [
      "a search",
      { "GET /pets/search": { sends: array(ref("Pet")) } },
      [],
      "no path of single records below /pets/search",
    ],
    [
      "a search with its text",
      {
        "GET /pets/search": {
          sends: array(ref("Pet")),
          query: [{ name: "query", in: "query", required: true, schema: text }],
        },
      },
      ["list GET /pets/search"],
    ],
    [
      "a word beside the ids",
      { "GET /pets/mine": { sends: ref("Pet") } },
      [],
      "no path of single records below /pets/mine",
    ],
    [
      "a filter with a path",
      {
        "GET /pets/findByStatus": {
          sends: array(ref("Pet")),
          query: [{ name: "status", in: "query", required: true, schema: text }],
        },
      },
      ["list GET /pets/findByStatus"],
    ],
  ];
  for (const [name, more, bound, why] of cases) {
    test(`${name}: ${bound[0] ?? why}`, async () => {
      const bindings = await bind({ ...pets, ...more });
      const own = bindings.collections[0]!.operations.filter(
        ({ operation }) => `${operation.method} ${operation.path.text}` in more,
      ).map(({ action, operation }) => `${action} ${operation.method} ${operation.path.text}`);
      expect(own).toEqual(bound);
      expect(bindings.unbound.map((one) => one.why)).toEqual(why === undefined ? [] : [why]);
    });
  }

  test("the request may wrap the record, and a replace keeps what it cannot say", async () => {
    const { collections } = await bind({ ...pets, "PUT /pets/{petId}": { takes: object({ pet: ref("NewPet") }) } });
    const put = collections[0]!.operations.find(({ action }) => action === "replace");
    expect(put).toMatchObject({ requestAt: ["pet"], kept: ["owner_id"], idParameter: "petId", at: undefined });
  });

  test("forms are taken where there is no JSON", async () => {
    const { collections } = await bind({
      ...pets,
      "POST /pets": { takes: ref("NewPet"), as: "application/x-www-form-urlencoded", sends: ref("Pet") },
    });
    const post = collections[0]!.operations.find(({ action }) => action === "create");
    expect(post?.requestContent?.type).toBe("application/x-www-form-urlencoded");
  });
});

describe("paths", () => {
  const create = { takes: ref("NewPet"), sends: ref("Pet"), status: 201 };
  const cases: [string, Record<string, Described>, string[]][] = [
    [
      "trailing slashes and .json are no difference",
      { "GET /pets/": { sends: array(ref("Pet")) }, "GET /pets/{id}.json": { sends: ref("Pet") } },
      ["pets(id): list GET /pets/", "pets(id): read GET /pets/{id}.json"],
    ],
    [
      "OData",
      { "GET /Pets": { sends: object({ value: array(ref("Pet")) }) }, "GET /Pets({id})": { sends: ref("Pet") } },
      ["Pets(id): list GET /Pets value", "Pets(id): read GET /Pets({id})"],
    ],
    [
      "records without a list are bound by what creates them",
      { "POST /pet": create, "GET /pet/{petId}": { sends: ref("Pet") } },
      ["pet(id): create POST /pet", "pet(id): read GET /pet/{petId}"],
    ],
    ["records without list and create are not", { "GET /pets/{petId}": { sends: ref("Pet") } }, []],
    ["a list that nothing adds to and without records is not", { "GET /pets": { sends: array(ref("Pet")) } }, []],
    [
      "a list with a create is",
      { "GET /pets": { sends: array(ref("Pet")) }, "POST /pets": create },
      ["pets(id): list GET /pets", "pets(id): create POST /pets"],
    ],
    [
      "a list whose POST takes something else is not",
      { "GET /pets": { sends: array(ref("Pet")) }, "POST /pets": { takes: array(text), sends: array(ref("Pet")) } },
      [],
    ],
    [
      "a list of something else is not",
      reading(array(ref("Toy")), object({ petName: text, race: text, id: number })),
      [],
    ],
    [
      "of two objects, the path of the list sends the first",
      reading(ref("Pet"), ref("Pet")),
      ["pets(id): read GET /pets/{petId}", "pets(id): read GET /pets"],
    ],
    ["two objects of a singular are no list", reading(ref("Pet"), ref("Pet"), "/pet"), []],
    ["two lists of different things", reading(array(ref("Toy")), array(ref("Comment"))), []],
    [
      "a list below a parent and records of their own",
      { "GET /owners/{ownerId}/pets": { sends: array(ref("Pet")) }, "GET /pets/{petId}": { sends: ref("Pet") } },
      ["pets(id): list GET /owners/{ownerId}/pets", "pets(id): read GET /pets/{petId}"],
    ],
    [
      "lists below several parents",
      {
        "GET /owners/{ownerId}/toys": { sends: array(ref("Toy")) },
        "POST /owners/{ownerId}/toys": { takes: ref("Toy"), sends: ref("Toy") },
        "GET /shops/{shop}/toys": { sends: array(ref("Toy")) },
        "POST /shops/{shop}/toys": { takes: ref("Toy"), sends: ref("Toy") },
        "GET /toys/{toyId}": { sends: ref("Toy") },
      },
      [
        "toys(id): list GET /owners/{ownerId}/toys",
        "toys(id): create POST /owners/{ownerId}/toys",
        "toys(id): read GET /toys/{toyId}",
        "toys(id): list GET /shops/{shop}/toys",
        "toys(id): create POST /shops/{shop}/toys",
      ],
    ],
    [
      "records below a parent that have a path of their own, too",
      {
        ...reading(array(ref("Toy")), ref("Toy"), "/owners/{ownerId}/toys", "{toyId}"),
        "GET /toys/{id}": { sends: ref("Toy") },
        "DELETE /toys/{id}": {},
        "GET /shelves/{shelf}/toys/{id}": { sends: ref("Toy") },
      },
      [
        "toys(id): list GET /owners/{ownerId}/toys",
        "toys(id): read GET /owners/{ownerId}/toys/{toyId}",
        "toys(id): read GET /toys/{id}",
        "toys(id): remove DELETE /toys/{id}",
      ],
    ],
    [
      "lists below several parents of what one path changes",
      {
        "GET /owners/{ownerId}/toys": { sends: array(ref("Toy")) },
        "POST /owners/{ownerId}/toys": { takes: ref("Toy"), sends: ref("Toy") },
        "GET /shops/{shop}/toys": { sends: array(ref("Toy")) },
        "POST /shops/{shop}/toys": { takes: ref("Toy"), sends: ref("Toy") },
        "PATCH /toys/{toyId}": { takes: ref("Toy"), sends: ref("Toy") },
      },
      [
        "toys(id): list GET /owners/{ownerId}/toys",
        "toys(id): create POST /owners/{ownerId}/toys",
        "toys(id): list GET /shops/{shop}/toys",
        "toys(id): create POST /shops/{shop}/toys",
        "toys(id): patch PATCH /toys/{toyId}",
      ],
    ],
    ["a record with one list in it, where a list should be", reading(PET_WITH_TOYS, PET_WITH_TOYS), []],
    [
      "the same pets below a parent that they name",
      { ...reading(array(ref("Pet")), ref("Pet")), ...reading(array(ref("Pet")), ref("Pet"), "/owners/{id}/pets") },
      [
        "pets(id): list GET /pets",
        "pets(id): read GET /pets/{petId}",
        "pets(id): list GET /owners/{id}/pets",
        "pets(id): read GET /owners/{id}/pets/{petId}",
      ],
    ],
    [
      "others of the same name below a parent that they do not name",
      {
        ...reading(array(ref("Toy")), ref("Toy"), "/toys", "{id}"),
        ...reading(array(ref("Toy")), ref("Toy"), "/pets/{pet}/toys", "{id}"),
      },
      [
        "toys(id): list GET /toys",
        "toys(id): read GET /toys/{id}",
        "pet-toys(id): list GET /pets/{pet}/toys",
        "pet-toys(id): read GET /pets/{pet}/toys/{id}",
      ],
    ],
    [
      "two versions of one list",
      { ...reading(array(ref("Pet")), ref("Pet"), "/v1/pets"), ...reading(array(ref("Pet")), ref("Pet"), "/v2/pets") },
      [
        "pets(id): list GET /v1/pets",
        "pets(id): read GET /v1/pets/{petId}",
        "pets(id): list GET /v2/pets",
        "pets(id): read GET /v2/pets/{petId}",
      ],
    ],
  ];
  for (const [name, operations, bound] of cases) {
    test(name, async () => expect(lines(await bind(operations))).toEqual(bound));
  }

  test("an API whose base path is the collection", async () => {
    const bindings = await bind(
      { "GET /": { sends: array(ref("Pet")) }, "GET /{petId}": { sends: ref("Pet") } },
      { servers: [{ url: "https://api.example.com/v1/pets" }] },
    );
    expect(lines(bindings)).toEqual(["pets(id): list GET /", "pets(id): read GET /{petId}"]);
  });
});

describe("parents", () => {
  const cases: [string, string, JsonObject, string, boolean][] = [
    ["/owners/{ownerId}/pets", "{id}", { id: number, ownerId: number }, "ownerId", true],
    ["/owners/{id}/pets", "{petId}", { id: number, owner_id: number }, "owner_id", true],
    ["/owners/{owner}/pets", "{id}", { id: number, owner: text }, "owner", true],
    ["/owners/{id}/pets", "{petId}", { id: number, name: text }, "ownerId", false],
    ["/owners/{id}/pets", "{petId}", { id: number, pet_name: text }, "owner_id", false],
    ["/owners/{uuid}/pets", "{petId}", { id: number, owner_id: text }, "owner_id", true],
    ["/owners/{uuid}/pets", "{petId}", { id: number, owner_id: number }, "owner_id_", false],
    ["/owners/{ownerId}/pets", "{id}", { id: number, name: text }, "ownerId", false],
    ["/owners/{owner}/pets", "{id}", { id: number, owner: object({ name: text }) }, "ownerId", false],
  ];
  for (const [path, id, properties, field, isInRecord] of cases) {
    test(`${path} of ${Object.keys(properties)}: ${field}${isInRecord ? "" : ", which is stored only"}`, async () => {
      const record = object(properties);
      const owner = object({ id: number, name: text });
      const { collections } = await bind({
        ...reading(array(owner), owner, "/owners", /\{\w+\}/.exec(path)![0]),
        ...reading(array(record), record, path, id),
      });
      const parameter = /\{(\w+)\}/.exec(path)![1];
      const parents = [{ parameter, field, isInRecord, collection: "owners" }];
      expect(collections[1]?.operations.map((one) => one.parents)).toMatchObject([parents, parents]);
    });
  }

  test("a version in the path is no parent", async () => {
    const { collections } = await bind(reading(array(ref("Pet")), ref("Pet"), "/{version}/pets"));
    expect(collections[0]?.operations[0]?.parents).toEqual([]);
  });
});

describe("what names mean", () => {
  const flag = { type: "boolean" };
  const envelopes: [string, JsonObject, string[]][] = [
    [
      "Django",
      { count: number, next: { ...text, format: "uri" }, previous: { ...text, format: "uri" } },
      ["count total", "next nextUrl", "previous previousUrl"],
    ],
    [
      "counts",
      { total: number, count: number, per_page: number, page: number, pages: number },
      ["total total", "count count", "per_page limit", "page page", "pages pages"],
    ],
    ["cursors", { next_cursor: text, has_more: flag }, ["next_cursor nextCursor", "has_more hasMore"]],
    ["a token to continue with", { metadata: object({ continue: text }) }, ["metadata.continue nextCursor"]],
    ["addresses named uri", { nextUri: text, previousUri: text }, ["nextUri nextUrl", "previousUri previousUrl"]],
    [
      "JSON:API",
      { links: object({ self: text, next: text, last: text }), meta: object({ count: number }) },
      ["links.self selfUrl", "links.next nextUrl", "links.last lastUrl", "meta.count total"],
    ],
    [
      "HAL",
      {
        _links: object({ next: object({ href: text }) }),
        page: object({ totalElements: number, number: number, size: number }),
      },
      ["_links.next.href nextUrl", "page.totalElements total", "page.number pageIndex", "page.size limit"],
    ],
    [
      "offsets",
      { offset: number, limit: number, totalCount: number },
      ["offset offset", "limit limit", "totalCount total"],
    ],
    [
      "alternatives",
      { links: object({ pages: { anyOf: [object({ next: text }), object({ last: text })] } }) },
      ["links.pages.next nextUrl", "links.pages.last lastUrl"],
    ],
    ["other fields", { status: text, took: number }, []],
  ];
  for (const [name, fields, expected] of envelopes) {
    test(`in envelopes: ${name}`, async () => {
      const { collections } = await bind(reading(object({ ...fields, data: array(ref("Pet")) }), ref("Pet")));
      expect(collections[0]!.operations[0]!.envelope.map(({ path, role }) => `${path.join(".")} ${role}`)).toEqual(
        expected,
      );
    });
  }

  const parameters: [string, JsonObject, string | undefined][] = [
    ["page", number, "page"],
    ["page", { ...number, minimum: 0 }, "pageIndex"],
    ["page[number]", number, "page"],
    ["per_page", number, "limit"],
    ["$top", number, "limit"],
    ["offset", number, "offset"],
    ["starting_after", text, "cursor"],
    ["sort_by", text, "sort"],
    ["order", { ...text, enum: ["asc", "desc"] }, "order"],
    ["q", text, "search"],
    ["status", text, "filter status"],
    ["ownerId", number, "filter owner_id"],
    ["filter[name]", text, "filter name"],
    ["ids", array(number), "filter id"],
    ["verbose", flag, undefined],
  ];
  for (const [name, schema, expected] of parameters) {
    test(`parameter ${name}: ${expected}`, async () => {
      const operations = reading(array(ref("Pet")), ref("Pet"));
      operations["GET /pets"]!.query = [{ name, in: "query", schema }];
      const { collections } = await bind(operations);
      const [found] = collections[0]!.operations[0]!.parameters;
      expect(found && [found.role, ...(found.field === undefined ? [] : [found.field])].join(" ")).toBe(expected);
    });
  }
});

describe("bind in the config", () => {
  const operations: Record<string, Described> = {
    ...reading(array(ref("Pet")), ref("Pet")),
    "GET /toys": { sends: object({ first: array(ref("Toy")), second: array(ref("Pet")) }) },
    "GET /toy/{code}": { sends: object({ found: ref("Toy") }) },
    ...reading(array(ref("Comment")), ref("Comment"), "/comments", "{comment}"),
  };
  const others = ["pets(id): list GET /pets", "pets(id): read GET /pets/{petId}"];
  const comments = ["comments(id): list GET /comments", "comments(id): read GET /comments/{comment}"];

  const cases: [string, JsonObject, string[]][] = [
    ["nothing", {}, [...others, ...comments]],
    ["a collection less", { comments: false }, others],
    ["another id", { pets: { id: "name" } }, [...others.map((line) => line.replace("(id)", "(name)")), ...comments]],
    [
      "another name",
      { animals: { list: "/pets" } },
      [...others.map((line) => line.replace("pets(", "animals(")), ...comments],
    ],
    [
      "paths that do not look like a pair",
      { toys: { list: "/toys", item: "/toy/{code}", id: "id", at: "first", itemAt: "found" } },
      ["toys(id): list GET /toys first", "toys(id): read GET /toy/{code} found", ...others, ...comments],
    ],
  ];
  test("further lists, whatever they look like", async () => {
    const more = { ...operations, "GET /favourites": { sends: object({ items: array(object({ size: number })) }) } };
    const found = lines(await bind(more, {}, { pets: { lists: ["/favourites"] } }));
    expect(found).toContain("pets(id): list GET /favourites items");
  });

  for (const [name, overrides, expected] of cases) {
    test(name, async () => {
      expect(lines(await bind(operations, {}, overrides)).sort()).toEqual([...expected].sort());
    });
  }

  test("what it takes away is named as unbound", async () => {
    const { unbound } = await bind(operations, {}, { comments: false });
    expect(unbound).toContainEqual(expect.objectContaining({ why: "the config says so" }));
  });

  const mistakes: [string, JsonObject, RegExp][] = [
    ["a word", { pets: "no" }, /^standin\.json: bind\.pets: must be false or an object/],
    [
      "an unknown key",
      { pets: { ids: "x" } },
      /^standin\.json: bind\.pets\.ids: is not a setting; .*Did you mean "id"\?/,
    ],
    ["a number", { pets: { id: 1 } }, /^standin\.json: bind\.pets\.id: must be a string/],
    ["no path", { pets: { list: "pets" } }, /bind\.pets\.list: must be a path/],
    [
      "an unknown path",
      { pets: { list: "/pet" } },
      /bind\.pets\.list: pets\.json has no path "\/pet"\. Did you mean "\/pets"\?/,
    ],
    [
      "an unknown collection",
      { pts: { id: "id" } },
      /bind\.pts: no such collection was found in pets\.json\. Did you mean "pets"\?/,
    ],
    [
      "an unknown property",
      { pets: { id: "nam" } },
      /bind\.pets\.id: its records have no property "nam"\. Did you mean "name"\?/,
    ],
    ["lists that are no paths", { pets: { lists: "/pets" } }, /bind\.pets\.lists: must be a list of paths/],
    ["an unknown path of a list", { pets: { lists: ["/pet"] } }, /bind\.pets\.lists: pets\.json has no path "\/pet"/],
    ["a place without a list", { pets: { at: "data" } }, /bind\.pets: GET \/pets sends no list of records/],
  ];
  for (const [name, overrides, message] of mistakes) {
    test(`${name} is refused`, async () => {
      await expect(bind(operations, {}, overrides)).rejects.toThrow(message);
    });
  }

  test("the schema for editors knows the same keys", () => {
    const text = JSON.stringify(BIND_SCHEMA);
    for (const key of ["list", "item", "lists", "id", "at", "itemAt"]) expect(text).toContain(`"${key}":{`);
  });
});

describe("standin bind", () => {
  const document = documentOf({
    ...reading(object({ data: array(ref("Pet")), total: number }), object({ data: ref("Pet") })),
    "POST /pets/{petId}/feed": {},
  });

  test("prints collections, and why the rest is none", async () => {
    const { output, exit } = runKept(["bind", "api.json"], createFolder({ "api.json": document }));
    expect(await exit).toBe(0);
    expect(
      output.stdout
        .trimEnd()
        .split("\n")
        .map((line) => line.trimEnd()),
    ).toEqual([
      "api.json: 1 collection, 2 of 3 operations bound",
      "",
      "pets  id: id",
      "  records  #/components/schemas/Pet: the response of GET /pets/{petId}",
      "  data     generated: there is no example of a list or a record",
      "  id       id: the closest property to {petId} of /pets/{petId}",
      "  new ids  counted: type integer",
      "  list     GET    /pets          list in data",
      "             fields  total (total)",
      "             place   data: the only list there",
      "  read     GET    /pets/{petId}  record in data",
      "             place   data: the only object there",
      "",
      "not bound: these respond from examples and schemas",
      "  POST   /pets/{petId}/feed  an action: there is no list at /pets/{petId}/feed",
    ]);
  });

  test("--json is for programs, and the config corrects", async () => {
    const bindings = { source: "api.json", bind: { pets: { id: "name" } } };
    const { output, exit } = runKept(
      ["bind", "--json"],
      createFolder({ "api.json": document, "standin.json": bindings }),
    );
    expect(await exit).toBe(0);
    const { file, collections, unbound } = JSON.parse(output.stdout);
    expect([file, collections.length, unbound.length]).toEqual(["api.json", 1, 1]);
    expect(collections[0]).toMatchObject({
      name: "pets",
      path: "/pets",
      id: "name",
      record: "#/components/schemas/Pet",
    });
    expect(collections[0].operations[0]).toMatchObject({
      method: "GET",
      path: "/pets",
      action: "list",
      status: 200,
      at: ["data"],
      envelope: [{ path: ["total"], role: "total" }],
    });
  });

  const mistakes: [string[], JsonObject, RegExp][] = [
    [["bind"], {}, /bind needs an OpenAPI document/],
    [["bind", "api.json", "other.json"], {}, /reads one document/],
    [["bind", "api.json"], { bind: { pts: false } }, /^standin: standin\.json: bind\.pts: no such collection/],
    [["bind", "none.json"], {}, /none\.json/],
  ];
  for (const [args, config, message] of mistakes) {
    test(`${args.join(" ")} with ${JSON.stringify(config)} is refused`, async () => {
      const { output, exit } = runKept(args, createFolder({ "api.json": document, "standin.json": config }));
      expect(await exit).toBe(1);
      expect(output.stderr).toMatch(message);
    });
  }
});

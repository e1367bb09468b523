import { describe, expect, test } from "vitest";
import type { Json, JsonObject } from "../../src/base/json/json.ts";
import { bindDocument } from "../../src/openapi/bind/bind-document.ts";
import type { BoundCollection } from "../../src/openapi/bind/binding.ts";
import { readApiDocument } from "../../src/openapi/read/load-api-document.ts";

const text: JsonObject = { type: "string" };
const number: JsonObject = { type: "integer" };
const time: JsonObject = { type: "string", format: "date-time" };
const date: JsonObject = { type: "string", format: "date" };
const object = (properties: JsonObject): JsonObject => ({ type: "object", properties });
const array = (items: Json): JsonObject => ({ type: "array", items });
const sends = (schema: JsonObject | undefined, example?: Json): JsonObject => ({
  responses: {
    200: {
      description: "",
      ...(schema && { content: { "application/json": { schema, ...(example !== undefined && { example }) } } }),
    },
  },
});

const content = (schema: JsonObject): JsonObject => ({ content: { "application/json": { schema } } });

async function bind(paths: JsonObject, schemas: JsonObject = {}): Promise<readonly BoundCollection[]> {
  const root = { openapi: "3.1.0", info: { title: "Details", version: "1" }, paths, components: { schemas } };
  return bindDocument(await readApiDocument({ file: "details.json", root })).collections;
}

const event = object({
  id: text,
  name: text,
  parentId: text,
  urgency: text,
  active: { type: "boolean" },
  time_zone: text,
  teams: array(object({ id: text, name: text })),
  languages: array(object({ id: number, name: text })),
  details: object({ email: text }),
  order: object({ id: text }),
  created_at: time,
  updated_at: time,
  sent: { ...text, format: "date-time-rfc-2822" },
  dates: array(date),
});

describe("parameters of lists, as their names and descriptions tell", () => {
  const cases: [string, JsonObject, string, string][] = [
    ["created_at", object({ $gte: text, $lt: text }), "", "filter created_at gte, filter created_at lt"],
    ["created_at>", date, "", "filter created_at gte"],
    ["created_at", date, "", "filter created_at startsWith"],
    ["sent", date, "", "filter sent contains"],
    ["sent<", date, "", ""],
    ["since", time, "Only show events updated at or after this time.", "filter updated_at gte"],
    ["endDate", date, "End of a date range to retrieve events for.", "filter dates lte"],
    ["endDate", date, "", ""],
    ["end_time", text, "The end of the period, in ISO 8601 format.", "filter dates lte"],
    ["end_time", text, "", ""],
    ["order", text, "The field to sort the data by.", "sort"],
    ["order", text, "The order that an event belongs to.", "filter order.id"],
    ["direction", { ...text, enum: ["default", "ascending", "descending"] }, "", "order"],
    ["time_zone", text, "Time zone in which results will be rendered.", ""],
    ["time_zone", text, "Filters by time zone.", "filter time_zone"],
    ["team_ids[]", array(text), "", "filter teams.id"],
    ["team", text, "The team ID to filter events on.", "filter teams.id"],
    ["languages", array(number), "", "filter languages.id"],
    ["languages", array(text), "", "filter languages.name"],
    ["details", object({ email: text }), "", "filter details.email"],
    ["parent", text, "", "filter parentId"],
    ["name", text, "Event name (full or partial)", "filter name contains"],
    ["nameFilter", text, "", "filter name contains"],
    ["urgencies[]", { ...text, enum: ["high", "low"] }, "", "filter urgency"],
    ["is_active", { type: "boolean" }, "", "filter active"],
    ["fields", array({ ...text, enum: ["None", "Lyrics"] }), "", ""],
    ["fields", array({ ...text, enum: ["name", "urgency"] }), "", "fields"],
    ["parent", { ...text, enum: ["none", "any"] }, "", ""],
    ["prefix", text, "return items prefixed with this value", "filter id startsWith"],
    ["attributes", text, "Comma delimited list of attributes to limit to in the response.", "fields"],
    ["attributes", text, "", ""],
    ["startIndex", { ...number, minimum: 1 }, "", "position"],
    ["startIndex", number, "", "offset"],
    ["pg", number, "the page (int), starting with 1", "page"],
    ["pg", number, "The page a quote is on.", ""],
    ["rpp", number, "results per page (int)", "limit"],
    ["offset", text, "Offset token. An offset to the next page returned by the API.", "cursor"],
    ["offset", text, "", "offset"],
    ["orderascending", { type: "boolean" }, "", "order"],
    ["desc", text, "", ""],
    ["detailsOneOf", { oneOf: [text, array(text)] }, "", ""],
    ["teamsOneOf", { oneOf: [text, array(text)] }, "", "filter teams.id"],
    ["datesOneOf", array(date), "", "filter dates"],
    ["urgencies", text, "Any combination of high, low, separated by comma", "filter urgency"],
    ["urgencies", text, "", "filter urgency"],
    ["name", text, "Filter by name or part of it", "filter name contains"],
  ];
  for (const [name, schema, description, expected] of cases) {
    test(`${name} ${JSON.stringify(schema)} "${description}": ${expected}`, async () => {
      const style = name === "details" ? "deepObject" : "form";
      const [events] = await bind({
        "/events": { get: { parameters: [{ name, in: "query", schema, description, style }], ...sends(array(event)) } },
        "/events/{id}": { get: sends(event) },
      });
      const found = events!.operations[0]!.parameters;
      expect(
        found.map(({ role, field, operator }) => [role, field, operator].filter((one) => one).join(" ")).join(", "),
      ).toBe(expected);
    });
  }
});

test("dates that records are on or after are compared with times of that name", async () => {
  const visit = object({ id: text, date, startDateTime: time, endDateTime: time });
  const parameters = [
    { name: "startDate", in: "query", schema: date, description: "Filter by on/after startDate." },
    { name: "endDate", in: "query", schema: date, description: "Filter on or before endDate." },
  ];
  const [visits] = await bind({
    "/visits": { get: { parameters, ...sends(array(visit)) } },
    "/visits/{id}": { get: sends(visit) },
  });
  expect(visits!.operations[0]!.parameters.map(({ field, operator }) => `${field} ${operator}`)).toEqual([
    "startDateTime gte",
    "endDateTime lte",
  ]);
});

test("a time that is named like the start of a range may be a day, or say how it compares", async () => {
  const call = object({ id: text, start_time: time });
  const parameters = [
    { name: "start_time", in: "query", schema: date, description: "Only include calls that started on this date." },
    { name: "start_time>", in: "query", schema: date },
  ];
  const [calls] = await bind({
    "/calls": { get: { parameters, ...sends(array(call)) } },
    "/calls/{id}": { get: sends(call) },
  });
  expect(calls!.operations[0]!.parameters.map(({ operator }) => operator)).toEqual(["startsWith", "gte"]);
});

describe("fields around lists, as descriptions and examples tell", () => {
  const described = (schema: JsonObject, description: string): JsonObject => ({ ...schema, description });
  const cases: [string, JsonObject, Json | undefined, string[]][] = [
    ["a total that is called size", { size: described(number, "Total number of objects.") }, undefined, ["size total"]],
    [
      "a count of the page",
      { results: described(number, "Number of values found in the results") },
      undefined,
      ["results count"],
    ],
    [
      "the address of the list",
      { url: described(text, "The URL where this list can be accessed.") },
      undefined,
      ["url selfUrl"],
    ],
    ["an example that is a path", { uri: text }, { uri: "/events.json", data: [] }, ["uri selfUrl"]],
    ["an address of something else", { url: text }, undefined, []],
  ];
  for (const [name, fields, example, expected] of cases) {
    test(name, async () => {
      const [events] = await bind({
        "/events": { get: sends(object({ ...fields, data: array(event) }), example) },
        "/events/{id}": { get: sends(event) },
      });
      expect(events!.operations[0]!.envelope.map(({ path, role }) => `${path.join(".")} ${role}`)).toEqual(expected);
    });
  }

  test("records that requests count from 1 are counted so in responses", async () => {
    const startIndex = { name: "startIndex", in: "query", schema: { ...number, minimum: 1 } };
    const [events] = await bind({
      "/events": { get: { parameters: [startIndex], ...sends(object({ startIndex: number, data: array(event) })) } },
      "/events/{id}": { get: sends(event) },
    });
    expect(events!.operations[0]!.envelope).toEqual([{ path: ["startIndex"], role: "position" }]);
  });
});

describe("paths that are no records of their list", () => {
  test("a wildcard that is a query parameter of the list, where no response is described", async () => {
    const found = await bind({
      "/lists": { get: { parameters: [{ name: "filter", in: "query", schema: text }], ...sends(undefined) } },
      "/lists/{filter}": { get: sends(undefined) },
    });
    expect(found).toEqual([]);
  });

  test("the body of a list at the path of a record holds the record in its list", async () => {
    const body = { $ref: "#/components/schemas/Found" };
    const found = await bind(
      { "/parts": { get: sends(body) }, "/parts/{id}": { get: sends(body) } },
      { Found: object({ meta: object({ page: number }), results: array({ type: "object" }) }) },
    );
    expect(
      found.flatMap(({ operations }) => operations.map(({ action, at, isListOfOne }) => [action, at, isListOfOne])),
    ) //
      .toEqual([
        ["list", ["results"], false],
        ["read", ["results"], true],
      ]);
  });

  test("records in groups", async () => {
    const category = object({ id: text, name: text });
    const root = {
      openapi: "3.1.0",
      info: { title: "Budgets", version: "1" },
      paths: {
        "/categories": {
          get: sends(
            object({
              groups: array(
                object({ id: text, name: text, categories: array({ $ref: "#/components/schemas/Category" }) }),
              ),
            }),
          ),
        },
        "/categories/{category_id}": { get: sends({ $ref: "#/components/schemas/Category" }) },
      },
      components: { schemas: { Category: category } },
    };
    expect(bindDocument(await readApiDocument({ file: "budgets.json", root })).collections).toEqual([]);
  });
});

describe("parents", () => {
  test("a wildcard that lists records is none of them, and a version below a wildcard is a parent", async () => {
    const comment = object({ id: text, body: text });
    const spec = object({ name: text, owner: text, title: text });
    const found = await bind({
      "/specs": { get: sends(object({ specs: array(spec) })) },
      "/specs/{owner}": { get: sends(object({ specs: array(spec) })) },
      "/specs/{owner}/{name}": { get: sends(spec) },
      "/specs/{owner}/{name}/{version}/comments": { get: sends(array(comment)) },
      "/specs/{owner}/{name}/{version}/comments/{id}": { get: sends(comment) },
    });
    const comments = found.find(({ name }) => name === "comments");
    const parents = comments!.operations[0]!.parents.map(({ parameter, collection }) => [parameter, collection]);
    expect(parents.map(([parameter]) => parameter)).toEqual(["owner", "name", "version"]);
    expect(parents[0]).toEqual(["owner", undefined]);
  });

  test("a parent is a field whose name ends in another word for an id", async () => {
    const grant = object({ id: text, product_uuid: text });
    const [grants] = await bind({
      "/products/{productId}/grants": { get: sends(array(grant)) },
      "/products/{productId}/grants/{grantId}": { get: sends(grant) },
    });
    expect(grants!.operations[0]!.parents.map(({ field }) => field)).toEqual(["product_uuid"]);
  });

  test("a parent is told by the id of an object that is named like it", async () => {
    const fields = async (path: string, properties: JsonObject): Promise<unknown[]> => {
      const task = object({ id: text, ...properties });
      const [tasks] = await bind({ [path]: { get: sends(array(task)) }, [`${path}/{taskId}`]: { get: sends(task) } });
      return tasks!.operations[0]!.parents.map(({ holder, field }) => [holder, field]);
    };
    const project = object({ guid: text, name: text });
    expect(await fields("/projects/{projectGuid}/tasks", { project })).toEqual([["project", "guid"]]);
    expect(await fields("/projects/{id_or_name}/tasks", { project })).toEqual([["project", "guid"]]);
    expect(await fields("/projects/{projectId}/tasks", { project: object({ name: text }) })).toEqual([
      [undefined, "projectId"],
    ]);
    expect(await fields("/users/{teamId}/tasks", { user: project })).toEqual([[undefined, "teamId"]]);
  });

  test("a parent is told by a field with the code that its wildcard is", async () => {
    const code = { ...text, description: "ISO-3166 country code" };
    const region = object({ id: text, countryCode: code });
    const named = { name: "countryId", in: "path", description: "ISO-3166 country code or another id", schema: text };
    const [regions] = await bind({
      "/countries/{countryId}/regions": { get: { parameters: [named], ...sends(array(region)) } },
      "/countries/{countryId}/regions/{id}": { get: { parameters: [named], ...sends(region) } },
    });
    const fields = regions!.operations.flatMap(({ parents }) => parents.map(({ field }) => field));
    expect(fields).toEqual(["countryCode", "countryCode"]);
  });

  test("a parent may be of another version", async () => {
    const order = object({ id: text, total: number });
    const file = object({ id: text, size: number });
    const found = await bind({
      "/v4/orders": { get: sends(array(order)) },
      "/v4/orders/{id}": { get: sends(order) },
      "/v2/orders/{orderId}/files": { get: sends(array(file)) },
      "/v2/orders/{orderId}/files/{id}": { get: sends(file) },
    });
    expect(found.find(({ name }) => name === "files")!.operations[0]!.parents[0]!.collection).toBe("orders");
  });

  test("a list at the root is named like the path of the server", async () => {
    const card = object({ id: text, title: text });
    const root = {
      openapi: "3.0.3",
      info: { title: "Cards", version: "1" },
      servers: [{ url: "https://example.org/v3/cards" }],
      paths: { "/{appId}": { get: sends(array(card)) }, "/{appId}/{cardId}": { get: sends(card) } },
    };
    const { collections } = bindDocument(await readApiDocument({ file: "cards.json", root }));
    expect(collections.map(({ name }) => name)).toEqual(["cards"]);
  });

  test("a DELETE that expires records keeps them", async () => {
    const link = object({ id: text, url: text, expired: { type: "boolean" } });
    const [links] = await bind({
      "/links": { get: sends(array(link)) },
      "/links/{id}": { get: sends(link), delete: { summary: "Expire a link", ...sends(link) } },
    });
    expect(links!.operations.map(({ action }) => action)).toEqual(["list", "read", "end"]);
  });

  test("a wildcard of given words is no id of a list without single records at that path", async () => {
    const box = object({ id: number, name: text, kind: text });
    const version = object({ id: number, name: text, metadata: object({ kind: text }) });
    const of = (schema: JsonObject): JsonObject => ({
      parameters: ["kind", "name"].map((name) => ({
        name,
        in: "path",
        required: true,
        schema: name === "kind" ? schema : text,
      })),
    });
    const collectionOf = async (schema: JsonObject): Promise<string | undefined> => {
      const found = await bind({
        "/boxes": { get: sends(array(box)), post: { requestBody: content(box), ...sends(box) } },
        "/boxes/{kind}/{name}/versions": { ...of(schema), get: sends(array(version)) },
        "/boxes/{kind}/{name}/versions/{id}": { ...of(schema), get: sends(version) },
      });
      return found.find(({ name }) => name === "versions")!.operations[0]!.parents[0]!.collection;
    };
    expect(await collectionOf({ ...text, enum: ["npm", "maven"] })).toBeUndefined();
    expect(await collectionOf(text)).toBe("boxes");
  });
});

describe("ids", () => {
  test("{id} is the id, even where its description speaks of a name", async () => {
    const volume = object({ id: number, name: text });
    const parameters = [{ name: "id", in: "path", required: true, schema: text, description: "Name of the volume" }];
    const [volumes] = await bind({
      "/volumes": { get: sends(array(volume)) },
      "/volumes/{id}": { get: { parameters, ...sends(volume) } },
    });
    expect(volumes!.idKey).toBe("id");
  });

  describe("a wildcard whose name no field is like", () => {
    const paths = (segment: string, parameter: string, description: string, record: JsonObject): JsonObject => {
      const parameters = [{ name: parameter, in: "path", required: true, schema: text, description }];
      return {
        [`/${segment}`]: { get: sends(array(record)) },
        [`/${segment}/{${parameter}}`]: { get: { parameters, ...sends(record) } },
      };
    };
    const bill = object({ CompanyID: number, TransactionID: number, Total: number });
    const cases: [string, string, string, JsonObject, string | undefined][] = [
      ["Bill", "id", "Bill Transaction ID number", bill, "TransactionID"],
      ["Bill", "id", "The ID of the bill (a transaction ID)", bill, "TransactionID"],
      [
        "members",
        "member_id",
        "The character ID of a member",
        object({ character_id: number, role: text }),
        "character_id",
      ],
      ["group_users", "id", "Group User ID.", object({ group_id: number, user_id: number }), undefined],
      ["art", "artwork", "The name of the artwork to look up", object({ name: text, price: number }), "name"],
      ["art", "artwork", "The artwork to look up, by its name", object({ name: text, price: number }), undefined],
      ["staff", "staffID", "", object({ OID: text, Surname: text }), "OID"],
      ["certificates", "id", "", object({ name: text, certId: text }), "certId"],
      ["regions", "regionCode", "An ISO-3166 or FIPS region code", object({ isoCode: text, name: text }), "isoCode"],
      [
        "regions",
        "regionCode",
        "An ISO-3166 or FIPS region code",
        object({ sign: { ...text, description: "ISO-3166 region code" }, name: text }),
        "sign",
      ],
      ["profiles", "profileId", "", object({ code: number, message: text, city: text }), undefined],
    ];
    for (const [segment, parameter, description, record, expected] of cases) {
      test(`/${segment}/{${parameter}}, "${description}": ${expected ?? "no field"}`, async () => {
        const [found] = await bind(paths(segment, parameter, description, record));
        expect(
          found && Object.keys(record.properties as JsonObject).includes(found.idKey) ? found.idKey : undefined,
        ).toBe(expected);
      });
    }
  });

  test("a wildcard for numbers is no name", async () => {
    const video = object({ uri: text, name: text });
    const parameters = [{ name: "video_id", in: "path", required: true, schema: { type: "number" } }];
    const [videos] = await bind({
      "/videos": { get: sends(array(video)) },
      "/videos/{video_id}": { get: { parameters, ...sends(video) } },
    });
    expect(videos!.idKey).toBe("id");
  });

  test("wildcards of one path name a record by either field", async () => {
    const contact = object({ contactID: text, contactNumber: text, alias: text, comment: text });
    const namesOf = async (...wildcards: string[]): Promise<unknown[]> => {
      const items = wildcards.map((name): [string, JsonObject] => [`/contacts/{${name}}`, { get: sends(contact) }]);
      const [contacts] = await bind({ "/contacts": { get: sends(array(contact)) }, ...Object.fromEntries(items) });
      return [contacts!.idKey, ...contacts!.otherNames];
    };
    expect(await namesOf("contactNumber", "contactID")).toEqual(["contactID", "contactNumber"]);
    expect(await namesOf("contactIdOrAlias")).toEqual(["contactID", "alias"]);
    expect(await namesOf("contactID", "contact")).toEqual(["contactID"]);
    expect(await namesOf("contactID", "number")).toEqual(["contactID", "contactNumber"]);
  });

  describe("a list whose schema allows any objects", () => {
    const example = [{ id: "7", name: "Main", tags: ["west"] }];
    const anyList = { ...array({ type: "object", title: "Admin" }), description: "Admins" };
    const removes = { responses: { 204: { description: "" } } };
    const listed = async (get: JsonObject): Promise<readonly BoundCollection[]> =>
      bind({ "/admins": { get }, "/admins/{adminId}": { delete: removes } });

    const cases: [string, JsonObject][] = [
      ["its example", sends(anyList, example)],
      ["the example of the schema", sends({ ...anyList, example })],
    ];
    for (const [source, get] of cases) {
      test(`has the records of ${source}`, async () => {
        const [admins] = await listed(get);
        expect(admins!.idKey).toBe("id");
        expect(admins!.operations.map(({ action }) => action)).toEqual(["list", "remove"]);
      });
    }

    test("is not bound without an example", async () => expect(await listed(sends(anyList))).toEqual([]));
  });

  test("a name is no id where another response has an id, or a description tells of one", async () => {
    const place = { id: text, name: text };
    const area = object({ name: text, OID: { ...text, description: "The unique object ID." }, etag: text });
    const found = await bind({
      "/places": { get: sends(array(object(place))) },
      "/places/{placeId}": { get: sends(object({ name: text, country: text })) },
      "/areas": { get: sends(array(area)) },
      "/areas/{areaId}": { get: sends(area) },
      "/zones": { get: sends(array(object(place))) },
      "/zones/{name}": { get: sends(object(place)) },
    });
    expect(found.map(({ name, idKey }) => [name, idKey])).toEqual([
      ["places", "id"],
      ["areas", "OID"],
      ["zones", "name"],
    ]);
  });

  test("{id_or_slug} is the id", async () => {
    const board = object({ id: number, slug: text, title: text });
    const [boards] = await bind({
      "/boards": { get: sends(array(board)) },
      "/boards/{id_or_slug}": { get: sends(board) },
    });
    expect(boards!.idKey).toBe("id");
  });

  test("a request has its record where its names are alike, or in the only object", async () => {
    const meeting = object({ id: text, subject: text, startTime: time, endTime: time, passwordRequired: text });
    const sent = object({ subject: text, starttime: time, endtime: time, passwordrequired: text });
    const mock = object({ id: text, collection: text, environment: text, url: text });
    const found = await bind({
      "/meetings": { get: sends(array(meeting)), post: { requestBody: content(sent), ...sends(undefined) } },
      "/meetings/{id}": { get: sends(meeting) },
      "/mocks": { get: sends(object({ mocks: array(mock) })) },
      "/mocks/{id}": {
        get: sends(object({ mock })),
        put: {
          requestBody: content(object({ mock: object({ environment: text, name: text, private: text }) })),
          ...sends(object({ mock })),
        },
      },
    });
    const [post, put] = ["POST", "PUT"].map((method) =>
      found.flatMap(({ operations }) => operations).find(({ operation }) => operation.method === method),
    );
    expect([post?.action, put?.requestAt]).toEqual(["create", ["mock"]]);
  });

  test("is no open object in a field of the record", async () => {
    const details = object({ data: { type: "object", additionalProperties: true } });
    const room = object({ id: text, name: text, owner: text, details });
    const found = await bind({
      "/rooms": {
        get: sends(array(room)),
        post: { requestBody: content(object({ name: text, role: text, note: text, details })), ...sends(room) },
      },
      "/rooms/{id}": { get: sends(room) },
    });
    const create = found.flatMap(({ operations }) => operations).find(({ action }) => action === "create");
    expect(create?.requestAt).toEqual([]);
  });

  test("a POST without a body creates what its query names, if it says so", async () => {
    const comment = object({ id: text, text });
    const posted = async (summary: string): Promise<string | undefined> => {
      const parameters = [{ name: "text", in: "query", required: true, schema: text }];
      const [comments] = await bind({
        "/comments": {
          get: sends(object({ data: array(comment) })),
          post: { summary, parameters, ...sends(object({ status: text })) },
        },
        "/comments/{id}": { delete: sends(undefined) },
      });
      return comments!.operations.find(({ operation }) => operation.method === "POST")?.action;
    };
    expect([await posted("Create a comment"), await posted("Check a comment")]).toEqual(["create", undefined]);
  });

  describe("a wildcard that is told to be a name", () => {
    const org = object({ id: number, name: text, username: text });
    const paths = (body: JsonObject, description: string): JsonObject => {
      const item = [{ name: "org", in: "path", required: true, schema: text, description }];
      return {
        "/orgs": { get: sends(array(ref)), post: { requestBody: content(body), ...sends(ref) } },
        "/orgs/{org}": { get: { parameters: item, ...sends(ref) } },
        "/users": { get: sends(array(object({ username: text }))) },
        "/users/{username}": { get: sends(object({ username: text })) },
        "/users/{username}/orgs": { get: { parameters: [page], ...sends(array(ref)) } },
        "/admin/users/{username}/orgs": { post: { requestBody: content(body), ...sends(ref) } },
      };
    };
    const ref = { $ref: "#/components/schemas/Organization" };
    const page = { name: "page", in: "query", schema: number };
    const orgsOf = async (body: JsonObject, description: string): Promise<BoundCollection> =>
      (await bind(paths(body, description), { Organization: org })).find(({ name }) => name === "orgs")!;

    const cases: [string, JsonObject, string][] = [
      ["name of the organization to get", object({ name: text }), "name"],
      ["The name of an organization", object({ username: text }), "username"],
      ["name of the organization", object({ title: text }), "id"],
      ["name of the region", object({ name: text }), "id"],
      ["", object({ name: text }), "id"],
    ];
    for (const [description, body, expected] of cases) {
      test(`"${description}", created by ${Object.keys(body.properties as JsonObject).join()}: ${expected}`, async () =>
        expect((await orgsOf(body, description)).idKey).toBe(expected));
    }

    test("is no name of the user whose organizations a path lists or creates", async () => {
      const { operations } = await orgsOf(object({ username: text }), "name of the organization");
      const nested = operations.filter(({ parents }) => parents.length > 0);
      expect(nested.map(({ action, parents }) => [action, parents[0]!.isInRecord])).toEqual([
        ["create", false],
        ["list", false],
      ]);
    });
  });

  describe("a wildcard for ids beside a name and no id", () => {
    const alliance = object({ name: text, founded: date });
    for (const [type, expected] of [
      ["integer", "id"],
      ["number", "id"],
      ["string", "name"],
    ] as const) {
      test(`of type ${type} is ${expected}`, async () => {
        const item = [{ name: "alliance_id", in: "path", required: true, schema: { type } }];
        const [alliances] = await bind({
          "/alliances": { get: sends(array({ type: type === "string" ? "string" : "integer" })) },
          "/alliances/{alliance_id}": { get: { parameters: item, ...sends(alliance) } },
        });
        expect(alliances!.idKey).toBe(expected);
      });
    }
  });

  test("{space_uid} is uid, although the record alone has nothing but an id", async () => {
    const [spaces] = await bind({
      "/spaces": { get: sends(array(object({ id: text, uid: text, name: text }))) },
      "/spaces/{space_uid}": { get: sends(object({ id: text, name: text })) },
    });
    expect(spaces!.idKey).toBe("uid");
  });
});

describe("PUT that adds to a list", () => {
  const member = object({ id: text, name: text });
  const paths = (put: JsonObject, list: JsonObject = {}): JsonObject => ({
    "/members": { get: sends(array(member)), ...list },
    "/members/{id}": { put, delete: { responses: { 204: { description: "" } } } },
  });
  const nothing: JsonObject = { responses: { 204: { description: "" } } };
  const body = { requestBody: { content: { "application/json": { schema: object({ secret: text }) } } } };
  const actionOf = async (given: JsonObject): Promise<string | undefined> =>
    (await bind(given))[0]!.operations.find(({ operation }) => operation.method === "PUT")?.action;

  test("on the list, which says that it creates: create", async () => {
    const put = { summary: "Create a user", requestBody: { content: { "application/json": { schema: member } } } };
    const given = { "/users": { get: sends(array(member)), put: { ...put, ...sends(member) } } };
    expect(await actionOf({ ...given, "/users/{id}": { get: sends(member) } })).toBe("create");
  });

  const cases: [string, JsonObject, string | undefined][] = [
    ["without a body", paths(nothing), "add"],
    ["that says that it creates", paths({ summary: "Create or update a member", ...body, ...nothing }), "add"],
    ["with a body that may mean anything", paths({ summary: "Rotate", ...body, ...nothing }), undefined],
    [
      "beside a POST",
      paths(nothing, {
        post: { requestBody: { content: { "application/json": { schema: member } } }, ...sends(member) },
      }),
      undefined,
    ],
  ];
  for (const [name, given, expected] of cases) {
    test(`${name}: ${expected}`, async () => expect(await actionOf(given)).toBe(expected));
  }
});

describe("words for the method at the end of a path", () => {
  const pet = object({ id: number, name: text });
  const param = (name: string): JsonObject => ({ name, in: "path", required: true, schema: number });
  const actions = async (paths: JsonObject): Promise<string[]> =>
    (await bind(paths)).flatMap(({ name, operations }) =>
      operations.map(({ action, operation }) => `${name} ${action} ${operation.method} ${operation.path.text}`),
    );
  const body = { requestBody: content(pet) };

  test("are left out where the paths of a collection have several", async () => {
    const found = await actions({
      "/pets/all": { get: sends(array(pet)) },
      "/pets/create": { post: { ...body, ...sends(pet) } },
      "/pets/{pet}/show": { parameters: [param("pet")], get: sends(pet) },
      "/pets/{pet}/update": { parameters: [param("pet")], post: { ...body, ...sends(pet) } },
      "/pets/{id}/delete": { parameters: [param("id")], delete: sends(undefined) },
    });
    expect(found).toEqual([
      "pets list GET /pets/all",
      "pets create POST /pets/create",
      "pets read GET /pets/{pet}/show",
      "pets patch POST /pets/{pet}/update",
      "pets remove DELETE /pets/{id}/delete",
    ]);
  });

  test("stay where the same is done without them, or where other paths go on from them", async () => {
    const found = await actions({
      "/pets": { get: sends(array(pet)), post: { ...body, ...sends(pet) } },
      "/pets/add": { post: { requestBody: content(array(pet)), ...sends(array(pet)) } },
      "/pets/{id}": { parameters: [param("id")], get: sends(pet), put: { ...body, ...sends(pet) } },
      "/pets/{id}/details": { parameters: [param("id")], get: sends(object({ weight: number, height: number })) },
      "/pets/{id}/edit": { parameters: [param("id")], post: { ...body, ...sends(object({ edits: number })) } },
      "/lists/all": { get: sends(array(pet)) },
      "/lists/all/{id}": { parameters: [param("id")], get: sends(pet) },
    });
    expect(found).toEqual([
      "pets list GET /pets",
      "pets create POST /pets",
      "pets read GET /pets/{id}",
      "pets replace PUT /pets/{id}",
      "pets create POST /pets/add",
      "all list GET /lists/all",
      "all read GET /lists/all/{id}",
    ]);
  });
});

describe("a record among other values", () => {
  const user = object({
    id: text,
    email: text,
    data: { type: "object", additionalProperties: { type: "object" } },
  });
  const tokens = array(object({ id: text, value: text }));
  const operation = (sent: boolean): JsonObject => ({
    ...(sent && { requestBody: content(object({ user, isSilent: { type: "boolean" } })) }),
    ...sends({ $ref: "#/components/schemas/UserResponse" }),
  });
  const schemas = { UserResponse: object({ user, token: text, tokens }) };
  const parameters = [{ name: "userId", in: "path", required: true, schema: text }];

  test("a map of values in a record is a part of it, and a list beside it that of something else", async () => {
    const paths = {
      "/user": { get: operation(false), post: operation(true) },
      "/user/{userId}": { parameters, get: operation(false), put: operation(true) },
    };
    const [users] = await bind(paths, schemas);
    const places = users?.operations.map(({ action, at, requestAt }) => [action, at?.join("."), requestAt?.join(".")]);
    expect(places).toEqual([
      ["create", "user", "user"],
      ["read", "user", ""],
      ["replace", "user", "user"],
    ]);
  });
});

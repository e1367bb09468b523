import { describe, expect, test } from "vitest";
import type { Json, JsonObject } from "../../src/base/json/json.ts";
import { bindDocument } from "../../src/openapi/bind/bind-document.ts";
import type { BoundCollection } from "../../src/openapi/bind/binding.ts";
import { readApiDocument } from "../../src/openapi/read/load-api-document.ts";

const text: JsonObject = { type: "string" };
const number: JsonObject = { type: "integer" };
const time: JsonObject = { type: "string", format: "date-time" };
const object = (properties: JsonObject): JsonObject => ({ type: "object", properties });
const array = (items: Json): JsonObject => ({ type: "array", items });
const query = (name: string, schema: JsonObject, description = ""): JsonObject => ({
  ...{ name, in: "query", schema, description },
});
const order = object({ id: text, name: text, email: text, total: number, shippedAt: time, updated: time });

interface Listed {
  readonly record?: JsonObject;
  readonly parameters?: JsonObject[];
  readonly around?: JsonObject;
  readonly headers?: JsonObject;
  readonly read?: JsonObject;
}

async function bound({ record = order, parameters = [], around, headers, read = record }: Listed) {
  const body = around ? object({ ...around, orders: array(record) }) : array(record);
  const sends = (schema: JsonObject): JsonObject => ({
    responses: { 200: { description: "", ...(headers && { headers }), content: { "application/json": { schema } } } },
  });
  const paths = { "/orders": { get: { parameters, ...sends(body) } }, "/orders/{id}": { get: sends(read) } };
  const root = { openapi: "3.1.0", info: { title: "Orders", version: "1" }, paths } as JsonObject;
  return bindDocument(await readApiDocument({ file: "orders.json", root })).collections[0]!;
}

/** `limit size` for each parameter, field and header that means something. */
function meanings({ operations: [list] }: BoundCollection): string[] {
  return [
    ...list!.parameters.map(({ name, role, field, operator }) =>
      [name, role, field, operator].filter((one) => one).join(" "),
    ),
    ...list!.envelope.map(({ path, role }) => `${path.join(".")} ${role}`),
    ...list!.headers.map(({ name, role }) => `${name} ${role}`),
  ];
}

describe("what parameters, fields and headers of a list mean", () => {
  const next = (description: string): JsonObject => ({ ...text, description });
  const directions = { ...text, enum: ["asc", "desc", "relevance"] };
  const cases: [string, Listed, string[]][] = [
    [
      "Relay's sizes, beside cursors",
      { parameters: [query("first", number), query("after", text), query("last", number), query("before", text)] },
      ["first limit", "after cursor", "last limit", "before before"],
    ],
    [
      "a length of pages",
      { parameters: [query("page", number), query("length", number)] },
      ["page page", "length limit"],
    ],
    [
      "a length beside a surer name",
      { parameters: [query("limit", number), query("length", number)] },
      ["limit limit"],
    ],
    [
      "directions in words, beside a field to sort by",
      { parameters: [query("sort_by", text), query("order_by", text, "Possible values are `asc` or `desc`.")] },
      ["sort_by sort", "order_by order"],
    ],
    ["directions and another order", { parameters: [query("sortOrder", directions)] }, ["sortOrder order"]],
    [
      "pages that may be turned off",
      { parameters: ["unpaged", "pagination", "paged_by"].map((name) => query(name, { type: "boolean" })) },
      ["unpaged unpaged", "pagination unpaged"],
    ],
    ["a field mask", { parameters: [query("field_mask", text, "The fields to return.")] }, ["field_mask fields"]],
    [
      "a query whose syntax is described elsewhere",
      { parameters: [query("query", text, "Query, see https://example.com/filter for the syntax.")] },
      ["query where"],
    ],
    [
      "a search in one field",
      { parameters: [query("q", text, "Case-insensitive query applied on the `name` property.")] },
      ["q filter name contains"],
    ],
    [
      "a first letter",
      { parameters: [query("letter", text, "Entries starting with the given letter.")] },
      ["letter filter name startsWith"],
    ],
    [
      "a prefix",
      { parameters: [query("email", text, "Filter the orders by email address prefix.")] },
      ["email filter email startsWith"],
    ],
    [
      "times before, and not at",
      { parameters: [query("toShippedAt", time, "Only orders shipped before this datetime.")] },
      ["toShippedAt filter shippedAt lt"],
    ],
    [
      "times after, inclusively",
      { parameters: [query("shippedAfter", time, "Filter by shipping time. Inclusive.")] },
      ["shippedAfter filter shippedAt gte"],
    ],
    [
      "a search in a part of one field",
      { parameters: [query("q", text, "Filter orders based on the name partial match.")] },
      ["q filter name contains"],
    ],
    [
      "texts that lead on beside a cursor, and are no addresses",
      { parameters: [query("after", text)], around: { next: text, prev: text } },
      ["after cursor", "next nextCursor", "prev previousCursor"],
    ],
    [
      "links beside a cursor",
      { parameters: [query("after", text)], around: { links: object({ next: text }) } },
      ["after cursor", "links.next nextUrl"],
    ],
    [
      "addresses beside a cursor",
      {
        parameters: [query("after", text)],
        around: {
          next: { ...text, description: "URL of the next page" },
          prev: { ...text, example: "/orders?after=1" },
        },
      },
      ["after cursor", "next nextUrl", "prev previousUrl"],
    ],
    [
      "the request, repeated in self",
      {
        parameters: [query("cursor", text)],
        around: {
          self: object({ from: time, before: time, cursor: text }),
          next: object({ cursor: { type: ["string", "boolean"] } }),
        },
      },
      ["cursor cursor", "self.cursor currentCursor", "next.cursor nextCursor"],
    ],
    [
      "bookmarks",
      { parameters: [query("bookmark", text)], around: { bookmark: text } },
      ["bookmark cursor", "bookmark nextCursor"],
    ],
    [
      "a cursor by its description",
      { parameters: [query("mark", text, "Cursor used to fetch the next page.")] },
      ["mark cursor"],
    ],
    ["fields to include", { parameters: [query("include", text, "List of fields to include.")] }, ["include fields"]],
    ["more fields to include", { parameters: [query("include", text, "Additional fields to include.")] }, []],
    [
      "a page that is only told",
      { parameters: [query("page", number, "Current page number. Informational only.")] },
      [],
    ],
    [
      "directions of no text",
      { parameters: [query("order", { type: "object", enum: ["asc", "desc"] })] },
      ["order order"],
    ],
    [
      "a direction that is a flag",
      { parameters: [query("sort", text), query("isDescendingOrder", { type: "boolean" })] },
      ["sort sort", "isDescendingOrder order"],
    ],
    [
      "an id inside a header",
      {
        record: object({ header: object({ id: text, author: text }), state: text }),
        parameters: [query("id", text)],
      },
      ["id filter header.id"],
    ],
    [
      "words that are no ids",
      {
        record: object({ id: text, stage: object({ id: number, note: text }) }),
        parameters: [
          query("stage", { ...text, enum: ["open", "done"] }),
          query("stage_id", { ...text, enum: ["1", "2"] }),
        ],
      },
      ["stage_id filter stage.id"],
    ],
    [
      "fields that are shown",
      { parameters: [query("filter", text, "Comma separated list of fields that will be part of the output.")] },
      ["filter fields"],
    ],
    [
      "pages back",
      {
        parameters: [query("next_page_cursor", text), query("prev_page_cursor", text)],
        around: { next_page_cursor: text, prev_page_cursor: text },
      },
      [
        "next_page_cursor cursor",
        "prev_page_cursor before",
        "next_page_cursor nextCursor",
        "prev_page_cursor previousCursor",
      ],
    ],
    ["a column to sort by, in short", { parameters: [query("sortCol", text)] }, ["sortCol sort"]],
    [
      "positions that count from 1, in words",
      { parameters: [query("offset", { ...number, minimum: 1 }, "The starting position, starting at `1`.")] },
      ["offset position"],
    ],
    [
      "bounds that count themselves",
      {
        parameters: [query("created_before", time, "Those created before and equal to it.")],
        record: object({ id: text, created: time }),
      },
      ["created_before filter created lte"],
    ],
    [
      "parts that are shown, and no date",
      { parameters: [query("includeOrderParts", { type: "boolean" })], record: object({ id: text, orderDate: time }) },
      [],
    ],
    [
      "an order that its schema describes",
      {
        parameters: [
          {
            name: "order",
            in: "query",
            schema: { ...text, description: "Comma separated list of fields to sort by." },
          },
        ],
      },
      ["order sort"],
    ],
    [
      "a search, although there is a field of its name",
      { parameters: [query("query", text, "Search query keywords.")], record: object({ id: text, query: text }) },
      ["query search"],
    ],
    ["pages to turn", { parameters: [query("direction", { ...text, enum: ["next", "prev"] })] }, []],
    [
      "directions in words, beside no field",
      { parameters: [query("sort", text, "Sort order, values are `ASC` or `DESC`.")] },
      ["sort order"],
    ],
    [
      "fields to sort by and their directions",
      { parameters: [query("sort", text, "Field to sort by; the direction is one of `asc` or `desc`.")] },
      ["sort sort"],
    ],
    [
      "names that no number equals",
      {
        record: object({ id: text, assignee: number }),
        parameters: [query("assignee", text, "User name to which orders are assigned.")],
      },
      [],
    ],
    [
      "a number of that name",
      { record: object({ id: text, assignee: number }), parameters: [query("assignee", text)] },
      ["assignee filter assignee"],
    ],
    [
      "times that are shown",
      {
        record: object({ id: text, lastUsedAt: { ...time, nullable: true } }),
        parameters: [query("includeLastUsedTime", { type: "boolean" })],
      },
      [],
    ],
    [
      "the time of creation rather than of what became of it",
      {
        record: object({ id: text, acknowledged_at: time, created_at: time }),
        parameters: [query("startDate", text, "The start date")],
      },
      ["startDate filter created_at gte"],
    ],
    ["a column to sort by", { parameters: [query("order_column", text, "Order column")] }, ["order_column sort"]],
    [
      "a size that no request asks for, beside a total",
      { around: { offset: number, size: number, totalSize: number } },
      ["offset offset", "size count", "totalSize total"],
    ],
    [
      "a header for all with more words in front",
      { headers: { "X-Orders-Total-Size": { schema: number }, "X-Orders-Size": { schema: number } } },
      ["X-Orders-Total-Size total"],
    ],
    [
      "an id in the attributes of JSON:API",
      {
        record: object({ id: text, type: text, attributes: object({ user_id: text, note: text }) }),
        parameters: [query("filter[user]", text, "Those of the given user.")],
      },
      ["filter[user] filter attributes.user_id"],
    ],
    [
      "times before or at",
      { parameters: [query("toShippedAt", time, "Only orders shipped on or before this datetime.")] },
      ["toShippedAt filter shippedAt lte"],
    ],
    [
      "seconds of times",
      {
        parameters: [
          query("since", number, "Unix epoch time stamp (seconds): those that have been updated since then."),
        ],
      },
      ["since filter updated gte"],
    ],
    [
      "totals, described value by value",
      {
        parameters: [query("count", { oneOf: [{ enum: ["true"] }, { const: "false" }] }, "Count the orders.")],
        around: { total: number },
      },
      ["count totals", "total total"],
    ],
    [
      "an id of the last record as the next page",
      {
        record: object({ id: number, name: text }),
        parameters: [query("after", number)],
        around: { next: number, prev: number },
      },
      ["after cursor", "next lastId", "prev firstId"],
    ],
    [
      "a cursor as the next page",
      { parameters: [query("after", text)], around: { next: number } },
      ["after cursor", "next nextCursor"],
    ],
    [
      "numbers of pages",
      { parameters: [query("after", text), query("page", number)], around: { next: number } },
      ["after cursor", "page page", "next nextPage"],
    ],
    [
      "a token as the next page",
      { parameters: [query("page_token", text)], around: { next_page: next("token used to fetch the next page") } },
      ["page_token cursor", "next_page nextCursor"],
    ],
    [
      "an opaque token to continue with, and an estimate",
      {
        parameters: [query("list_token", text, "An opaque token used to continue an existing iteration.")],
        around: {
          list_token: next("An opaque token used to continue an existing pagination or request updated items."),
          est_count: { ...number, description: "An estimate at the total items available." },
        },
      },
      ["list_token cursor", "list_token nextCursor", "est_count total"],
    ],
    [
      "a set of fields, and no state",
      {
        record: object({ id: text, name: text, is_detailed: { type: "boolean" } }),
        parameters: [
          query("fieldset", { ...text, enum: ["basic", "detailed"] }),
          query("kind", { ...text, enum: ["detailed"] }),
        ],
      },
      ["kind filter"],
    ],
    [
      "a size that counts",
      { around: { size: { ...number, description: "Number of orders returned in the current page." } } },
      ["size count"],
    ],
    [
      "items of a page",
      {
        around: { found_now: { ...number, description: "Items found. The last page may have fewer." }, total: number },
      },
      ["found_now count", "total total"],
    ],
    ["the last page that one sees", { around: { last_visible_page: number } }, ["last_visible_page pages"]],
    [
      "a header for the page beside one for all",
      { headers: { "X-Result-Count": { schema: number }, "X-Total-Count": { schema: number } } },
      ["X-Result-Count count", "X-Total-Count total"],
    ],
    ["a header for all", { headers: { "X-Result-Count": { schema: number } } }, ["X-Result-Count total"]],
  ];
  for (const [title, listed, expected] of cases) {
    test(title, async () => {
      expect(meanings(await bound(listed))).toEqual(expected);
    });
  }
});

describe("a status of records without one", () => {
  const cases: [string, string[], JsonObject, object | undefined][] = [
    [
      "is a time that they have",
      ["active", "finished"],
      { finishedAt: time },
      {
        finished: { field: "finishedAt", operator: "null", value: "false" },
        active: { field: "finishedAt", operator: "null", value: "true" },
      },
    ],
    [
      "leaves out what has none",
      ["active", "locked", "closed"],
      { lockedAt: time },
      { locked: { field: "lockedAt", operator: "null", value: "false" } },
    ],
    ["means nothing where they have no such time", ["active", "finished"], { started: time }, undefined],
  ];
  for (const [title, values, properties, states] of cases) {
    test(title, async () => {
      const parameters = [query("status", { ...text, enum: values })];
      const { operations } = await bound({ record: object({ id: text, name: text, ...properties }), parameters });
      expect(operations[0]?.parameters[0]?.states).toEqual(states);
    });
  }
});

describe("the record in the response of its path", () => {
  const many = { id: text, a: text, b: text, c: text, d: text, e: text, f: text };
  const cases: [string, JsonObject, JsonObject, string[] | undefined][] = [
    [
      "has the id, and what is around it has none",
      object({ id: text, createdAt: time, updatedAt: time, name: text }),
      object({ createdAt: time, updatedAt: time, order: object({ id: text, name: text, color: text }) }),
      ["order"],
    ],
    [
      "may be in an object of any name, if it is the same",
      object(many),
      object({ run: text, info: object(many) }),
      ["info"],
    ],
    ["is the body", object(many), object({ ...many, info: object({ a: text, b: text }) }), []],
  ];
  for (const [title, record, read, at] of cases) {
    test(title, async () => {
      const { operations } = await bound({ record, read });
      expect(operations.find(({ action }) => action === "read")?.at).toEqual(at);
    });
  }

  test.each(["keys", "secrets"])(
    "of /%s is in the field for one, although the body also has that for all",
    async (name) => {
      const root: JsonObject = {
        openapi: "3.1.0",
        info: { title: "Keys", version: "1" },
        components: {
          schemas: {
            Key: object({ id: text, name: text }),
            Response: object({
              key: { $ref: "#/components/schemas/Key" },
              keys: array({ $ref: "#/components/schemas/Key" }),
            }),
          },
        },
        paths: Object.fromEntries(
          [`/${name}`, `/${name}/{id}`].map((path) => [
            path,
            {
              get: {
                responses: {
                  200: {
                    description: "",
                    content: { "application/json": { schema: { $ref: "#/components/schemas/Response" } } },
                  },
                },
              },
            },
          ]),
        ),
      };
      const { collections } = bindDocument(await readApiDocument({ file: "keys.json", root }));
      expect(collections[0]?.operations.map(({ at, isListOfOne }) => [at, isListOfOne])).toEqual([
        [["keys"], false],
        [["key"], false],
      ]);
    },
  );
});

import { describe, expect, test } from "vitest";
import type { Json, JsonObject } from "../../src/base/json/json.ts";
import { bindDocument } from "../../src/openapi/bind/bind-document.ts";
import type { BoundOperation } from "../../src/openapi/bind/binding.ts";
import { readApiDocument } from "../../src/openapi/read/load-api-document.ts";

const text: JsonObject = { type: "string" };
const number: JsonObject = { type: "integer" };
const flag: JsonObject = { type: "boolean" };
const date: JsonObject = { type: "string", format: "date" };
const time: JsonObject = { type: "string", format: "date-time" };
const object = (properties: JsonObject): JsonObject => ({ type: "object", properties });
const array = (items: Json): JsonObject => ({ type: "array", items });
const sends = (schema: JsonObject): JsonObject => ({
  responses: { 200: { description: "", content: { "application/json": { schema } } } },
});

interface Listed {
  readonly record: JsonObject;
  readonly parameter?: JsonObject;
  readonly around?: JsonObject;
}

async function listOf({ record, parameter, around }: Listed): Promise<BoundOperation> {
  const parameters = parameter ? [{ in: "query", ...parameter }] : [];
  const response = around ? object({ ...around, data: array(record) }) : array(record);
  const paths = {
    "/orders": { get: { parameters, ...sends(response) } },
    "/orders/{id}": { get: sends(record) },
  };
  const root = { openapi: "3.1.0", info: { title: "Parameters", version: "1" }, paths };
  return bindDocument(await readApiDocument({ file: "parameters.json", root })).collections[0]!.operations[0]!;
}

function roles({ parameters }: BoundOperation): string {
  return parameters
    .map(({ role, field, operator }) => [role, field, operator].filter((one) => one).join(" "))
    .join(", ");
}

const order = object({
  id: text,
  name: text,
  note: text,
  state: text,
  total: number,
  tags: array(text),
  price: object({ amount: number, currency: text }),
  lines: array(object({ media_type: text, speed: number })),
  parentOrder: object({ guid: text, name: text }),
  category: array(object({ "@id": text, name: text })),
  buyer: object({ id: text, address: text, emails: array(text) }),
  hints: array({}),
  materials: array(object({ name: text, count: number })),
  user: object({ username: text, name: text }),
  address: object({ city: text, postalCode: text }),
  card: object({ holder_name: text, brand: text, type: text, scope: text }),
  labels: array(object({ id: text, name: text })),
  projects: array(object({ id: text, name: text })),
  delivery: object({ partner: object({ office: text }) }),
  phase: object({ value: text, label: text }),
});

describe("filters", () => {
  const cases: [string, JsonObject, string, string][] = [
    ["line_speed", number, "", "filter lines.speed"],
    ["state__n", text, "", "filter state ne"],
    ["state__ic", text, "", "filter state contains"],
    ["state__isw", text, "", "filter state startsWith"],
    ["state__empty", { type: "boolean" }, "", "filter state null"],
    ["state__nic", text, "", "filter state !contains"],
    ["total__range", text, "", "filter total between"],
    ["state__not_in", text, "", "filter state nin"],
    ["range[total]", array(number), "", "filter total between"],
    ["total_over", number, "", "filter total gt"],
    ["stateMatch", text, "", "filter state contains"],
    ["notePrefix", text, "", "filter note startsWith"],
    ["phase", text, "", "filter phase.value"],
    ["parentOrderGuids", array(text), "", "filter parentOrder.guid"],
    ["notes", text, "Notes, separated by commas.", "filter note"],
    ["notes", text, "", "filter note"],
    ["notes", flag, "", ""],
    ["notes", { ...text, enum: ["true", "false"] }, "", ""],
    ["orderNoteFilter", text, "", "filter note contains"],
    ["note__date", date, "", "filter note startsWith"],
    ["buyers", text, "Names of buyers", ""],
    ["note", text, "On behalf of which note to ask.", ""],
    ["note", text, "By note or part of", "filter note contains"],
    ["note", text, "An infix search on the note", "filter note contains"],
    ["note", text, "Only exact matches, substring matches will not be evaluated.", "filter note"],
    ["note", text, "Only those with a note that **starts with** this.", "filter note startsWith"],
    ["total", number, "Totals greater than this value.", "filter total gt"],
    ["line_speed__gte", number, "", "filter lines.speed gte"],
    ["line_media_type", text, "", "filter lines.media_type"],
    ["parentOrderGuid", text, "", "filter parentOrder.guid"],
    ["price_max", number, "", "filter price.amount lte"],
    ["username", text, "Orders of a user.", "filter user.username"],
    ["city", text, "", "filter address.city"],
    ["postal_code", text, "", "filter address.postalCode"],
    ["holder_name", text, "", "filter card.holder_name"],
    ["brand", text, "Filter by the brand of the card.", "filter card.brand"],
    ["brand", text, "", ""],
    ["type", text, "Filter by the type of the card.", "filter card.type"],
    ["type", text, "Filter by type.", ""],
    ["scope", text, "Filter values to return attributes of the given scope.", ""],
    ["label", text, "", "filter labels.name"],
    ["project", text, "The project to filter orders on.", "filter projects.id"],
    ["project", text, "", ""],
    ["filter[delivery][partner][office]", text, "", "filter delivery.partner.office"],
    ["order_state", text, "", "filter state"],
    ["order_id", text, "Order ids, separated by commas.", "filter id"],
    ["order_id", text, "Only for administrators.", ""],
    ["state", text, "A prefix filter", "filter state startsWith"],
    ["category", array(text), "List of category ids", "filter category.@id"],
    ["category", array(text), "List of category names", "filter category.name"],
    ["total_greater_than", number, "", "filter total gt"],
    ["totalLessThan", number, "", "filter total lt"],
    ["minimumTotal", number, "", "filter total gte"],
    ["gt_total", number, "", "filter total gt"],
    ["state__is_not", text, "", "filter state ne"],
    ["tags_exclude", text, "", "filter tags nin"],
    ["excludeTags", flag, "", ""],
    ["has_note", flag, "Only orders with a note.", "filter note !null"],
    ["has_note", text, "", ""],
    ["note__isnull", flag, "", "filter note null"],
    ["name_regex", text, "", "filter name like"],
    ["name_like", text, "", "filter name contains"],
    ["exclude_ids", text, "", "filter id nin"],
    ["tags", flag, "", ""],
    ["total", flag, "", ""],
    ["buyer_address", flag, "", ""],
    ["total", number, "Must be 1 or higher.", "filter total"],
    ["filters[state][conditions][$is_not]", text, "", "filter state ne"],
    ["filters[state][conditions][$in]", text, "", "filter state"],
    ["search[name]", text, "", "filter name contains"],
    ["name", text, "Orders by their name or a part of their name.", "filter name contains"],
    ["name", text, "Orders whose name contains this value.", "filter name contains"],
    ["total", number, "The total, also in partial amounts.", "filter total"],
    ["name", text, "Orders whose names include this value.", "filter name contains"],
    ["name", text, "Exact names; also search for parts of names.", "filter name contains"],
    ["last_order_id", text, "Only orders with an ID lower than the given ID.", "filter id lt"],
    ["last_buyer_id", text, "Only buyers with an ID lower than the given ID.", ""],
    ["from_order_id", text, "Orders whose ids are greater than or equal to this.", "filter id gte"],
    ["since_id", text, "", "filter id gt"],
    ["since", text, "Only orders with an id greater than this.", "filter id gt"],
    ["search", text, "Search orders by name.", "filter name contains"],
    ["query", text, "Search in the `name`", "filter name contains"],
    ["query", text, "Search by name or note", "search"],
    ["query", text, "Search by total", "search"],
    ["state.in", array(text), "", "filter state"],
    ["total.on_or_after", number, "", "filter total gte"],
    ["state", text, "By a prefix match on the state", "filter state startsWith"],
    ["prefix", text, "Filter by name prefix.", "filter name startsWith"],
    ["buyer_emails", text, "", "filter buyer.emails"],
    ["hints", array(text), "", "filter hints"],
    ["tagName", text, "An exact tag name.", "filter tags"],
    ["material", text, "Only orders with this material.", "filter materials.name"],
    ["label", text, "Labels as key:value pairs.", ""],
    ["type", { ...text, enum: ["all", "card"] }, "Can be one of `all`, `card`.", ""],
    ["note", text, "Whether or not note is returned.", ""],
    ["note", flag, "Include the note in the response.", ""],
    ["creator", text, "", "filter user.username"],
    ["include_mat", text, "Materials, separated by commas.", "filter materials.name"],
    ["exclude_mat", text, "Materials, separated by commas.", "filter materials.name nin"],
    ["include_mat", text, "", ""],
    ["include_lin", text, "Lines, separated by commas.", ""],
    ["note_kw", text, "Search just in the note for the keyword.", "filter note contains"],
    ["note_keyword", text, "", "filter note contains"],
    ["total", number, "Orders of this total or less.", "filter total lte"],
    ["total", number, "Orders of at least this total.", "filter total gte"],
    ["total", number, "The total of one or more orders.", "filter total"],
  ];
  for (const [name, schema, description, expected] of cases) {
    test(`${name} ${JSON.stringify(schema)} "${description}": ${expected}`, async () => {
      expect(roles(await listOf({ record: order, parameter: { name, schema, description } }))).toBe(expected);
    });
  }
});

test("filters of JSON:API find the attributes of records", async () => {
  const readers = array(object({ email: text, name: text }));
  const attributes = object({ title: text, released_at: time, type: text, readers });
  const link = object({ id: text, type: text });
  const relationships = object({ author: object({ data: link }), groups: object({ data: array(link) }) });
  const record = object({ id: text, type: { ...text, enum: ["books"] }, attributes, relationships });
  const named = (name: string): JsonObject => ({ name, schema: text });
  expect(roles(await listOf({ record, parameter: named("filter[title]") }))).toBe("filter attributes.title");
  expect(roles(await listOf({ record, parameter: named("released_after") }))).toBe("filter attributes.released_at gt");
  expect(roles(await listOf({ record, parameter: named("author_id") }))).toBe("filter relationships.author.data.id");
  expect(roles(await listOf({ record, parameter: named("author") }))).toBe("filter relationships.author.data.id");
  const groups = { name: "filter[group]", schema: text };
  expect(roles(await listOf({ record, parameter: groups }))).toBe("filter relationships.groups.data.id");
  const listed = { ...groups, schema: { ...text, enum: ["new"] } };
  expect(roles(await listOf({ record, parameter: listed }))).toBe("");
  const type = { name: "type", schema: { ...text, enum: ["novel", "play"] } };
  expect(roles(await listOf({ record, parameter: type }))).toBe("filter attributes.type");
  const reader = { name: "reader", schema: text, description: "By email." };
  expect(roles(await listOf({ record, parameter: reader }))).toBe("filter attributes.readers.email");
});

test("a path that is one of several operations at it names its records before its sign", async () => {
  const project = object({ id: text, name: text });
  const parameters = ["portalId", "limit", "offset"].map((name) => ({ name, in: "query", schema: text }));
  const paths = {
    "/projects#portalId": { get: { parameters, ...sends(array(project)) } },
    "/projects/{id}": { get: sends(project) },
  };
  const root = { openapi: "3.1.0", info: { title: "Portals", version: "1" }, paths };
  const { collections } = bindDocument(await readApiDocument({ file: "portals.json", root }));
  const lists = collections.flatMap(({ operations }) => operations.filter(({ action }) => action === "list"));
  expect(lists.map(roles)).toEqual(["limit, offset"]);
});

test("a page that is a number or an object has its parts in brackets", async () => {
  const parts = object({ number, size: number });
  const list = await listOf({ record: order, parameter: { name: "page", schema: { oneOf: [number, parts] } } });
  expect(list.parameters.map(({ name, role }) => `${name} ${role}`)).toEqual([
    "page page",
    "page[number] page",
    "page[size] limit",
  ]);
});

test("a record without a property for its id is filtered by it", async () => {
  const record = object({ total: number, created: time });
  const list = await listOf({ record, parameter: { name: "id", schema: text } });
  expect(roles(list)).toBe("filter id");
});

test("a place around which records are searched is no filter", async () => {
  const paths = (names: readonly string[]): JsonObject => {
    const parameters = names.map((name) => ({ name, in: "query", schema: number }));
    const shop = object({ id: text, latitude: number });
    return { "/shops": { get: { parameters, ...sends(array(shop)) } }, "/shops/{id}": { get: sends(shop) } };
  };
  const rolesOf = async (...names: string[]): Promise<string> => {
    const root = { openapi: "3.1.0", info: { title: "Shops", version: "1" }, paths: paths(names) };
    return roles(bindDocument(await readApiDocument({ file: "shops.json", root })).collections[0]!.operations[0]!);
  };
  expect([await rolesOf("latitude"), await rolesOf("latitude", "radius")]).toEqual(["filter latitude", ""]);
});

test("the sides of a box are ranges of the only place in a record", async () => {
  const shop = object({ id: text, spot: object({ lat: number, lng: number }) });
  const rolesOf = async (names: readonly string[], record: JsonObject): Promise<string> => {
    const parameters = names.map((name) => ({ name, in: "query", schema: number }));
    const paths = { "/shops": { get: { parameters, ...sends(array(record)) } }, "/shops/{id}": { get: sends(record) } };
    const root = { openapi: "3.1.0", info: { title: "Shops", version: "1" }, paths };
    return roles(bindDocument(await readApiDocument({ file: "shops.json", root })).collections[0]!.operations[0]!);
  };
  const corners = ["boxLatitudeNW", "boxLongitudeNW", "boxLatitudeSE", "boxLongitudeSE"];
  const [most, least] = ["lte", "gte"].map((operator) => `filter spot.lat ${operator}`);
  expect([
    await rolesOf(corners, shop),
    await rolesOf(["south", "west", "north", "east"], shop),
    await rolesOf(["sw_lat", "sw_lng", "ne_lat", "ne_lng"], shop),
    await rolesOf(corners.slice(2), shop),
    await rolesOf(["north", "south", "east", "west"], object({ id: text, north: number, lat: number, lng: number })),
  ]).toEqual([
    `${most}, filter spot.lng gte, ${least}, filter spot.lng lte`,
    `${least}, filter spot.lng gte, ${most}, filter spot.lng lte`,
    `${least}, filter spot.lng gte, ${most}, filter spot.lng lte`,
    "",
    "filter north",
  ]);
});

describe("paging, order and search", () => {
  const cases: [string, JsonObject, string, string][] = [
    ["firstRow", number, "", "offset"],
    ["rowCount", number, "", "limit"],
    ["paginate_page", text, "", "page"],
    ["searchCriteria[pageSize]", number, "", "limit"],
    ["searchCriteria[currentPage]", number, "", "page"],
    ["results", number, "The maximum number of returned results (default 25).", "limit"],
    ["rpp", number, "integer; results per page", "limit"],
    ["rpp", number, "(int) number of results per page", "limit"],
    ["which", number, "integer: the page number", "page"],
    ["which", number, "number of the page", ""],
    ["page_number", { ...number, default: 0 }, "", "pageIndex"],
    ["page_number", { ...number, default: 0 }, "Pages are 1-based.", "page"],
    ["sort_reverse", flag, "", "order"],
    ["orderType", text, "Order result by ASC or DESC order.", "order"],
    ["orderType", text, "The type of orders.", ""],
    ["offset", { ...number, minimum: 1, default: 1 }, "", "position"],
    ["iterator", text, "", "cursor"],
    ["include", text, "List of fields to include in response.", "fields"],
    ["textToSearch", text, "", "search"],
    ["any_kw", text, "Search anywhere in the record for the keyword.", "search"],
    ["filter", text, "Can be set to either 'mine', 'ours' or 'theirs'.", ""],
    ["filter", text, "`name op 'value'`, where op is one of 'eq', 'ne'.", "where"],
    ["filter", text, "Filters by matching substrings of properties against this value.", "search"],
    ["filter", text, "A filter expression.", "where"],
    ["filter", text, "JSON string with filter conditions. `operator` is one of: 'equals', 'above'.", "where"],
    ["filter", text, "Which orders, as JSON. One of: 'mine', 'ours'.", ""],
    ["max", text, "Maximum orders to be returned.", "limit"],
    ["max", text, "The maximum.", ""],
    ["order", { ...text, enum: ["normal", "asc", "desc"] }, "", "order"],
    ["s", text, "Search orders by their text.", "search"],
    ["s", text, "The side.", ""],
    ["before", text, "Up to this many orders at a time before this id.", "before"],
    ["ctoken", text, "Continuation token of the page before.", "cursor"],
    ["before", text, "Cursor for pagination back.", "before"],
    ["since", text, "The id of the last order returned.", "cursor"],
    ["since", text, "The id of the last updated order.", ""],
    ["from", text, "Start the page with the order of the given id.", "cursor"],
  ];
  for (const [name, schema, description, expected] of cases) {
    test(`${name} ${JSON.stringify(schema)} "${description}": ${expected}`, async () => {
      expect(roles(await listOf({ record: order, parameter: { name, schema, description } }))).toBe(expected);
    });
  }
});

describe("ranges of time", () => {
  const created = { id: text, createdAt: time };
  const changed = { ...created, lastUpdatedDateTime: time };
  const lasting = { id: text, start_date: time, end_date: time };
  const due = { id: text, submittedDate: time, expirationDate: time };
  const running = { id: text, first_date: date, last_date: date };
  const untyped = { id: text, start_date: text };
  const cases: [string, JsonObject, JsonObject, string, string][] = [
    ["fromOrderDateTime", time, lasting, "Date to filter orders from", "filter start_date gte"],
    ["toOrderDateTime", time, lasting, "Date to filter orders to", "filter end_date lte"],
    ["to_day", text, lasting, "Start on or before date specified (2015-10-16)", "filter start_date lte"],
    ["to_day", text, lasting, "Start on or before the day specified", ""],
    ["before", text, untyped, "Those starting before a given datetime.", "filter start_date lt"],
    ["before", text, untyped, "", "before"],
    ["fromDate", time, due, "Start date limiter", "filter submittedDate gte"],
    ["from", time, created, "A start date and time (not included).", "filter createdAt gt"],
    ["from_date", text, created, "From date. Example=2015-08-13T12:35:00Z", "filter createdAt gte"],
    ["begin_created_at", text, created, "", "filter createdAt gte"],
    ["since_constructor", time, created, "", ""],
    ["from", time, { ...created, room: object({ arrival: time }) }, "A start date.", ""],
    ["changedSince", time, changed, "", "filter lastUpdatedDateTime gte"],
    ["created_before", time, changed, "", "filter createdAt lt"],
    ["modifiedAtMin", time, changed, "", "filter lastUpdatedDateTime gte"],
    ["changedSince", time, created, "", ""],
    ["from_date", date, running, "Only those starting after this date.", "filter first_date gte"],
    ["to_date", date, running, "Only those ending before this date.", "filter last_date lte"],
    ["startDate", time, { date: time, paid: time }, "Starting date of the orders.", "filter date gte"],
    ["min_date", date, { id: text, timestamp: time }, "minimal date", "filter timestamp gte"],
    ["MaxDate", date, lasting, "", "filter end_date lte"],
    ["before", time, created, "", "filter createdAt lt"],
    ["filter[since]", time, created, "", "filter createdAt gte"],
    ["filter[end_date]", date, { id: text, end_date: number }, "", "filter end_date"],
    ["from", { ...text, format: "date_time_v3" }, created, "", "filter createdAt gte"],
    [
      "timeframe_start",
      text,
      { starts_at: time, ends_at: time },
      "Begin of time range (ISO 8601).",
      "filter starts_at gte",
    ],
    ["since", text, created, "Those after the given timestamp.", "filter createdAt gte"],
    ["since", text, { updatedAt: number }, "Those updated after the given timestamp.", "filter updatedAt gte"],
    ["startDate", time, { publishedAt: time, taken_at: time }, "Published after this date", "filter publishedAt gte"],
    ["endDate", time, lasting, "Those that start before or on the date", "filter start_date lte"],
    ["endDate", time, { eventDate: date, plannedDate: date }, "End date to search", "filter eventDate lte"],
    ["endDate", time, { eventDate: date }, "End date for the balance report", ""],
    ["before", time, { modifiedAt: time }, "Shows changes before this time.", "filter modifiedAt lt"],
    ["before", time, { modifiedAt: time }, "Shows those before this time.", ""],
    ["until", time, { ...created, settledAt: time }, "End time", "filter createdAt lte"],
    ["date_max", time, { date: time }, "Those older than this time.", "filter date lt"],
    ["created_end_date", time, created, "Created or deleted before this time.", "filter createdAt lt"],
    ["from_date", text, { orderDate: date, date }, "Order from date (YYYY-MM-DD)", "filter date gte"],
    ["reported_after", number, { last_report: number }, "A UNIX timestamp.", "filter last_report gt"],
    ["from_date", { ...text, format: "Y-m-d" }, { form_date: date }, "Within these dates", "filter form_date gte"],
    [
      "start_date",
      date,
      { type: text, attributes: object({ date }) },
      "First day of the period",
      "filter attributes.date gte",
    ],
  ];
  for (const [name, schema, record, description, expected] of cases) {
    test(`${name} "${description}" of ${Object.keys(record)}: ${expected}`, async () => {
      const list = await listOf({ record: object(record), parameter: { name, schema, description } });
      expect(roles(list)).toBe(expected);
    });
  }
});

describe("the form of lists", () => {
  const directions = { ...text, enum: ["ASCENDING", "DESCENDING"] };
  const cases: [string, JsonObject, string, string][] = [
    ["page", number, "Page of orders (starts at and defaults to 0)", "pageIndex"],
    ["page", number, "Page numbers are 0-based.", "pageIndex"],
    ["page", { ...text, example: "0" }, "", "pageIndex"],
    ["pageStart", { ...number, minimum: 0 }, "The start page of the results.", "pageIndex"],
    ["token", text, "Used to get the next set of results.", "cursor"],
    ["start_key", text, "Start value for pagination.", "cursor"],
    ["token", text, "The login token.", ""],
    ["marker", number, "", "offset"],
    ["after", number, "", "cursor"],
    ["before", text, "Only orders before the timestamp.", ""],
    ["before", text, "Only orders before this id.", "before"],
    ["count", { ...text, default: "25" }, "Number of orders to return.", "limit"],
    ["timeOrdering", directions, "The chronological sorting order.", "order"],
    ["kind", directions, "", ""],
    ["order", { ...text, format: "uuid" }, "The order of a task.", ""],
    ["sortRule", text, "", "sort"],
    ["fields", text, "Names of the fields.", "fields"],
    ["fields", text, "Additional fields to return.", ""],
    ["fields", { ...text, enum: ["None", "Lines", "Tags"] }, "", ""],
  ];
  for (const [name, schema, description, expected] of cases) {
    test(`${name} "${description}" ${JSON.stringify(schema)}: ${expected}`, async () => {
      const record = object({ id: number, lines: text, tags: text });
      expect(roles(await listOf({ record, parameter: { name, schema, description } }))).toBe(expected);
    });
  }

  test("a field of the name does not keep a parameter from sorting", async () => {
    const parameter = { name: "ordering", schema: text, description: "Which field to use when ordering the results." };
    expect(roles(await listOf({ record: object({ id: text, ordering: number }), parameter }))).toBe("sort");
  });
});

test("headers that tell of pages", async () => {
  const headers = {
    "X-HasMore": flag,
    NextPageToken: text,
    "X-Total": number,
    "X-Start": text,
    "X-Started": number,
    "Pagination-Limit": number,
  };
  const declared = Object.fromEntries(Object.entries(headers).map(([name, schema]) => [name, { schema }]));
  const content = { "application/json": { schema: array(order) } };
  const root = {
    openapi: "3.1.0",
    info: { title: "Headers", version: "1" },
    paths: {
      "/orders": { get: { responses: { 200: { description: "", content, headers: declared } } } },
      "/orders/{id}": { get: sends(order) },
    },
  };
  const { collections } = bindDocument(await readApiDocument({ file: "headers.json", root }));
  expect(collections[0]!.operations[0]!.headers.map(({ name, role }) => `${name} ${role}`)).toEqual([
    "X-HasMore hasMore",
    "NextPageToken nextCursor",
    "X-Total total",
    "Pagination-Limit limit",
  ]);
});

describe("fields around lists", () => {
  const described = (description: string): JsonObject => ({ ...number, description });
  const cases: [string, JsonObject, string][] = [
    ["the size of pages", { length: described("Number of objects per page.") }, "length limit"],
    ["all records", { TotalFound: described("The total number of records available.") }, "TotalFound total"],
    ["something else", { failures: described("The total number of failures.") }, ""],
    ["records of the page", { itemCount: described("Number of items returned") }, "itemCount count"],
    [
      "a size whose description mentions the total",
      { limit: described("Items per page. To count pages, divide the total number of items by it.") },
      "limit limit",
    ],
    ["records of a page set", { batch: described("total number of records returned in this page set") }, "batch count"],
    [
      "a cursor that is called a page",
      { next_page: { ...text, description: "Next page pagination cursor" } },
      "next_page nextCursor",
    ],
    ["names of others", { skipped: number, limit_value: number }, "skipped offset, limit_value limit"],
    ["numbers of pages", { pageNo: number, previousPageNo: number }, "pageNo page, previousPageNo previousPage"],
    ["other names", { noOfPages: number, currentPageItems: number }, "noOfPages pages, currentPageItems count"],
    [
      "links in three objects",
      { meta: object({ paging: object({ links: object({ next: text }) }) }) },
      "meta.paging.links.next nextUrl",
    ],
    ["an address beside that of the next page", { href: text, next: text }, "href selfUrl, next nextUrl"],
    ["elements of a page", { size: described("Total number of elements in a page") }, "size limit"],
    ["records that were sent", { limit: described("Total number of records returned in the data.") }, "limit limit"],
    ["pages that are called total", { total: described("The total number of pages") }, "total pages"],
    ["a sum of items", { sum: described("Total sum of items in the list.") }, "sum total"],
    ["an iterator", { iterator: text, done: flag }, "iterator nextCursor, done isLast"],
    ["positions of both ends", { from: number, page: number, to: number }, "from position, page page, to lastPosition"],
    ["a range without pages", { from: number, to: number }, "from offset"],
    ["an address alone", { href: text }, ""],
    ["links in a list", { links: array(object({ rel: text, href: text })) }, "links links"],
    ["other lists", { links: array(object({ title: text, href: text })) }, ""],
    [
      "cursors that are called next",
      { cursors: object({ next: text, previous: text }), next: { ...text, description: "Cursor of the next page." } },
      "cursors.next nextCursor, cursors.previous previousCursor, next nextCursor",
    ],
    ["a cursor of this page", { cursors: object({ current: text }) }, "cursors.current currentCursor"],
    ["a position", { currentOffset: number, returnedResults: number }, "currentOffset offset, returnedResults count"],
    [
      "results in this response",
      { count: described("The number of results returned in this response") },
      "count count",
    ],
    ["results that were returned", { count: described("Number of returned results.") }, "count count"],
    ["records of a call", { count: described("Count of orders returned by the call.") }, "count count"],
    ["a flag for the next page", { next_page: flag }, "next_page hasMore"],
    ["another size", { size: number, pagelen: number }, "size total, pagelen limit"],
    [
      "a size of the result",
      { size: described("Number of items in result list."), pageSize: number },
      "size count, pageSize limit",
    ],
    [
      "positions by their texts",
      { start: described("Between 1 and the total."), end: number },
      "start position, end lastPosition",
    ],
    ["records that were returned", { total: described("The number of items returned.") }, "total total"],
    ["a total of the page", { total: described("The number of items in this page") }, "total count"],
    [
      "a size that is called count",
      { count: described("The maximum number of items in the response (20).") },
      "count limit",
    ],
    ["an address of a page", { page: object({ href: text, next: text }) }, "page.href selfUrl, page.next nextUrl"],
    ["other links", { start: object({ href: text }), next: object({ href: text }) }, "next.href nextUrl"],
    ["a record beside the list", { store: object({ id: text, name: text, size: number }) }, ""],
    [
      "the current page",
      { current: { ...text, description: "Link to this page" }, next: text },
      "current selfUrl, next nextUrl",
    ],
    [
      "names of many words",
      { totalEntryCount: number, itemsOnPage: number },
      "totalEntryCount total, itemsOnPage count",
    ],
    [
      "a page of Spring in snake case",
      { page: object({ size: number, number, total_elements: number, total_pages: number }) },
      "page.size limit, page.number pageIndex, page.total_elements total, page.total_pages pages",
    ],
    ["all that match", { found_now: described("The total count of orders that match your query.") }, "found_now total"],
    [
      "the current page beside links",
      { links: object({ current: text, next: text, prev: text }) },
      "links.current selfUrl, links.next nextUrl, links.prev previousUrl",
    ],
    [
      "a current page by its example",
      { current: { ...text, example: "https://example.com/orders" } },
      "current selfUrl",
    ],
    [
      "the current cursor",
      { cursors: object({ current: { ...text, description: "Cursor of this page" }, next: text, previous: text }) },
      "cursors.current currentCursor, cursors.next nextCursor, cursors.previous previousCursor",
    ],
    [
      "an address that is described as one",
      { current: { ...text, format: "uri" }, next: text, first: text },
      "current selfUrl, next nextUrl, first firstUrl",
    ],
    ["a current page alone", { current: text, next: text }, "current page, next nextUrl"],
    ["a key of a store", { lastEvaluatedKey: text }, "lastEvaluatedKey nextCursor"],
  ];
  for (const [name, around, expected] of cases) {
    test(`${name}: ${expected}`, async () => {
      const { envelope } = await listOf({ record: order, around });
      expect(envelope.map(({ path, role }) => `${path.join(".")} ${role}`).join(", ")).toBe(expected);
    });
  }
});

test("a count is named after the records of a list", async () => {
  const around = object({ numberOfOrders: number, numberOfLists: number, orderList: array(order) });
  const paths = { "/orders": { get: sends(around) }, "/orders/{id}": { get: sends(order) } };
  const root = { openapi: "3.1.0", info: { title: "Counts", version: "1" }, paths };
  const [orders] = bindDocument(await readApiDocument({ file: "counts.json", root })).collections;
  expect(orders!.operations[0]!.envelope).toEqual([{ path: ["numberOfOrders"], role: "total" }]);
});

test("a page may be a cursor, which the next one is beside the list then", async () => {
  const parameter = { name: "page", schema: text, description: "A cursor for pagination across pages of results." };
  const list = await listOf({ record: order, parameter, around: { next_page: text } });
  expect([roles(list), list.envelope[0]?.role]).toEqual(["cursor", "nextCursor"]);
});

test("a start is a cursor where the next address has it", async () => {
  const parameter = { name: "start", schema: text };
  const next = (example: string) => ({ next: { ...text, example } });
  expect(roles(await listOf({ record: order, parameter, around: next("/orders?start=Mg") }))).toBe("cursor");
  expect(roles(await listOf({ record: order, parameter, around: next("/orders?token=Mg") }))).toBe("");
});

test("the parameter that takes a cursor names the headers that have it", async () => {
  const headersOf = async (description: string) =>
    (await listOf({ record: order, parameter: { name: "cursor", schema: text, description } })).headers;
  expect(await headersOf("Taken from the response headers `X-Files-Cursor-Next` or `X-Files-Cursor-Prev`.")).toEqual([
    { name: "X-Files-Cursor-Next", role: "nextCursor" },
    { name: "X-Files-Cursor-Prev", role: "previousCursor" },
  ]);
  expect(await headersOf("Where to go on.")).toEqual([]);
});

test("an object is filtered by the property that a description calls its own", async () => {
  const record = object({ id: text, milestone: object({ id: number, number, title: text }) });
  const parameter = { name: "milestone", schema: text, description: "It refers to a milestone by its `number` field." };
  expect(roles(await listOf({ record, parameter }))).toBe("filter milestone.number");
});

test("a number is the id of a part, although people have names", async () => {
  const record = object({ id: text, requestedBy: object({ id: number, username: text }) });
  const schema = { type: ["number", "null"] };
  expect(roles(await listOf({ record, parameter: { name: "requestedBy", schema } }))).toBe("filter requestedBy.id");
});

test("what responses never have is no filter, and neither is a version with one value", async () => {
  const record = object({ id: text, test: { ...flag, writeOnly: true }, version: text });
  expect(roles(await listOf({ record, parameter: { name: "test", schema: flag } }))).toBe("");
  const version = { name: "version", schema: text, description: "The only supported value is `latest`." };
  expect(roles(await listOf({ record, parameter: version }))).toBe("");
  expect(roles(await listOf({ record, parameter: { ...version, description: "" } }))).toBe("filter version");
});

import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../src/base/json/json.ts";
import { bindDocument } from "../../src/openapi/bind/bind-document.ts";
import { readApiDocument } from "../../src/openapi/read/load-api-document.ts";

const text: JsonObject = { type: "string" };
const number: JsonObject = { type: "integer" };
const flag: JsonObject = { type: "boolean" };
const time: JsonObject = { type: "string", format: "date-time" };
const words = (...values: string[]): JsonObject => ({ ...text, enum: values });
const texts: JsonObject = { type: "array", items: text };
const object = (properties: JsonObject): JsonObject => ({ type: "object", properties });

async function roleOf(record: JsonObject, parameter: JsonObject): Promise<string> {
  const list = { type: "array", items: record };
  const sends = (schema: JsonObject) => ({
    responses: { 200: { description: "", content: { "application/json": { schema } } } },
  });
  const paths = {
    "/messages": { get: { parameters: [{ in: "query", ...parameter }], ...sends(list) } },
    "/messages/{id}": { get: sends(record) },
  };
  const root = { openapi: "3.1.0", info: { title: "Filters", version: "1" }, paths };
  const { collections } = bindDocument(await readApiDocument({ file: "filters.json", root }));
  return collections[0]!.operations[0]!.parameters.map(({ field, operator, states }) => {
    const state = Object.entries(states ?? {}).map(
      ([value, one]) => `${value}: ${one.field} ${one.operator ?? ""} ${one.value}`,
    );
    return [field, operator, ...state].filter((one) => one).join(" ");
  }).join();
}

const message = object({
  id: text,
  messageStatus: words("sent", "failed", "queued"),
  type: text,
  branch: text,
  customerIDFK: number,
  error_type_id: number,
  mainChannel: words("mail", "phone"),
  reservations: { type: "array", items: object({ room_number: text, reservation_status: text }) },
  place: object({ address: object({ country_code: text }), project: object({ id: text }) }),
  postedBy: text,
  issueSecuritySchemeId: text,
  blockhash: text,
  genres: texts,
  email: text,
  region: object({ city: text, state: text }),
  scope: object({ type: words("GLOBAL", "PROJECT") }),
  kind: words("share"),
  grade: object({ kind: words("receive", "send") }),
  brandCodes: { type: "array", items: object({ brand: object({ code: text, name: text }) }) },
  maker: object({ code: text, name: text }),
  recipients: { type: "array", items: object({ email: text, phase: text }) },
  condition: { ...number, description: "Whether it is active (1) or deactivated (0)." },
  is_current_sender: flag,
  isPinnedMessage: flag,
  isPinnedThread: flag,
  isMutedThread: flag,
  isMutedSender: flag,
  isSharedByMe: flag,
  Poster: object({ UserID: number, UserName: text }),
  CollectionID: number,
  TotalMinutes: number,
  origin: { allOf: [words("web", "app"), { description: "Where it is from." }] },
});

describe("fields under other names", () => {
  const cases: [string, JsonObject, string, string][] = [
    ["status", words("SENT", "FAILED"), "", "messageStatus"],
    ["status", words("open", "closed"), "", ""],
    ["message_type", text, "", "type"],
    ["messageTypes", texts, "", "type"],
    ["branchId", text, "", "branch"],
    ["customerId", number, "", "customerIDFK"],
    ["errorId", number, "The error (as returned in the error_type_id field).", "error_type_id"],
    ["via", words("mail", "phone", "all"), "", "mainChannel"],
    ["via", words("mail", "fax"), "", ""],
    ["reservationStatuses", texts, "", "reservations.reservation_status"],
    ["roomNumber", text, "", "reservations.room_number"],
    ["countryCode", text, "Filter by country code.", "place.address.country_code"],
    ["search_id", text, "The id of the search.", ""],
    ["code", text, "", ""],
    ["posted_by_id", text, "", "postedBy"],
    ["schemeId", text, "The list of issue security scheme IDs.", "issueSecuritySchemeId"],
    ["schemeId", text, "", ""],
    ["block", text, "Block hash", "blockhash"],
    ["genreIds", { type: "array", items: { ...text, format: "uuid" } }, "", ""],
    ["email_addresses", texts, "", "email"],
    ["state", text, "A two-letter state code.", "region.state"],
    ["state", text, "", ""],
    ["scope", words("GLOBAL", "PROJECT", "TEMPLATE"), "", "scope.type"],
    ["filter", words("all", "web", "app"), "", "origin"],
    ["kind", words("receive", "send"), "", "grade.kind"],
    ["kind", words("SHARES", "send"), "", "kind"],
    ["mainChannel", words("fax", "pigeon"), "", ""],
    ["brand", words("VW", "AUDI"), "", "brandCodes.brand.code"],
    ["brand", text, "", ""],
    ["maker", words("VW", "AUDI"), "", "maker.code"],
    ["maker", words("Volkswagen", "Audi"), "", "maker.name"],
    ["recipient", text, "The email address of a recipient.", "recipients.email"],
    ["recipient", text, "", ""],
    ["situation", words("active", "all"), "", "active: condition  1"],
    ["projectId", number, "Shared with a project that matches `place.project.id`.", "place.project.id"],
    ["is_current", flag, "", "is_current_sender"],
    ["is_pinned", flag, "", "isPinnedMessage"],
    ["is_muted", flag, "", ""],
    ["is_shared", flag, "", ""],
    ["state", text, "Two character state.", "region.state"],
    ["username", text, "", "Poster.UserName"],
    ["collid", text, "Limit to a collection ID number.", "CollectionID"],
    ["collid", text, "The collection ID number.", ""],
    ["totalMins", number, "Read in {totalMins} minutes or less.", "TotalMinutes lte"],
    ["totalMins", number, "Read in at least so many minutes.", "TotalMinutes gte"],
    ["totalMins", number, "The minutes of reading.", ""],
    ["no_type", flag, "Those without a given `type`.", ""],
    ["last_type", text, "When sorting by `type`, the type of the last result.", ""],
  ];
  for (const [name, schema, description, expected] of cases) {
    test(`${name} ${JSON.stringify(schema)} "${description}": ${expected}`, async () => {
      expect(await roleOf(message, { name, schema, description })).toBe(expected);
    });
  }
});

test.each([
  [{ displayName: text }, "Search for a user by name.", "displayName"],
  [{ title: text }, "Filter by milestone name.", "title"],
  [{ title: text, lastName: text }, "Filter by name.", ""],
  [{ title: text }, "", ""],
])("a name finds what has it under another name", async (properties, description, expected) => {
  const record = object({ id: text, ...properties });
  expect(await roleOf(record, { name: "name", schema: text, description })).toBe(expected);
});

test.each([
  ["state", words("open", "closed"), { status: text }, "status"],
  ["status", words("open", "closed"), { state: text }, "state"],
  ["state", text, { status: text }, ""],
])("%s with listed values is the status or the state of records", async (name, schema, properties, expected) => {
  expect(await roleOf(object({ id: text, ...properties }), { name, schema })).toBe(expected);
});

describe("states", () => {
  const record = object({
    id: text,
    isDeleted: flag,
    active: flag,
    private: flag,
    read: flag,
    isMarker: flag,
    isMagnetSchool: { ...text, description: "Whether it is one (Yes/No)." },
    isGroundhog: { ...number, enum: [0, 1] },
    isTame: { ...number, minimum: 0, maximum: 1 },
    closedAt: time,
    status: words("DRAFT", "RUNNING", "ARCHIVED"),
  });
  const cases: [string, JsonObject, string, string][] = [
    ["include_deleted", flag, "", "false: isDeleted !eq true"],
    ["includeDeleted", flag, "False by default.", "false: isDeleted !eq true : isDeleted !eq true"],
    ["showInactive", { ...flag, default: false }, "", "false: active !eq false : active !eq false"],
    ["includeArchived", flag, "", "false: status !eq ARCHIVED"],
    ["exclude_closed", flag, "", "true: closedAt null true"],
    ["onlyActive", flag, "", "true: active  true"],
    ["active_only", flag, "", "true: active  true"],
    ["unread", flag, "", "true: read  false false: read !eq false"],
    ["running", flag, "", "true: status  RUNNING false: status !eq RUNNING"],
    ["visibility", words("all", "public", "private"), "", "public: private  false private: private  true"],
    ["readState", words("read", "not_read"), "", "read: read  true not_read: read !eq true"],
    ["created", flag, "Created by you.", ""],
    ["include_lines", flag, "", ""],
    ["includeInactiveUsers", flag, "", "false: active !eq false"],
    ["private", flag, "Whether to include private ones.", "false: private !eq true"],
    ["private", flag, "Only private ones.", "private"],
    ["isDeleted", words("deleted", "not_deleted"), "", "deleted: isDeleted  true not_deleted: isDeleted !eq true"],
    ["markers", words("true", "false"), "If true, markers are included in the results.", "false: isMarker !eq true"],
    ["includePrivate", { ...text, format: "boolean" }, "", "false: private !eq true"],
    [
      "isMagnet",
      flag,
      "",
      "true: isMagnetSchool  Yes Yes: isMagnetSchool  Yes false: isMagnetSchool  No No: isMagnetSchool  No",
    ],
    [
      "isGroundhog",
      { enum: [1, 0, true, false] },
      "",
      "0: isGroundhog  0 1: isGroundhog  1 true: isGroundhog  1 false: isGroundhog  0",
    ],
    ["isTame", flag, "", "0: isTame  0 1: isTame  1 true: isTame  1 false: isTame  0"],
    ["isTame", number, "", "isTame"],
    [
      "active",
      { ...flag, default: true },
      "Show current ones, or show removed ones.",
      "true: active  true false: active  false : active  true",
    ],
    ["show_not_private", flag, "", "false: private  true"],
    ["filter[closed]", flag, "", "true: closedAt null false false: closedAt null true"],
  ];
  for (const [name, schema, description, expected] of cases) {
    test(`${name} "${description}": ${expected}`, async () => {
      expect(await roleOf(record, { name, schema, description })).toBe(expected);
    });
  }
});

describe("ranges whose words are not those of the field", () => {
  const record = object({
    id: text,
    dateTimeSent: time,
    dateContentPublished: time,
    orderDate: time,
    updated_at: time,
    archive_stamp: number,
    pub_date_ms: number,
    settlement: object({ settled_date: text }),
  });
  const cases: [string, JsonObject, string, string][] = [
    ["fromDateTimeSent", time, "", "dateTimeSent gte"],
    ["contentPublishedBeforeDate", time, "", "dateContentPublished lt"],
    ["contentPublishedInRange", text, "", "dateContentPublished between"],
    ["orderFromDate", text, "", "orderDate gte"],
    ["modifiedSince", time, "", "updated_at gte"],
    ["published_after", number, "", "pub_date_ms gt"],
    ["from_settled_date", text, "", "settlement.settled_date gte"],
    ["shippedAfter", time, "", ""],
    ["order_date", text, "Start and end dates separated by `..`.", "orderDate between"],
  ];
  for (const [name, schema, description, expected] of cases) {
    test(`${name} ${JSON.stringify(schema)} "${description}": ${expected}`, async () => {
      expect(await roleOf(record, { name, schema, description })).toBe(expected);
    });
  }
  test.each([
    ["fromdate", { ...number, description: "Unix date." }, "creation_date gte"],
    ["start_time", { ...number, format: "unix-time" }, "creation_date gte"],
    ["from", number, ""],
  ])(
    "%s of records with a time in seconds: %s %s",
    async (name, { description = "", ...schema }: JsonObject, expected) => {
      expect(await roleOf(object({ id: text, creation_date: number }), { name, schema, description })).toBe(expected);
    },
  );
});

test("of several parts with a field, the one that begins alike is meant, and none beside a nearer field", async () => {
  const record = object({
    id: text,
    schoolReference: object({ schoolId: text }),
    sessionReference: object({ schoolId: text, termName: text }),
    customer_tax_id: text,
    sender_tax_id: text,
    splits: { type: "array", items: object({ tax_id: text }) },
  });
  const fieldOf = (name: string) => roleOf(record, { name, schema: text, description: "Filter by it." });
  expect(await fieldOf("schoolId")).toBe("schoolReference.schoolId");
  expect(await fieldOf("termName")).toBe("sessionReference.termName");
  expect(await fieldOf("tax_id")).toBe("");
});

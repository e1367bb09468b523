import { describe, expect, test } from "vitest";
import type { Json, JsonObject } from "../../src/base/json/json.ts";
import { readApiDocument } from "../../src/openapi/read/load-api-document.ts";
import { createSampler } from "../../src/openapi/sample/sampler.ts";

const text = (more: JsonObject): JsonObject => ({ type: "string", ...more });
const integer = (more: JsonObject): JsonObject => ({ type: "integer", ...more });
const FIRST_SECOND = 1e9;
const LAST_SECOND = Date.UTC(2026, 0, 1) / 1000;

/** Values of a field for several records. */
async function valuesOf(name: string, schema: JsonObject): Promise<Json[]> {
  const root = { openapi: "3.0.3", info: { title: "", version: "" }, paths: { "/a": { get: { responses: {} } } } };
  const document = await readApiDocument({ file: "api.json", root });
  const sampler = createSampler(document, 1);
  const placed = { value: { type: "object", required: [name], properties: { [name]: schema } }, place: "#/s" };
  return Array.from({ length: 12 }, (_, at) => {
    const made = sampler.sample(placed, { seedText: `record ${at}`, isVaried: true });
    return (made as JsonObject)[name]!;
  });
}

describe("texts of varied records", () => {
  const forms = [
    ["posted", text({ example: "2015-12-31" }), /^\d{4}-\d\d-\d\d$/],
    ["published_date", text({ example: "2015-12-31T23:59:59.000Z" }), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/],
    ["uid", text({ example: "357668d2-84f1-2264-438b-113095359f80" }), /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/],
    ["computed_md5", text({ example: "043a51806d646e88cafbf19e7b82846f" }), /^[\da-f]{32}$/],
    ["doi", text({ example: "10.6084/m9.figshare.1434614" }), /^10\.6084\/m9\.figshare\.\d{7}$/],
    ["ratio", text({ description: "The form is `width:height`, for example `16:9`." }), /^16:9$/],
    ["preview_state", text({ example: "preview not available" }), /^preview not available$/],
    [
      "visibility",
      text({ description: "Visibility level option: public, limited, private" }),
      /^(public|limited|private)$/,
    ],
    ["status", text({ description: "`active` or `archived`" }), /^(active|archived)$/],
    ["country", text({ description: "Two-letter country code (ISO 3166-1 alpha-2)." }), /^[A-Z]{2}$/],
    ["currency", text({ description: "Three-letter ISO currency code, in lowercase." }), /^[a-z]{3}$/],
    ["full_name", text({ example: "octocat/Hello-World" }), /^octocat\/Hello-World$/],
    ["ip_address", text({}), /^10(\.\d+){3}$/],
    ["balance_total", text({}), /^\d+\.\d\d$/],
    ["dateOfBirth", text({ format: "date" }), /^(19[5-9]\d|200[0-4])-\d\d-\d\d$/],
    ["outcome", text({ description: 'One of: "Success" or "Failure".' }), /^(Success|Failure)$/],
    ["type", text({ description: 'set to "Cryptokey"' }), /^Cryptokey$/],
    ["voice_id", text({}), /^[A-Za-z\d]{12}$/],
    ["assignee", text({ description: "Either `assignee` or `group` should be set" }), /^(?!assignee$|group$)/],
    ["state", text({ description: "The state the hotel is located in" }), /^(?!new$|active$|done$)/],
    ["country", text({ description: "Two-letter ISO code representing the country" }), /^[A-Z]{2}$/],
    ["location", text({ example: "https://hub.example.com/users/7" }), /^https:\/\//],
    ["last_used", text({ format: "date-only" }), /^\d{4}-\d\d-\d\d$/],
    ["origin", text({ format: "iso-country-code" }), /^[A-Z]{2}$/],
    [
      "createdTime",
      text({ pattern: "^[0-9]{4}-?[0-9]{2}-?[0-9]{2}( |T)?[0-9]{2}:?[0-9]{2}:?[0-9]{2}Z$" }),
      /^20\d\d-\d\d-\d\dT/,
    ],
  ] as const;

  for (const [name, schema, form] of forms) {
    test(`${name} ${JSON.stringify(schema)} are like ${form}`, async () => {
      for (const value of await valuesOf(name, schema)) expect(value).toMatch(form);
    });
  }

  test("lists are parts of their example", async () => {
    const lists = await valuesOf("rights", { type: "array", items: text({}), example: ["Read", "Write"] });
    for (const rights of lists) expect([["Read"], ["Read", "Write"]]).toContainEqual(rights);
  });

  test("ids vary although their example cannot, with a pattern and without", async () => {
    const example = "prd_01hzz";
    for (const more of [{ example, pattern: "^prd_[0-9a-z]{5}$" }, { example: "abc_de" }]) {
      expect(new Set(await valuesOf("id", text(more))).size).toBeGreaterThan(5);
    }
  });

  test("names of anything vary, too", async () => {
    const names = await valuesOf("name", text({ example: "Greg Sanchez" }));
    expect(new Set(names).size).toBeGreaterThan(5);
  });

  test("names vary although they have an example", async () => {
    const names = await valuesOf("title", text({ example: "A title" }));
    expect(new Set(names).size).toBeGreaterThan(5);
  });
});

describe("numbers of varied records", () => {
  const units = [
    ["available_on", integer({ format: "unix-time" }), 1],
    ["date_unix", integer({}), 1],
    ["exported_at", integer({}), 1],
    ["sentAt", integer({ format: "int64" }), 1000],
    ["created", integer({ description: "Unix Epoch in seconds", format: "int64" }), 1],
    ["_lastSeen", integer({ example: 1469326565348, description: "A unix epoch time in milliseconds" }), 1000],
    ["createdAt", integer({ example: 1567024758130 }), 1000],
  ] as const;

  for (const [name, schema, perSecond] of units) {
    test(`${name} ${JSON.stringify(schema)} are times`, async () => {
      for (const value of await valuesOf(name, schema)) {
        expect(Number(value) / perSecond).toBeGreaterThanOrEqual(FIRST_SECOND);
        expect(Number(value) / perSecond).toBeLessThan(LAST_SECOND);
      }
    });
  }

  const described = [
    ["ins_name", integer({ description: "Can be one of the following, `1`(Primary), `2`(Secondary)" }), [1, 2]],
    ["priority", integer({ description: "10(Low), 20(Medium), 30(High)" }), [10, 20, 30]],
    ["week_day", integer({ description: "Day of the week (0-6)" }), [0, 1, 2, 3, 4, 5, 6]],
    ["bookmarked", integer({ default: false }), [0, 1]],
  ] as const;

  for (const [name, schema, allowed] of described) {
    test(`${name} ${JSON.stringify(schema)} are of ${allowed.join()}`, async () => {
      for (const value of await valuesOf(name, schema)) expect(allowed).toContain(value);
    });
  }

  const ranges = [
    ["valence", { description: "A measure from 0.0 to 1.0.", example: 0.9 }, 0, 1],
    ["loudness", { description: "Values typically range between -60 and 0 db.", example: -5.883 }, -60, 0],
    ["offset", { example: -4 }, -6, -2],
    ["months_to_budget", { description: "The number of months left" }, 0, 60],
    ["goal_percentage_complete", {}, 0, 100],
  ] as const;

  for (const [name, schema, least, most] of ranges) {
    test(`${name} ${JSON.stringify(schema)} are from ${least} to ${most}`, async () => {
      for (const value of await valuesOf(name, { type: "number", ...schema })) {
        expect(Number(value)).toBeGreaterThanOrEqual(least);
        expect(Number(value)).toBeLessThanOrEqual(most);
      }
    });
  }

  test("others are near their example", async () => {
    for (const value of await valuesOf("defined_type", integer({ example: 4 }))) {
      expect(Number(value)).toBeGreaterThanOrEqual(2);
      expect(Number(value)).toBeLessThanOrEqual(6);
    }
  });
});

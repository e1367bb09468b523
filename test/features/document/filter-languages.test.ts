import { expect, test } from "vitest";
import type { JsonObject } from "../../../src/base/json/json.ts";
import { response } from "./documents.ts";
import { serve } from "./serve.ts";

const text: JsonObject = { type: "string" };
const object = (properties: JsonObject): JsonObject => ({ type: "object", properties });
const tea = object({
  id: { type: "integer" },
  name: text,
  kind: text,
  price: { type: "integer" },
  organic: { type: "boolean" },
  createdAt: { ...text, format: "date-time" },
  farm: object({ city: text }),
  tags: { type: "array", items: text },
});
const teas = [
  { name: "O'Hara", kind: "black", organic: true, farm: { city: "Rome" }, tags: ["hot", "strong"] },
  { name: "Sencha", kind: "green", organic: false, farm: { city: "Kyoto" }, tags: ["hot"] },
  { name: "Earl Grey", kind: "black", organic: false, farm: { city: "London" }, tags: ["cold"] },
  { name: "Gunpowder", kind: "green", organic: true, farm: { city: "Rome" }, tags: [] },
].map((one, i) => ({ ...one, id: i + 1, price: (i + 1) * 10, createdAt: `2026-01-0${i + 1}T00:00:00Z` }));

async function listing(name: string, description: string, schema = text) {
  const parameters = [{ name, in: "query", description, schema }];
  const { ask } = await serve(
    {
      openapi: "3.0.3",
      info: { title: "Teas", version: "1" },
      paths: {
        "/teas": { get: { parameters, responses: { 200: response({ type: "array", items: tea }) } } },
        "/teas/{id}": {
          get: {
            parameters: [{ name: "id", in: "path", required: true, schema: { type: "integer" } }],
            responses: { 200: response(tea) },
          },
        },
      },
    },
    { data: { teas } },
  );
  return async (...values: string[]) => {
    const { status, body } = await ask(
      `GET /teas?${values.map((one) => `${name}=${encodeURIComponent(one)}`).join("&")}`,
    );
    return Array.isArray(body) ? (body as { id: number }[]).map(({ id }) => id).join() : `${status}`;
  };
}

type Language = readonly [name: string, parameter: string, description: string, Readonly<Record<string, string>>];
const languages: readonly Language[] = [
  [
    "OData",
    "$filter",
    "",
    {
      "kind eq 'black' and price gt 10": "3",
      "name eq 'O''Hara'": "1",
      "kind ne 'black' or price le 10": "1,2,4",
      "contains(tolower(name),'gr')": "3",
      "startswith(name,'S') eq true": "2",
      "not endswith(name,'a')": "3,4",
      "substringof('pow',name)": "4",
      "farm/city eq 'Rome'": "1,4",
      "createdAt ge 2026-01-03T00:00:00Z": "3,4",
      "tags/any(t: t eq 'hot')": "1,2",
      "kind in ('green','white')": "2,4",
      organic: "1,4",
      "size gt 4": "1,2,3,4",
      "kind eq constructor or kind eq green": "2,4",
      "price gt": "400",
      "kind eq 'black": "400",
    },
  ],
  [
    "SCIM",
    "filter",
    'A SCIM filter such as name eq "Sencha".',
    {
      'name co "e" and not (kind eq "green")': "3",
      'name sw "S" or price ge 40': "2,4",
      "farm.city pr and organic eq true": "1,4",
      'farm[city eq "Kyoto"]': "2",
      "price ge": "400",
    },
  ],
  [
    "expressions as CEL and SQL have them",
    "filter",
    "An expression of the Common Expression Language.",
    {
      'kind == "green" && price >= 40': "4",
      'name.startsWith("E") || organic': "1,3,4",
      "kind = 'black' AND NOT price < 20": "3",
      "name LIKE '%en%'": "2",
      "price BETWEEN 20 AND 30": "2,3",
      "farm.city IS NOT NULL AND kind IN ('black')": "1,3",
      'createdAt > timestamp("2026-01-03T00:00:00Z")': "4",
    },
  ],
  [
    "RSQL",
    "query",
    "A query in RSQL.",
    {
      "kind==black;price=gt=10": "3",
      "name==S*,price=ge=40": "2,4",
      "kind=in=(green,white)": "2,4",
      "farm.city=out=(Rome,Kyoto)": "3",
    },
  ],
  [
    "pairs",
    "filter",
    "A comma-separated list of filters of the form field:value.",
    {
      "kind:black,organic:true": "1",
      "kind:black,green": "1,2,3,4",
      "kind:black;price:>10": "3",
      "!kind:black": "2,4",
      "createdAt:2026-01-02..2026-01-04": "2,3",
      "price:[20..30]": "2,3",
      "name:gunpowder*": "4",
      "name=Earl Grey": "3",
      "price:gte:30": "3,4",
      "kind=green,price>20": "4",
    },
  ],
  [
    "objects",
    "where",
    "Conditions as JSON.",
    {
      '{"kind":"black","price":{"$gt":10}}': "3",
      '{"$or":[{"name":"Sencha"},{"farm":{"city":"London"}}]}': "2,3",
      "{'kind':'green'}": "2,4",
      '{"kind":["black","white"]}': "1,3",
      '[{"field":"price","operator":"gte","value":30}]': "3,4",
      '{"logic":"or","filters":[{"field":"name","operator":"startswith","value":"S"},{"field":"id","op":"eq","value":4}]}':
        "2,4",
      '{"organic":[{"operator":"=","value":true}]}': "1,4",
      "{kind": "400",
    },
  ],
  ["no language, where a value is read if it can be", "filter", "", { "kind=green": "2,4", lamps: "1,2,3,4" }],
];

for (const [language, name, description, lists] of languages) {
  test(`filters in ${language}`, async () => {
    const list = await listing(name, description);
    const found: Record<string, string> = {};
    for (const value of Object.keys(lists)) found[value] = await list(value);
    expect(found).toEqual(lists);
  });
}

test("several conditions in a list of texts are all met", async () => {
  const list = await listing("filters[]", "Array of filters, such as 'kind=black'.", { type: "array", items: text });
  expect([await list("kind=black", "price>10"), await list("price<=20")]).toEqual(["3", "1,2"]);
});

test.each([`${"(".repeat(5000)}price gt 1`, `${"not ".repeat(2000)}organic`, `name eq '${"a".repeat(11_000)}'`])(
  "a deep or long filter gets a 400: %#",
  async (value) => {
    expect(await (await listing("$filter", ""))(value)).toBe("400");
  },
);

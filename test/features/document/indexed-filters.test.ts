import { expect, test } from "vitest";
import type { JsonObject } from "../../../src/base/json/json.ts";
import { response } from "./documents.ts";
import { serve } from "./serve.ts";

const text: JsonObject = { type: "string" };
const integer: JsonObject = { type: "integer" };
const cup: JsonObject = {
  type: "object",
  properties: { id: integer, name: text, price: integer, madeAt: { ...text, format: "date-time" } },
};
const cups = ["Ada", "Bo", "Cy", "Di"].map((name, i) => ({
  id: i + 1,
  name,
  price: [20, 10, 10, 30][i]!,
  madeAt: `2026-01-0${i + 1}T00:00:00Z`,
}));

async function listing(parameters: [name: string, schema?: JsonObject, description?: string][]) {
  const declared = parameters.map(([name, schema = text, description = ""]) => ({
    name,
    in: "query",
    schema,
    description,
  }));
  const { ask } = await serve(
    {
      openapi: "3.0.3",
      info: { title: "Cups", version: "1" },
      paths: {
        "/cups": { get: { parameters: declared, responses: { 200: response({ type: "array", items: cup }) } } },
        "/cups/{id}": {
          get: {
            parameters: [{ name: "id", in: "path", required: true, schema: integer }],
            responses: { 200: response(cup) },
          },
        },
      },
    },
    { data: { cups } },
  );
  return async (search: string) => {
    const { status, body } = await ask(`GET /cups?${search}`);
    return Array.isArray(body) ? (body as { id: number }[]).map(({ id }) => id).join() : `${status}`;
  };
}

const criteria = "searchCriteria[filterGroups]";
const styles: [string, [string, JsonObject?, string?][], Record<string, string>][] = [
  [
    "groups of alternatives, and orders in a list",
    [
      [`${criteria}[0][filters][0][field]`],
      [`${criteria}[0][filters][0][value]`],
      [`${criteria}[0][filters][0][conditionType]`],
      ["searchCriteria[sortOrders][0][field]"],
      ["searchCriteria[sortOrders][0][direction]"],
    ],
    {
      [`${criteria}[0][filters][0][field]=price&${criteria}[0][filters][0][value]=10`]: "2,3",
      [`${criteria}[0][filters][0][field]=price&${criteria}[0][filters][0][value]=15&${criteria}[0][filters][0][conditionType]=gt`]:
        "1,4",
      [`${criteria}[0][filters][0][field]=id&${criteria}[0][filters][0][value]=1&${criteria}[0][filters][1][field]=id&${criteria}[0][filters][1][value]=2&${criteria}[1][filters][0][field]=price&${criteria}[1][filters][0][value]=10`]:
        "2",
      "searchCriteria[sortOrders][0][field]=price&searchCriteria[sortOrders][0][direction]=DESC&searchCriteria[sortOrders][1][field]=id&searchCriteria[sortOrders][1][direction]=DESC":
        "4,1,3,2",
    },
  ],
  [
    "orders as keys with values",
    [["sortings", { type: "array", items: { type: "object" } }]],
    { "sortings[0].key=Price&sortings[0].value=Asc&sortings[1].key=Id&sortings[1].value=Desc": "3,2,1,4" },
  ],
  ["orders named by their field", [["sort[price]"], ["sort[id]"]], { "sort[price]=asc&sort[id]=desc": "3,2,1,4" }],
  [
    "the same under other names",
    [["sort_by[price]"], ["sort_by[id]"]],
    { "sort_by[price]=desc&sort_by[id]=desc": "4,1,3,2" },
  ],
  [
    "a parameter beside a filter that says how it compares",
    [["price", integer], ["priceCondition"], ["madeAt"], ["madeAt_operator"]],
    {
      "price=10": "2,3",
      [`price=10&priceCondition=${encodeURIComponent(">")}`]: "1,4",
      "madeAt=2026-01-02T00:00:00Z&madeAt_operator=lte": "1,2",
      [`price=10&priceCondition=${encodeURIComponent("!=")}`]: "1,4",
    },
  ],
  [
    "pages under other names",
    [
      ["queryOptions.page", integer],
      ["queryOptions.pageSize", integer],
    ],
    { "queryOptions.page=2&queryOptions.pageSize=3": "4" },
  ],
  [
    "records to skip and to read",
    [["skipRecords", integer], ["numberToRead", integer], ["orderField"], ["orderType", text, "Order direction."]],
    { "skipRecords=1&numberToRead=2": "2,3", "orderField=price&orderType=DESC&numberToRead=1": "4" },
  ],
  [
    "a search that may have conditions",
    [["q", text, "Narrows the response by filtering."]],
    {
      [`q=${encodeURIComponent('name = "Ada" OR price > 20')}`]: "1,4",
      "q=bo": "2",
      [`q=${encodeURIComponent('{"price":10}')}`]: "2,3",
    },
  ],
];

for (const [style, parameters, lists] of styles) {
  test(style, async () => {
    const list = await listing(parameters);
    const found: Record<string, string> = {};
    for (const search of Object.keys(lists)) found[search] = await list(search);
    expect(found).toEqual(lists);
  });
}

import type { JsonObject } from "../../base/json/json.ts";

/** The examples that are served without a file. A product requested by id differs from the same id in the list. */
const PRODUCTS = [
  { id: 1, name: "Steel Garden Spade", price: 34.95, company_id: 1 },
  { id: 2, name: "Brass Desk Lamp", price: 119.99, company_id: 2 },
  { id: 3, name: "Oak Writing Desk", price: 489.5, company_id: 1 },
];
const COMPANIES = [
  {
    id: 1,
    name: "Northwind Tools",
    revenue: 48250000.75,
    headquarter: { lat: 53.5511, lon: 9.9937 },
    locations: [
      { city: "Hamburg", employee_number: 420, state: "Hamburg" },
      { city: "Rome", employee_number: 85, state: "Lazio" },
    ],
  },
  {
    id: 2,
    name: "Lumen Works",
    revenue: 7310400.1,
    headquarter: { lat: 41.9028, lon: 12.4964 },
    locations: [{ city: "Rome", employee_number: 150, state: "Lazio" }],
  },
];
/** A number where the id in the address is one. */
const ASKED_ID = "{{id}}";
const [, LAMP] = PRODUCTS;
const [TOOLS] = COMPANIES;

/** In our own format, so that it is at the same time a pattern for one's own. */
export const BUILT_IN: JsonObject = {
  examples: [
    { name: "list of products", request: { path: "/products" }, response: { body: PRODUCTS } },
    {
      name: "one product",
      request: { path: "/products/{{id}}" },
      response: { body: { ...LAMP, id: ASKED_ID, name: "Example Product", price: 99.9 } },
    },
    { name: "list of companies", request: { path: "/companies" }, response: { body: COMPANIES } },
    {
      name: "one company",
      request: { path: "/companies/{{id}}" },
      response: { body: { ...TOOLS, id: ASKED_ID, name: "Example Company" } },
    },
    ...(
      [
        ["created product", "POST", 201],
        ["replaced product", "PUT", 200],
      ] as const
    ).flatMap(([name, method, status]) => [
      {
        name,
        request: { method, path: "/products" },
        response: { status, body: { id: 4, name: "Example Product", price: 99.9, company_id: 2 } },
      },
      {
        name: `${name} by id`,
        request: { method, path: "/products/{{id}}" },
        response: { status, body: { id: ASKED_ID, name: "Example Product", price: 99.9, company_id: 2 } },
      },
    ]),
    ...["/products", "/products/{{id}}"].map((path) => ({
      name: path === "/products" ? "deleted product" : "deleted product by id",
      request: { method: "DELETE", path },
      response: { status: 200, body: {} },
    })),
  ],
};

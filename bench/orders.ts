import type { LoadRequest } from "./requests.ts";

/** Rules of 20 properties, of the kinds that people write. */
export const ORDER_RULES = {
  products: {
    type: "object",
    required: ["number", "name", "price", "company_id"],
    properties: {
      number: { type: "string", pattern: "^[A-Z]{3}-[0-9]{6}$" },
      name: { type: "string", minLength: 1, maxLength: 100 },
      text: { type: "string", maxLength: 1000 },
      price: { type: "number", minimum: 0, multipleOf: 0.01 },
      discount: { type: "number", minimum: 0, exclusiveMaximum: 1 },
      currency: { enum: ["EUR", "USD", "GBP", "CHF"] },
      stock: { type: "integer", minimum: 0 },
      status: { enum: ["new", "paid", "sent", "done"] },
      email: { type: "string", format: "email" },
      url: { type: "string", format: "uri" },
      created_at: { type: "string", format: "date-time" },
      due: { type: "string", format: "date" },
      key: { type: "string", format: "uuid" },
      is_open: { type: "boolean" },
      rating: { type: ["number", "null"], minimum: 0, maximum: 5 },
      tags: { type: "array", items: { type: "string", maxLength: 20 }, maxItems: 10, uniqueItems: true },
      size: {
        type: "object",
        properties: { width: { type: "number" }, height: { type: "number" } },
        required: ["width", "height"],
      },
      color: { type: "string", maxLength: 30 },
      weight: { type: "number", exclusiveMinimum: 0 },
      company_id: { type: "integer" },
    },
  },
};

/** Bodies that keep these rules. */
export function newOrders(count = 500): LoadRequest[] {
  return Array.from({ length: count }, (_, at) => ({
    method: "POST" as const,
    path: "/products",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({
      number: `ABC-${100_000 + at}`,
      name: `Order ${at}`,
      text: "A short text about what was ordered, and when it is wanted.",
      price: (at % 1000) / 4,
      discount: 0.1,
      currency: "EUR",
      stock: at,
      status: "paid",
      email: `person${at}@example.com`,
      url: `https://example.com/orders/${at}`,
      created_at: "2026-01-31T12:00:00Z",
      due: "2026-02-28",
      key: "2eb8aa08-aa98-11ea-b4aa-73b441d16380",
      is_open: at % 2 === 0,
      rating: at % 3 === 0 ? null : 4.5,
      tags: ["red", "large", "gift"],
      size: { width: 10, height: 20 + at },
      color: "dark red",
      weight: 1.5,
      company_id: 1 + (at % 100),
    }),
  }));
}

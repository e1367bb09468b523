import type { JsonObject } from "../../src/base/json/json.ts";

/** Definitions in every place, references in every form, and conditions of every kind. */
export const RULES: JsonObject = {
  $defs: {
    address: {
      type: "object",
      properties: { city: { type: "string" }, geo: { $ref: "#/$defs/geo" } },
      required: ["city"],
      additionalProperties: false,
    },
    geo: { type: ["object", "null"], properties: { lat: { type: "number" } }, required: ["lat"] },
    tree: {
      type: "object",
      properties: { inner: { type: "array", items: { $ref: "#/$defs/tree" } } },
      maxProperties: 2,
    },
  },
  products: {
    type: "object",
    required: ["id", "name", "price", "state", "made_at", "company_id"],
    properties: {
      name: { type: "string", minLength: 1, description: "As it is on the label." },
      price: { type: "number", exclusiveMinimum: 0 },
      state: { enum: ["new", "used"] },
      sku: { type: "string", pattern: "^[A-Z]{2,4}$" },
      made_at: { type: "string", format: "date-time" },
      company_id: { type: "integer" },
      count: { type: ["integer", "null"], maximum: 9 },
      tags: { type: "array", items: { type: "string" }, uniqueItems: true, maxItems: 2 },
      address: { $ref: "#/$defs/address" },
      tree: { $ref: "#/$defs/tree" },
      pair: { type: "array", prefixItems: [{ type: "string" }, { $ref: "#/$defs/geo" }], items: false },
      kind: { $ref: "#kind" },
      other: { $ref: "#/properties/sku" },
      parts: { type: "array", items: { $ref: "#" } },
      never: false,
      any: true,
    },
    $defs: { kind: { $anchor: "kind", const: "thing" } },
    patternProperties: { "^x-": { type: "string" } },
    dependentRequired: { count: ["sku"], id: ["name"] },
    minProperties: 5,
    if: { properties: { state: { const: "used" } } },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema.
    then: { required: ["sku"] },
    "x-unique": ["sku"],
    "x-references": { company_id: { collection: "companies", onDelete: "refuse" }, maker: "companies" },
  },
  companies: {
    $ref: "#/$defs/named",
    $defs: { named: { required: ["name", "id"], properties: { name: { type: "string" } } } },
  },
  events: {
    properties: { id: { type: "integer" }, at: { type: "string", format: "date" } },
    oneOf: [
      { properties: { kind: { const: "a" }, x: { type: "number" } }, required: ["kind", "x"] },
      { properties: { kind: { const: "b" }, y: { $ref: "#/$defs/address" } }, required: ["kind"] },
    ],
    unevaluatedProperties: false,
    anyOf: [{ required: ["id"] }, { required: ["at"] }],
  },
  settings: { properties: { theme: { enum: ["dark", "light"] } }, required: ["theme"], additionalProperties: false },
};
export const DATA = (): JsonObject => ({
  products: [
    { id: 1, name: "Hat", price: 1, state: "new", made_at: "2026-01-01T00:00:00Z", company_id: 1, extra: "x" },
  ],
  companies: [{ id: 1, name: "Blue" }],
  events: [],
  settings: { theme: "dark" },
  notes: [{ id: 1, text: "a" }],
});
export const COLLECTIONS = { products: { timestamps: { created: "made_at" }, defaults: { state: "new" } } } as const;

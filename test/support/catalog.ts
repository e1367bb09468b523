import type { JsonObject } from "../../src/base/json/json.ts";

/** A small shop: twelve products of three companies. New with every call, because a server takes its data over. */
export function catalog(): JsonObject & { products: JsonObject[]; companies: JsonObject[] } {
  return {
    products: [
      { id: 1, name: "Steel Hat", price: 10, company_id: 1 },
      { id: 2, name: "Wooden Chair", price: 25.5, company_id: 1 },
      { id: 3, name: "steel bottle", price: 99.99, company_id: 2 },
      { id: 4, name: "Cotton Shirt", price: 15, company_id: 3 },
      { id: 5, name: "Granite Table", price: 250, company_id: 2 },
      { id: 6, name: "Plastic Hat", price: 9.5, company_id: 3 },
      { id: 7, name: "Rubber Ball", price: 5, company_id: 1 },
      { id: 8, name: "Bronze Bell", price: 100, company_id: 2 },
      { id: 9, name: "Silk Scarf", price: 60, company_id: 3 },
      { id: 10, name: "Concrete Lamp", price: 45.25, company_id: 1 },
      { id: 11, name: "Frozen Pizza", price: 7.75, company_id: 2 },
      { id: 12, name: "Steel Lamp", price: 25.5, company_id: 3 },
    ],
    companies: [
      {
        id: 1,
        name: "Acme",
        revenue: 5_000_000.5,
        headquarter: { lat: 41.9, lon: 12.5 },
        locations: [
          { city: "Rome", employee_number: 120, state: "Lazio" },
          { city: "Paris", employee_number: 40, state: "Seine" },
        ],
      },
      {
        id: 2,
        name: "Bolt",
        revenue: 1_250_000,
        headquarter: { lat: 52.5, lon: 13.4 },
        locations: [{ city: "Berlin", employee_number: 900, state: "Berlin" }],
      },
      {
        id: 3,
        name: "Corto",
        revenue: 99_000_000,
        headquarter: { lat: 48.8, lon: 2.3 },
        locations: [
          { city: "Lyon", employee_number: 10, state: "Rhone" },
          { city: "Rome", employee_number: 15, state: "Lazio" },
        ],
      },
    ],
  };
}

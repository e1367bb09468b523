import { describe, expect, test } from "vitest";
import { formatRoute, parseRoute, type Route } from "../../../console/src/routes/route.ts";

const cases: [string, Route][] = [
  ["#/", { view: "overview" }],
  ["#/traffic", { view: "traffic" }],
  ["#/snapshots", { view: "snapshots" }],
  ["#/snapshots/db-1-a%20b", { view: "snapshots", snapshot: "db-1-a b" }],
  ["#/snapshots/db-1/db-2-b%2Fc", { view: "snapshots", snapshot: "db-1", to: "db-2-b/c" }],
  ["#/history", { view: "history", query: "" }],
  [
    "#/history/12?collection=products&by=a%2Fb",
    { view: "history", version: 12, query: "collection=products&by=a%2Fb" },
  ],
  ["#/data/products", { view: "data", member: "products", record: { kind: "none" }, query: "" }],
  [
    "#/data/products?price_gte=10",
    { view: "data", member: "products", record: { kind: "none" }, query: "price_gte=10" },
  ],
  [
    "#/data/products/7?q=a%2Fb",
    { view: "data", member: "products", record: { kind: "id", id: "7" }, query: "q=a%2Fb" },
  ],
  ["#/data/a%2Fb/x%20y", { view: "data", member: "a/b", record: { kind: "id", id: "x y" }, query: "" }],
  ["#/docs", { view: "docs", at: [] }],
  ["#/docs/listProduct", { view: "docs", at: ["listProduct"] }],
  ["#/docs/schemas/Product.Input", { view: "docs", at: ["schemas", "Product.Input"] }],
  ["#/docs/GET%20%2Fpets%2F%7Bid%7D", { view: "docs", at: ["GET /pets/{id}"] }],
  ["#/new/products", { view: "data", member: "products", record: { kind: "new" }, query: "" }],
];

describe("addresses of the console", () => {
  for (const [hash, route] of cases) {
    test(`${hash} is read and written back`, () => {
      expect(parseRoute(hash)).toEqual(route);
      expect(formatRoute(route)).toBe(hash);
    });
  }

  for (const hash of ["", "#", "#/nowhere", "#/new"]) {
    test(`"${hash}" is the overview`, () => expect(parseRoute(hash)).toEqual({ view: "overview" }));
  }

  test("a broken escape is taken as it stands", () => {
    expect(parseRoute("#/data/100%")).toMatchObject({ member: "100%" });
  });
});

import { expect } from "vitest";
import type { Answer, AskOptions } from "../../support/api.ts";

export const DATA = {
  products: [{ id: 1, name: "Hat" }],
  companies: [{ id: 7, name: "Acme" }],
  profile: { name: "me" },
};

export type Ask = (line: string, options?: AskOptions) => Promise<Answer>;

const post = (body: object) => ({ body });
const dryRun = (body?: object) => ({ headers: { Prefer: "tx=rollback" }, ...(body && { body }) });

/** Collections come and go; each line with the status and a part of the response that are expected. */
export const REQUESTS: readonly (readonly [string, AskOptions | undefined, number, unknown])[] = [
  ["POST /__collections", dryRun({ name: "orders" }), 201, { name: "orders", kind: "collection", count: 0 }],
  ["GET /orders", undefined, 404, { code: "COLLECTION_NOT_FOUND" }],
  ["POST /__collections", post({ name: "orders" }), 201, { name: "orders", kind: "collection", count: 0 }],
  ["GET /orders", undefined, 200, []],
  ["POST /orders", post({ total: 1 }), 201, { total: 1, id: 1 }],
  ["POST /__collections", post({ name: "orders" }), 409, { code: "COLLECTION_EXISTS" }],
  ["POST /__collections", post({ name: "Orders" }), 409, { code: "COLLECTION_EXISTS" }],
  ["POST /__collections", post({ name: "settings", kind: "singleton" }), 201, { kind: "singleton", count: 1 }],
  ["PATCH /settings", post({ open: true }), 200, { open: true }],
  ["GET /__collections/orders", undefined, 200, { name: "orders", kind: "collection", count: 1 }],
  ["PATCH /__collections/orders", dryRun({ name: "sales" }), 200, { name: "sales", count: 1 }],
  ["PATCH /__collections/orders", post({ name: "sales" }), 200, { name: "sales", count: 1 }],
  ["GET /orders", undefined, 404, { code: "COLLECTION_NOT_FOUND" }],
  ["POST /sales", post({ total: 2 }), 201, { total: 2, id: 2 }],
  ["PATCH /__collections/sales", post({ name: "products" }), 409, { code: "COLLECTION_EXISTS" }],
  ["PATCH /__collections/none", post({ name: "some" }), 404, { code: "COLLECTION_NOT_FOUND" }],
  // The name of a collection that was renamed, and two that change places.
  ["POST /__collections", post({ name: "orders" }), 201, {}],
  ["POST /orders", post({ total: 9 }), 201, { id: 1 }],
  ["PATCH /__collections/companies", post({ name: "spare" }), 200, {}],
  ["PATCH /__collections/products", post({ name: "companies" }), 200, {}],
  ["PATCH /__collections/spare", post({ name: "products" }), 200, {}],
  ["PATCH /products/7", post({ name: "Bolts" }), 200, { id: 7, name: "Bolts" }],
  ["PATCH /__collections/profile", post({ name: "person" }), 200, { name: "person", kind: "singleton" }],
  ["GET /person", undefined, 200, { name: "me" }],
  ["DELETE /__collections/sales", dryRun(), 200, {}],
  ["GET /sales", undefined, 200, [{ id: 1 }, { id: 2 }]],
  ["DELETE /__collections/sales", undefined, 200, {}],
  ["GET /sales", undefined, 404, { code: "COLLECTION_NOT_FOUND" }],
  ["DELETE /__collections/sales", undefined, 404, { code: "COLLECTION_NOT_FOUND" }],
  ["POST /__collections", post({ name: "sales" }), 201, {}],
  ["POST /sales", post({}), 201, { id: 1 }],
  ["DELETE /__collections/settings", undefined, 200, {}],
];

export const END = {
  companies: [{ id: 1, name: "Hat" }],
  products: [{ id: 7, name: "Bolts" }],
  person: { name: "me" },
  orders: [{ total: 9, id: 1 }],
  sales: [{ id: 1 }],
};

/** Sends all requests, and expects the responses. */
export async function runThrough(ask: Ask, afterEdit: () => Promise<void> = async () => {}): Promise<void> {
  for (const [line, options, status, part] of REQUESTS) {
    const answer = await ask(line, options);
    expect([line, answer.status, answer.body]).toMatchObject([line, status, part]);
    if (line.includes("/__collections") && status < 300) await afterEdit();
  }
}

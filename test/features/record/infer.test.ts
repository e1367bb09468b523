import { describe, expect, test } from "vitest";
import type { Json, JsonObject } from "../../../src/base/json/json.ts";
import { inferRecording } from "../../../src/features/record/infer/infer-recording.ts";
import { type Served, serve } from "../document/serve.ts";
import { traffic } from "./traffic.ts";

const hat = { id: 1, name: "Hat", price: 5, company_id: 7 };
const shoe = { id: 2, name: "Shoe", price: 50, company_id: 7 };
const sock = { id: 3, name: "Sock", price: 2, company_id: 8 };

async function serveRecording(...rows: Parameters<typeof traffic>): Promise<Served["ask"]> {
  const { document, data } = inferRecording(traffic(...rows));
  return (await serve(document, { data } as never)).ask;
}

const pathsOf = ({ document }: { readonly document: JsonObject }): string[] => Object.keys(document.paths as JsonObject);

describe("a recording lives", () => {
  test("lists, records, envelopes and errors respond as they were recorded, and writes work", async () => {
    const ask = await serveRecording(
      ["GET /v1/products?page=1&per_page=2", 200, { body: { data: [hat, shoe], meta: { total: 3, page: 1 }, api: "v1" } }],
      ["GET /v1/products?page=2&per_page=2", 200, { body: { data: [sock], meta: { total: 3, page: 2 }, api: "v1" } }],
      ["GET /v1/products/2", 200, { body: { data: { ...shoe, stock: 4 } } }],
      ["GET /v1/products/99", 404, { body: { fault: "nothing here" } }],
    );
    expect((await ask("GET /v1/products?page=2&per_page=2")).body).toEqual({
      data: [sock],
      meta: { total: 3, page: 2 },
      api: "v1",
    });
    expect((await ask("GET /v1/products/2")).body).toEqual({ data: { ...shoe, stock: 4 } });
    const missing = await ask("GET /v1/products/98");
    expect([missing.status, missing.body]).toEqual([404, { fault: "nothing here" }]);
    const created = await ask("POST /v1/products", { body: { name: "Belt", price: 9 } });
    expect([created.status, (created.body as { data: JsonObject }).data]).toMatchObject([201, { id: 4, name: "Belt" }]);
    expect((await ask("PATCH /v1/products/1", { body: { price: 6 } })).body).toMatchObject({ data: { price: 6 } });
    expect((await ask("DELETE /v1/products/1")).status).toBe(204);
    expect((await ask("GET /v1/products/1")).status).toBe(404);
  });
});

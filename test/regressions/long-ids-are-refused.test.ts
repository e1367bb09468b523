import { describe, expect, test } from "vitest";
import { startApi } from "../support/api.ts";

const LONG = "x".repeat(1001);

describe("ids of more than 1,000 characters", () => {
  test("are refused in a POST, a list and a batch, with words; 1,000 are fine", async () => {
    const api = await startApi();
    const refusal = { status: 400, body: { code: "ID_INVALID", message: expect.stringContaining("1001 characters") } };
    expect(await api.ask("POST /products", { body: { id: LONG } })).toMatchObject(refusal);
    expect(await api.ask("POST /products", { body: [{}, { id: LONG }] })).toMatchObject(refusal);
    const requests = [{ method: "POST", path: "/products", body: { id: LONG } }];
    expect((await api.ask("POST /__batch", { body: { requests } })).status).toBe(400);
    const upsert = { headers: { Prefer: "resolution=merge-duplicates" }, body: { id: LONG } };
    expect(await api.ask("POST /products", upsert)).toMatchObject(refusal);
    const created = await api.ask("POST /products", { body: { id: LONG.slice(1) } });
    expect(created.status).toBe(201);
    expect((await api.ask(`GET ${new URL(created.headers.get("location")!).pathname}`)).status).toBe(200);
  });

  test("stay served where the data has them already", async () => {
    const api = await startApi({ data: { items: [{ id: LONG, name: "a" }] } });
    expect((await api.ask(`GET /items/${LONG}`)).status).toBe(200);
    expect((await api.ask(`PATCH /items/${LONG}`, { body: { name: "b" } })).status).toBe(200);
    expect((await api.ask(`PUT /items/${LONG}`, { body: { id: LONG, name: "c" } })).body).toMatchObject({ name: "c" });
    expect((await api.ask(`DELETE /items/${LONG}`)).status).toBe(200);
  });
});

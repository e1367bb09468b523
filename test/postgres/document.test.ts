import { join } from "node:path";
import { expect, test } from "vitest";
import type { JsonObject } from "../../src/base/json/json.ts";
import { createStandin } from "../../src/index.ts";
import { codeHost } from "../features/document/code-host.ts";
import { shelter } from "../features/document/documents.ts";
import { orders } from "../features/document/orders.ts";
import { payments, sendingForm } from "../features/document/payments.ts";
import { askAt } from "../support/api.ts";
import { createFolder } from "../support/cli.ts";
import { createDatabase } from "./database.ts";

test("a document's collections live in a database, for several servers at once", async () => {
  const source = join(createFolder({ "api.json": shelter }), "api.json");
  const data = await createDatabase();
  const start = () => createStandin({ source, data, persist: true });
  // Both fill the empty database, but one of them does it.
  const [first, second] = await Promise.all([start(), start()]);
  try {
    expect((await askAt(second.url, "GET /pets")).body).toMatchObject({ meta: { total: 12 } });
    const created = await askAt(first.url, "POST /pets", { body: { name: "Rex", chip: "secret" } });
    expect(created.body).toMatchObject({ id: 13, name: "Rex", status: "available" });
    const patched = await askAt(second.url, "PATCH /pets/13", { body: { status: "adopted" } });
    expect(patched.body).toEqual({ ...(created.body as JsonObject), status: "adopted", updatedAt: expect.any(String) });
    expect((await askAt(first.url, "GET /pets/13")).body).toEqual(patched.body);
    const listed = await askAt(first.url, "GET /pets?page=3&per_page=5&status=available");
    expect(listed.body).toMatchObject({ meta: { page: 3, per_page: 5 } });
    const visit = await askAt(first.url, "POST /pets/13/visits", { body: { reason: "Check-up" } });
    expect((await askAt(second.url, "GET /pets/13/visits")).body).toEqual([visit.body]);
    expect((await askAt(second.url, "POST /pets", { body: { name: "" } })).status).toBe(422);
    expect((await askAt(second.url, "DELETE /pets/13")).status).toBe(204);
    expect((await askAt(first.url, "GET /pets/13")).status).toBe(404);
    expect((await askAt(first.url, "GET /health-check")).body).toMatchObject({ invalidResponses: 0 });
  } finally {
    await first.close();
    await second.close();
  }
});

test("forms of a document are created, merged and unset in a database", async () => {
  const source = join(createFolder({ "api.json": payments }), "api.json");
  const api = await createStandin({ source, data: await createDatabase(), persist: true });
  try {
    const first = "email=a@b.c&metadata[order]=1&metadata[kept]=yes&description=x&items[0][quantity]=2";
    const created = (await askAt(api.url, "POST /v1/customers", sendingForm(first))).body as JsonObject;
    expect(created).toMatchObject({ metadata: { order: "1", kept: "yes" }, items: [{ quantity: 2 }] });
    const path = `/v1/customers/${String(created.id)}`;
    const { body } = await askAt(api.url, `POST ${path}`, sendingForm("metadata[new]=1&metadata[order]=&description="));
    expect(body).toEqual({ ...created, metadata: { kept: "yes", new: "1" }, description: null });
    expect((await askAt(api.url, `GET ${path}`)).body).toEqual(body);
  } finally {
    await api.close();
  }
});

test("actions, stored forms and expanded ids of a document live in a database", async () => {
  const source = join(createFolder({ "api.json": orders }), "api.json");
  const api = await createStandin({ source, data: await createDatabase(), persist: true });
  try {
    const [customer] = (await askAt(api.url, "GET /customers")).body as JsonObject[];
    const body = { customer: customer!.id!, items: [{ price: 5 }], Title: "Hats", expand: ["customer"] };
    const created = (await askAt(api.url, "POST /orders", { body })).body as JsonObject;
    expect(created).toMatchObject({ title: "Hats", status: "open", canceled_at: null, customer });
    expect(created.items).toEqual({ data: [{ price: 5 }], has_more: false });
    const path = `/orders/${String(created.id)}`;
    const canceled = (await askAt(api.url, `POST ${path}/cancel`)).body as JsonObject;
    expect(canceled).toMatchObject({ id: created.id, status: "canceled", canceled_at: expect.any(Number) });
    expect((await askAt(api.url, `GET ${path}`)).body).toEqual({ ...canceled, customer: customer!.id });
    expect((await askAt(api.url, `GET ${path}?expand[]=customer`)).body).toEqual({ ...canceled, customer });
    expect((await askAt(api.url, "POST /orders/none/cancel")).status).toBe(404);
  } finally {
    await api.close();
  }
});

test("records without an id in their path live in a database", async () => {
  const source = join(createFolder({ "api.json": codeHost }), "api.json");
  const data = await createDatabase();
  const start = () => createStandin({ source, data, persist: true });
  const [first, second] = [await start(), await start()];
  try {
    const repo = (await askAt(first.url, "POST /user/repos", { body: { name: "demo" } })).body as JsonObject;
    const path = `/repos/${(repo.owner as JsonObject).login}/demo`;
    const patched = await askAt(second.url, `PATCH ${path}`, { body: { description: "Second" } });
    expect(patched.body).toEqual({ ...repo, description: "Second" });
    expect((await askAt(first.url, `GET ${path}`)).body).toEqual(patched.body);
    expect((await askAt(first.url, "GET /repos/nobody/demo")).status).toBe(404);
    const [team] = (await askAt(first.url, "GET /teams")).body as JsonObject[];
    const settings = `/teams/${team!.id}/settings`;
    // Both find nothing, and one of them creates it.
    await Promise.all([
      askAt(first.url, `PATCH ${settings}`, { body: { theme: "dark" } }),
      askAt(second.url, `PATCH ${settings}`, { body: { size: 7 } }),
    ]);
    expect((await askAt(first.url, `GET ${settings}`)).body).toEqual({ theme: "dark", size: 7 });
    await askAt(first.url, "PUT /user", { body: { user: { bio: "I count" } } });
    expect((await askAt(second.url, "GET /user")).body).toMatchObject({ user: { bio: "I count" } });
    expect((await askAt(first.url, "GET /health-check")).body).toMatchObject({ invalidResponses: 0 });
  } finally {
    await first.close();
    await second.close();
  }
});

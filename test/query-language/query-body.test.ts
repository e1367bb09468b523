import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createStandin, type Standin } from "../../src/index.ts";
import { askAt } from "../support/api.ts";

const products = [1, 2, 3, 4, 5].map((id) => ({ id, name: `Product ${id}`, price: id * 10 }));

let api: Standin;
beforeAll(async () => {
  api = await createStandin({ data: { products } });
});
afterAll(() => api.close());

function query(body: object, { path = "/products", headers = {} } = {}): Promise<Response> {
  const json = { "Content-Type": "application/json", ...headers };
  return fetch(`${api.url}${path}`, { method: "QUERY", headers: json, body: JSON.stringify(body) });
}

describe("QUERY", () => {
  test("a body that differs has another ETag, so If-None-Match of one is no match for the other", async () => {
    const ask = (body: object, tag?: string) =>
      askAt(api.url, "QUERY /products", { body, headers: { "If-None-Match": tag } });
    const tag = (await ask({ "price:lt": 20 })).headers.get("etag")!;
    const again = await ask({ "price:lt": 20 }, tag);
    const other = await ask({ "price:gt": 20 }, tag);
    const all = await askAt(api.url, "GET /products", { headers: { "If-None-Match": tag } });
    expect([again.status, other.status, all.status]).toEqual([304, 200, 200]);
    expect(other.body).toHaveLength(3);
  });

  test("the same body sent to the URL in Link gets the next page, until there is none", async () => {
    const body = { _sort: "-price", _limit: 2, _after: "", "price:ne": 30 };
    const ids: number[] = [];
    let path = "/products";
    for (let page = 0; page < 5 && path !== ""; page++) {
      const response = await query(body, { path });
      ids.push(...((await response.json()) as { id: number }[]).map(({ id }) => id));
      const next = /<([^>]*)>/.exec(response.headers.get("link") ?? "")?.[1];
      path = next === undefined ? "" : next.slice(api.url.length);
    }
    expect(ids).toEqual([5, 4, 2, 1]);
  });

  test("a comma in an element of a list is part of its text", async () => {
    await api.db.products!.create({ id: 6, name: "Pots, three" } as never);
    expect(await (await query({ "name:in": ["Pots, three", "Product 1"], _fields: "id" })).json()).toEqual([
      { id: 1 },
      { id: 6 },
    ]);
    await api.db.products!.remove(6);
  });
});

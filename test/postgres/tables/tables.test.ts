import { describe, expect, test } from "vitest";
import { SHOP, serveTables } from "./served-tables.ts";

const idsIn = (body: unknown): unknown[] => (body as { id: unknown }[]).map(({ id }) => id);

describe("reads", () => {
  test("columns of every type appear as JSON", async () => {
    const { ask } = await serveTables(SHOP);
    expect((await ask("GET /products/1")).body).toEqual({
      id: 1,
      name: "Anvil",
      price: 12.5,
      maker: 1,
      parent_id: null,
      tags: ["heavy", "iron"],
      meta: { color: "grey", size: { w: 3 } },
      is_live: true,
      released: "2020-02-29",
      created_at: "2026-01-02T01:04:05+00:00",
      code: null,
      temper: "calm",
      photo: "3q2+7w==",
      weight: 0.1,
      gross: 25,
    });
    expect((await ask("GET /companies")).body).toEqual([
      { id: 1, name: "Acme", country: "IT" },
      { id: 2, name: "Bolt", country: "DE" },
    ]);
    expect((await ask("GET /codes/a%20b%2Fc")).body).toEqual({ code: "a b/c", label: "odd" });
    expect((await ask("GET /Log%20Entries")).body).toEqual([
      { At: 1, What: "one" },
      { At: 2, What: "two" },
    ]);
  });

  test("the sign of Kelvin is a k in lower case", async () => {
    const { ask } = await serveTables(SHOP);
    await ask("PATCH /products/3", { body: { name: "Rucksack" } });
    for (const operator of ["contains", "endsWith"]) {
      expect((await ask(`GET /products?name:${operator}=%E2%84%AA`)).body, operator).toMatchObject([{ id: 3 }]);
    }
  });

  test("the query language applies to columns and to what is inside of them", async () => {
    const { ask } = await serveTables(SHOP);
    const cases: [query: string, ids: number[]][] = [
      ["price_gte=7", [1, 3]],
      ["price:gt=7&price:lt=100", [1]],
      ["price=12.5", [1]],
      ["price=12.50", []],
      ["id=1&id=3", [1, 3]],
      ["id=01", []],
      ["name:contains=N", [1, 2]],
      ["name_like=^r", [3]],
      ["q=red", [3]],
      ["is_live=true&_sort=-price", [1, 3, 2]],
      ["_sort=released", [1, 3, 2]],
      ["_sort=-released", [2, 3, 1]],
      ["released_gte=2021-01-01", [3]],
      ["created_at=2026-01-02T01:04:05%2B00:00&_limit=2", [1, 2]],
      ["temper=cross", [3]],
      ["temper:null=true", [2]],
      ["temper_ne=cross", [1]],
      ["meta.color=grey", [1]],
      ["meta.size.w_gte=3", [1]],
      ["tags=iron", [1]],
      ["weight=0.1", [1]],
      ["_sort=meta.color", [3, 1, 2]],
      ["nothing=1", [1, 2, 3]],
      ["meta.nothing=1", [1, 2, 3]],
      ["nothing:gt=1", []],
      ["name=%00", []],
      ["code=nonsense", []],
      ["_start=-1", [3]],
      ["_page=2&_limit=2", [3]],
    ];
    for (const [query, ids] of cases) {
      const { status, body } = await ask(`GET /products?${query}`);
      expect([query, status, idsIn(body)]).toEqual([query, 200, ids]);
    }
    expect((await ask("GET /products?_group=maker&_aggregate=count,max:price")).body).toEqual([
      { maker: 1, count: 1, max_price: 12.5 },
      { maker: 2, count: 2, max_price: 7 },
    ]);
  });

  test("foreign keys are relations, whatever the columns are called", async () => {
    const { ask } = await serveTables(SHOP);
    expect((await ask("GET /products/2?_expand=maker")).body).toMatchObject({ maker: { name: "Bolt" } });
    expect((await ask("GET /products/2?_expand=parent")).body).toMatchObject({ parent: { name: "Anvil" } });
    expect(idsIn((await ask("GET /companies/2/products")).body)).toEqual([2, 3]);
    expect((await ask("GET /companies?_embed=products")).body).toMatchObject([
      { id: 1, products: [{ id: 1 }] },
      { id: 2, products: [{ id: 2 }, { id: 3 }] },
    ]);
  });

  test("a list is not sent again until somebody writes to the database", async () => {
    const { ask, run } = await serveTables(SHOP);
    const etag = (await ask("GET /products?_limit=1")).headers.get("etag") ?? "";
    const again = () => ask("GET /products?_limit=1", { headers: { "If-None-Match": etag } });
    expect((await run("UPDATE products SET name = 'Block' WHERE id = 1; SELECT 1 AS one")).length).toBeGreaterThan(0);
    expect(await again()).toMatchObject({ status: 200, body: [{ name: "Block" }] });
  });

  test("cursors lead through a table by its key", async () => {
    const { ask } = await serveTables(SHOP);
    for (const query of ["_sort=-released", "_sort=maker", "_sort=meta.color", "q=a", ""]) {
      const all = idsIn((await ask(`GET /products?${query}`)).body);
      const seen: unknown[] = [];
      for (let cursor: string | undefined = ""; cursor !== undefined; ) {
        const page = await ask(`GET /products?${query}&_after=${cursor}&_limit=1`);
        seen.push(...idsIn(page.body));
        cursor = /_after=([^&>]+)[^>]*>; rel="next"/.exec(page.headers.get("link") ?? "")?.[1];
      }
      expect([query, seen]).toEqual([query, all]);
    }
  });
});

describe("writes", () => {
  test("records are created, changed and removed in the table, with what the database adds", async () => {
    const { ask, run } = await serveTables(SHOP);
    const made = await ask("POST /products", {
      body: { name: "Saw", price: 3, tags: ["x"], photo: "3q2+7w==", meta: [1] },
    });
    expect(made).toMatchObject({
      status: 201,
      body: {
        id: 4,
        name: "Saw",
        price: 3,
        is_live: true,
        created_at: "2026-01-02T01:04:05+00:00",
        gross: 6,
        meta: [1],
      },
    });
    expect(await ask("PATCH /products/4", { body: { price: 4.25, tags: [] } })).toMatchObject({
      status: 200,
      body: { id: 4, price: 4.25, gross: 8.5, tags: [], name: "Saw" },
    });
    expect(await ask("PUT /products/4", { body: { name: "Axe" } })).toMatchObject({
      status: 200,
      body: { id: 4, name: "Axe", price: null, is_live: true, photo: null },
    });
    expect(
      await run("SELECT name, price, encode(coalesce(photo, ''), 'hex') AS photo FROM products WHERE id = 4"),
    ).toEqual([{ name: "Axe", price: null, photo: "" }]);
    expect((await ask("DELETE /products/4")).status).toBe(200);
    expect((await ask("GET /products/4")).status).toBe(404);
    expect(await ask("POST /companies/1/products", { body: { name: "Nested" } })).toMatchObject({ body: { maker: 1 } });
    expect(await ask("POST /codes", { body: { label: "x" } })).toMatchObject({ body: { code: expect.any(String) } });
    expect(await ask("POST /products", { body: [{ name: "A" }, { name: "B" }] })).toMatchObject({
      status: 201,
      body: [{ id: 6 }, { id: 7 }],
    });
  });

  test("what the database refuses is a response that names the column", async () => {
    const { ask } = await serveTables(SHOP);
    const cases: [line: string, body: unknown, status: number, code: string, word: string][] = [
      ["POST /companies", { name: "Acme" }, 409, "VALUE_TAKEN", "name"],
      ["POST /companies", { id: 1, name: "New" }, 409, "ID_TAKEN", "id"],
      ["POST /products", { price: 1 }, 422, "RECORD_INVALID", "name"],
      ["POST /products", { name: "x", price: -1 }, 422, "RECORD_INVALID", "price"],
      ["POST /products", { name: "x", maker: 99 }, 422, "RECORD_INVALID", "maker"],
      ["POST /products", { name: "x", price: "cheap" }, 422, "RECORD_INVALID", '"price"'],
      ["POST /products", { name: "x", prize: 1 }, 422, "RECORD_INVALID", 'Did you mean "price"'],
      ["POST /products", { name: "x", gross: 1 }, 422, "RECORD_INVALID", "gross"],
      ["POST /products", { name: "x", photo: "%" }, 422, "RECORD_INVALID", "photo"],
      ["POST /products", { name: "x".repeat(41) }, 422, "RECORD_INVALID", '"name"'],
      ["POST /products", { name: "\0" }, 422, "RECORD_INVALID", "name"],
      ["DELETE /companies/1", undefined, 409, "RECORD_REFERENCED", "products"],
      ["POST /cheap", { name: "x" }, 403, "READ_ONLY", "view"],
      ["POST /stock", { place: "x" }, 403, "READ_ONLY", "product_id, place"],
      ["POST /Log%20Entries", { At: 1 }, 403, "READ_ONLY", "primary key"],
      ["POST /__collections", { name: "more" }, 501, "OPTION_UNAVAILABLE", "--memory"],
      ["POST /__reset", {}, 409, "RESET_UNAVAILABLE", "--tables"],
      ["POST /__sandboxes", {}, 404, "SANDBOXES_OFF", "--memory"],
    ];
    for (const [line, body, status, code, word] of cases) {
      const given = await ask(line, body === undefined ? {} : { body });
      expect([line, given.status, given.body]).toMatchObject([line, status, { code }]);
      expect((given.body as { message: string }).message).toContain(word);
    }
    expect((await ask("GET /products")).body).toHaveLength(3);
  });

  test("conditional, dry and repeated writes hold", async () => {
    const { ask, run } = await serveTables(SHOP);
    const etag = (await ask("GET /companies/1")).headers.get("etag") ?? "";
    await run("UPDATE companies SET country = 'FR' WHERE id = 1");
    const stale = await ask("PATCH /companies/1", { body: { country: "ES" }, headers: { "If-Match": etag } });
    expect(stale).toMatchObject({ status: 412, body: { code: "RECORD_CHANGED" } });
    const dry = await ask("PATCH /companies/1", { body: { country: "ES" }, headers: { Prefer: "tx=rollback" } });
    expect(dry).toMatchObject({ status: 200, body: { country: "ES" } });
    expect((await ask("GET /companies/1")).body).toMatchObject({ country: "FR" });
    const send = () => ask("POST /companies", { body: { name: "Once" }, headers: { "Idempotency-Key": "k1" } });
    expect((await send()).body).toEqual((await send()).body);
    expect((await ask("GET /companies?name=Once")).body).toHaveLength(1);
  });

  test("a batch is one transaction, with parents before children", async () => {
    const { ask } = await serveTables(SHOP);
    const requests = [
      { method: "POST", path: "/products", body: { name: "Child", maker: 2 } },
      { method: "PATCH", path: "/companies/1", body: { country: "ES" } },
      { method: "POST", path: "/companies", body: { name: "Acme" } },
    ];
    expect(await ask("POST /__batch", { body: { requests } })).toMatchObject({ status: 409 });
    expect((await ask("GET /companies/1")).body).toMatchObject({ country: "IT" });
    const good = await ask("POST /__batch", { body: { requests: requests.slice(0, 2) } });
    expect(good.status).toBe(200);
    expect((await ask("GET /companies/1")).body).toMatchObject({ country: "ES" });
    expect((await ask("GET /products?name=Child")).body).toMatchObject([{ is_live: true, maker: 2 }]);
  });
});

test("nothing but the owner's own is in the schema afterwards", async () => {
  const { ask, run, schema } = await serveTables(SHOP);
  const things = () =>
    run(`SELECT relname AS name FROM pg_class WHERE relnamespace = '${schema}'::regnamespace
      UNION ALL SELECT proname FROM pg_proc WHERE pronamespace = '${schema}'::regnamespace
      UNION ALL SELECT tgname FROM pg_trigger WHERE NOT tgisinternal
      UNION ALL SELECT nspname FROM pg_namespace WHERE nspname = 'standin' ORDER BY 1`);
  const before = await things();
  await ask("POST /companies", { body: { name: "New" } });
  await ask("GET /products?q=x&_sort=name");
  await ask("DELETE /products/3");
  expect(await things()).toEqual(before);
});

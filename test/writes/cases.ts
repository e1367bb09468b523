import { beforeEach, describe, expect, test } from "vitest";
import type { JsonObject } from "../../src/base/json/json.ts";
import type { Answer, AskOptions } from "../support/api.ts";

export const START = {
  products: [
    { id: 1, name: "Pot", price: 10, company_id: 1, sku: "p1" },
    { id: 2, name: "Mug", price: 0.5, company_id: 1, sku: "m1" },
    { id: 3, name: "Hat", price: 20, company_id: 2, sku: "h1" },
    { id: 4, name: "Cap", price: 0.9, company_id: 2, sku: "h1" },
  ],
  profile: { theme: "light" },
  empty: [],
} satisfies JsonObject;

/** A server whose data can be put back to the start. */
export interface Place {
  ask(line: string, options?: AskOptions): Promise<Answer>;
  reset(): Promise<void>;
}

/** Writes of every kind that can be tried: a request, its body, and its preference beside `tx=rollback`. */
export const TRIED: readonly [line: string, body: unknown, more?: string][] = [
  ["POST /products", { name: "New" }],
  ["POST /products", [{ name: "New" }, { name: "Newer" }]],
  ["POST /products", { id: 1, price: 3 }, "resolution=merge-duplicates"],
  ["PUT /products/1", { name: "Other" }],
  ["PATCH /products/1", { price: 1 }],
  ["DELETE /products/1", undefined],
  ["PATCH /products?company_id=1", { price: 1 }],
  ["DELETE /products?company_id=1", undefined],
  ["PUT /profile", { theme: "dark" }],
  ["PATCH /profile", { theme: "dark" }],
];

/** Everything that writes by filter, upserts and dry runs promise, over any store. */
export function describeWrites(name: string, place: () => Place): void {
  const ask = (line: string, options?: AskOptions): Promise<Answer> => place().ask(line, options);
  const prefer = (value: string, body?: unknown): AskOptions => ({ headers: { Prefer: value }, body });
  const products = async (): Promise<unknown> => (await ask("GET /products")).body;
  const ids = async (query = ""): Promise<unknown[]> =>
    ((await ask(`GET /products${query}`)).body as { id: unknown }[]).map(({ id }) => id);

  describe(`${name}: PATCH and DELETE by filter`, () => {
    beforeEach(() => place().reset());

    test("PATCH /products?company_id=1 changes these and no others", async () => {
      const { status, body } = await ask("PATCH /products?company_id=1", { body: { price: 7 } });
      expect([status, body]).toEqual([200, { count: 2, ids: [1, 2] }]);
      expect(((await products()) as { price: number }[]).map(({ price }) => price)).toEqual([7, 7, 20, 0.9]);
    });

    test("DELETE /products?price:lt=1 removes these and no others", async () => {
      expect((await ask("DELETE /products?price:lt=1")).body).toEqual({ count: 2, ids: [2, 4] });
      expect(await ids()).toEqual([1, 3]);
    });

    test("_or, _where, q and operators choose, too", async () => {
      expect((await ask("DELETE /products?_or=id=1&_or=name:startsWith=h")).body).toEqual({ count: 2, ids: [1, 3] });
      expect((await ask("PATCH /products?q=mug", { body: { price: 1 } })).body).toEqual({ count: 1, ids: [2] });
      const where = encodeURIComponent('{"not":{"price":{"gt":0.95}}}');
      expect((await ask(`DELETE /products?_where=${where}`)).body).toEqual({ count: 1, ids: [4] });
    });

    test("no match changes nothing", async () => {
      const before = (await ask("GET /products")).headers.get("etag");
      expect((await ask("DELETE /products?id=99")).body).toEqual({ count: 0, ids: [] });
      expect((await ask("GET /products")).headers.get("etag")).toBe(before);
    });

    test("Prefer: return=representation responds with the records", async () => {
      const { body, headers } = await ask("PATCH /products?company_id=2", prefer("return=representation", { new: 1 }));
      expect(body).toMatchObject([
        { id: 3, new: 1 },
        { id: 4, new: 1 },
      ]);
      expect(headers.get("preference-applied")).toBe("return=representation");
      expect((await ask("DELETE /products?id=3", prefer("return=representation"))).body).toMatchObject([{ id: 3 }]);
    });

    test("Prefer: max-affected refuses more, and changes nothing", async () => {
      const { status, body } = await ask("DELETE /products?id:gt=0", prefer("max-affected=3"));
      expect([status, body]).toMatchObject([400, { code: "MAX_AFFECTED" }]);
      expect(await ids()).toEqual([1, 2, 3, 4]);
      const done = await ask("DELETE /products?id:gt=1", prefer("max-affected=3"));
      expect([done.body, done.headers.get("preference-applied")]).toEqual([
        { count: 3, ids: [2, 3, 4] },
        "max-affected=3",
      ]);
    });

    test("Prefer: max-affected holds while others create records that match", async () => {
      const racing = Array.from({ length: 10 }, (_, at) => [
        ask("POST /products", { body: { lot: 1, at } }),
        ask("PATCH /products?lot=1", prefer("max-affected=3", { seen: at })),
      ]).flat();
      const patches = (await Promise.all(racing)).filter((_, at) => at % 2 === 1);
      // Until the first record is there, no record has the field.
      for (const { status, body } of patches) {
        if (status === 200) expect((body as { count: number }).count).toBeLessThanOrEqual(3);
        else expect(["MAX_AFFECTED", "QUERY_FIELD_UNKNOWN"]).toContain((body as { code: string }).code);
      }
      expect(await ids("?lot=1")).toHaveLength(10);
      const { body } = await ask("PATCH /products?lot=1", prefer("max-affected=9", { seen: 99 }));
      expect(body).toMatchObject({ code: "MAX_AFFECTED" });
      const lot = (await ask("GET /products?lot=1")).body as { seen?: number }[];
      expect(lot.filter(({ seen }) => seen === 99)).toEqual([]);
    });

    test("patches of other types apply to each record, or to none", async () => {
      const merge = { headers: { "Content-Type": "application/merge-patch+json" }, body: { sku: null } };
      expect((await ask("PATCH /products?company_id=1", merge)).body).toEqual({ count: 2, ids: [1, 2] });
      const operations = [
        { op: "test", path: "/name", value: "Hat" },
        { op: "remove", path: "/price" },
      ];
      const patch = { headers: { "Content-Type": "application/json-patch+json" }, body: operations };
      expect((await ask("PATCH /products?company_id=2", patch)).body).toMatchObject({ code: "PATCH_FAILED" });
      expect((await ask("GET /products/3")).body).toMatchObject({ price: 20 });
    });

    test("_all=true means all", async () => {
      expect((await ask("PATCH /products?_all=true", { body: { seen: true } })).body).toMatchObject({ count: 4 });
      expect((await ask("DELETE /products?_all=true")).body).toMatchObject({ count: 4 });
      expect(await products()).toEqual([]);
    });

    test("the id stays", async () => {
      await ask("PATCH /products?sku=p1", { body: { id: 50, name: "Jar" } });
      expect((await ask("GET /products/1")).body).toMatchObject({ id: 1, name: "Jar" });
    });

    const refused: [line: string, code: string][] = [
      ["DELETE /products", "FILTER_REQUIRED"],
      ["PATCH /products", "FILTER_REQUIRED"],
      ["DELETE /products?", "FILTER_REQUIRED"],
      ["DELETE /products?id:nin=", "FILTER_REQUIRED"],
      ["DELETE /products?_where={}", "FILTER_REQUIRED"],
      ["DELETE /products?q=", "QUERY_INVALID"],
      ["DELETE /products?nme=Pot", "QUERY_FIELD_UNKNOWN"],
      ["DELETE /products?nme:gt=1", "QUERY_FIELD_UNKNOWN"],
      ["DELETE /products?_or=nme=1&_or=id=1", "QUERY_FIELD_UNKNOWN"],
      ["DELETE /products?id=1&_filds=x", "QUERY_INVALID"],
      ["DELETE /products?id=1&_sort=id", "QUERY_INVALID"],
      ["DELETE /products?id=1&_page=1", "QUERY_INVALID"],
      ["DELETE /products?id=1&_limit=1", "QUERY_INVALID"],
      ["DELETE /products?id=1&_start=0", "QUERY_INVALID"],
      ["DELETE /products?id=1&_end=1", "QUERY_INVALID"],
      ["DELETE /products?id=1&_after=", "QUERY_INVALID"],
      ["DELETE /products?_all=yes", "QUERY_INVALID"],
      ["DELETE /products?_all=true&id=1", "QUERY_INVALID"],
    ];
    for (const [line, code] of refused) {
      test(`${line} -> ${code}, and nothing is changed`, async () => {
        expect(
          (await ask(line.replace(/[{}]/g, encodeURIComponent), { body: line.startsWith("PATCH") ? {} : undefined }))
            .body,
        ).toMatchObject({
          code,
        });
        expect(await products()).toEqual(START.products);
      });
    }

    test("If-Match is refused", async () => {
      const { body } = await ask("DELETE /products?id=1", { headers: { "If-Match": '"x"' } });
      expect(body).toMatchObject({ code: "MATCH_HEADER_INVALID" });
    });

    test("an empty collection has nothing to change", async () => {
      expect((await ask("DELETE /empty?price:lt=1")).body).toEqual({ count: 0, ids: [] });
    });
  });

  describe(`${name}: upsert`, () => {
    beforeEach(() => place().reset());
    const merge = "resolution=merge-duplicates";
    const ignore = "resolution=ignore-duplicates";

    test("by id: merges into the record that is there, 200", async () => {
      const { status, body, headers } = await ask("POST /products", prefer(merge, { id: 1, price: 11 }));
      expect([status, body]).toEqual([200, { id: 1, name: "Pot", price: 11, company_id: 1, sku: "p1" }]);
      expect(headers.get("preference-applied")).toBe(merge);
      expect(headers.get("location")).toBeNull();
    });

    test("by id: creates the record that is not there, 201", async () => {
      const { status, body, headers } = await ask("POST /products", prefer(merge, { id: 9, name: "Jar" }));
      expect([status, body]).toEqual([201, { id: 9, name: "Jar" }]);
      expect(headers.get("location")).toMatch(/\/products\/9$/);
    });

    test("ignore-duplicates leaves the record as it is", async () => {
      const before = (await ask("GET /products")).headers.get("etag");
      const { status, body } = await ask("POST /products", prefer(ignore, { id: 1, price: 99 }));
      expect([status, body]).toEqual([200, START.products[0]]);
      expect((await ask("GET /products")).headers.get("etag")).toBe(before);
    });

    test("by another field: _on=sku", async () => {
      const found = await ask("POST /products?_on=sku", prefer(merge, { sku: "m1", price: 3, id: 77 }));
      expect([found.status, found.body]).toMatchObject([200, { id: 2, name: "Mug", price: 3 }]);
      const made = await ask("POST /products?_on=sku", prefer(merge, { sku: "new" }));
      expect([made.status, made.body]).toMatchObject([201, { id: 5, sku: "new" }]);
    });

    test("a body without the key is created", async () => {
      expect((await ask("POST /products?_on=sku", prefer(merge, { name: "No key" }))).body).toEqual({
        name: "No key",
        id: 5,
      });
      expect((await ask("POST /products", prefer(merge, { name: "No id" }))).body).toEqual({ name: "No id", id: 6 });
    });

    test("several matches are refused", async () => {
      const { status, body } = await ask("POST /products?_on=sku", prefer(merge, { sku: "h1", price: 1 }));
      expect([status, body]).toMatchObject([409, { code: "UPSERT_AMBIGUOUS" }]);
    });

    test("an array: all or none, and the same key twice is one record", async () => {
      const bodies = [
        { sku: "p1", price: 1 },
        { sku: "x", price: 1 },
        { sku: "x", price: 2 },
      ];
      const { status, body } = await ask("POST /products?_on=sku", prefer(merge, bodies));
      expect([status, body]).toMatchObject([
        201,
        [
          { id: 1, price: 1 },
          { id: 5, price: 1 },
          { id: 5, price: 2 },
        ],
      ]);
      expect(await ids("?sku=x")).toEqual([5]);
      const refused = await ask("POST /products?_on=sku", prefer(merge, [{ sku: "y" }, { sku: "h1" }]));
      expect(refused.body).toMatchObject({ code: "UPSERT_AMBIGUOUS" });
      expect(await ids("?sku=y")).toEqual([]);
    });

    test("an unknown resolution is refused", async () => {
      expect((await ask("POST /products", prefer("resolution=guess", {}))).body).toMatchObject({
        code: "QUERY_INVALID",
      });
    });

    test("20 at once with the same key make one record", async () => {
      const all = Array.from({ length: 20 }, (_, at) =>
        ask("POST /products?_on=sku", prefer(merge, { sku: "same", at })),
      );
      const statuses = (await Promise.all(all)).map(({ status }) => status).sort();
      expect(statuses).toEqual([...Array.from({ length: 19 }, () => 200), 201]);
      expect(await ids("?sku=same")).toHaveLength(1);
    });
  });

  describe(`${name}: dry run`, () => {
    beforeEach(() => place().reset());
    for (const [line, body, more = ""] of TRIED) {
      test(`${line} ${JSON.stringify(body) ?? ""} ${more} responds as usual and changes nothing`, async () => {
        const before = await ask("GET /db");
        const tried = await ask(line, prefer(`${more === "" ? "" : `${more}, `}tx=rollback`, body));
        const after = await ask("GET /db");
        expect(after.text).toBe(before.text);
        expect(after.headers.get("etag")).toBe(before.headers.get("etag"));
        expect(tried.headers.get("preference-applied")).toContain("tx=rollback");
        expect(tried.headers.get("etag")).toBeNull();
        const done = await ask(line, more === "" ? { body } : prefer(more, body));
        expect([tried.status, tried.body]).toEqual([done.status, done.body]);
      });
    }

    test("a write that must not happen is refused as usual", async () => {
      expect((await ask("POST /products", prefer("tx=rollback", { id: 1 }))).body).toMatchObject({ code: "ID_TAKEN" });
      expect((await ask("DELETE /products/99", prefer("tx=rollback"))).status).toBe(404);
    });
  });
}

import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Answer, AskOptions } from "../support/api.ts";
import { type Place, START } from "./cases.ts";

interface Failure {
  readonly code: string;
  readonly failed: number;
}

interface Inner {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
}

/** Everything that batches promise, over any store. With `isLong`, also everything that is refused before it gets there. */
export function describeBatches(name: string, place: () => Place, isLong = false): void {
  const ask = (line: string, options?: AskOptions): Promise<Answer> => place().ask(line, options);
  const batch = (requests: unknown, headers?: AskOptions["headers"]): Promise<Answer> =>
    ask("POST /__batch", { body: { requests }, ...(headers && { headers }) });
  const done = async (requests: unknown): Promise<readonly Inner[]> => {
    const { status, body } = await batch(requests);
    expect([status, body]).toMatchObject([200, { responses: expect.anything() }]);
    return (body as { responses: Inner[] }).responses;
  };
  const patchOf = (type: string): Record<string, string> => ({ "Content-Type": `application/${type}+json` });

  describe(`${name}: batch`, () => {
    beforeEach(() => place().reset());

    test("requests see the writes of those before them, and refer to their responses", async () => {
      const responses = await done([
        { method: "POST", path: "/products", body: { name: "Jar/1", at: { city: "Rome", tags: ["a", 7] } }, as: "jar" },
        { method: "GET", path: "/products/{{jar.id}}" },
        { method: "PATCH", path: "/products/{{jar.id}}", body: { "is{{": "{{jar.at}}", tag: "{{jar.at.tags.1}}" } },
        {
          method: "POST",
          path: "/products?from={{jar.name}}",
          body: { text: "{{jar.name}} in {{jar.at.city}}: {{jar.id}}" },
        },
        { method: "PATCH", path: "/products?name={{jar.name}}", body: { seen: true } },
        { method: "PUT", path: "/profile", body: { latest: "{{jar.id}}" }, as: "me" },
        { method: "DELETE", path: "/products/1" },
        { method: "GET", path: "/profile" },
      ]);
      expect(responses.map(({ status }) => status)).toEqual([201, 200, 200, 201, 200, 200, 200, 200]);
      expect(responses[0]!.headers.Location).toMatch(/\/products\/5$/);
      expect(responses[2]!.body).toMatchObject({ id: 5, "is{{": { city: "Rome", tags: ["a", 7] }, tag: 7 });
      expect(responses[3]!.body).toEqual({ id: 6, text: "Jar/1 in Rome: 5" });
      expect(responses[4]!.body).toEqual({ count: 1, ids: [5] });
      expect(responses.slice(5).map(({ body }) => body)).toEqual([{ latest: 5 }, {}, { latest: 5 }]);
      expect((await ask("GET /products/5")).body).toMatchObject({ name: "Jar/1", seen: true, tag: 7 });
      expect((await ask("GET /products/1")).status).toBe(404);
    });

    test("an ETag is that of the record as the batch leaves it", async () => {
      const [first, second, other] = await done([
        { method: "PATCH", path: "/products/1", body: { price: 1 } },
        { method: "PATCH", path: "/products/1", body: { price: 2 } },
        { method: "POST", path: "/products", body: {} },
      ]);
      expect(first!.headers.ETag).toBeUndefined();
      expect(second!.headers.ETag).toBe((await ask("GET /products/1")).headers.get("etag"));
      expect(other!.headers.ETag).toBe((await ask("GET /products/5")).headers.get("etag"));
    });

    test("every kind of write", async () => {
      const merge = "resolution=merge-duplicates";
      const responses = await done([
        { method: "POST", path: "/products", body: [{ name: "A" }, { name: "B" }] },
        { method: "PUT", path: "/products/2", body: { name: "Cup" } },
        { method: "PATCH", path: "/products/3", body: { sku: null, price: 1 }, headers: patchOf("merge-patch") },
        {
          method: "PATCH",
          path: "/products/3",
          body: [{ op: "test", path: "/price", value: 1 }],
          headers: patchOf("json-patch"),
        },
        { method: "POST", path: "/products", body: { id: 4, price: 2 }, headers: { prefer: merge } },
        { method: "POST", path: "/products?_on=sku", body: { sku: "new" }, headers: { Prefer: merge } },
        { method: "POST", path: "/products?_on=sku", body: { sku: "new", price: 3 }, headers: { Prefer: merge } },
        { method: "PATCH", path: "/products?id:in=3,4", body: { x: 1 }, headers: { Prefer: "return=representation" } },
        { method: "DELETE", path: "/products?x=1", headers: { Prefer: "max-affected=2" } },
        { method: "POST", path: "/profile", body: { theme: "dark" } },
        { method: "PATCH", path: "/profile", body: { theme: null, size: 1 }, headers: patchOf("merge-patch") },
      ]);
      expect(responses.map(({ status }) => status)).toEqual([201, 200, 200, 200, 200, 201, 200, 200, 200, 201, 200]);
      expect(responses[6]!.body).toMatchObject({ id: 7, price: 3 });
      expect(responses[6]!.headers["Preference-Applied"]).toBe(merge);
      expect(responses[7]!.body).toMatchObject([
        { id: 3, x: 1 },
        { id: 4, x: 1, price: 2 },
      ]);
      expect(responses[8]!.body).toEqual({ count: 2, ids: [3, 4] });
      expect((await ask("GET /products?_fields=id,name,sku")).body).toEqual([
        { id: 1, name: "Pot", sku: "p1" },
        { id: 2, name: "Cup" },
        { id: 5, name: "A" },
        { id: 6, name: "B" },
        { id: 7, sku: "new" },
      ]);
      expect((await ask("GET /profile")).body).toEqual({ size: 1 });
    });

    test("a record that is created, changed and removed leaves no trace", async () => {
      const before = await ask("GET /db");
      await done([
        { method: "POST", path: "/products", body: {}, as: "new" },
        { method: "PUT", path: "/products/{{new.id}}", body: { name: "Jar" } },
        { method: "DELETE", path: "/products/{{new.id}}" },
      ]);
      expect((await ask("GET /db")).text).toBe(before.text);
      expect((await ask("GET /db")).headers.get("etag")).toBe(before.headers.get("etag"));
    });

    test("the id of a removed record comes again with another, later", async () => {
      const responses = await done([
        { method: "DELETE", path: "/products/4" },
        { method: "POST", path: "/products", body: {} },
        { method: "POST", path: "/products", body: { id: 4 } },
      ]);
      expect(responses.map(({ body }) => body)).toEqual([{}, { id: 5 }, { id: 4 }]);
    });

    test("nested paths and _dependent", async () => {
      await done([
        { method: "POST", path: "/empty", body: { name: "first" }, as: "parent" },
        { method: "POST", path: "/empty/{{parent.id}}/products", body: { name: "child" }, as: "child" },
        { method: "POST", path: "/empty", body: { name: "second" } },
      ]);
      const [key] = Object.keys((await ask("GET /products/5")).body as object).filter((one) => one.startsWith("empty"));
      expect(await ask(`GET /products?${key}=1`)).toMatchObject({ body: [{ name: "child" }] });
      await done([{ method: "DELETE", path: "/empty/1?_dependent=products" }]);
      expect((await ask("GET /products/5")).status).toBe(404);
    });

    test("If-Match holds, and decides over all", async () => {
      const tag = (await ask("GET /products/1")).headers.get("etag");
      const headers = { "If-Match": tag };
      await done([{ method: "PATCH", path: "/products/1", body: { price: 11 }, headers }]);
      const { status, body } = await batch([
        { method: "POST", path: "/products", body: {} },
        { method: "PATCH", path: "/products/1", body: { price: 12 }, headers },
      ]);
      expect([status, body]).toMatchObject([412, { code: "RECORD_CHANGED", failed: 1 }]);
      expect((await ask("GET /products")).body).toHaveLength(4);
    });

    test("Prefer: tx=rollback tries the whole batch", async () => {
      const before = await ask("GET /db");
      const requests = [
        { method: "POST", path: "/products", body: { name: "New" }, as: "new" },
        { method: "PATCH", path: "/profile", body: { id: "{{new.id}}" } },
      ];
      const tried = await batch(requests, { Prefer: "tx=rollback" });
      expect(tried.headers.get("preference-applied")).toBe("tx=rollback");
      expect((tried.body as { responses: Inner[] }).responses).toMatchObject([
        { status: 201, body: { id: 5 } },
        { status: 200, headers: {}, body: { id: 5 } },
      ]);
      expect((await ask("GET /db")).text).toBe(before.text);
      expect((await done(requests))[0]!.body).toEqual({ name: "New", id: 5 });
    });

    test("an empty batch does nothing", async () => {
      expect(await done([])).toEqual([]);
    });

    test("text that only looks like a reference stays, in a batch without names", async () => {
      const [made] = await done([{ method: "POST", path: "/products", body: { text: "{{co.id}}" } }]);
      expect(made!.body).toMatchObject({ text: "{{co.id}}" });
    });
  });

  describe(`${name}: batches that are refused`, () => {
    beforeAll(() => place().reset());

    const co = { method: "POST", path: "/products", body: { name: "Co", at: { x: 1 }, none: null }, as: "co" };
    const post = (body: unknown, path = "/products"): object => ({ method: "POST", path, body });
    type Case = [what: string, requests: unknown, failure: Partial<Failure> & { readonly status?: number }];
    const refused: Case[] = [
      ["a taken id", [co, post({ id: 1 })], { code: "ID_TAKEN", failed: 1, status: 409 }],
      [
        "a record that is not there",
        [co, { method: "GET", path: "/products/99" }],
        { code: "RECORD_NOT_FOUND", failed: 1 },
      ],
      [
        "a removed record",
        [
          { method: "DELETE", path: "/products/1" },
          { method: "DELETE", path: "/products/1" },
        ],
        { failed: 1, status: 404 },
      ],
      ["a collection that is not there", [co, post({}, "/nothing")], { code: "COLLECTION_NOT_FOUND", failed: 1 }],
      [
        "a method that is not offered",
        [{ method: "DELETE", path: "/profile" }],
        { code: "METHOD_NOT_ALLOWED", failed: 0 },
      ],
      [
        "a patch that fails",
        [
          co,
          {
            method: "PATCH",
            path: "/products/1",
            body: [{ op: "test", path: "/price", value: 9 }],
            headers: patchOf("json-patch"),
          },
        ],
        { code: "PATCH_FAILED", failed: 1, status: 409 },
      ],
      ["no filter", [{ method: "DELETE", path: "/products" }], { code: "FILTER_REQUIRED", failed: 0 }],
      ["the first of two failures", [post({ id: 1 }), post({}, "/nothing")], { code: "ID_TAKEN", failed: 0 }],
    ];
    const malformed: Case[] = [
      ["a list", [{ method: "GET", path: "/products" }], { code: "BATCH_INVALID", failed: 0 }],
      ["embedded records", [{ method: "GET", path: "/products/1?_embed=empty" }], { status: 400, failed: 0 }],
      ["a dry run inside", [{ ...co, headers: { Prefer: "tx=rollback" } }], { code: "BATCH_INVALID", failed: 0 }],
      ["a header that means nothing", [{ ...co, headers: { "X-A": "1" } }], { code: "BATCH_INVALID", failed: 0 }],
      [
        "a body that is no JSON",
        [{ ...co, headers: { "Content-Type": "text/plain" } }],
        { code: "BODY_TYPE_UNSUPPORTED", failed: 0 },
      ],
      ["a body that is a text", [post("{}")], { code: "BODY_NOT_OBJECT", failed: 0 }],
      [
        "5,001 records at once",
        [post(Array.from({ length: 5001 }, () => ({})))],
        { code: "BODY_TOO_LARGE", failed: 0 },
      ],
      ["1,001 requests", Array.from({ length: 1001 }, () => co), { code: "BATCH_INVALID", failed: 1000 }],
      ["no list", { method: "GET" }, { code: "BATCH_INVALID" }],
      ["a request that is null", [co, null], { code: "BATCH_INVALID", failed: 1 }],
      ["a key that is not known", [{ ...co, url: "/x" }], { code: "BATCH_INVALID", failed: 0 }],
      ["another method", [{ method: "TRACE", path: "/products" }], { code: "BATCH_INVALID", failed: 0 }],
      ["a method that is a number", [{ method: 1, path: "/products" }], { code: "BATCH_INVALID", failed: 0 }],
      ["no path", [{ method: "GET" }], { code: "BATCH_INVALID", failed: 0 }],
      ["an absolute URL", [{ method: "GET", path: "http://x/products/1" }], { code: "BATCH_INVALID", failed: 0 }],
      ["a broken path", [{ method: "GET", path: "/products/%zz" }], { code: "PATH_MALFORMED", failed: 0 }],
      ["the root", [{ method: "GET", path: "/" }], { code: "BATCH_INVALID", failed: 0 }],
      ["/db", [{ method: "GET", path: "/db" }], { code: "BATCH_INVALID", failed: 0 }],
      ["/__reset", [co, post({}, "/__reset")], { code: "BATCH_INVALID", failed: 1 }],
      [
        "/__batch",
        [{ method: "POST", path: "/__batch", body: { requests: [] } }],
        { code: "BATCH_INVALID", failed: 0 },
      ],
      ["/%5F_reset", [post({}, "/%5F_reset")], { code: "BATCH_INVALID", failed: 0 }],
      ["/login", [post({}, "/Login/")], { code: "BATCH_INVALID", failed: 0 }],
      ["the name __proto__", [{ ...co, as: "__proto__" }], { code: "BATCH_INVALID", failed: 0 }],
      ["a name twice", [co, co], { code: "BATCH_INVALID", failed: 1 }],
      ["an undeclared name", [co, post({ x: "{{no.id}}" })], { code: "BATCH_REFERENCE_INVALID", failed: 1 }],
      ["a reference to itself", [{ ...co, body: { x: "{{co.id}}" } }], { code: "BATCH_REFERENCE_INVALID", failed: 0 }],
      ["a reference forward", [post({ x: "a {{co.id}}" }), co], { code: "BATCH_REFERENCE_INVALID", failed: 0 }],
      ["a reference in a key", [co, post({ a: [{ "{{co.id}}": 1 }] })], { code: "BATCH_REFERENCE_INVALID", failed: 1 }],
      ["a reference without a field", [co, post({ x: "{{co}}" })], { code: "BATCH_REFERENCE_INVALID", failed: 1 }],
      ["a missing field", [co, post({ x: "{{co.nme}}" })], { code: "BATCH_REFERENCE_INVALID", failed: 1 }],
      ["a field of Object", [co, post({ x: "{{co.constructor}}" })], { code: "BATCH_REFERENCE_INVALID", failed: 1 }],
      ["__proto__ as a field", [co, post({ x: "{{co.__proto__}}" })], { code: "BATCH_REFERENCE_INVALID", failed: 1 }],
      ["an object in text", [co, post({ x: "a{{co.at}}" })], { code: "BATCH_REFERENCE_INVALID", failed: 1 }],
      ["null in text", [co, post({ x: "a{{co.none}}" })], { code: "BATCH_REFERENCE_INVALID", failed: 1 }],
      [
        "an object in a path",
        [co, { method: "GET", path: "/products/{{co.at}}" }],
        { code: "BATCH_REFERENCE_INVALID", failed: 1 },
      ],
      [
        "a collection by reference",
        [{ ...co, body: { name: "products" } }, post({}, "/{{co.name}}")],
        { code: "BATCH_REFERENCE_INVALID", failed: 1 },
      ],
      [
        "another route by reference",
        [{ ...co, body: { name: "__reset" } }, post({}, "/{{co.name}}")],
        { code: "BATCH_INVALID", failed: 1 },
      ],
      [
        "__proto__ in a body",
        '[{"method":"POST","path":"/products","body":{"__proto__":1}}]',
        { code: "KEY_FORBIDDEN" },
      ],
    ];
    for (const [what, requests, { status = 0, ...failure }] of isLong ? [...refused, ...malformed] : refused) {
      test(`${what} is refused, and nothing is changed`, async () => {
        const answer =
          typeof requests === "string"
            ? await ask("POST /__batch", {
                body: `{"requests":${requests}}`,
                headers: { "Content-Type": "application/json" },
              })
            : await batch(requests);
        expect(answer.body).toMatchObject(failure);
        if (status > 0) expect(answer.status).toBe(status);
        expect(answer.status).toBeGreaterThanOrEqual(400);
        expect(answer.status).toBeLessThan(500);
        expect((await ask("GET /products")).body).toEqual(START.products);
      });
    }
  });
}

import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../src/base/json/json.ts";
import type { Answer, AskOptions } from "../support/api.ts";

export const START = {
  companies: [
    { id: 1, name: "Acme" },
    { id: 2, name: "Blue" },
    { id: 3, name: "Core" },
  ],
  products: [
    { id: 1, name: "Hat", sku: "a", price: 5, company_id: 1 },
    { id: 2, name: "Cap", sku: "b", price: 6, company_id: 1 },
    { id: 3, name: "Bad", sku: "c", price: -1, company_id: null },
  ],
  tags: [{ id: "new" }, { id: "old" }],
  reviews: [{ id: 1, product_id: 3, tag_ids: ["new"] }],
  free: [{ id: 1 }],
  profile: { name: "Ada" },
};

export const RULES: JsonObject = {
  products: {
    required: ["name"],
    properties: { name: { type: "string", minLength: 2 }, price: { type: "number", minimum: 0 } },
    "x-unique": ["sku", "id"],
    "x-references": { company_id: { collection: "companies", onDelete: "refuse" } },
  },
  reviews: { "x-references": { product_id: "products", tag_ids: { collection: "tags", onDelete: "refuse" } } },
  profile: { required: ["name"] },
};

export interface Place {
  ask(line: string, options?: AskOptions): Promise<Answer>;
  reset(): Promise<unknown>;
}

interface Refused {
  readonly status?: number;
  readonly code?: string;
  /** Each violation as `pointer rule`, with the position in an array in front of it. */
  readonly errors?: readonly string[];
  /** The position of the request in a batch. */
  readonly failed?: number;
}

const MERGE = { "Content-Type": "application/merge-patch+json" };
const PATCH = { "Content-Type": "application/json-patch+json" };
const LENIENT = { Prefer: "handling=lenient" };
const UPSERT = { Prefer: "resolution=merge-duplicates" };
const batch = (...requests: unknown[]) => ({ requests });
const price = ["/price minimum"];

const refused: readonly [line: string, body: unknown, headers: Record<string, string>, Refused][] = [
  ["POST /products", { price: -1 }, {}, { errors: ["/name required", "/price minimum"] }],
  [
    "POST /products",
    { name: "Cup", sku: "a", company_id: 9 },
    {},
    { errors: ["/sku x-unique", "/company_id x-references"] },
  ],
  ["POST /products", [{ name: "Cup" }, { name: "C" }, {}], {}, { errors: ["1 /name minLength", "2 /name required"] }],
  [
    "POST /products",
    [
      { name: "Cup", sku: "z" },
      { name: "Mug", sku: "z" },
    ],
    {},
    { errors: ["1 /sku x-unique"] },
  ],
  ["PUT /products/1", { name: "H" }, {}, { errors: ["/name minLength"] }],
  ["PUT /products/1", { name: "Hat", sku: "b" }, {}, { errors: ["/sku x-unique"] }],
  ["PATCH /products/1", { price: -2 }, {}, { errors: price }],
  ["PATCH /products/3", { name: "Still bad" }, {}, { errors: price }],
  ["PATCH /products/1", { name: null }, MERGE, { errors: ["/name required"] }],
  ["PATCH /products/1", [{ op: "replace", path: "/price", value: -2 }], PATCH, { errors: price }],
  ["PATCH /products/1", { company_id: "x" }, {}, { errors: ["/company_id x-references"] }],
  ["PATCH /products?id:in=1,2", { price: -2 }, {}, { errors: price }],
  ["PATCH /products?id:in=1,2", { sku: "same" }, {}, { errors: ["/sku x-unique"] }],
  ["POST /products", { id: 1, price: -3 }, UPSERT, { errors: price }],
  ["POST /products?_on=sku", [{ sku: "a", price: 1 }, { sku: "q" }], UPSERT, { errors: ["/name required"] }],
  ["POST /companies/2/products", { name: "X" }, {}, { errors: ["/name minLength"] }],
  ["POST /companies/9/products", { name: "Xy" }, {}, { errors: ["/company_id x-references"] }],
  ["POST /reviews", { tag_ids: ["new", "none"] }, {}, { errors: ["/tag_ids/1 x-references"] }],
  ["PUT /profile", {}, {}, { errors: ["/name required"] }],
  ["PATCH /profile", { name: null }, MERGE, { errors: ["/name required"] }],
  ["DELETE /companies/1", undefined, {}, { status: 409, code: "RECORD_REFERENCED" }],
  ["DELETE /companies?id=1", undefined, {}, { status: 409, code: "RECORD_REFERENCED" }],
  ["DELETE /tags/new", undefined, {}, { status: 409, code: "RECORD_REFERENCED" }],
  [
    "POST /__batch",
    batch({ method: "POST", path: "/free", body: {} }, { method: "PATCH", path: "/products/1", body: { price: -1 } }),
    {},
    { errors: price, failed: 1 },
  ],
  [
    "POST /__batch",
    batch(
      { method: "POST", path: "/products", body: { name: "One", sku: "new" } },
      { method: "POST", path: "/products", body: { name: "Two", sku: "new" } },
    ),
    {},
    { errors: ["/sku x-unique"], failed: 1 },
  ],
  [
    "POST /__batch",
    batch({ method: "DELETE", path: "/products/1" }, { method: "DELETE", path: "/companies/1" }),
    {},
    { status: 409, code: "RECORD_REFERENCED", failed: 1 },
  ],
  ["POST /products", { name: "Cup", sku: "a" }, LENIENT, { errors: ["/sku x-unique"] }],
  ["PATCH /products/1", { company_id: 9 }, LENIENT, { errors: ["/company_id x-references"] }],
  [
    "POST /products",
    { price: -1, sku: "a" },
    { Prefer: "tx=rollback" },
    { errors: ["/name required", "/price minimum", "/sku x-unique"] },
  ],
];

const accepted: readonly [line: string, body: unknown, headers: Record<string, string>, status: number][] = [
  ["POST /products", { name: "Cup", sku: "d", company_id: 2 }, {}, 201],
  ["POST /products", { name: "Cup", sku: null, company_id: null }, {}, 201],
  ["POST /products", { name: "Cup", company_id: "2" }, {}, 201],
  ["PUT /products/1", { name: "Hat", sku: "a" }, {}, 200],
  ["PATCH /products/3", { price: 0 }, {}, 200],
  ["POST /free", { anything: -1 }, {}, 201],
  ["DELETE /companies/3", undefined, {}, 200],
  ["DELETE /companies/1?_dependent=products", undefined, {}, 200],
  ["DELETE /products/3", undefined, {}, 200],
  ["DELETE /tags/old", undefined, {}, 200],
  [
    "POST /__batch",
    batch(
      { method: "POST", path: "/companies", body: { name: "New" }, as: "made" },
      { method: "POST", path: "/products", body: { name: "Cup", company_id: "{{made.id}}" } },
      { method: "DELETE", path: "/products?company_id=1" },
      { method: "DELETE", path: "/companies/1" },
      { method: "PATCH", path: "/products/3", body: { price: 1, sku: "a" } },
    ),
    {},
    200,
  ],
];

/** Places that share their store with another one may take every other case, from the first or the second one on. */
export function describeJudgedWrites(where: string, place: () => Place, half?: 0 | 1): void {
  const isTaken = (_case: unknown, at: number): boolean => half === undefined || at % 2 === half;
  describe(`rules ${where}`, () => {
    for (const [line, body, headers, { status = 422, code = "RECORD_INVALID", errors, failed }] of refused.filter(
      isTaken,
    )) {
      const wish = Object.values(headers).join();
      test(`${line} ${JSON.stringify(body)} ${wish}: ${status} ${errors?.join(", ") ?? code}, nothing changed`, async () => {
        const { ask } = place();
        const before = (await ask("GET /db")).text;
        const answer = await ask(line, { body, headers });
        const found = answer.body as { code: string; failed?: number; errors?: Record<string, unknown>[] };
        expect([answer.status, found.code, found.failed], answer.text).toEqual([status, code, failed]);
        const told = found.errors?.map(
          ({ index, pointer, rule }) => `${index === undefined ? "" : `${index} `}${pointer} ${rule}`,
        );
        expect(told).toEqual(errors);
        expect((await ask("GET /db")).text).toBe(before);
      });
    }

    for (const [line, body, headers, status] of accepted.filter(isTaken)) {
      test(`${line} ${JSON.stringify(body)}: ${status}`, async () => {
        const { ask, reset } = place();
        await reset();
        const answer = await ask(line, { body, headers });
        expect(answer.status, answer.text).toBe(status);
        await reset();
      });
    }

    test("an empty list of new records creates nothing, with and without rules of their own", async () => {
      const { ask } = place();
      const before = (await ask("GET /db")).text;
      for (const path of ["/products", "/tags", "/free", "/companies/1/products"]) {
        for (const headers of [{}, UPSERT, LENIENT, { Prefer: "tx=rollback" }]) {
          const answer = await ask(`POST ${path}`, { body: [], headers });
          expect([answer.status, answer.body], `${path} ${JSON.stringify(headers)}: ${answer.text}`).toEqual([
            headers === UPSERT ? 200 : 201,
            [],
          ]);
        }
        const whole = await ask("POST /__batch", { body: batch({ method: "POST", path, body: [] }) });
        expect(whole.status, whole.text).toBe(200);
      }
      expect((await ask("GET /db")).text).toBe(before);
    });

    test("Prefer: handling=lenient lifts the schema for one write, and names what it broke", async () => {
      const { ask, reset } = place();
      const made = await ask("POST /products", { body: { price: -1, sku: "l" }, headers: LENIENT });
      expect([made.status, made.headers.get("warning"), made.headers.get("preference-applied")]).toEqual([
        201,
        '199 standin "Breaks the rules: products/name required; products/price minimum"',
        "handling=lenient",
      ]);
      const good = await ask("POST /products", { body: { name: "Good" }, headers: LENIENT });
      expect([good.status, good.headers.get("warning")]).toEqual([201, null]);
      const filtered = await ask("PATCH /products?id=1", {
        body: { price: -1 },
        headers: { Prefer: "handling=lenient, return=representation" },
      });
      expect(filtered.headers.get("warning")).toContain("products/price minimum");
      expect(filtered.headers.get("preference-applied")).toBe("return=representation, handling=lenient");
      const inner = { method: "PATCH", path: "/products/2", body: { price: -1 }, headers: LENIENT };
      const whole = await ask("POST /__batch", { body: batch(inner) });
      expect((whole.body as { responses: { headers: object }[] }).responses[0]!.headers).toMatchObject({
        Warning: '199 standin "Breaks the rules: products/price minimum"',
      });
      expect((await ask("POST /products", { body: { price: -1 } })).status).toBe(422);
      await reset();
    });

    test("an Idempotency-Key repeats the refusal, and the response of a judged write", async () => {
      const { ask, reset } = place();
      for (const body of [{ price: -1 }, { name: "Once", sku: "once" }]) {
        const headers = { "Idempotency-Key": `key-${Object.keys(body).length}` };
        const [first, second] = [
          await ask("POST /products", { body, headers }),
          await ask("POST /products", { body, headers }),
        ];
        expect([second.status, second.text, second.headers.get("idempotency-replayed")]).toEqual([
          first.status,
          first.text,
          "true",
        ]);
      }
      await reset();
    });

    test("64 POSTs at once with one unique value: exactly one is created", async () => {
      const { ask, reset } = place();
      const all = await Promise.all(
        Array.from({ length: 64 }, (_, at) => ask("POST /products", { body: { name: `Cup ${at}`, sku: "one" } })),
      );
      expect(all.map(({ status }) => status).sort()).toEqual([201, ...Array(63).fill(422)]);
      expect((await ask("GET /products?sku=one")).body).toHaveLength(1);
      await reset();
    });
  });
}

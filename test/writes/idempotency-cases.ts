import { beforeEach, describe, expect, test } from "vitest";
import { type Answer, type AskOptions, codeOf } from "../support/api.ts";
import type { Place } from "./cases.ts";

const POT = { name: "Pan", price: 5 };
const MERGE = "application/merge-patch+json";

interface Repeated {
  readonly line: string;
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly status: number;
}

/** Requests that would change something again, or be refused, if they were carried out twice. */
const REPEATED: readonly Repeated[] = [
  { line: "POST /products", body: POT, status: 201 },
  { line: "POST /products", body: [POT, POT], status: 201 },
  { line: "POST /products", body: { id: 70, ...POT }, status: 201 },
  {
    line: "POST /products?_on=sku",
    body: { sku: "p1", price: 3 },
    headers: { Prefer: "resolution=merge-duplicates" },
    status: 200,
  },
  { line: "POST /profile", body: { theme: "dark" }, status: 201 },
  { line: "PATCH /products/1", body: { price: 2 }, status: 200 },
  {
    line: "PATCH /products/1",
    body: [
      { op: "test", path: "/price", value: 10 },
      { op: "replace", path: "/price", value: 11 },
    ],
    headers: { "Content-Type": "application/json-patch+json" },
    status: 200,
  },
  { line: "PATCH /products?price:gt=1", body: { price: 0 }, status: 200 },
  { line: "PATCH /products?price=12345", body: { price: 0 }, status: 200 },
  { line: "PATCH /profile", body: { theme: null }, headers: { "Content-Type": MERGE }, status: 200 },
  {
    line: "POST /__batch",
    body: {
      requests: [
        { method: "POST", path: "/products", body: POT, as: "pan" },
        { method: "POST", path: "/empty", body: { product: "{{pan.id}}" } },
      ],
    },
    status: 200,
  },
  { line: "POST /__batch", body: { requests: [{ method: "POST", path: "/products", body: { id: 1 } }] }, status: 409 },
  { line: "PATCH /products/99", body: { price: 2 }, status: 404 },
  { line: "POST /products", body: { id: 1 }, status: 409 },
  { line: "POST /products", body: "{", status: 400 },
  { line: "POST /products", body: "a=1", headers: { "Content-Type": "text/csv" }, status: 415 },
  { line: "PATCH /products", body: { price: 2 }, status: 400 },
  { line: "POST /nothing", body: {}, status: 404 },
];

/** Everything that `Idempotency-Key` promises, over any store. */
export function describeIdempotency(name: string, place: () => Place): void {
  const ask = (line: string, options?: AskOptions): Promise<Answer> => place().ask(line, options);
  const keyed = (key: string, body: unknown, headers = {}): AskOptions => ({
    body,
    headers: { "Idempotency-Key": key, ...headers },
  });
  const isReplayed = ({ headers }: Answer): boolean => headers.get("idempotency-replayed") === "true";
  const essence = ({ status, text, headers }: Answer): unknown[] => [
    status,
    text,
    ...["location", "etag", "preference-applied", "content-type"].map((header) => headers.get(header)),
  ];

  describe(`${name}: Idempotency-Key`, () => {
    beforeEach(() => place().reset());

    for (const { line, body, headers, status } of REPEATED) {
      test(`${line} ${JSON.stringify(body)} is ${status} once, and repeated after that`, async () => {
        const first = await ask(line, keyed("k", body, headers));
        expect([first.status, isReplayed(first)]).toEqual([status, false]);
        const between = await ask("GET /db");
        const again = await ask(line, keyed('"k"', body, headers));
        expect([essence(again), isReplayed(again)]).toEqual([essence(first), true]);
        expect((await ask("GET /db")).text).toBe(between.text);
      });
    }

    test("a refusal is repeated although it would be none now; a new key is carried out", async () => {
      expect((await ask("PATCH /products/9", keyed("k", { price: 1 }))).status).toBe(404);
      await ask("POST /products", { body: { id: 9 } });
      expect((await ask("PATCH /products/9", keyed("k", { price: 1 }))).status).toBe(404);
      expect((await ask("PATCH /products/9", keyed("l", { price: 1 }))).status).toBe(200);
    });

    test("another request with the same key is 422, and changes nothing", async () => {
      await ask("POST /products", keyed("k", POT));
      const before = await ask("GET /db");
      const others: readonly [string, AskOptions][] = [
        ["POST /products", keyed("k", { ...POT, price: 6 })],
        ["POST /products?x=1", keyed("k", POT)],
        ["POST /products", keyed("k", POT, { "Content-Type": MERGE })],
        ["POST /products", keyed("k", POT, { Prefer: "resolution=merge-duplicates" })],
        ["POST /products", keyed("k", POT, { "If-Match": "*" })],
        ["POST /products", keyed("k", undefined)],
      ];
      for (const [line, options] of others) {
        const refused = await ask(line, options);
        expect([refused.status, codeOf(refused)]).toEqual([422, "IDEMPOTENCY_MISMATCH"]);
      }
      expect((await ask("GET /db")).text).toBe(before.text);
      expect(isReplayed(await ask("POST /products", keyed("k", POT)))).toBe(true);
    });

    test("the same key means another request on another path or with another method", async () => {
      expect((await ask("POST /products", keyed("k", POT))).body).toMatchObject({ id: 5 });
      expect((await ask("POST /empty", keyed("k", POT))).body).toMatchObject({ id: 1 });
      expect(isReplayed(await ask("PATCH /products/5", keyed("k", POT)))).toBe(false);
    });

    test("other methods ignore it", async () => {
      for (const status of [200, 404]) {
        expect((await ask("DELETE /products/1", keyed("k", undefined))).status).toBe(status);
      }
      expect(isReplayed(await ask("GET /products", keyed("", undefined)))).toBe(false);
      for (const price of [1, 2]) {
        expect((await ask("PUT /products/2", keyed("k", { price }))).body).toMatchObject({ price });
      }
    });

    test("a dry run neither uses nor keeps it", async () => {
      const trial = { Prefer: "tx=rollback" };
      expect((await ask("POST /products", keyed("k", POT, trial))).status).toBe(201);
      const done = await ask("POST /products", keyed("k", POT));
      expect([done.status, isReplayed(done)]).toEqual([201, false]);
      expect(isReplayed(await ask("POST /products", keyed("k", { price: 1 }, trial)))).toBe(false);
    });

    test("20 at once are carried out once", async () => {
      const answers = await Promise.all(Array.from({ length: 20 }, () => ask("POST /products", keyed("k", POT))));
      expect(new Set(answers.map((answer) => JSON.stringify(essence(answer)))).size).toBe(1);
      expect(answers.filter((answer) => !isReplayed(answer))).toHaveLength(1);
      expect((await ask("GET /products?name=Pan")).body).toHaveLength(1);
    });

    test("a reset forgets it", async () => {
      await ask("POST /products", keyed("k", POT));
      await ask("POST /nothing", keyed("k", POT));
      await place().reset();
      const again = await ask("POST /products", keyed("k", POT));
      expect([again.status, isReplayed(again)]).toEqual([201, false]);
      expect(isReplayed(await ask("POST /nothing", keyed("k", POT)))).toBe(false);
    });
  });
}

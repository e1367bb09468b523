import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Member } from "../../../console/src/api/overview.ts";
import { type ShownEdit, undoingRequests } from "../../../console/src/records/undo-change.ts";
import { createStandin } from "../../../src/index.ts";
import { type AskOptions, askAt, codeOf } from "../../support/api.ts";

const DATA = {
  products: [
    { id: 1, name: "Pot", price: 10, at: { city: "Rome" } },
    { id: 2, name: "Mug", price: 5 },
    { id: "a/b", name: "Hat", price: 20 },
    { id: "..", name: "Dot", price: 1 },
  ],
  lines: [
    { id: 1, product_id: 1 },
    { id: 2, product_id: 2 },
  ],
  profile: { id: 7, theme: "light" },
};

const MERGE = { Prefer: "resolution=merge-duplicates" };
const batch = (...requests: readonly object[]): AskOptions => ({ body: { requests } });

/** Every kind of write that the request builder can send to the data. */
const WRITES: readonly [line: string, options: AskOptions][] = [
  ["POST /products", { body: { name: "Cup" } }],
  ["POST /products", { body: [{ name: "Cup" }, { id: "x?y", name: "Jar" }] }],
  ["PUT /products/1", { body: { price: 1 } }],
  ["PATCH /products/a%2Fb", { body: { price: null, more: [1, { a: 1 }] } }],
  ["DELETE /products/1?_dependent=lines", {}],
  ["PUT /profile", { body: {} }],
  ["PATCH /profile", { body: { theme: "dark" } }],
  ["PATCH /products?price:gt=0", { body: { price: 0, seen: true } }],
  ["DELETE /products?price:gte=1", {}],
  ["POST /products", { body: [{ id: 2, price: 6 }, { name: "New" }], headers: MERGE }],
  [
    "POST /__batch",
    batch(
      { method: "DELETE", path: "/products/2" },
      { method: "POST", path: "/products", body: { id: 2, name: "Another" }, as: "new" },
      { method: "POST", path: "/lines", body: { product_id: "{{new.id}}" } },
      { method: "PATCH", path: "/lines?id=1", body: { amount: 2 } },
      { method: "PATCH", path: "/profile", body: { latest: "{{new.id}}" } },
    ),
  ],
  ["POST /__batch", batch(...Array.from({ length: 20 }, (_, n) => ({ method: "POST", path: "/lines", body: { n } })))],
];

describe("a change is undone in one step", () => {
  let api: { readonly url: string; close(): Promise<void> };
  let version = 0;
  beforeAll(async () => {
    api = await createStandin({ data: DATA });
  });
  afterAll(() => api.close());

  const ask = (line: string, options?: AskOptions) => askAt(api.url, line, options);
  const members = async (): Promise<Member[]> => ((await ask("GET /__overview")).body as { members: Member[] }).members;
  const changes = async (): Promise<{ version: number; edits: ShownEdit[] }[]> => {
    const { body } = await ask(`GET /__changes?after=${version}`);
    return (body as { changes: { version: number; edits: ShownEdit[] }[] }).changes;
  };
  /** A record that is back stands at the end. */
  const sorted = async (): Promise<unknown> => {
    const all = (await ask("GET /db")).body as Record<string, unknown>;
    const inOrder = (records: unknown): unknown =>
      Array.isArray(records) ? records.map((record) => JSON.stringify(record)).sort() : records;
    return Object.fromEntries(Object.entries(all).map(([name, value]) => [name, inOrder(value)]));
  };
  const write = async (line: string, options: AskOptions): Promise<ShownEdit[]> => {
    expect((await ask(line, options)).status, line).toBeLessThan(300);
    const [change, another] = await changes();
    expect(another, line).toBeUndefined();
    version = change!.version;
    return change!.edits;
  };

  for (const [at, [line, options]] of WRITES.entries()) {
    test(`${line} (${at + 1})`, async () => {
      const before = await sorted();
      const requests = undoingRequests(await write(line, options), await members());
      expect(await sorted()).not.toEqual(before);
      const undone = await ask("POST /__batch", { body: { requests } });
      expect([undone.status, undone.body]).toMatchObject([200, {}]);
      expect(await sorted()).toEqual(before);
      const made = await changes();
      expect(made).toHaveLength(1);
      version = made[0]!.version;
      // It holds for the data as the change left it, and for no other.
      const again = await ask("POST /__batch", { body: { requests } });
      expect(["PATCH_FAILED", "RECORD_NOT_FOUND", "ID_TAKEN"]).toContain(codeOf(again));
      expect(await sorted()).toEqual(before);
    });
  }

  test("more than a batch can hold, and records that no address leads to, are not", async () => {
    const many = Array.from(
      { length: 501 },
      (_, id) => ({ name: "lines", kind: "created", id, after: { id } }) as const,
    );
    expect(undoingRequests(many, await members())).toBeUndefined();
    expect(undoingRequests(many.slice(1), await members())).toHaveLength(1000);
    const nameless = { name: "lines", kind: "removed", id: null, before: {} } as const;
    expect(undoingRequests([nameless], await members())).toBeUndefined();
    expect(undoingRequests([], await members())).toBeUndefined();
  });
});

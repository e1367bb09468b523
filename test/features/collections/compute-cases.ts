import { expect } from "vitest";
import type { Ask } from "./cases.ts";

export const PRODUCTS = [
  { id: 1, name: "Hat", price: 10, tags: ["a"], size: { cm: 5 } },
  { id: 2, name: "Cap", price: 12.5, tags: [] },
  { id: 3, name: "Mug", price: null },
  { id: 4, name: "Oak" },
];

type Case = readonly [body: object, status: number, part: unknown, after?: unknown];

/** Bodies of `POST /__collections/products/compute`, with the response and the records that are expected. */
export const COMPUTATIONS: readonly Case[] = [
  [
    { set: { price: "round(price * 1.1, 2)" }, where: "_all=true" },
    200,
    {
      count: 2,
      matched: 4,
      examples: [
        { before: { id: 1, price: 10 }, after: { id: 1, name: "Hat", price: 11 } },
        { before: { id: 2, price: 12.5 }, after: { id: 2, price: 13.75 } },
      ],
    },
    [{ price: 11 }, { price: 13.75 }, { price: null }, { id: 4, name: "Oak" }],
  ],
  [
    { set: { label: "upper(name)", price: "if(price = null, 0, price)" }, where: "id:gte=3" },
    200,
    { count: 2, matched: 2 },
    [{ id: 1 }, { id: 2 }, { price: 0, label: "MUG" }, { price: 0, label: "OAK" }],
  ],
  [
    { set: { "size.cm": "size.cm * 2", "size.unit": "'cm'", "tags.0": "tags[0] + '!'" }, ids: [1] },
    200,
    { count: 1, matched: 1 },
    [{ tags: ["a!"], size: { cm: 10, unit: "cm" } }, {}, {}, {}],
  ],
  [{ set: { price: "price" }, where: "_all=true" }, 200, { count: 0, matched: 4, examples: [] }],
  [
    { set: { a: "name", name: "'x'", b: "name" }, ids: ["4", 4] },
    200,
    { count: 1, examples: [{ after: { a: "Oak", name: "x", b: "Oak" } }] },
  ],
  [{ set: { price: "price *" }, where: "_all=true" }, 400, { code: "EXPRESSION_INVALID", field: "price", position: 8 }],
  [
    { set: { price: "name * 2" }, where: "id=2" },
    400,
    {
      code: "EXPRESSION_INVALID",
      message:
        'The expression of "price" at position 6: a number is needed here, not a text; number(…) reads one from a text (record 2).',
    },
  ],
  [
    { set: { price: "prcie * 2" }, where: "_all=true" },
    400,
    { code: "EXPRESSION_INVALID", position: 1, message: expect.stringContaining('Did you mean "price"?') },
  ],
  [
    { set: { id: "1" }, where: "_all=true" },
    400,
    { code: "EXPRESSION_INVALID", message: expect.stringContaining("an id never changes") },
  ],
  [{ set: { price: 5 }, where: "_all=true" }, 400, { code: "EXPRESSION_INVALID" }],
  [{ set: {}, where: "_all=true" }, 400, { code: "EXPRESSION_INVALID" }],
  [{ set: { "name.first": "'x'" }, ids: [1] }, 400, { code: "EXPRESSION_INVALID" }],
  [{ set: { price: "1" } }, 400, { code: "FILTER_REQUIRED" }],
  [{ set: { price: "1" }, where: "" }, 400, { code: "FILTER_REQUIRED" }],
  [{ set: { price: "1" }, where: "colour=red" }, 400, { code: "QUERY_FIELD_UNKNOWN" }],
  [{ set: { price: "1" }, where: "id=1", ids: [1] }, 400, { code: "QUERY_INVALID" }],
  [{ set: { price: "1" }, ids: [] }, 400, { code: "QUERY_INVALID" }],
  [{ set: { price: "1" }, ids: [1], dryRun: 1 }, 400, { code: "QUERY_INVALID" }],
  [{ set: { price: "1" }, ids: [1], wher: "x" }, 400, { code: "QUERY_INVALID" }],
  [{ set: { price: "1" }, ids: [1, 99] }, 404, { code: "RECORD_NOT_FOUND" }],
];

/** Sends each, first as a dry run, which must not change anything. */
export async function runComputations(ask: Ask): Promise<void> {
  const list = async () => (await ask("GET /products")).body;
  for (const [body, status, part, after] of COMPUTATIONS) {
    const before = await list();
    const compute = (sent: object) => ask("POST /__collections/products/compute", { body: sent });
    if (!("dryRun" in body)) {
      const trial = await compute({ ...body, dryRun: true });
      expect([body, trial.status, trial.body]).toMatchObject([body, status, part]);
      expect(await list()).toEqual(before);
    }
    const answer = await compute(body);
    expect([body, answer.status, answer.body]).toMatchObject([body, status, part]);
    if (after) expect(await list()).toMatchObject(after);
    if (status >= 400) expect(await list()).toEqual(before);
  }
}

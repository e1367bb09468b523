import { expect, test } from "vitest";
import { type AskOptions, askAt, codeOf } from "../support/api.ts";
import { createFolder, serveCli } from "../support/cli.ts";
import { limit } from "../support/limits.ts";

const SMALL_HEAP = { NODE_OPTIONS: "--max-old-space-size=700" };
const TEXT = "x".repeat(500_000);
const PATCH_TYPE = { "Content-Type": "application/json-patch+json" };
const copies = Array.from({ length: 900 }, (_, at) => ({ op: "copy", from: "/text", path: `/text${at}` }));
const reads = Array.from({ length: 1000 }, () => ({ method: "GET", path: "/companies/1" }));

/** Each multiplies one size that clients choose by another. */
const REQUESTS: readonly (readonly [line: string, refusal: unknown[], options?: AskOptions])[] = [
  ["PATCH /items?_all=true", [413, "DATA_TOO_LARGE"], { body: { text: TEXT } }],
  ["PATCH /companies/1", [400, "PATCH_INVALID"], { body: copies, headers: PATCH_TYPE }],
  ["GET /items?_expand=company", [400, "EMBED_TOO_LARGE"]],
  ["GET /companies?_embed=items.company", [400, "EMBED_TOO_LARGE"]],
  ["POST /__batch", [400, "BATCH_INVALID"], { body: { requests: reads } }],
];

test(
  "requests that multiply long texts by thousands are refused",
  async () => {
    const items = Array.from({ length: 5000 }, (_, at) => ({ id: at + 1, company_id: 1 }));
    const data = { items, companies: [{ id: 1, text: TEXT }] };
    const server = await serveCli([], createFolder({ "db.json": data }), SMALL_HEAP);
    for (const [line, refusal, options] of REQUESTS) {
      const { status, ...answer } = await askAt(server.url, line, options);
      expect([line, status, codeOf({ status, ...answer })]).toEqual([line, ...refusal]);
    }
    expect((await askAt(server.url, "GET /items/1")).text).toBe('{"id":1,"company_id":1}');
    await server.stop();
  },
  limit(120_000),
);

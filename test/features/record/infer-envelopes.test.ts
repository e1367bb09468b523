import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../../src/base/json/json.ts";
import { inferRecording } from "../../../src/features/record/infer/infer-recording.ts";
import { type Served, serve } from "../document/serve.ts";
import { type Row, traffic } from "./traffic.ts";

async function serveRecording(...rows: readonly Row[]): Promise<Served["ask"]> {
  const { document, data } = inferRecording(traffic(...rows));
  return (await serve(document, { data } as never)).ask;
}

const things = [1, 2, 3, 4].map((id) => ({ id }));

describe("fields around a list", () => {
  test("that lead nowhere stay as empty as they were", async () => {
    const body = { items: [{ id: 1 }], next_cursor: null, links: { next: "", prev: null } };
    const ask = await serveRecording(["GET /things", 200, { body }]);
    expect((await ask("GET /things")).body).toEqual(body);
  });

  test("of all pages are kept", async () => {
    const page = (ids: readonly number[], next?: string): JsonObject => ({
      items: ids.map((id) => ({ id })),
      links: { ...(next !== undefined && { next: { href: next, type: "json" } }), self: { type: "json" } },
    });
    const ask = await serveRecording(
      ["GET /things", 200, { body: page([1, 2, 3]) }],
      ["GET /things?limit=2", 200, { body: page([1, 2], "/things?limit=2&offset=2") }],
      ["GET /things?limit=2&offset=2", 200, { body: page([3]) }],
    );
    expect((await ask("GET /things?limit=2")).body).toEqual(page([1, 2], "/things?limit=2&offset=2"));
    expect((await ask("GET /things?limit=2&offset=2")).body).toEqual(page([3]));
  });

  const cases: readonly (readonly [name: string, rows: readonly Row[]])[] = [
    [
      "a count of the page, though it is the only count",
      [
        ["GET /things?limit=3", 200, { body: { count: 3, items: things.slice(0, 3) } }],
        ["GET /things", 200, { body: { count: 4, items: things } }],
      ],
    ],
    [
      "a count of the page that is called a limit",
      [
        ["GET /things?limit=9", 200, { body: { limit: 4, items: things } }],
        ["GET /things?limit=2", 200, { body: { limit: 2, items: things.slice(0, 2) } }],
        ["GET /things?limit=3&offset=3", 200, { body: { limit: 1, items: things.slice(3) } }],
      ],
    ],
    [
      "the size of pages, though the last one is not full",
      [
        ["GET /things?page=1", 200, { body: { perPage: 20, items: things } }],
        ["GET /things?page=2", 200, { body: { perPage: 20, items: [] } }],
      ],
    ],
    [
      "values that are always the same, where nothing turns pages",
      [["GET /things", 200, { body: { total: 93, limit: 50, next: "soon", items: things } }]],
    ],
  ];

  for (const [name, rows] of cases) {
    test(`${name}, stay as they were`, async () => {
      const ask = await serveRecording(...rows);
      for (const [line, , sent] of rows) {
        expect((await ask(line)).body).toEqual(sent?.body);
      }
    });
  }

  test("codes of errors stay as they were in responses that were sent", async () => {
    const body = { ErrorCode: 10, errors: [{ text: "slow" }], items: things };
    const ask = await serveRecording(["GET /things", 200, { body }]);
    expect((await ask("GET /things")).body).toEqual(body);
  });

  test("an address alone is that of the list if it always was", async () => {
    const ask = await serveRecording([
      "GET /things?limit=4",
      200,
      { body: { url: "https://api.test/things?limit=4", items: things } },
    ]);
    const { body } = await ask("GET /things?limit=2");
    expect((body as JsonObject).url).toMatch(/^http:.*\/things\?limit=2$/);
  });

  test("a count of the page counts what is added, and a second recording keeps that", async () => {
    const rows: readonly Row[] = [
      ["GET /things?limit=3", 200, { body: { count: 3, items: things.slice(0, 3) } }],
      ["GET /things", 200, { body: { count: 4, items: things } }],
    ];
    const again = inferRecording(traffic(rows[1]!), inferRecording(traffic(...rows)));
    const { ask } = await serve(again.document, { data: again.data } as never);
    expect((await ask("POST /things", { body: {} })).status).toBe(201);
    expect((await ask("GET /things")).body).toMatchObject({ count: 5 });
    expect((await ask("GET /things?limit=3")).body).toMatchObject({ count: 3 });
  });

  test("a list that was seen whole stays whole when it grows", async () => {
    const ask = await serveRecording(
      ["GET /things", 200, { body: { items: things } }],
      ["GET /things?limit=2", 200, { body: { items: things.slice(0, 2) } }],
      ["GET /things?limit=2&offset=2", 200, { body: { items: things.slice(2) } }],
    );
    await ask("POST /things", { body: {} });
    expect((await ask("GET /things")).body).toMatchObject({ items: [...things, { id: 5 }] });
  });
});

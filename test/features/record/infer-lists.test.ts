import { describe, expect, test } from "vitest";
import { inferRecording } from "../../../src/features/record/infer/infer-recording.ts";
import { serve } from "../document/serve.ts";
import { type Row, traffic } from "./traffic.ts";

const READERS = { id: 1, name: "Readers" };
const GROUPS: readonly Row[] = [
  ["GET /groups", 200, { body: [READERS, { id: 2, name: "Writers" }] }],
  ["GET /groups/1", 200, { body: READERS }],
];

async function serveRecording(...rows: readonly Row[]) {
  const { document, data } = inferRecording(traffic(...rows));
  return (await serve(document, { data } as never)).ask;
}

test("eight lists of one shape are no records, though the paths below name none of their rows", () => {
  const kinds = ["anvils", "bolts", "cogs", "drills", "edges", "files", "gears", "hooks"];
  const rows = kinds.flatMap((kind): Row[] => [
    [`GET /entities/${kind}`, 200, { body: { results: [{ ref: `${kind} one`, type: kind }] } }],
    [`GET /entities/${kind}/murky`, 200, { body: { ref: `${kind} two`, type: kind, size: 3 } }],
  ]);
  expect(Object.keys(inferRecording(traffic(...rows)).document.paths as object)).toContain("/entities/anvils");
});

test("a list inside a single record that cannot be served as a collection is none, with the reason", async () => {
  const fields = Array.from({ length: 17 }, (_, at) => [`field${at}`, at]);
  const order = { ...Object.fromEntries(fields), attachments: [{ id: "a", name: "Plan" }] };
  const rows: Row[] = [
    ["GET /orders/mine/first", 200, { body: order }],
    ["GET /orders/mine/first/lines", 200, { body: [{ id: 1, text: "a" }] }],
  ];
  const { document, reasons } = inferRecording(traffic(...rows));
  const section = document["x-standin-bind"] as Record<string, { readonly list: string }>;
  const refused = reasons.filter(({ value }) => value === "no collection").map(({ about }) => about);
  expect(Object.values(section).map(({ list }) => list)).not.toContain("/orders/mine/first");
  expect(refused).toEqual(["/orders/mine/first"]);
  const ask = await serveRecording(...rows);
  expect((await ask("GET /orders/mine/first")).body).toEqual(order);
});

test("a list below a parent whose records contradict those of the same ids is a collection of its own", async () => {
  const rows: Row[] = [...GROUPS, ["GET /users/7/groups", 200, { body: [{ id: 1, name: "Skiers" }] }]];
  const ask = await serveRecording(...rows);
  expect((await ask("GET /groups/1")).body).toEqual({ id: 1, name: "Readers" });
  expect((await ask("GET /users/7/groups")).body).toEqual([{ id: 1, name: "Skiers" }]);
});

test("the parent that another list tells stands in no response", async () => {
  const rows: Row[] = [...GROUPS, ["GET /users/7/groups", 200, { body: [{ id: 1, name: "Readers" }] }]];
  const ask = await serveRecording(...rows);
  expect((await ask("GET /users/7/groups")).body).toEqual([{ id: 1, name: "Readers" }]);
  expect((await ask("GET /groups/1")).body).toEqual({ id: 1, name: "Readers" });
  expect((await ask("GET /groups")).body).toEqual([
    { id: 1, name: "Readers" },
    { id: 2, name: "Writers" },
  ]);
});

test("pages of records without an id count from 0 where page 1 differs from the first", async () => {
  const rows: Row[] = [
    ["GET /specs?limit=2", 200, { body: { offset: 0, specs: [{ name: "a" }, { name: "b" }] } }],
    ["GET /specs?limit=2&page=1", 200, { body: { offset: 2, specs: [{ name: "c" }, { name: "d" }] } }],
    ["GET /specs?limit=2&page=2", 200, { body: { offset: 4, specs: [] } }],
  ];
  const ask = await serveRecording(...rows);
  expect((await ask("GET /specs?limit=2&page=1")).body).toEqual({ offset: 2, specs: [{ name: "c" }, { name: "d" }] });
});

test("a field that is named like a parent, but has other values, does not say whose a record is", async () => {
  const rows: Row[] = [
    [
      "GET /feeds",
      200,
      {
        body: [
          { slug: "sun", id: 5 },
          { slug: "rain", id: 6 },
        ],
      },
    ],
    ["GET /feeds/sun", 200, { body: { slug: "sun", id: 5 } }],
    ["GET /feeds/sun/data", 200, { body: [{ id: "a", feed_id: 5 }] }],
    ["GET /feeds/rain/data", 200, { body: [{ id: "b", feed_id: 6 }] }],
    ["GET /feeds/sun/data/a", 200, { body: { id: "a", feed_id: 5 } }],
    ["POST /feeds/sun/data", 201, { sent: { value: 1 }, body: { id: "c", value: 1, feed_id: 5 } }],
  ];
  const ask = await serveRecording(...rows);
  expect((await ask("GET /feeds/rain/data")).body).toEqual([{ id: "b", feed_id: 6 }]);
  expect((await ask("GET /feeds/sun/data/a")).body).toEqual({ id: "a", feed_id: 5 });
  expect((await ask("GET /feeds/sun/data/b")).status).toBe(404);
  expect((await ask("POST /feeds/sun/data", { body: { value: 2 } })).body).toMatchObject({ value: 2, feed_id: 5 });
  expect((await ask("GET /feeds/sun/data")).body).toHaveLength(3);
});

describe("lists that look like others than the traffic shows", () => {
  const full = (id: number) => ({ id, name: `n${id}`, size: id, kind: "x" });

  test("one below a parent that shows less of the records lists them, also after a second recording", async () => {
    const rows: Row[] = [
      ["GET /points", 200, { body: { items: [1, 2, 3].map(full) } }],
      ["GET /points/1", 200, { body: full(1) }],
      ["GET /tags/7/points", 200, { body: { items: [{ id: 1 }, { id: 3 }] } }],
    ];
    const first = inferRecording(traffic(...rows));
    const { document, data } = inferRecording(traffic(...rows.slice(0, 1)), first);
    expect(document["x-standin-bind"]).toMatchObject({ points: { lists: ["/tags/{tagId}/points"] } });
    const { ask } = await serve(document, { data } as never);
    expect((await ask("GET /tags/7/points")).body).toEqual({ items: [{ id: 1 }, { id: 3 }] });
    expect((await ask("DELETE /points/1")).status).toBe(204);
    expect((await ask("GET /tags/7/points")).body).toEqual({ items: [{ id: 3 }] });
    expect((await ask("GET /tags/8/points")).body).toEqual({ items: [] });
  });

  test("one of other records with the same fields responds as it was recorded", async () => {
    const tables = [{ name: "1", length: 4 }];
    const ask = await serveRecording(
      ["GET /vars/floats", 200, { body: [{ name: "1", value: 2 }] }],
      ["GET /vars/floats/1", 200, { body: { name: "1", value: 2 } }],
      ["GET /tables/floats?all=true", 200, { body: tables }],
      ["GET /tables/floats/1", 200, { body: [0.5, 2] }],
    );
    expect((await ask("GET /tables/floats?all=true")).body).toEqual(tables);
    expect((await ask("GET /tables/floats/1")).body).toEqual([0.5, 2]);
    expect((await ask("GET /vars/floats")).body).toEqual([{ name: "1", value: 2 }]);
  });
});

describe("a view that shows all records without some of their fields", () => {
  const all = ["a", "b", "c"].map((slug) => ({ slug, title: slug.toUpperCase() }));
  const pages = (path: string): Row[] => [
    [`GET ${path}?limit=2`, 200, { body: { articles: all.slice(0, 2), count: 3 } }],
    [`GET ${path}?limit=2&offset=2`, 200, { body: { articles: all.slice(2), count: 3 } }],
  ];
  const item: Row = ["GET /articles/a", 200, { body: { article: { ...all[0], text: "Long" } } }];
  const rows: Row[] = [...pages("/articles"), item, ...pages("/articles/feed")];

  test("has its pages, and the records that are created", async () => {
    const ask = await serveRecording(...rows);
    expect((await ask("GET /articles/feed?limit=2&offset=2")).body).toEqual({ articles: [all[2]], count: 3 });
    expect((await ask("POST /articles", { body: { slug: "d", title: "D", text: "New" } })).status).toBe(201);
    const { body } = await ask("GET /articles/feed?limit=2&offset=2");
    expect(body).toEqual({ articles: [all[2], { slug: "d", title: "D" }], count: 4 });
  });

  test("stays one when only the list is recorded again", async () => {
    const first = inferRecording(traffic(...rows));
    const { document, data } = inferRecording(traffic(...pages("/articles"), item), first);
    const { ask } = await serve(document, { data } as never);
    expect(document.paths).toEqual(first.document.paths);
    expect((await ask("GET /articles/feed?limit=2&offset=2")).body).toEqual({ articles: [all[2]], count: 3 });
  });
});

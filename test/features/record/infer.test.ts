import { describe, expect, test } from "vitest";
import type { Json, JsonObject } from "../../../src/base/json/json.ts";
import { inferRecording } from "../../../src/features/record/infer/infer-recording.ts";
import { createFolder } from "../../support/cli.ts";
import { runKept } from "../../support/kept-process.ts";
import { type Served, serve } from "../document/serve.ts";
import { type Row, traffic } from "./traffic.ts";

const hat = { id: 1, name: "Hat", price: 5, company_id: 7 };
const shoe = { id: 2, name: "Shoe", price: 50, company_id: 7 };
const sock = { id: 3, name: "Sock", price: 2, company_id: 8 };

async function serveRecording(...rows: readonly Row[]): Promise<Served["ask"]> {
  const { document, data } = inferRecording(traffic(...rows));
  return (await serve(document, { data } as never)).ask;
}

const pathsOf = ({ document }: { readonly document: JsonObject }): string[] =>
  Object.keys(document.paths as JsonObject);

describe("a recording lives", () => {
  test("lists, records, envelopes and errors respond as they were recorded, and writes work", async () => {
    const ask = await serveRecording(
      [
        "GET /v1/products?page=1&per_page=2",
        200,
        { body: { data: [hat, shoe], meta: { total: 3, page: 1 }, api: "v1" } },
      ],
      ["GET /v1/products?page=2&per_page=2", 200, { body: { data: [sock], meta: { total: 3, page: 2 }, api: "v1" } }],
      ["GET /v1/products/2", 200, { body: { data: { ...shoe, stock: 4 } } }],
      ["GET /v1/products/99", 404, { body: { fault: "nothing here" } }],
    );
    expect((await ask("GET /v1/products?page=2&per_page=2")).body).toEqual({
      data: [sock],
      meta: { total: 3, page: 2 },
      api: "v1",
    });
    expect((await ask("GET /v1/products/2")).body).toEqual({ data: { ...shoe, stock: 4 } });
    const missing = await ask("GET /v1/products/98");
    expect([missing.status, missing.body]).toEqual([404, { fault: "nothing here" }]);
    const created = await ask("POST /v1/products", { body: { name: "Belt", price: 9 } });
    expect([created.status, (created.body as { data: JsonObject }).data]).toMatchObject([201, { id: 4, name: "Belt" }]);
    expect((await ask("PATCH /v1/products/1", { body: { price: 6 } })).body).toMatchObject({ data: { price: 6 } });
    expect((await ask("DELETE /v1/products/1")).status).toBe(204);
    expect((await ask("GET /v1/products/1")).status).toBe(404);
  });
});

describe("variable segments", () => {
  const cases: readonly (readonly [why: string, rows: readonly Row[], paths: string[]])[] = [
    [
      "equal a field of the body",
      [["GET /users/ada", 200, { body: { login: "ada", age: 3 } }]],
      ["/users", "/users/{userId}"],
    ],
    [
      "equal a field of the list above",
      [
        ["GET /users", 200, { body: [{ login: "ada" }, { login: "bob" }] }],
        ["GET /users/bob", 200, { body: { age: 3 } }],
      ],
      ["/users", "/users/{userId}"],
    ],
    [
      "look like ids, unless they are the first",
      [
        ["GET /2010-04-01/calls/CA1/recordings", 200, { body: { a: 1 } }],
        ["GET /2010-04-01/calls/4f9d1c1e-0000-4000-8000-000000000001/recordings", 200, { body: { a: 1 } }],
        ["GET /2010-04-01/calls/call_8xJ2kd91/recordings", 200, { body: { a: 1 } }],
      ],
      ["/2010-04-01/calls/CA1/recordings", "/2010-04-01/calls/{callId}/recordings"],
    ],
    [
      "are eight siblings of one shape",
      ["a", "b", "c", "d", "e", "f", "g", "h"].map(
        (one) => [`GET /flags/${one}`, 200, { body: { on: one === "a" } }] as const,
      ),
      ["/flags/{flagId}"],
    ],
    [
      "are not words beside records",
      [
        ["GET /users/1", 200, { body: { id: 1 } }],
        ["GET /users/me", 200, { body: { id: 1 } }],
        ["GET /users/nobody", 404, { body: { error: "x" } }],
      ],
      ["/users", "/users/me", "/users/{userId}"],
    ],
    [
      "are no states that lists are filtered by",
      [
        ["GET /orders", 200, { body: [{ id: 1, status: "open" }] }],
        ["GET /orders/open", 200, { body: [{ id: 1, status: "open" }] }],
      ],
      ["/orders", "/orders/open", "/orders/{orderId}"],
    ],
  ];
  for (const [why, rows, paths] of cases) {
    test(`segments that ${why}`, () => {
      expect(pathsOf(inferRecording(traffic(...rows)))).toEqual(paths);
    });
  }
});

describe("merged records", () => {
  const dataOf = (...rows: readonly Row[]): JsonObject => inferRecording(traffic(...rows)).data;

  test("a record replaces, a list updates what it has, DELETE removes, POST creates, in the order of the list", () => {
    const data = dataOf(
      ["GET /products/3", 200, { body: { ...sock, note: "old" } }],
      ["GET /products", 200, { body: [hat, shoe, { id: 3, price: 4 }] }],
      ["POST /products", 201, { body: { id: 4, name: "Belt" }, sent: { name: "Belt" } }],
      ["PATCH /products/1", 204, { sent: { price: 6 } }],
      ["PUT /products/2", 200, { body: { id: 2, name: "Boot" }, sent: { name: "Boot" } }],
      ["DELETE /products/4", 204],
    );
    expect(data.products).toEqual([
      { ...hat, price: 6 },
      { id: 2, name: "Boot" },
      { ...sock, note: "old", price: 4 },
    ]);
  });

  test("a new record without a body has the id of its Location and what was sent", () => {
    const data = dataOf(
      ["GET /tags", 200, { body: [{ id: 1, text: "a" }] }],
      ["POST /tags", 201, { headers: [["Location", "https://api.test/tags/2"]], sent: { text: "b" } }],
    );
    expect(data.tags).toEqual([
      { id: 1, text: "a" },
      { id: 2, text: "b" },
    ]);
  });

  test("lists below parents join the collection, or know their parent", async () => {
    const ask = await serveRecording(
      ["GET /companies/7", 200, { body: { id: 7, name: "Kiln" } }],
      ["GET /products", 200, { body: [hat, sock] }],
      ["GET /companies/7/products", 200, { body: [hat, shoe] }],
      ["GET /companies/7/notes", 200, { body: [{ id: "n1", text: "x" }] }],
    );
    expect((await ask("GET /products")).body).toEqual([hat, sock, shoe]);
    expect((await ask("GET /companies/7/products")).body).toEqual([hat, shoe]);
    expect((await ask("GET /companies/7/notes")).body).toEqual([{ id: "n1", text: "x" }]);
  });

  test("a POST below a parent creates in the collection, which keeps the parents that its records do not have", async () => {
    const event = { id: 1, title: "Fair" };
    const ask = await serveRecording(
      ["GET /spots/6/events", 200, { body: [event] }],
      ["POST /spots/6/events", 201, { body: { id: 2, title: "Race" }, sent: { title: "Race" } }],
      ["GET /events/1", 200, { body: event }],
      ["GET /events/2", 200, { body: { id: 2, title: "Race" } }],
    );
    const { body } = await ask("POST /spots/6/events", { body: { title: "Market" } });
    const { id } = body as JsonObject;
    expect((await ask(`GET /events/${id}`)).body).toEqual({ id, title: "Market" });
    expect((await ask("GET /spots/6/events")).body).toHaveLength(3);
    expect((await ask("GET /spots/7/events")).body).toEqual([]);
  });

  test("a list at a word below another that shows all records is another list of them", async () => {
    const rows: readonly Row[] = [
      [
        "GET /articles",
        200,
        {
          body: [
            { slug: "a", title: "A" },
            { slug: "b", title: "B" },
          ],
        },
      ],
      ["GET /articles/a", 200, { body: { slug: "a", title: "A" } }],
      ["GET /articles/feed?limit=1", 200, { body: [{ slug: "a", title: "A" }] }],
      ["GET /articles/feed?limit=1&offset=1", 200, { body: [{ slug: "b", title: "B" }] }],
    ];
    const ask = await serveRecording(...rows);
    expect((await ask("GET /articles/feed?limit=1&offset=1")).body).toEqual([{ slug: "b", title: "B" }]);
    expect(Object.keys(inferRecording(traffic(...rows)).data)).toEqual(["articles"]);
  });

  test("new records lack what no response shows, and begin with what was empty", async () => {
    const ask = await serveRecording(
      ["GET /users", 200, { body: [{ id: 1, name: "Ada", pets: [{ id: 1 }], visits: 3 }] }],
      [
        "POST /users",
        201,
        { body: { id: 2, name: "Bob", pets: [], visits: 0 }, sent: { name: "Bob", hint: "a colour" } },
      ],
    );
    const { body, headers } = await ask("POST /users", { body: { name: "Cy", hint: "a town" } });
    expect(headers.get("x-standin-from")).toBe("data");
    expect((await ask("GET /users")).headers.get("x-standin-from")).toBe("data");
    expect(body).toEqual({ id: 3, name: "Cy", pets: [], visits: 0 });
  });

  test("records of one list that share an id are no collection", async () => {
    const twins = [
      { id: 1, name: "a" },
      { id: 1, name: "b" },
    ];
    const ask = await serveRecording(["GET /accounts", 200, { body: twins }]);
    expect((await ask("GET /accounts")).body).toEqual(twins);
  });

  test("a list that was always empty is served, and takes records", async () => {
    const ask = await serveRecording(
      ["GET /hooks", 200, { body: [] }],
      ["GET /hooks/1", 200, { body: { id: 1, url: "https://a.test" } }],
      ["DELETE /hooks/1", 200, { body: {} }],
    );
    expect((await ask("GET /hooks")).body).toEqual([]);
    expect((await ask("POST /hooks", { body: { url: "https://b.test" } })).status).toBe(201);
  });

  test("what responded below a record that nobody has seen does so again", async () => {
    const ask = await serveRecording(
      ["GET /maps", 200, { body: [{ id: 1, name: "a" }] }],
      ["GET /maps/1", 200, { body: { id: 1, name: "a" } }],
      ["GET /maps/162/notes", 200, { body: [{ id: 5, text: "x" }] }],
    );
    expect((await ask("GET /maps/162/notes")).body).toEqual([{ id: 5, text: "x" }]);
  });
});

describe("parameters", () => {
  test("pages count from 0 where page 1 is not the first", async () => {
    const ask = await serveRecording(
      ["GET /products?size=1", 200, { body: { page: 0, items: [hat] } }],
      ["GET /products?size=1&page=1", 200, { body: { page: 1, items: [shoe] } }],
      ["GET /products?size=1&page=2", 200, { body: { page: 2, items: [sock] } }],
    );
    expect((await ask("GET /products?size=1&page=1")).body).toEqual({ page: 1, items: [shoe] });
    expect((await ask("GET /products?size=1")).body).toEqual({ page: 0, items: [hat] });
  });

  test("a field that all records share filters, one that they differ in and one that changed nothing are ignored", async () => {
    const rows: readonly Row[] = [
      ["GET /products", 200, { body: [hat, shoe, sock] }],
      ["GET /products?company_id=7", 200, { body: [hat, shoe] }],
      ["GET /products?name=full", 200, { body: [hat, shoe, sock] }],
      ["GET /products?trace=1", 200, { body: [hat, shoe, sock] }],
    ];
    const ask = await serveRecording(...rows);
    expect((await ask("GET /products?company_id=8")).body).toEqual([sock]);
    expect((await ask("GET /products?name=full")).body).toHaveLength(3);
    expect((await ask("GET /products?trace=2")).body).toHaveLength(3);
    const { reasons } = inferRecording(traffic(...rows));
    expect(
      reasons.filter(({ guess }) => guess === "query").map(({ value, because }) => `${value}: ${because}`),
    ).toEqual([
      "?company_id: all records share its value in company_id",
      "?name: named like name, but the records differ in it",
      "?trace: it changed nothing",
    ]);
  });

  test("a name that cuts one list to its value limits all lists, unless a page has more", async () => {
    const rows: readonly Row[] = [
      ["GET /products?amount=2", 200, { body: [hat, shoe] }],
      ["GET /products?amount=2&page=2", 200, { body: [sock] }],
      ["GET /products?amount=3", 200, { body: [hat, shoe, sock] }],
      ["GET /companies?amount=9", 200, { body: [{ id: 7 }, { id: 8 }] }],
      ["GET /zones?most=1", 200, { body: [{ id: 1 }] }],
      ["GET /zones?most=5", 200, { body: [{ id: 1 }, { id: 2 }] }],
      ["GET /towns?most=0", 200, { body: [{ id: 1 }] }],
    ];
    const ask = await serveRecording(...rows);
    expect((await ask("GET /products?amount=1&page=2")).body).toEqual([shoe]);
    expect((await ask("GET /companies?amount=1")).body).toEqual([{ id: 7 }]);
    expect((await ask("GET /zones?most=1")).body).toHaveLength(2);
    const { reasons } = inferRecording(traffic(...rows));
    expect(reasons).toContainEqual({
      about: "companies",
      guess: "query",
      value: "?amount",
      because: "no page had more records",
    });
  });

  test("a search that finds records without its words finds them again", async () => {
    const ask = await serveRecording(
      ["GET /products?q=clothes", 200, { body: [hat, sock] }],
      ["GET /companies?q=kiln", 200, { body: [{ id: 7, name: "Kiln" }] }],
    );
    expect((await ask("GET /products?q=clothes")).body).toEqual([hat, sock]);
    expect((await ask("GET /companies?q=oven")).body).toEqual([]);
  });

  test("a cursor that is the id of a record is no time, though it has only digits", async () => {
    const [one, two, three] = ["11", "12", "13"].map((id) => ({ id, name: `n${id}` }));
    const ask = await serveRecording(
      ["GET /notes?limit=2", 200, { body: [one, two] }],
      ["GET /notes?limit=2&after=12", 200, { body: [three] }],
    );
    expect((await ask("GET /notes?limit=2&after=11")).body).toEqual([two, three]);
  });

  test("a parameter that is sent twice is a list", async () => {
    const ask = await serveRecording(["GET /sums?year=2024&year=2025", 200, { body: { sum: 3 } }]);
    expect((await ask("GET /sums?year=2024&year=2025")).body).toEqual({ sum: 3 });
    expect((await ask("GET /sums?year=2024")).status).toBe(200);
    expect((await ask("GET /sums?year=old")).status).toBeGreaterThanOrEqual(400);
  });

  test("pages have as many records as they had", async () => {
    const ask = await serveRecording(
      ["GET /products?page=1", 200, { body: { items: [hat, shoe], total: 3 } }],
      ["GET /products?page=2", 200, { body: { items: [sock], total: 3 } }],
    );
    expect((await ask("GET /products?page=2")).body).toEqual({ items: [sock], total: 3 });
    expect((await ask("GET /products")).body).toEqual({ items: [hat, shoe], total: 3 });
  });
});

describe("the rest", () => {
  test("a single record that is read and changed becomes data", async () => {
    const rows: readonly Row[] = [
      ["GET /settings", 200, { body: { theme: "dark", size: 2 } }],
      ["PUT /settings", 200, { body: { theme: "light", size: 2 }, sent: { theme: "light", size: 2 } }],
      ["PATCH /settings", 204, { sent: { size: 4 } }],
    ];
    expect(inferRecording(traffic(...rows)).data).toEqual({
      settings: [{ id: "current", theme: "light", size: 4 }],
    });
    const ask = await serveRecording(...rows);
    expect((await ask("GET /settings")).body).toEqual({ theme: "light", size: 4 });
    await ask("PUT /settings", { body: { theme: "red", size: 3 } });
    expect((await ask("GET /settings")).body).toEqual({ theme: "red", size: 3 });
  });

  test("examples by status and query, one per shape", async () => {
    const ask = await serveRecording(
      ["GET /status", 200, { body: { up: true } }],
      ["GET /report?kind=long", 200, { body: { pages: 3, text: "x" } }],
      ["GET /report", 200, { body: { pages: 1 } }],
      ["GET /report?kind=other", 200, { body: { pages: 9 } }],
      ["POST /login", 401, { body: { error: "no" }, sent: { user: "a" } }],
      ["POST /login", 200, { body: { token: "redacted-1" }, sent: { user: "a" } }],
      ["GET /robots.txt", 200, { body: "User-agent: *", type: "text/plain" }],
    );
    expect((await ask("GET /status")).body).toEqual({ up: true });
    expect((await ask("GET /report?kind=long")).body).toEqual({ pages: 3, text: "x" });
    expect((await ask("GET /report?kind=x")).body).toEqual({ pages: 1 });
    expect((await ask("POST /login", { body: { user: "b" } })).body).toEqual({ token: "redacted-1" });
    expect((await ask("GET /robots.txt")).text).toBe("User-agent: *");
  });
});

describe("examples of paths with wildcards", () => {
  const rows: readonly Row[] = [
    ["GET /reports/1/sum", 200, { body: { sum: 1 } }],
    ["GET /reports/2/sum", 200, { body: { sum: 2 } }],
    ["GET /reports/2/sum?part=a", 200, { body: { sum: 5 } }],
    ["GET /reports/2/sum", 200, { body: { sum: 7 } }],
  ];

  test("each address has its own, and any other the first", async () => {
    const ask = await serveRecording(...rows);
    expect((await ask("GET /reports/1/sum")).body).toEqual({ sum: 1 });
    expect((await ask("GET /reports/2/sum")).body).toEqual({ sum: 7 });
    expect((await ask("GET /reports/2/sum?part=a")).body).toEqual({ sum: 5 });
    expect((await ask("GET /reports/3/sum")).body).toEqual({ sum: 1 });
  });

  test("a second recording replaces those of the same address", async () => {
    const first = inferRecording(traffic(...rows));
    expect(inferRecording(traffic(...rows), first).document).toEqual(first.document);
    const { document, data } = inferRecording(traffic(["GET /reports/2/sum", 200, { body: { sum: 8 } }]), first);
    const { ask } = await serve(document, { data } as never);
    expect((await ask("GET /reports/1/sum")).body).toEqual({ sum: 1 });
    expect((await ask("GET /reports/2/sum")).body).toEqual({ sum: 8 });
  });
});

describe("recording again", () => {
  test("the same traffic changes nothing, not even the reasons", () => {
    const same = traffic(
      ["GET /products?company_id=7", 200, { body: { items: [hat, shoe] } }],
      ["GET /products/2", 200, { body: shoe }],
      ["GET /users/ada", 200, { body: { login: "ada" } }],
      ["POST /products", 201, { body: { id: 9, name: "Belt" }, sent: { name: "Belt" } }],
    );
    const first = inferRecording(same);
    expect(JSON.stringify(inferRecording(same, first).document, null, 2)).toBe(JSON.stringify(first.document, null, 2));
  });

  test("updates by operation and id, and leaves all other lines as they are", () => {
    const first = inferRecording(
      traffic(
        ["GET /products", 200, { body: [hat, shoe, sock] }],
        ["GET /companies", 200, { body: { data: [{ id: 7, name: "Kiln" }] } }],
        ["GET /users/ada", 200, { body: { login: "ada" } }],
        ["GET /status", 200, { body: { up: true } }],
      ),
    );
    const again = inferRecording(
      traffic(
        ["GET /products/2", 200, { body: { ...shoe, price: 60 } }],
        ["GET /users/grace", 200, { body: { name: "Grace" } }],
        ["GET /zones", 200, { body: { a: 1 } }],
      ),
      first,
    );
    expect(again.data).toMatchObject({ products: [hat, { ...shoe, price: 60 }, sock], companies: [{ id: 7 }] });
    expect(Object.keys(again.data)).toEqual(Object.keys(first.data));
    const before = first.document.paths as JsonObject;
    const after = again.document.paths as JsonObject;
    expect(Object.keys(after)).toEqual([...Object.keys(before), "/zones"]);
    for (const path of ["/products", "/companies", "/companies/{companyId}", "/status"]) {
      expect(after[path]).toEqual(before[path]);
    }
    expect(inferRecording([], again)).toMatchObject({ document: again.document, data: again.data });
    expect(JSON.stringify(inferRecording([], again).document)).toBe(JSON.stringify(again.document as Json));
  });
});

test("standin bind prints what in the traffic led to each guess", async () => {
  const { document } = inferRecording(
    traffic(
      ["GET /products?company_id=7", 200, { body: { items: [hat, shoe] } }],
      ["GET /products/2", 200, { body: shoe }],
      ["GET /status", 200, { body: { up: true } }],
    ),
  );
  const { output, exit } = runKept(["bind", "api.json"], createFolder({ "api.json": document }));
  expect(await exit).toBe(0);
  const printed = output.stdout;
  expect(printed).toContain("api.json: 1 collection, 6 of 7 operations bound");
  expect(printed).toContain("  path     /products/{productId}: equals id of a record in the list above\n");
  expect(printed).toContain("  list     items: the only array of objects in the body\n");
  expect(printed).toContain("  id       id: equals the segment in every response of a record\n");
  expect(printed).toContain("query   ?company_id (filter): all records share its value in company_id\n");
});

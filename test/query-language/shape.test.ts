import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createStandin, type Standin } from "../../src/index.ts";
import { type AskOptions, askAt, codeOf, idsOf } from "../support/api.ts";
import { catalog } from "../support/catalog.ts";

const odd = [
  { id: 1, a: { b: 1, c: 2 }, list: [{ x: 1, y: 2 }, 5, { y: 3 }], "a.b": "literal", "-id": 7 },
  { id: 2, a: 5, list: [], g: 1, n: 0.1 },
  { id: 3, a: null, list: [[{ x: 9 }]], g: "1", n: 0.2 },
  { id: 4, g: null, n: "3" },
  { id: 5, n: 0.3, g: 1, place: { city: "Rome" }, count: 8 },
];

let standin: Pick<Standin, "url" | "close">;

beforeAll(async () => {
  standin = await createStandin({ data: { ...catalog(), odd, empty: [] } });
});
afterAll(() => standin.close());

const ask = (address: string, options?: AskOptions) => askAt(standin.url, `GET ${address}`, options);

function responds(rows: readonly (readonly [address: string, body: unknown])[]): void {
  for (const [address, body] of rows) {
    test(`${address} -> ${JSON.stringify(body)}`, async () => {
      const answer = await ask(address);
      expect([answer.status, answer.text]).toEqual([200, JSON.stringify(body)]);
    });
  }
}

function refuses(addresses: readonly string[], code = "QUERY_INVALID"): void {
  for (const address of addresses) {
    test(`${address} -> 400 ${code}`, async () => {
      const answer = await ask(address);
      expect([answer.status, codeOf(answer)]).toEqual([400, code]);
    });
  }
}

describe("_fields keeps or drops fields", () => {
  responds([
    ["/products?_fields=id,name&id=1", [{ id: 1, name: "Steel Hat" }]],
    ["/products?_fields=name&_fields=price&id=1", [{ name: "Steel Hat", price: 10 }]],
    ["/products/1?_fields=price", { price: 10 }],
    ["/products/1?_fields=-price,-company_id", { id: 1, name: "Steel Hat" }],
    ["/products/1?_fields=nosuch", {}],
    [
      "/companies/2?_fields=headquarter.lat,locations.city",
      { headquarter: { lat: 52.5 }, locations: [{ city: "Berlin" }] },
    ],
    [
      "/companies/2?_fields=-headquarter,-locations.city,-locations.state,-revenue",
      { id: 2, name: "Bolt", locations: [{ employee_number: 900 }] },
    ],
    ["/odd/1?_fields=list.x", { list: [{ x: 1 }, {}] }],
    ["/odd/1?_fields=-list.x", { ...odd[0], list: [{ y: 2 }, 5, { y: 3 }] }],
    ["/odd/1?_fields=a.b", { "a.b": "literal" }],
    ["/odd/1?_fields=-id", { "-id": 7 }],
    ["/odd/2?_fields=a.b,id", { id: 2 }],
    ["/odd/3?_fields=a", { a: null }],
    ["/products/1?_fields=", { id: 1, name: "Steel Hat", price: 10, company_id: 1 }],
    ["/products?_fields=company&_expand=company&id=4", [{ company: catalog().companies[2] }]],
    ["/companies?_fields=products.id&_embed=products&id=2", [{ products: [3, 5, 8, 11].map((id) => ({ id })) }]],
    ["/companies/2?_fields=products.id&_embed=products", { products: [3, 5, 8, 11].map((id) => ({ id })) }],
    ["/companies/3/products?_fields=id&_limit=2", [{ id: 4 }, { id: 6 }]],
  ]);
  refuses(["/products?_fields=id,-name", "/products/1?_fields=-id,name", "/products?_fields=id&_group=name"]);
  const names = Array.from({ length: 1001 }, (_, n) => `f${n}`);
  refuses([`/products?_fields=${names}`, `/products/1?_fields=${names}`, `/products?_fields=-${names.join(",-")}`]);

  test("each record of a list has its own fields named like a whole path", async () => {
    const { body } = await ask("/odd?_fields=a.b,id&_sort=id&_limit=2");
    expect(body).toEqual([{ id: 1, "a.b": "literal" }, { id: 2 }]);
  });

  test("a record keeps its ETag", async () => {
    const tag = (await ask("/products/1")).headers.get("etag")!;
    expect((await ask("/products/1?_fields=name")).headers.get("etag")).toBe(tag);
    expect((await ask("/products/1?_fields=name", { headers: { "If-None-Match": tag } })).status).toBe(304);
  });

  test("one record is shown in turn in several forms, before and after a write", async () => {
    const { url, close } = await createStandin({ data: { things: [{ id: 1, a: 1, b: 2 }] } });
    const forms = ["", "?_fields=a", "?_fields=b", "?_fields=-a", "?_fields=a", ""];
    const texts = async () => {
      const found = [];
      for (const form of forms) found.push((await askAt(url, `GET /things${form}`)).text);
      return found.join(" ");
    };
    expect(await texts()).toBe(
      '[{"id":1,"a":1,"b":2}] [{"a":1}] [{"b":2}] [{"id":1,"b":2}] [{"a":1}] [{"id":1,"a":1,"b":2}]',
    );
    await askAt(url, "PATCH /things/1", { body: { a: 3 } });
    expect(await texts()).toBe(
      '[{"id":1,"a":3,"b":2}] [{"a":3}] [{"b":2}] [{"id":1,"b":2}] [{"a":3}] [{"id":1,"a":3,"b":2}]',
    );
    await close();
  });
});

describe("_sort with a leading -", () => {
  const rows: [search: string, ids: number[]][] = [
    ["_sort=-price&_limit=3", [5, 8, 3]],
    ["_sort=-price,name&price=25.5", [12, 2]],
    ["_sort=-company_id,price&_limit=3", [6, 4, 12]],
    ["_sort=price&_order=desc&_limit=1", [5]],
    ["_sort=-price&_order=asc&_limit=1", [5]],
    ["_sort=company_id,-price&_order=desc,asc&_limit=2", [9, 12]],
    ["_sort=-&_limit=2", [1, 2]],
  ];
  for (const [search, ids] of rows) {
    test(`${search} -> ${JSON.stringify(ids)}`, async () => {
      expect(idsOf(await ask(`/products?${search}`))).toEqual(ids);
    });
  }
});

describe("_per_page answers json-server 1.0's envelope", () => {
  const envelope = (prev: number | null, next: number | null, last: number, items: number, ids: readonly number[]) => ({
    first: 1,
    prev,
    next,
    last,
    pages: last,
    items,
    data: ids.map((id) => ({ id })),
  });
  responds([
    ["/products?_page=1&_per_page=5&_fields=id", envelope(null, 2, 3, 12, [1, 2, 3, 4, 5])],
    ["/products?_page=2&_per_page=5&_fields=id", envelope(1, 3, 3, 12, [6, 7, 8, 9, 10])],
    ["/products?_page=3&_per_page=5&_fields=id", envelope(2, null, 3, 12, [11, 12])],
    ["/products?_page=99&_per_page=5&_fields=id", envelope(2, null, 3, 12, [11, 12])],
    ["/products?_page=0&_per_page=5&_fields=id", envelope(null, 2, 3, 12, [1, 2, 3, 4, 5])],
    ["/products?_page=-3&_per_page=5&_fields=id", envelope(null, 2, 3, 12, [1, 2, 3, 4, 5])],
    ["/products?_per_page=5&_fields=id", envelope(null, 2, 3, 12, [1, 2, 3, 4, 5])],
    ["/products?_page=2&_per_page=0&_fields=id", envelope(1, 3, 12, 12, [2])],
    ["/products?_page=2&_per_page=-4&_fields=id", envelope(1, 3, 12, 12, [2])],
    ["/products?_page=1&_per_page=100&_fields=id&price:gt=99", envelope(null, null, 1, 3, [3, 5, 8])],
    ["/products?_page=4&_per_page=2&price:gt=1000&_fields=id", envelope(null, null, 1, 0, [])],
    ["/empty?_page=1&_per_page=2", envelope(null, null, 1, 0, [])],
  ]);
  refuses(["/products?_per_page=x", "/products?_per_page=2&_page=x", "/products?_per_page=2&_after="]);

  test("_page and _limit alone are those of 0.17", async () => {
    const { body, headers } = await ask("/products?_page=2&_limit=5");
    expect(Array.isArray(body)).toBe(true);
    expect(headers.get("link")).toContain('rel="next"');
  });
});

describe("_after excludes other windows", () => {
  refuses([
    "/products?_after=&_page=1",
    "/products?_after=&_start=1",
    "/products?_after=&_end=1",
    "/products?_after=&_group=name",
    "/products?_after=&_limit=0",
    "/products?_after=&_limit=-1",
    "/products?_after=&_limit=x",
  ]);
  refuses(["/products?_after=x", "/empty?_after=x"], "CURSOR_INVALID");

  test("without _limit there are ten", async () => {
    expect(idsOf(await ask("/products?_after="))).toHaveLength(10);
  });

  test("on an empty collection there is one empty page", async () => {
    const { body, headers } = await ask("/empty?_after=&_limit=2");
    expect([body, headers.get("link")]).toEqual([[], null]);
  });
});

describe("Prefer: count=exact", () => {
  const prefer = { headers: { Prefer: "count=exact" } };
  const rows: [address: string, total: string][] = [
    ["/products", "12"],
    ["/products?price:gt=99", "3"],
    ["/products?_after=&_limit=2&price:gt=99", "3"],
    ["/products?_page=1&_limit=2", "12"],
    ["/products?_page=1&_per_page=2", "12"],
    ["/products?_group=company_id", "3"],
    ["/companies/2/products", "4"],
  ];
  for (const [address, total] of rows) {
    test(`${address} -> X-Total-Count: ${total}`, async () => {
      const { headers } = await ask(address, prefer);
      expect([headers.get("x-total-count"), headers.get("preference-applied")]).toEqual([total, "count=exact"]);
    });
  }

  test("plain lists have no X-Total-Count otherwise", async () => {
    expect((await ask("/products")).headers.get("x-total-count")).toBeNull();
  });
});

describe("_group, _aggregate and _having", () => {
  const rows: (readonly [address: string, body: unknown])[] = [
    [
      "/products?_group=company_id&_aggregate=count,sum:price,avg:price,min:price,max:price&company_id=3",
      [{ company_id: 3, count: 4, sum_price: 110, avg_price: 27.5, min_price: 9.5, max_price: 60 }],
    ],
    ["/products?_group=company_id", [1, 2, 3].map((company_id) => ({ company_id, count: 4 }))],
    ["/products?_aggregate=count,max:name", [{ count: 12, max_name: "steel bottle" }]],
    ["/products?_aggregate=count,min:price,sum:price&price:gt=1000", [{ count: 0, min_price: null, sum_price: 0 }]],
    ["/products?_group=company_id&price:gt=1000", []],
    ["/empty?_group=company_id", []],
    ["/empty?_aggregate=count", [{ count: 0 }]],
    [
      "/odd?_group=g",
      [
        { g: null, count: 2 },
        { g: 1, count: 2 },
        { g: "1", count: 1 },
      ],
    ],
    [
      "/odd?_group=place.city",
      [
        { "place.city": null, count: 4 },
        { "place.city": "Rome", count: 1 },
      ],
    ],
    ["/companies?_group=locations.city", [{ "locations.city": null, count: 3 }]],
    [
      "/odd?_aggregate=sum:n,avg:n,min:n,max:n",
      [{ sum_n: 0.1 + 0.2 + 0.3, avg_n: (0.1 + 0.2 + 0.3) / 3, min_n: 0.1, max_n: "3" }],
    ],
    [
      "/products?_group=company_id,price&_aggregate=count&price=25.5",
      [
        { company_id: 1, price: 25.5, count: 1 },
        { company_id: 3, price: 25.5, count: 1 },
      ],
    ],
    [
      "/products?_group=company_id&_aggregate=count,sum:price&_having=sum_price:gt=100&_sort=-sum_price",
      [
        { company_id: 2, count: 4, sum_price: 457.74 },
        { company_id: 3, count: 4, sum_price: 110 },
      ],
    ],
    [
      "/products?_group=company_id&_aggregate=sum:price&_having=sum_price:gt=100&_having=company_id=3",
      [{ company_id: 3, sum_price: 110 }],
    ],
    ["/products?_group=company_id&_having=count:gt=4", []],
    ["/products?_group=company_id&_sort=-company_id&_limit=1", [{ company_id: 3, count: 4 }]],
    ["/products?_group=company_id&_page=2&_limit=2", [{ company_id: 3, count: 4 }]],
    ["/odd?_group=count", undefined],
  ];
  responds(rows.filter(([, body]) => body !== undefined));
  refuses([
    "/odd?_group=count",
    "/products?_group=company_id,company_id",
    "/products?_aggregate=count,count",
    "/products?_aggregate=median:price",
    "/products?_aggregate=sum",
    "/products?_aggregate=count:price",
    "/products?_having=count:gt=3",
    "/products?_group=company_id&_having=price:gt=3",
    "/products?_group=company_id&_having=count",
    "/products?_group=company_id&_having=count:foo=3",
    "/products?_group=company_id&_embed=companies",
  ]);

  test("pages of rows have their headers and their envelope", async () => {
    const { headers } = await ask("/products?_group=company_id&_page=1&_limit=2");
    expect(headers.get("x-total-count")).toBe("3");
    expect(headers.get("link")).toContain('rel="next"');
    const { body } = await ask("/products?_group=company_id&_page=9&_per_page=2");
    expect(body).toEqual({
      first: 1,
      prev: 1,
      next: null,
      last: 2,
      pages: 2,
      items: 3,
      data: [{ company_id: 3, count: 4 }],
    });
  });
});

import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../src/base/json/json.ts";
import { codeOf, idsOf, startApi } from "../support/api.ts";
import { catalog } from "../support/catalog.ts";

/** Each case is a list request and the ids that it answers, in their order. */
type Case = readonly [query: string, ids: readonly unknown[]];

function listCases(title: string, collection: string, cases: readonly Case[], data?: () => JsonObject): void {
  describe(title, () => {
    for (const [query, ids] of cases) {
      test(`GET /${collection}?${query} -> ${JSON.stringify(ids)}`, async () => {
        const api = await startApi(data ? { data: data() } : {});
        const answer = await api.ask(`GET /${collection}?${query}`);
        expect(answer.status, answer.text).toBe(200);
        expect(idsOf(answer)).toEqual(ids);
      });
    }
  });
}

const ALL = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12];

listCases("a field is matched exactly, by its text", "products", [
  ["company_id=2", [3, 5, 8, 11]],
  ["id=7", [7]],
  ["id=07", []],
  ["price=25.5", [2, 12]],
  ["price=25.50", []],
  ["name=Steel Hat", [1]],
  ["name=Steel%20Hat", [1]],
  ["name=Steel+Hat", [1]],
  ["name=steel hat", []],
  ["company_id=2&price=100", [8]],
  ["id=1&id=3", [1, 3]],
  ["id[]=1&id[]=3", [1, 3]],
  ["id[0]=1&id[1]=3", [1, 3]],
  ["[id]=1&id=3", [1, 3]],
  ["company_id=", []],
  ["Company_id=2", ALL],
]);

listCases("a nested field is matched through its path", "companies", [
  ["headquarter.lat=52.5", [2]],
  ["locations.city=Rome", [1, 3]],
  ["locations.city=Rome&locations.city=Berlin", [1, 2, 3]],
  ["locations.city=rome", []],
  ["locations.0.city=Rome", [1]],
  ["locations.1.city=Rome", [3]],
  ["locations[1].city=Rome", [3]],
  ["locations.employee_number=15", [3]],
  ["locations.length=1", [2]],
  ["name.length=5", [3]],
  ["locations.city_like=^r", [1, 3]],
  ["locations.employee_number_gte=900", [2]],
  ["locations.employee_number_lte=10", [3]],
  // Judged independently: one location is above 100, another below 50.
  ["locations.employee_number_gte=100&locations.employee_number_lte=50", [1]],
  ["locations.city_ne=Rome", [2]],
  ["locations.city_ne=Rome&locations.city_ne=Berlin", []],
]);

listCases("operators", "products", [
  ["price_gte=99.99", [3, 5, 8]],
  ["price_lte=9.5", [6, 7, 11]],
  ["price_gte=10&price_lte=25.5", [1, 2, 4, 12]],
  ["price_gte=1e2", [5, 8]],
  ["price_gte=abc", []],
  ["price_gte=", ALL],
  // Any of them: the widest wins.
  ["price_gte=100&price_gte=250", [5, 8]],
  ["name_gte=Steel", [1, 3, 12, 2].sort((a, b) => a - b)],
  ["name_lte=C", [8]],
  ["id_ne=1", ALL.slice(1)],
  ["id_ne=1&id_ne=2", ALL.slice(2)],
  ["id_ne=1.0", ALL],
  ["name_like=steel", [1, 3, 12]],
  ["name_like=STEEL", [1, 3, 12]],
  ["name_like=^steel", [1, 3, 12]],
  ["name_like=hat$", [1, 6]],
  ["name_like=^(steel|silk) (hat|scarf)$", [1, 9]],
  ["name_like=[bp]ell|pizza", [8, 11]],
  ["name_like=l{2}", [7, 8]],
  ["name_like=hat&name_like=lamp", [1, 6, 10, 12]],
  ["name_like=", ALL],
  ["price_like=^2", [2, 5, 12]],
  ["price_like=\\.5$", [2, 6, 12]],
  ["company_id=2&price_gte=50&name_like=e", [3, 5, 8]],
]);

listCases(
  "values that are null, missing or of another kind",
  "things",
  [
    ["a=1", [1, 2]],
    ["a=true", [3]],
    ["a=null", []],
    ["a=", []],
    ["a_ne=1", [3, 6, 7, 8]],
    ["a_gte=0", [1, 2, 3, 6, 7, 8]],
    ["a_lte=1", [1, 2, 3]],
    ["a_like=.*", [1, 2, 3, 6, 7, 8]],
    ["a=x,y", [6]],
    ["a=x", [6]],
    ["a=[object Object]", [7]],
    ["a.b=c", [7]],
    ["toString=1", []],
    ["a_like=^x,y$", [6]],
    ["d.e=1", [8]],
  ],
  () => ({
    things: [
      { id: 1, a: 1 },
      { id: 2, a: "1" },
      { id: 3, a: true },
      { id: 4, a: null },
      { id: 5 },
      { id: 6, a: ["x", "y"] },
      { id: 7, a: { b: "c", toString: "own" } },
      { id: 8, a: "z", "d.e": 1, d: { e: 2 }, toString: 2 },
    ],
  }),
);

listCases(
  "arrays: any element, or the comma-joined text; _ne: no element",
  "things",
  [
    ["tags=red", [1, 2]],
    ["tags=red,blue", [1]],
    ["tags=red&tags=green", [1, 2, 3]],
    ["tags_ne=red", [3, 4]],
    ["tags_ne=red,blue", [2, 3, 4]],
    ["tags_ne=red&tags_ne=green", [4]],
    ["tags_like=^blue", [1]],
    // As in 0.17 the joined text counts, too, and as a text "5" comes after "10".
    ["sizes_gte=10", [1, 2, 3]],
    ["sizes_gte=90", []],
    ["sizes_gte=45&sizes_lte=2", [1]],
    ["nested=deep", [4]],
  ],
  () => ({
    things: [
      { id: 1, tags: ["red", "blue"], sizes: [2, 45] },
      { id: 2, tags: ["red"], sizes: [5] },
      { id: 3, tags: ["green"], sizes: [10] },
      { id: 4, tags: [], sizes: [], nested: [["deep"], [[1]]] },
      { id: 5, tags: null },
    ],
  }),
);

listCases("unknown fields", "products", [
  ["foo=1", ALL],
  ["foo.bar=1", ALL],
  ["_=1700000000", ALL],
  ["utm_source=x&company_id=2", [3, 5, 8, 11]],
  ["foo_gte=1", []],
  ["foo_lte=1", []],
  ["foo_ne=1", []],
  ["foo_like=x", []],
  ["constructor=1", ALL],
  ["__proto__=1", ALL],
  ["__proto__.x_ne=1", []],
]);

describe("Prefer: handling=strict", () => {
  for (const query of ["foo=1", "company_id=2&pirce=1", "foo.bar=1", "foo_gte=1"]) {
    test(`GET /products?${query} -> 400 QUERY_FIELD_UNKNOWN, naming the field and those there are`, async () => {
      const api = await startApi();
      const answer = await api.ask(`GET /products?${query}`, { headers: { Prefer: "handling=strict" } });
      expect([answer.status, codeOf(answer)]).toEqual([400, "QUERY_FIELD_UNKNOWN"]);
      expect((answer.body as { message: string }).message).toMatch(/Fields: id, name, price, company_id/);
    });
  }

  test("a field that is meant is named", async () => {
    const api = await startApi();
    const { body } = await api.ask("GET /products?prices=1", { headers: { Prefer: "handling=strict" } });
    expect((body as { message: string }).message).toContain('Did you mean "price"?');
  });

  test("Prefer: explain returns the plan instead of the records", async () => {
    const api = await startApi();
    const { status, headers, body } = await api.ask("GET /products?price_gte=5", { headers: { Prefer: "explain" } });
    expect([status, headers.get("preference-applied")]).toEqual([200, "explain"]);
    expect(body).toMatchObject({ collection: "products", plan: ["scan of all records"], total: expect.any(Number) });
    expect((body as { touched: number }).touched).toBeGreaterThanOrEqual(12);
  });

  for (const prefer of [
    "handling=strict",
    'respond-async, handling="strict"',
    "HANDLING = Strict",
    "wait=1;x, handling=strict",
  ]) {
    test(`Prefer: ${prefer} is understood, and said to be applied`, async () => {
      const api = await startApi();
      const good = await api.ask("GET /products?company_id=2", { headers: { Prefer: prefer } });
      expect([good.status, good.headers.get("preference-applied")]).toEqual([200, "handling=strict"]);
      const bad = await api.ask("GET /products?foo=2", { headers: { Prefer: prefer } });
      expect(bad.status).toBe(400);
    });
  }

  for (const prefer of ["handling=lenient", "return=minimal", "handling=strictly", ""]) {
    test(`Prefer: ${prefer} changes nothing`, async () => {
      const api = await startApi();
      const { status, headers } = await api.ask("GET /products?foo=1", { headers: { Prefer: prefer } });
      expect([status, headers.get("preference-applied")]).toEqual([200, null]);
    });
  }

  test("parameters with a special meaning are not fields", async () => {
    const api = await startApi();
    const query =
      "_sort=price&_order=asc&_page=1&_limit=2&_start=0&_end=1&_embed=products&_expand=company&q=a&_delay=0&callback=&_=1";
    expect((await api.ask(`GET /products?${query}`, { headers: { Prefer: "handling=strict" } })).status).toBe(200);
  });
});

listCases("q searches all values", "companies", [
  ["q=acme", [1]],
  ["q=ACME", [1]],
  ["q=rome", [1, 3]],
  ["q=52.5", [2]],
  ["q=900", [2, 3]],
  ["q=city", []],
  ["q=headquarter", []],
  ["q=", [1, 2, 3]],
  ["q=nothing of that", []],
  ["q=rome&q=berlin", [1, 3]],
  ["q=rome&revenue_gte=10000000", [3]],
]);

const BY_PRICE = [7, 11, 6, 1, 4, 2, 12, 10, 9, 3, 8, 5];

listCases("_sort and _order", "products", [
  ["_sort=price", BY_PRICE],
  ["_sort=price&_order=asc", BY_PRICE],
  ["_sort=price&_order=ASC", BY_PRICE],
  // Stable: equal prices keep their order in both directions.
  ["_sort=price&_order=desc", [5, 8, 3, 9, 10, 2, 12, 4, 1, 6, 11, 7]],
  ["_sort=price&_order=DESC", [5, 8, 3, 9, 10, 2, 12, 4, 1, 6, 11, 7]],
  ["_sort=price&_order=sideways", BY_PRICE],
  ["_sort=company_id,price", [7, 1, 2, 10, 11, 3, 8, 5, 6, 4, 12, 9]],
  ["_sort=company_id,price&_order=desc,asc", [6, 4, 12, 9, 11, 3, 8, 5, 7, 1, 2, 10]],
  ["_sort=company_id,price&_order=asc,desc", [10, 2, 1, 7, 5, 8, 3, 11, 9, 12, 4, 6]],
  ["_sort=company_id,price&_order=desc", [6, 4, 12, 9, 11, 3, 8, 5, 7, 1, 2, 10]],
  ["_sort=company_id&_sort=price", [7, 1, 2, 10, 11, 3, 8, 5, 6, 4, 12, 9]],
  // By code unit: capitals before small letters.
  ["_sort=name&_start=8", [1, 12, 2, 3]],
  ["_sort=nothing", ALL],
  ["_sort=", ALL],
  ["_order=desc", ALL],
  ["_sort=price&_limit=3", [7, 11, 6]],
  ["company_id=3&_sort=price&_order=desc", [9, 12, 4, 6]],
]);

listCases("_sort follows paths", "companies", [
  ["_sort=headquarter.lat", [1, 3, 2]],
  ["_sort=headquarter.lat&_order=desc", [2, 3, 1]],
  ["_sort=locations.0.employee_number", [3, 1, 2]],
  ["_sort=locations.length,revenue&_order=desc,desc", [3, 1, 2]],
]);

const MIXED = () => ({
  things: [
    { id: "missing" },
    { id: "null", v: null },
    { id: "object", v: { a: 1 } },
    { id: "array", v: ["a"] },
    { id: "true", v: true },
    { id: "false", v: false },
    { id: "text b", v: "b" },
    { id: "text 10", v: "10" },
    { id: "10", v: 10 },
    { id: "9", v: 9 },
    { id: "-1.5", v: -1.5 },
  ],
});
const MIXED_ORDER = ["-1.5", "9", "10", "text 10", "text b", "false", "true", "object", "array", "null", "missing"];

listCases(
  "_sort of unlike values: numbers, text, booleans, the rest, null, missing",
  "things",
  [
    ["_sort=v", MIXED_ORDER],
    ["_sort=v&_order=desc", MIXED_ORDER.toReversed()],
  ],
  MIXED,
);

listCases("_page, _limit, _start and _end", "products", [
  ["_page=1", ALL.slice(0, 10)],
  ["_page=2", [11, 12]],
  ["_page=3", []],
  ["_page=2&_limit=5", [6, 7, 8, 9, 10]],
  ["_page=0&_limit=5", [1, 2, 3, 4, 5]],
  ["_page=-3&_limit=5", [1, 2, 3, 4, 5]],
  ["_page=1&_limit=0", ALL.slice(0, 10)],
  ["_page=&_limit=2", [1, 2]],
  ["_page=2&_limit=", [11, 12]],
  ["_page=2.9&_limit=5", [6, 7, 8, 9, 10]],
  ["_page=2&_limit=5&_start=0&_end=1", [6, 7, 8, 9, 10]],
  ["_limit=3", [1, 2, 3]],
  ["_limit=0", []],
  ["_limit=1000", ALL],
  ["_start=3&_end=6", [4, 5, 6]],
  ["_start=3&_limit=2", [4, 5]],
  ["_start=3&_end=6&_limit=1", [4, 5, 6]],
  ["_start=9", [10, 11, 12]],
  ["_start=0", ALL],
  ["_start=12", []],
  ["_start=-2", [11, 12]],
  ["_end=2", [1, 2]],
  ["_end=-10", [1, 2]],
  ["_end=0", []],
  ["_start=5&_end=3", []],
  ["_start=-4&_end=-2", [9, 10]],
  ["_start=&_end=", ALL],
  ["company_id=2&_start=1&_end=3", [5, 8]],
  [`_page=1&_limit=${"9".repeat(400)}`, ALL],
  [`_start=-${"9".repeat(400)}&_limit=${"9".repeat(400)}`, []],
  [`_page=${"9".repeat(400)}`, []],
]);

describe("query parameters that cannot be meant", () => {
  const numbers = ["_page", "_limit", "_start", "_end", "_delay"].flatMap((name) =>
    ["abc", "1x", "--1", "1,2", "NaN", "0x10", "{}"].map((value) => [`${name}=${value}`, name, value] as const),
  );
  const patterns = ["(", "[a", "a**", "?", "x{2,1}", "(?<=a)b", "(?=a)", "(a)\\1", "(?<n>a)\\k<n>"].map(
    (value) => [`name_like=${encodeURIComponent(value)}`, "name_like", value] as const,
  );
  for (const [query, parameter, value] of [...numbers, ...patterns]) {
    test(`GET /products?${query} -> 400 QUERY_INVALID, naming ${parameter} and ${value}`, async () => {
      const api = await startApi();
      const answer = await api.ask(`GET /products?${query}`);
      expect([answer.status, codeOf(answer)]).toEqual([400, "QUERY_INVALID"]);
      expect((answer.body as { message: string }).message).toContain(`${parameter}=${value}`);
    });
  }

  const reasons: [pattern: string, reason: RegExp][] = [
    ["(a)\\1", /back-references are not supported/],
    ["(?<n>a)\\k<n>", /back-references are not supported/],
    ["(?=a)", /look-ahead and look-behind are not supported/],
    ["(?!a)", /look-ahead and look-behind are not supported/],
    ["(?<=a)b", /look-ahead and look-behind are not supported/],
    ["a{1000}{1000}", /too large|not a valid pattern/],
    [`${"a".repeat(1001)}.`, /1002 characters; at most 1000/],
    ["a".repeat(1001), /1001 characters; at most 1000/],
  ];
  for (const [pattern, reason] of reasons) {
    test(`name_like=${pattern.slice(0, 20)} says why: ${reason.source}`, async () => {
      const api = await startApi();
      const { status, body } = await api.ask(`GET /products?name_like=${encodeURIComponent(pattern)}`);
      expect([status, body]).toEqual([400, expect.objectContaining({ message: expect.stringMatching(reason) })]);
    });
  }
});

describe("_embed and _expand", () => {
  const { products, companies } = catalog();
  const [acme, bolt] = companies;
  const ofBolt = products.filter((product) => product.company_id === 2);

  test("GET /companies/2?_embed=products -> its products, in an array of that name", async () => {
    const api = await startApi();
    expect((await api.ask("GET /companies/2?_embed=products")).body).toEqual({ ...bolt, products: ofBolt });
  });

  test("GET /companies?_embed=products -> works on lists, with every list parameter", async () => {
    const api = await startApi();
    const { body } = await api.ask("GET /companies?_embed=products&_sort=revenue&_limit=1");
    expect(body).toEqual([{ ...bolt, products: ofBolt }]);
  });

  test("GET /products/3?_expand=company -> the full parent, last", async () => {
    const api = await startApi();
    const { body, text } = await api.ask("GET /products/3?_expand=company");
    expect(body).toEqual({ ...products[2], company: bolt });
    expect(Object.keys(JSON.parse(text))).toEqual(["id", "name", "price", "company_id", "company"]);
  });

  test("GET /products?company_id=1&_expand=company -> works on lists", async () => {
    const api = await startApi();
    const { body } = await api.ask("GET /products?company_id=1&_expand=company&_limit=1");
    expect(body).toEqual([{ ...products[0], company: acme }]);
  });

  test("an expanded parent stands beside the field that refers to it; writes do not store it", async () => {
    const api = await startApi();
    await api.ask("GET /products/3?_expand=company");
    expect((await api.ask("GET /products/3")).body).toEqual(products[2]);
  });

  const family = () => ({
    people: [
      { id: 1, name: "Ann" },
      { id: "2", name: "Bob" },
    ],
    towns: [{ id: 7 }],
    letters: [
      { id: 1, person_id: "1", town_id: 7 },
      { id: 2, person_id: 2 },
      { id: 3, person_id: null, town_id: 9 },
      { id: 4 },
      { id: 5, person_id: [1], town_id: {} },
    ],
    cats: [{ id: 1, person_id: 1 }],
  });

  const cases: [line: string, body: unknown][] = [
    // Ids are compared as text.
    ["GET /people/1?_embed=letters", { id: 1, name: "Ann", letters: [family().letters[0], family().letters[4]] }],
    ["GET /people/2?_embed=letters", { id: "2", name: "Bob", letters: [{ id: 2, person_id: 2 }] }],
    ["GET /letters/2?_expand=person", { id: 2, person_id: 2, person: { id: "2", name: "Bob" } }],
    // Repeated, comma-separated or both.
    [
      "GET /people/2?_embed=letters&_embed=cats",
      { id: "2", name: "Bob", letters: [{ id: 2, person_id: 2 }], cats: [] },
    ],
    ["GET /people/2?_embed=letters,cats", { id: "2", name: "Bob", letters: [{ id: 2, person_id: 2 }], cats: [] }],
    [
      "GET /letters/1?_expand=person,town",
      { id: 1, person_id: "1", town_id: 7, person: { id: 1, name: "Ann" }, town: { id: 7 } },
    ],
    [
      "GET /letters/1?_expand=person&_embed=cats",
      { id: 1, person_id: "1", town_id: 7, cats: [], person: { id: 1, name: "Ann" } },
    ],
    // Unknown names.
    ["GET /people/2?_embed=nothing", { id: "2", name: "Bob", nothing: [] }],
    ["GET /people/2?_embed=", { id: "2", name: "Bob" }],
    ["GET /letters/2?_expand=planet", { id: 2, person_id: 2 }],
    ["GET /letters/2?_expand=people", { id: 2, person_id: 2 }],
    // Dangling, null and missing keys.
    ["GET /letters/3?_expand=person,town", { id: 3, person_id: null, town_id: 9 }],
    ["GET /letters/4?_expand=person", { id: 4 }],
    ["GET /letters/5?_expand=town", { id: 5, person_id: [1], town_id: {} }],
  ];
  for (const [line, body] of cases) {
    test(`${line} -> ${JSON.stringify(body)}`, async () => {
      const api = await startApi({ data: family() });
      const answer = await api.ask(line);
      expect([answer.status, answer.body]).toEqual([200, body]);
    });
  }

  test("GET /letters?_expand=person -> a list with dangling keys never fails", async () => {
    const api = await startApi({ data: family() });
    const { status, body } = await api.ask("GET /letters?_expand=person");
    const people = (body as { person?: { name: string } }[]).map(({ person }) => person?.name);
    expect([status, people]).toEqual([200, ["Ann", "Bob", undefined, undefined, "Ann"]]);
  });

  for (const name of ["__proto__", "constructor", "toString"]) {
    test(`_embed=${name} and _expand=${name} reach nothing but data`, async () => {
      const api = await startApi({ data: family() });
      expect((await api.ask(`GET /people/1?_embed=${name}`)).text).toBe(`{"id":1,"name":"Ann","${name}":[]}`);
      expect((await api.ask(`GET /people/1?_expand=${name}`)).text).toBe('{"id":1,"name":"Ann"}');
      expect(({} as Record<string, unknown>).polluted).toBeUndefined();
    });
  }
});

describe("_delay and --delay", () => {
  test("GET /products?_delay=150 gets its response no earlier than that; it is not a filter", async () => {
    const api = await startApi();
    const startedAt = performance.now();
    expect(idsOf(await api.ask("GET /products?_delay=150"))).toEqual(ALL);
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(149);
  });

  test("delay delays every response, errors and writes too, and adds to _delay", async () => {
    const api = await startApi({ delay: 60 });
    for (const [line, least] of [
      ["GET /products/1", 59],
      ["GET /nowhere", 59],
      ["POST /products", 59],
      ["GET /products?_delay=40", 99],
    ] as const) {
      const startedAt = performance.now();
      await api.ask(line);
      expect(performance.now() - startedAt, line).toBeGreaterThanOrEqual(least);
    }
  });

  for (const delay of ["0", "-5", ""]) {
    test(`GET /products/1?_delay=${delay} -> 200`, async () => {
      const api = await startApi();
      expect((await api.ask(`GET /products/1?_delay=${delay}`)).status).toBe(200);
    });
  }

  test("GET /products?_delay=2147483648 -> 400 QUERY_INVALID: no timer is that long", async () => {
    const api = await startApi();
    expect(codeOf(await api.ask("GET /products?_delay=2147483648"))).toBe("QUERY_INVALID");
  });

  test("others are served meanwhile", async () => {
    const api = await startApi();
    const order: string[] = [];
    const slow = api.ask("GET /products?_delay=300").then(() => order.push("slow"));
    await api.ask("GET /products/1").then(() => order.push("quick"));
    await slow;
    expect(order).toEqual(["quick", "slow"]);
  });
});

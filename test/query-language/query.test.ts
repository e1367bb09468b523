import { describe, expect, test } from "vitest";
import { StandinError } from "../../src/base/errors.ts";
import type { Json } from "../../src/base/json/json.ts";
import { isSlow, meets } from "../../src/query/filter.ts";
import { FilterReader } from "../../src/query/filter-reader.ts";
import { compileLike } from "../../src/query/like-pattern.ts";
import { compareValues, sortBy } from "../../src/query/order.ts";
import { nameList, parseParameters, parseQuery } from "../../src/query/parse-query.ts";
import { hasPath, parsePath, someValueAt, valueAt } from "../../src/query/path.ts";
import { contains } from "../../src/query/search.ts";
import { textOf } from "../../src/query/text.ts";
import { createWindow, pageLinks, positionsOf, type WindowParameters, wholeNumber } from "../../src/query/window.ts";

const parse = (text: string) => parseQuery(parseParameters(text));
const matches = (record: Json, text: string) => parse(text).where.every((condition) => meets(record, condition));

describe("parameters", () => {
  const cases: [search: string, pairs: [string, string[]][]][] = [
    ["", []],
    ["a=1", [["a", ["1"]]]],
    [
      "a=1&b=2&a=3",
      [
        ["a", ["1", "3"]],
        ["b", ["2"]],
      ],
    ],
    ["a", [["a", [""]]]],
    ["a=", [["a", [""]]]],
    ["=1&a=2", [["a", ["2"]]]],
    ["a=b=c", [["a", ["b=c"]]]],
    ["&&a=1&&", [["a", ["1"]]]],
    ["a=1+2%2B3", [["a", ["1 2+3"]]]],
    ["a%20b=%C3%A4", [["a b", ["ä"]]]],
    ["a=%", [["a", ["%"]]]],
    [
      "a=%E0%A4&b=%zz+1",
      [
        ["a", ["%E0%A4"]],
        ["b", ["%zz 1"]],
      ],
    ],
    ["a[]=1&a[]=2&a[7]=3&a=4", [["a", ["1", "2", "3", "4"]]]],
    ["a%5B%5D=1", [["a", ["1"]]]],
    ["a[b]=1", [["a[b]", ["1"]]]],
    [
      "__proto__=1&constructor=2",
      [
        ["__proto__", ["1"]],
        ["constructor", ["2"]],
      ],
    ],
  ];
  for (const [search, pairs] of cases) {
    test(`${search || "nothing"} -> ${JSON.stringify(pairs)}`, () => {
      expect([...parseParameters(search)]).toEqual(pairs);
    });
  }

  test("of more than a thousand the rest is dropped", () => {
    const search = Array.from({ length: 1500 }, (_, index) => `p${index}=`).join("&");
    expect(parseParameters(search).size).toBe(1000);
  });
});

describe("names and whole numbers", () => {
  const names: [search: string, names: string[]][] = [
    ["", []],
    ["_embed=a", ["a"]],
    ["_embed=a,b&_embed=c", ["a", "b", "c"]],
    ["_embed=,a,,b,", ["a", "b"]],
    ["_embed=", []],
  ];
  for (const [search, expected] of names) {
    test(`${search || "nothing"} names ${JSON.stringify(expected)}`, () => {
      expect(nameList(parseParameters(search), "_embed")).toEqual(expected);
    });
  }

  const numbers: [value: string, number: number | undefined][] = [
    ["10", 10],
    ["-3", -3],
    ["%2B3", 3],
    ["007", 7],
    ["2.9", 2],
    ["-2.9", -2],
    ["2.", 2],
    ["%2010%20", 10],
    ["", undefined],
    ["%20", undefined],
    ["1&_page=x", 1],
  ];
  for (const [value, number] of numbers) {
    test(`_page=${value} is ${number}`, () => {
      expect(wholeNumber(parseParameters(`_page=${value}`), "_page")).toBe(number);
    });
  }

  for (const value of ["x", "1x", "1e3", "0x1", ".5", "1,5", "--1", "Infinity", "NaN", "1 2", "١"]) {
    test(`_page=${value} is none`, () => {
      expect(() => wholeNumber(parseParameters(`_page=${value}`), "_page")).toThrow(StandinError);
    });
  }
});

describe("paths", () => {
  const record = {
    a: 1,
    b: { c: 2, d: [3, { e: 4 }] },
    list: [{ n: 1, deep: [{ m: 5 }, { m: 6 }] }, { n: 2 }, null, 7, [{ n: 3 }]],
    "x.y": 8,
    x: { y: 9 },
    text: "four",
    nothing: null,
    "": 10,
    length: 11,
  };

  const cases: [path: string, values: Json[]][] = [
    ["a", [1]],
    ["b.c", [2]],
    ["b.d.0", [3]],
    ["b.d.1.e", [4]],
    ["b.d[1].e", [4]],
    ['b["c"]', [2]],
    ["b.d.e", [4]],
    ["list.n", [1, 2, 3]],
    ["list.1.n", [2]],
    ["list.deep.m", [5, 6]],
    ["list.0.deep.1.m", [6]],
    ["list.length", [5]],
    ["text.length", [4]],
    ["length", [11]],
    // A key that is literally the path wins.
    ["x.y", [8]],
    ["nothing", [null]],
    ["nothing.more", []],
    ["", [10]],
    ["missing", []],
    ["a.b", []],
    ["list.9.n", []],
    ["constructor", []],
    ["__proto__", []],
    ["b.toString", []],
    ["list.map", []],
  ];
  for (const [path, expected] of cases) {
    test(`${path || "(empty)"} leads to ${JSON.stringify(expected)}`, () => {
      const values: Json[] = [];
      someValueAt(record, parsePath(path), (value) => {
        values.push(value);
        return false;
      });
      expect(values).toEqual(expected);
      expect(hasPath(record, parsePath(path))).toBe(expected.length > 0);
    });
  }

  test("the walk ends with the first value that will do", () => {
    let visited = 0;
    expect(someValueAt(record, parsePath("list.n"), () => ++visited === 2)).toBe(true);
    expect(visited).toBe(2);
  });

  const single: [path: string, value: Json | undefined][] = [
    ["a", 1],
    ["b.d.1.e", 4],
    ["x.y", 8],
    ["list.n", undefined],
    ["list.length", 5],
    ["nothing", null],
    ["missing.deeper", undefined],
    ["constructor", undefined],
  ];
  for (const [path, value] of single) {
    test(`sorting by ${path} looks at ${JSON.stringify(value)}`, () => {
      expect(valueAt(record, parsePath(path))).toEqual(value);
    });
  }
});

describe("conditions", () => {
  const cases = [
    ["price_gte=10&price_lte=20", { price: 15 }, true],
    ["price_gte=10&price_lte=20", { price: 9.99 }, false],
    ["price_gte=20", { price: 15 }, false],
    ["price=15", { price: 15 }, true],
    ["price=15.0", { price: 15 }, false],
    ["price=15", { price: "15" }, true],
    ["price=15&price=16", { price: 16 }, true],
    ["price_ne=15&price_ne=16", { price: 16 }, false],
    ["price_ne=15&price_ne=16", { price: 17 }, true],
    ["price_gte=20&price_gte=10", { price: 15 }, true],
    ["price_gte=9", { price: "10" }, false],
    ["price_gte=9", { price: 10 }, true],
    ["price_gte=", { price: 0 }, true],
    ["price_gte=x", { price: 1 }, false],
    ["ok_gte=1", { ok: true }, true],
    ["ok=true", { ok: true }, true],
    ["ok=1", { ok: true }, false],
    ["a=", { a: "" }, true],
    ["a=null", { a: null }, false],
    ["a_ne=x", { a: null }, false],
    ["a_ne=x", {}, false],
    ["a_like=", { a: null }, false],
    ["a_like=", { a: "" }, true],
    ["a_lte=5", { a: null }, false],
    ["a=-0", { a: 0 }, false],
    ["a=0", { a: -0 }, true],
    ["a=1e21", { a: 1e21 }, false],
    ["a=1e%2B21", { a: 1e21 }, true],
    ["a=NaN", { a: 1 }, false],
    ["locations.city=Rome", { locations: [{ city: "Paris" }, { city: "Rome" }] }, true],
    ["locations.city_ne=Rome", { locations: [{ city: "Paris" }, { city: "Rome" }] }, false],
    ["locations.city_ne=Rome", { locations: [{ city: "Paris" }, { city: null }] }, true],
    ["locations.city_ne=Rome", { locations: [] }, false],
    ["tags=a", { tags: ["a", "b"] }, true],
    ["tags=a,b", { tags: ["a", "b"] }, true],
    ["tags=b,a", { tags: ["a", "b"] }, false],
    ["tags_ne=a", { tags: ["a", "b"] }, false],
    ["tags_ne=c", { tags: ["a", "b"] }, true],
    ["tags_ne=c", { tags: [] }, true],
    ["tags_like=^b", { tags: ["a", "b"] }, true],
    ["tags=1,", { tags: [1, null] }, true],
    ["tags=2", { tags: [[1], [[2]]] }, true],
    ["o=[object Object]", { o: {} }, true],
    ["o_like=object", { o: { toString: null } }, true],
    // 0.17.4: the operator is read from the end of the name.
    ["my_like=x", { my_like: "x" }, false],
    ["my_like_like=x", { my_like: "x" }, true],
  ] as const;
  for (const [text, record, kept] of cases) {
    test(`${text} ${kept ? "keeps" : "drops"} ${JSON.stringify(record)}`, () => {
      expect(matches(record as unknown as Json, text)).toBe(kept);
    });
  }

  test("a pattern that is not plain text may be slow, whatever is next to it", () => {
    expect(isSlow(new FilterReader(() => false).byName("a_like", ["plain text"]))).toBe(false);
    expect(isSlow(new FilterReader(() => false).byName("a_like", ["plain", "t[ae]xt"]))).toBe(true);
    expect(isSlow(new FilterReader(() => false).byName("a", ["t[ae]xt"]))).toBe(false);
  });

  for (const text of ["5", "text", true, null, ["a"]] as const) {
    test(`a record that is ${JSON.stringify(text)} has no fields`, () => {
      expect(matches(text as Json, "a_ne=1")).toBe(false);
      expect(matches(text as Json, "a=1")).toBe(false);
    });
  }
});

describe("like", () => {
  const cases: [pattern: string, text: string, found: boolean][] = [
    ["steel", "Stainless STEEL", true],
    ["STEEL", "steel", true],
    ["ä", "ÄPFEL", true],
    ["^steel", "Steel Hat", true],
    ["^steel", "Old Steel", false],
    ["hat$", "Steel Hat", true],
    ["s.*t$", "Steel Hat", true],
    ["a|b", "xbx", true],
    ["[0-9]{2,}", "a12", true],
    ["\\d+", "12", true],
    ["\\bhat\\b", "a hat!", true],
    ["\\.", "a.b", true],
    ["\\.", "ab", false],
    ["(?:a)(b)?", "A", true],
    ["\\u0041", "a", true],
    ["\\x41", "a", true],
    ["a/b", "A/B", true],
    ["[^]", "\n", true],
    ["^$", "", true],
    ["k<n>", "k<n>", true],
    ["\\k<n>", "k<n>", true],
  ];
  for (const [pattern, text, found] of cases) {
    test(`${pattern} ${found ? "finds" : "misses"} ${JSON.stringify(text)}`, () => {
      expect(compileLike("name_like", pattern).matches(text)).toBe(found);
    });
  }

  for (const pattern of ["(", ")", "[", "*", "a{2,1}", "(?=a)", "(?<!a)b", "(a)\\1", "(?<n>a)\\k<n>", "(?i)a", "\\"]) {
    test(`${pattern} is refused by name`, () => {
      expect(() => compileLike("name_like", pattern)).toThrow(`name_like=${pattern}`);
    });
  }
});

describe("search", () => {
  const cases: [value: Json, search: string, found: boolean][] = [
    ["Steel Hat", "hat", true],
    [{ a: { b: ["x", { c: "Deep" }] } }, "deep", true],
    [{ key: "value" }, "key", false],
    [{ price: 25.5 }, "5.5", true],
    [{ ok: true }, "tru", true],
    // 0.17.4: falsy values are never found.
    [{ ok: false }, "false", false],
    [{ count: 0 }, "0", false],
    [{ count: 10 }, "0", true],
    [{ nothing: null }, "null", false],
    [[], "", false],
  ];
  for (const [value, search, found] of cases) {
    test(`${JSON.stringify(search)} ${found ? "is in" : "is not in"} ${JSON.stringify(value)}`, () => {
      expect(contains(value, search)).toBe(found);
    });
  }

  test("q is made lower case once, and only the first counts", () => {
    expect(parse("q=STEEL&q=x").search).toBe("steel");
  });
});

describe("text form", () => {
  const cases: [value: Json, text: string][] = [
    ["a", "a"],
    [1.5, "1.5"],
    [1e21, "1e+21"],
    [true, "true"],
    [null, ""],
    [[1, null, "a", [2, 3]], "1,,a,2,3"],
    [{}, "[object Object]"],
    [{ toString: 1 }, "[object Object]"],
    [[{}], "[object Object]"],
    [[], ""],
  ];
  for (const [value, text] of cases) {
    test(`${JSON.stringify(value)} -> ${JSON.stringify(text)}`, () => {
      expect(textOf(value)).toBe(text);
    });
  }
});

describe("order", () => {
  const ascending: (Json | undefined)[] = [
    -Infinity,
    -1,
    0,
    0.5,
    2,
    10,
    "",
    "10",
    "2",
    "A",
    "Z",
    "a",
    "ä",
    false,
    true,
  ];
  ascending.push({}, ["a"], ["b"], null, undefined);

  test("numbers, text by code unit, booleans, the rest by text, null, missing", () => {
    const shuffled = ascending.toReversed().map((value, index) => ({ value, index }));
    expect(shuffled.toSorted((a, b) => compareValues(a.value, b.value)).map(({ value }) => value)).toEqual(ascending);
  });

  const sorts: [query: string, ids: string][] = [
    ["_sort=a", "bcad"],
    ["_sort=a&_order=desc", "dabc"],
    ["_sort=b", "acbd"],
    ["_sort=b&_order=desc", "bdac"],
    ["_sort=b,a&_order=desc,desc", "dbac"],
    ["_sort=b,a&_order=asc,desc", "acdb"],
    ["_sort=b,a", "cabd"],
    ["_sort=c.d", "dcba"],
    ["_sort=nothing", "abcd"],
  ];
  const records = [
    { id: "a", a: 2, b: 1, c: { d: 4 } },
    { id: "b", a: 1, b: 2, c: { d: 3 } },
    { id: "c", a: 1, b: 1, c: { d: 2 } },
    { id: "d", b: 2, c: { d: 1 } },
  ];
  for (const [query, ids] of sorts) {
    test(`${query} -> ${ids}`, () => {
      const sorted = sortBy(records, parse(query).sort, (record) => record as unknown as Json);
      expect(sorted.map(({ id }) => id).join("")).toBe(ids);
    });
  }

  test("what is sorted stays as it was", () => {
    const before = [...records];
    sortBy(records, parse("_sort=a&_order=desc").sort, (record) => record as unknown as Json);
    expect(records).toEqual(before);
  });
});

describe("window", () => {
  const cases: [parameters: WindowParameters, total: number, from: number, to: number][] = [
    [{}, 5, 0, 5],
    [{ page: 1 }, 25, 0, 10],
    [{ page: 3 }, 25, 20, 25],
    [{ page: 4 }, 25, 25, 25],
    [{ page: 0, limit: 4 }, 25, 0, 4],
    [{ page: 2, limit: 0 }, 25, 10, 20],
    [{ page: 1, limit: -1 }, 25, 0, 24],
    [{ page: 1, limit: Infinity }, 25, 0, 25],
    [{ page: Infinity, limit: 5 }, 25, 25, 25],
    [{ start: 5 }, 25, 5, 25],
    [{ start: -5 }, 25, 20, 25],
    [{ start: -50 }, 25, 0, 25],
    [{ start: 5, end: 8 }, 25, 5, 8],
    [{ start: 5, end: 3 }, 25, 5, 5],
    [{ end: -20 }, 25, 0, 5],
    [{ limit: 5 }, 3, 0, 3],
    [{ limit: 0 }, 3, 0, 0],
    [{ start: 2, limit: 5 }, 3, 2, 3],
    [{ start: -2, limit: 5 }, 9, 7, 7],
    [{ start: -Infinity, limit: Infinity }, 9, 0, 0],
    [{ start: 1, end: 2, limit: 9 }, 9, 1, 2],
    [{ page: 2, limit: 2, start: 0, end: 9 }, 9, 2, 4],
    [{ page: 1 }, 0, 0, 0],
  ];
  for (const [parameters, total, from, to] of cases) {
    test(`${Object.entries(parameters).join(" ") || "nothing"} of ${total} -> ${from} to ${to}`, () => {
      expect(positionsOf(createWindow(parameters), total)).toEqual({ from, to });
    });
  }

  const links: [page: number, limit: number, total: number, expected: object][] = [
    [1, 10, 25, { first: 1, next: 2, last: 3 }],
    [2, 10, 25, { first: 1, prev: 1, next: 3, last: 3 }],
    [3, 10, 25, { first: 1, prev: 2, last: 3 }],
    [4, 10, 25, {}],
    [1, 25, 25, {}],
    [1, 99, 25, {}],
    [1, 10, 0, {}],
    [1, Infinity, 25, {}],
  ];
  for (const [page, limit, total, expected] of links) {
    test(`page ${page} of ${limit} out of ${total} links to ${JSON.stringify(expected)}`, () => {
      expect(pageLinks({ kind: "page", page, limit }, total)).toEqual(expected);
    });
  }
});

describe("a whole query", () => {
  test("every parameter finds its place", () => {
    const query = parse(
      "name_like=a&company_id=2&q=X&_sort=a,b&_order=desc&_start=1&_limit=2&_embed=c&_expand=d&_delay=1&callback=f&_=1",
    );
    expect(query).toMatchObject({
      where: [
        { operator: "like", path: { text: "name" }, values: ["a"] },
        { operator: "eq", path: { text: "company_id" }, values: ["2"] },
      ],
      search: "x",
      sort: [
        { path: { text: "a" }, descending: true },
        { path: { text: "b" }, descending: false },
      ],
      window: { kind: "slice", start: 1, end: 3 },
      embed: ["c"],
      expand: ["d"],
    });
  });

  test("nothing asked for is everything", () => {
    expect(parse("")).toEqual({ where: [], search: "", sort: [], window: { kind: "all" }, embed: [], expand: [] });
  });
});

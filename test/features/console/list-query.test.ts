import fc from "fast-check";
import { describe, expect, onTestFinished, test } from "vitest";
import {
  type Clause,
  type Condition,
  joinList,
  OPERATORS,
  type Operator,
} from "../../../console/src/data/condition.ts";
import { copyAsFind } from "../../../console/src/data/copy-as-find.ts";
import {
  formatListQuery,
  type ListQuery,
  nextSort,
  parseListQuery,
  windowPath,
} from "../../../console/src/data/list-query.ts";
import { createStandin } from "../../../src/index.ts";
import { startApi } from "../../support/api.ts";
import { catalog } from "../../support/catalog.ts";

const NOTHING: ListQuery = parseListQuery("");
const condition = (path: string, operator: Operator, value: string): Condition => ({ path, operator, value });
const all = (...conditions: Condition[]): Partial<ListQuery> => ({ filters: conditions.map((one) => [one]) });
const any = (...conditions: Condition[]): Partial<ListQuery> => ({ filters: [conditions] });

describe("the query of a list", () => {
  const cases: [string, Partial<ListQuery>][] = [
    ["", {}],
    ["price:gte=10&price:lt=50", all(condition("price", "gte", "10"), condition("price", "lt", "50"))],
    ["company_id=2&q=lamp", { ...all(condition("company_id", "eq", "2")), search: "lamp" }],
    ["name:!contains=lamp", all(condition("name", "!contains", "lamp"))],
    ["name:like=%5Esteel", all(condition("name", "like", "^steel"))],
    ["name:in=a%5C,b,c", all(condition("name", "in", "a\\,b,c"))],
    [
      "headquarter.lat:gte=40&stock:null=true",
      all(condition("headquarter.lat", "gte", "40"), condition("stock", "null", "true")),
    ],
    ["name:ne=a&name:ne=b", all(condition("name", "ne", "a"), condition("name", "ne", "b"))],
    // A field whose name looks like an operator, or like a parameter.
    ["rating_like:eq=1&q:eq=2", all(condition("rating_like", "eq", "1"), condition("q", "eq", "2"))],
    [
      "_or=price:lt=10&_or=name:contains=lamp",
      any(condition("price", "lt", "10"), condition("name", "contains", "lamp")),
    ],
    [
      "_sort=-price,name&_fields=id,name",
      {
        sort: [
          { path: "price", descending: true },
          { path: "name", descending: false },
        ],
        fields: ["id", "name"],
      },
    ],
    [
      "price:gt=5&_group=company_id,name&_aggregate=sum:price&_sort=-sum_price",
      { ...all(condition("price", "gt", "5")), grouping: { fields: ["company_id", "name"], kind: "sum", of: "price" } },
    ],
    [
      "_group=company_id&_aggregate=count&_sort=-count",
      { grouping: { fields: ["company_id"], kind: "count", of: "" } },
    ],
  ];
  for (const [text, query] of cases) {
    test(`"${text}" is read and written back`, () => {
      expect(parseListQuery(text)).toEqual({ ...NOTHING, ...query });
      expect(formatListQuery({ ...NOTHING, ...query })).toBe(text);
    });
  }

  const spellings: [string, string][] = [
    ["price_gte=10&price_lte=50&name_ne=x&name_like=y", "price:gte=10&price:lte=50&name:ne=x&name:like=y"],
    ["_sort=price,name&_order=desc,asc", "_sort=-price,name"],
    ["company_id=1&company_id=2", "_or=company_id=1&_or=company_id=2"],
    ["id:in=1&id:in=2, 3", "id:in=1,2,3"],
    ["id:nin=1&id:nin=2", "id:nin=1&id:nin=2"],
    ['_where={"or":[{"price":{"lt":10}},{"name":{"contains":"lamp"}}]}', "_or=price:lt=10&_or=name:contains=lamp"],
    [
      '_where={"headquarter":{"lat":{"gt":40,"lt":50}},"name":"x"}',
      "headquarter.lat:gt=40&headquarter.lat:lt=50&name=x",
    ],
    ['_where={"stock":null,"id":[1,2]}', "stock:null=true&id:in=1,2"],
    ["price:gte=&_page=2&_limit=5&_embed=products", ""],
    ["_fields=-price", ""],
  ];
  for (const [given, written] of spellings) {
    test(`"${given}" is the same as "${written}"`, () => {
      expect(formatListQuery(parseListQuery(given))).toBe(written);
    });
  }

  test("what chips cannot say stays as it was given", () => {
    const where = '{"not":{"or":[{"price":{"lt":10},"name":"x"}]}}';
    const query = parseListQuery(`_where=${encodeURIComponent(where)}&price:gt=1`);
    expect(query).toMatchObject({ wheres: [where], filters: [[condition("price", "gt", "1")]] });
    expect(parseListQuery(formatListQuery(query))).toEqual(query);
  });

  test("several groups of alternatives, and two conditions of the same name, need _where", () => {
    const groups: Clause[] = [
      [condition("price", "lt", "10"), condition("name", "contains", "1")],
      [condition("id", "in", "a\\,b,2"), condition("stock", "null", "true")],
    ];
    const written = new URLSearchParams(formatListQuery({ ...NOTHING, filters: groups }));
    expect(JSON.parse(written.get("_where") ?? "")).toEqual({
      and: [
        { or: [{ price: { lt: 10 } }, { name: { contains: "1" } }] },
        { or: [{ id: { in: ["a,b", 2] } }, { stock: { null: true } }] },
      ],
    });
    // Repeated, the parameter would ask for one of the two.
    const both = all(condition("name", "contains", "a"), condition("name", "contains", "b"));
    expect(formatListQuery({ ...NOTHING, ...both })).toBe(
      `name:contains=a&_where=${encodeURIComponent('{"name":{"contains":"b"}}').replaceAll("%3A", ":")}`,
    );
  });

  test("a condition without a value asks for nothing yet", () => {
    const filters = [
      [condition("price", "gte", "")],
      [condition("id", "in", " , ")],
      [condition("a", "eq", ""), condition("b", "eq", "1")],
    ];
    expect(formatListQuery({ ...NOTHING, filters })).toBe("b=1");
  });

  test("columns that _fields cannot name are left out of it", () => {
    for (const name of ["a,b", "-a", "", "a[0]", "x".repeat(2000)]) {
      expect(formatListQuery({ ...NOTHING, fields: ["id", name] })).toBe("");
    }
  });

  test("half a surrogate pair, which has no encoding, does not break the page", () => {
    expect(formatListQuery({ ...NOTHING, search: "a\ud83d" })).toBe("q=a%EF%BF%BD");
  });

  test("the window is added to any query", () => {
    expect(windowPath("products", "", 200, 100)).toBe("/products?_start=200&_limit=100");
    expect(windowPath("a b", "x=1", 0, 100)).toBe("/a%20b?x=1&_start=0&_limit=100");
  });

  test("an order by distance is one key", () => {
    const { sort } = parseListQuery("_sort=-home:near(41.9,12.5),name");
    expect(sort).toEqual([
      { path: "home:near(41.9,12.5)", descending: true },
      { path: "name", descending: false },
    ]);
    expect(formatListQuery({ ...NOTHING, sort })).toBe(
      formatListQuery(parseListQuery("_sort=-home:near(41.9,12.5),name")),
    );
  });

  test("any list survives the URL", () => {
    const text = fc.string({ minLength: 1, unit: "grapheme" });
    const path = fc.constantFrom("name", "price", "a.b", "läge", "x_ne", "q");
    const listed = fc
      .array(
        text.map((one) => one.replace(/[\s\\]/g, "").trim() || "x"),
        { minLength: 1 },
      )
      .map(joinList);
    const operators = OPERATORS.flatMap((one): Operator[] => [one, `!${one}`]);
    const one = fc.oneof(
      fc.record({
        path,
        operator: fc.constantFrom(...operators.filter((name) => !/in$|null$/.test(name))),
        value: text,
      }),
      fc.record({ path, operator: fc.constantFrom(...operators.filter((name) => name.endsWith("in"))), value: listed }),
      fc.record({ path, operator: fc.constantFrom("null", "!null"), value: fc.constantFrom("true", "false") }),
    ) as fc.Arbitrary<Condition>;
    const query = fc.record({
      filters: fc.array(fc.array(one, { minLength: 1, maxLength: 3 }), { maxLength: 4 }),
      search: fc.string({ unit: "grapheme" }),
      sort: fc.array(fc.record({ path: fc.constantFrom("name", "a.b"), descending: fc.boolean() }), { maxLength: 2 }),
    });
    /** The conditions that must hold, in no particular order: a list that is repeated may come back as one. */
    const meaning = ({ filters }: ListQuery): string[] => filters.map((clause) => JSON.stringify(clause)).sort();
    fc.assert(
      fc.property(query, (asked) => {
        const before = { ...NOTHING, ...asked };
        const once = parseListQuery(formatListQuery(before));
        expect({ ...once, filters: [] }).toEqual({ ...before, filters: [] });
        const twice = parseListQuery(formatListQuery(once));
        expect(meaning(twice)).toEqual(meaning(once));
        const isMergeable = asked.filters.some((clause) => clause.some(({ operator }) => operator.endsWith("in")));
        if (!isMergeable) expect(meaning(once)).toEqual(meaning(before));
      }),
    );
  });

  test("the server understands what is written", async () => {
    const { ask } = await startApi();
    const found: [string, Partial<ListQuery>, number[]][] = [
      [
        "a range",
        {
          ...all(condition("price", "gte", "20"), condition("price", "lt", "60")),
          sort: [{ path: "price", descending: true }],
        },
        [10, 2, 12],
      ],
      ["alternatives", any(condition("price", "lt", "8"), condition("name", "startsWith", "steel")), [1, 3, 7, 11, 12]],
      [
        "two of the same name",
        all(condition("name", "contains", "steel"), condition("name", "contains", "lamp")),
        [12],
      ],
      ["a negation", all(condition("name", "!contains", "e")), [4, 6, 9]],
      ["a list", all(condition("id", "in", "2, 5")), [2, 5]],
      ["empty", all(condition("stock", "null", "true"), condition("price", "gt", "99.99")), [5, 8]],
      [
        "two groups of alternatives",
        {
          filters: [
            [condition("price", "lt", "8"), condition("price", "gt", "90")],
            [condition("company_id", "eq", "1"), condition("name", "endsWith", "bell")],
          ],
        },
        [7, 8],
      ],
    ];
    for (const [what, query, ids] of found) {
      const { body } = await ask(`GET ${windowPath("products", formatListQuery({ ...NOTHING, ...query }), 0, 100)}`);
      expect([what, (body as { id: number }[]).map(({ id }) => id)]).toEqual([what, ids]);
    }
  });

  test("a column is sorted up, down, not at all; with shift, after the others", () => {
    const up = { path: "price", descending: false };
    const down = { path: "price", descending: true };
    const name = { path: "name", descending: false };
    expect([
      nextSort([], "price"),
      nextSort([up], "price"),
      nextSort([down], "price"),
      nextSort([down], "name"),
    ]).toEqual([[up], [down], [], [name]]);
    expect([
      nextSort([up], "name", true),
      nextSort([up, name], "price", true),
      nextSort([down, name], "price", true),
    ]).toEqual([[up, name], [down, name], [name]]);
  });
});

describe("the list as a call of the program API", () => {
  const calls: [string, string][] = [
    ["", "find()"],
    ["price:gt=10", "find({ price: { gt: 10 } })"],
    ["company_id=2&name:in=a,b", 'find({ and: [{ company_id: { eq: 2 } }, { name: { in: ["a", "b"] } }] })'],
    ["_or=price:lt=10&_or=name:contains=lamp", 'find({ or: [{ price: { lt: 10 } }, { name: { contains: "lamp" } }] })'],
    ["price:gt=10&_sort=-price", 'find("price:gt=10&_sort=-price")'],
    ["headquarter.lat:gt=10", 'find("headquarter.lat:gt=10")'],
    ["name:!contains=%22", 'find("name:!contains=%22")'],
  ];
  for (const [text, call] of calls) {
    test(`"${text}" is ${call}`, () => {
      expect(copyAsFind("products", parseListQuery(text))).toBe(`const records = await api.db.products.${call};`);
    });
  }

  test("what is copied finds the same records when it runs", async () => {
    const api = await startApi();
    const program = await createStandin({ data: catalog() });
    onTestFinished(() => program.close());
    for (const [text] of [
      ...calls,
      ["_group=company_id&_aggregate=max:price"],
      ['name:in="a\\,b"&q=%27%22%26'],
      ["_where=%7B%22not%22:%7B%22id%22:1%7D%7D"],
    ] as const) {
      const query = parseListQuery(text);
      const run = new Function("api", `return (async () => { ${copyAsFind("products", query)} return records; })()`);
      expect([text, await run(program)]).toEqual([
        text,
        (await api.ask(`GET /products?${formatListQuery(query)}`)).body,
      ]);
    }
  });

  test("a name that is no identifier stands in brackets", () => {
    expect(copyAsFind("my products", NOTHING)).toBe('const records = await api.db["my products"].find();');
  });
});

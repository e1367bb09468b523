import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createStandin, type Standin } from "../../src/index.ts";
import { askAt, codeOf, idsOf } from "../support/api.ts";

/** One record per kind of value, so that each row of the operator table shows all of them. */
const things = [
  { id: 1, v: 5, t: "Lamp", tags: ["red", "Blue"], place: { city: "Rome" } },
  { id: 2, v: 10, t: "desk lamp", tags: ["red,green"], place: { city: "Paris" } },
  { id: 3, v: "5", t: "İstanbul", tags: [], place: [{ city: "Rome" }, { city: "Oslo" }] },
  { id: 4, v: "abc", t: "Straße", tags: [null], place: [{ city: null }] },
  { id: 5, v: true, t: "a,b", tags: [["deep"], 7], place: {} },
  { id: 6, v: null, t: null, tags: null, place: null },
  { id: 7 },
  { id: 8, v: [1, 12], t: ["Lampshade", 5], tags: "red", place: "Rome" },
];
const checks = [
  {
    id: 1,
    check_in: "2026-01-01",
    check: "2026-01-01,2026-01-02",
    "x:in": "a",
    x: "a",
    "-price": 2,
    price: 1,
    _or: "u",
  },
  { id: 2, check_in: "2026-01-02", check: "2026-01-01", "x:in": "b", x: "b", "-price": 1, price: 2, _or: "w" },
];

let standin: Pick<Standin, "url" | "close">;

beforeAll(async () => {
  standin = await createStandin({ data: { things, checks, empty: [] } });
});
afterAll(() => standin.close());

const ask = (search: string, collection = "things") => askAt(standin.url, `GET /${collection}?${search}`);

type Row = readonly [condition: string, ids: readonly number[]];

/** Each condition as it stands; where there is a suffix for the operator, that is asked, too. */
function asks(rows: readonly Row[]): void {
  for (const [condition, ids] of rows) {
    const suffixed = condition.replaceAll(/:(\w+)=/g, "_$1=");
    const isSuffix = !condition.includes(":eq=") && !condition.startsWith("nosuch");
    const spellings = isSuffix ? [condition, suffixed] : [condition];
    for (const spelling of spellings) {
      test(`${spelling} -> ${JSON.stringify(ids)}`, async () => {
        expect(idsOf(await ask(spelling))).toEqual(ids);
      });
    }
  }
}

/** The complement of each condition has exactly the other records. */
function negated(conditions: readonly string[]): void {
  for (const condition of conditions) {
    test(`${condition.replace(":", ":!")} has all that ${condition} leaves out`, async () => {
      const kept = idsOf(await ask(condition));
      const dropped = idsOf(await ask(condition.replace(":", ":!")));
      expect(dropped).toEqual(things.map(({ id }) => id).filter((id) => !kept.includes(id)));
    });
  }
}

describe("eq and ne compare the text of a value, as plain filters and _ne do", () => {
  asks([
    ["v:eq=5", [1, 3]],
    ["v:eq=true", [5]],
    ["v:eq=", []],
    ["v:eq=null", []],
    ["v:eq=12", [8]],
    ["v:eq=1,12", [8]],
    ["v:eq=5&v:eq=10", [1, 2, 3]],
    ["tags:eq=red", [1, 8]],
    ["tags:eq=red,Blue", [1]],
    ["tags:eq=", [3, 4]],
    ["tags:eq=deep", [5]],
    ["place.city:eq=Rome", [1, 3]],
    ["nosuch:eq=5", []],
    ["v:ne=5", [2, 4, 5, 8]],
    ["v:ne=12", [1, 2, 3, 4, 5]],
    ["v:ne=5&v:ne=10", [4, 5, 8]],
    ["tags:ne=red", [2, 3, 4, 5]],
    ["place.city:ne=Oslo", [1, 2]],
    ["nosuch:ne=5", []],
  ]);
  negated(["v:eq=5", "v:ne=5", "tags:eq=red", "tags:ne=red", "place.city:eq=Rome", "nosuch:eq=1", "nosuch:ne=1"]);
});

describe("gt, gte, lt and lte compare numbers as numbers and texts by code unit", () => {
  asks([
    ["v:gt=5", [2, 4, 8]],
    ["v:gte=5", [1, 2, 3, 4, 8]],
    ["v:lt=10", [1, 5, 8]],
    ["v:lte=10", [1, 2, 5, 8]],
    ["v:gt=0", [1, 2, 3, 4, 5, 8]],
    ["v:gt=abb", [4]],
    ["v:lt=abd", [3, 4]],
    ["v:gt=1e1", [3, 4, 8]],
    ["v:gt=NaN", [4]],
    ["v:gt=12&v:gt=5", [2, 3, 4, 8]],
    ["t:gt=M", [2, 3, 4, 5]],
    ["tags:gt=red", [2]],
    ["tags:gte=red", [1, 2, 8]],
    // The joined text of an array counts for gte and lte only: [] is "".
    ["tags:lte=", [3, 4]],
    ["tags:lt=a", [1]],
    ["tags:lt=8", [5]],
    ["place.city:gt=P", [1, 2, 3]],
    ["nosuch:gt=0", []],
  ]);
  negated(["v:gt=5", "v:gte=5", "v:lt=10", "v:lte=10", "tags:lt=a", "place.city:gt=P", "nosuch:gt=0"]);
});

describe("in and nin take a list", () => {
  asks([
    ["v:in=5,abc", [1, 3, 4]],
    ["v:in=5", [1, 3]],
    ["v:in=5&v:in=abc,true", [1, 3, 4, 5]],
    ["v:in=", []],
    ["t:in=a\\,b,Lamp", [1, 5]],
    ["t:in=a,b", []],
    ["tags:in=red,deep", [1, 5, 8]],
    ["tags:in=red\\,Blue", [1]],
    ["place.city:in=Oslo,Paris", [2, 3]],
    ["v:nin=5,abc", [2, 5, 8]],
    ["v:nin=5&v:nin=abc", [2, 5, 8]],
    ["v:nin=", [1, 2, 3, 4, 5, 6, 7, 8]],
    ["tags:nin=red,deep", [2, 3, 4]],
    ["nosuch:in=1", []],
  ]);
  negated(["v:in=5,abc", "v:nin=5,abc", "v:in=", "v:nin=", "tags:in=red", "nosuch:in=1"]);
});

describe("like is the pattern of _like", () => {
  asks([
    ["t:like=^lamp", [1, 8]],
    ["t:like=LAMP", [1, 2, 8]],
    ["t:like=lamp&t:like=stra", [1, 2, 4, 8]],
    ["v:like=^1", [2, 8]],
    ["tags:like=d,b", [1]],
    ["t:like=", [1, 2, 3, 4, 5, 8]],
    ["nosuch:like=a", []],
  ]);
  negated(["t:like=^lamp", "tags:like=d,b", "nosuch:like=a"]);
});

describe("contains, startsWith and endsWith look into texts, ignoring case", () => {
  asks([
    ["t:contains=LAMP", [1, 2, 8]],
    ["t:startsWith=lamp", [1, 8]],
    ["t:endsWith=LAMP", [1, 2]],
    ["t:contains=stra", [4]],
    ["t:contains=tanbul", [3]],
    ["t:endsWith=SSE", []],
    ["t:contains=lamp&t:contains=ß", [1, 2, 4, 8]],
    ["t:contains=", [1, 2, 3, 4, 5, 8]],
    // No pattern, and neither numbers nor joined texts.
    ["t:contains=l.mp", []],
    ["v:contains=5", [3]],
    ["t:contains=,", [5]],
    ["tags:contains=ee", [2, 5]],
    ["tags:startsWith=RED", [1, 2, 8]],
    ["place.city:contains=o", [1, 3]],
    ["place:contains=rome", [8]],
    ["nosuch:contains=a", []],
  ]);
  negated(["t:contains=LAMP", "t:startsWith=lamp", "t:endsWith=LAMP", "place.city:contains=o", "nosuch:contains=a"]);
});

describe("null tells whether there is a value", () => {
  asks([
    ["v:null=true", [6, 7]],
    ["v:null=false", [1, 2, 3, 4, 5, 8]],
    ["tags:null=true", [6, 7]],
    ["place.city:null=true", [4, 5, 6, 7, 8]],
    ["place.city:null=false", [1, 2, 3]],
    ["v:null=true&v:null=false", [1, 2, 3, 4, 5, 6, 7, 8]],
  ]);
  test("nosuch:null=true -> all", async () => {
    expect(idsOf(await ask("nosuch:null=true"))).toHaveLength(things.length);
    expect(idsOf(await ask("nosuch:null=false"))).toEqual([]);
  });
  negated(["v:null=true", "v:null=false", "place.city:null=true", "nosuch:null=true"]);
  for (const value of ["", "yes", "1", "TRUE"]) {
    test(`v:null=${value} -> 400 QUERY_INVALID`, async () => {
      const answer = await ask(`v:null=${value}`);
      expect([answer.status, codeOf(answer)]).toEqual([400, "QUERY_INVALID"]);
    });
  }
});

describe("a literal field takes precedence", () => {
  const rows: [search: string, ids: number[]][] = [
    ["check_in=2026-01-01", [1]],
    ["check_in=2026-01-01,2026-01-02", []],
    ["check:in=2026-01-01", [2]],
    ["x:in=a", [1]],
    ["x:in=a,b", []],
    ["x:!in=a", [2]],
    ["x:nin=a", [2]],
    ["check_in:gt=2026-01-01", [2]],
    ["check_in_gt=2026-01-01", [2]],
    ["x:in:contains=B", [2]],
    ["_sort=-price", [2, 1]],
    ["_sort=--price", [1, 2]],
    ["_sort=-x", [2, 1]],
    ["_or=u", [1]],
    ["-price:gt=1", [1]],
  ];
  for (const [search, ids] of rows) {
    test(`${search} -> ${JSON.stringify(ids)}`, async () => {
      expect(idsOf(await ask(search, "checks"))).toEqual(ids);
    });
  }

  test("a suffix without its field is unknown and ignored; a colon matches nothing", async () => {
    for (const search of ["nosuch_gt=1", "nosuch_in=1", "nosuch_null=true", "nosuch_contains=a"])
      expect(idsOf(await ask(search)), search).toHaveLength(things.length);
    for (const search of ["nosuch:gt=1", "nosuch_gte=1", "nosuch_ne=1"])
      expect(idsOf(await ask(search)), search).toEqual([]);
  });
});

describe("an unknown operator is refused with the nearest name", () => {
  const rows = [
    ["v:gtt=5", "gt"],
    ["v:Contains=a", "contains"],
    ["v:starts_with=a", "startsWith"],
    ["v:!nul=true", "null"],
    ["v:=5", "Operators: eq"],
    ["v:!=5", "Operators: eq"],
    ["v:between=5", "Operators: eq"],
    ["_or=v:gtt=5", "gt"],
  ] as const;
  for (const [search, hint] of rows) {
    test(`${search} -> 400, ${hint}`, async () => {
      for (const collection of ["things", "empty"]) {
        const answer = await ask(search, collection);
        expect([answer.status, codeOf(answer)]).toEqual([400, "QUERY_INVALID"]);
        expect((answer.body as { message: string }).message).toContain(hint);
      }
    });
  }
});

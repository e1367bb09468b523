import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Json, JsonObject } from "../../src/base/json/json.ts";
import { meets } from "../../src/query/filter.ts";
import { compileLike } from "../../src/query/like-pattern.ts";
import { compareValues, sortBy } from "../../src/query/order.ts";
import { parseParameters, parseQuery } from "../../src/query/parse-query.ts";
import { parsePath } from "../../src/query/path.ts";
import { contains } from "../../src/query/search.ts";
import { createWindow, positionsOf } from "../../src/query/window.ts";

const json = fc.jsonValue({ maxDepth: 3 }) as fc.Arbitrary<Json>;
/** Values that meet each other often: few texts, few numbers, and what looks like both. */
const small: fc.Arbitrary<Json> = fc.oneof(
  fc.constantFrom<Json>(null, true, false, "", "a", "A", "b", "1", "10", 0, 1, 2, 10, -1.5),
  fc.array(fc.constantFrom<Json>("a", "b", 1, 10, null), { maxLength: 3 }),
);
const anyValue = fc.oneof(json, small, fc.constant(undefined));
const words = fc.string({ unit: fc.constantFrom(..."aAbB1.*+?^$(){}|[]\\/-_ \t,=&%äÄ"), maxLength: 8 });

describe("the order of values", () => {
  test("of any two it says one thing, and the opposite of the two exchanged", () => {
    fc.assert(
      fc.property(anyValue, anyValue, (a, b) => {
        const difference = compareValues(a, b);
        expect(Number.isNaN(difference)).toBe(false);
        expect(Math.sign(difference) + Math.sign(compareValues(b, a))).toBe(0);
      }),
    );
  });

  test("a value is equal to itself", () => {
    fc.assert(
      fc.property(anyValue, (a) => {
        expect(compareValues(a, a)).toBe(0);
      }),
    );
  });

  test("it is transitive", () => {
    fc.assert(
      fc.property(anyValue, anyValue, anyValue, (...three) => {
        for (const [a, b, c] of permutations(three)) {
          if (compareValues(a, b) <= 0 && compareValues(b, c) <= 0) expect(compareValues(a, c)).toBeLessThanOrEqual(0);
        }
      }),
    );
  });

  test("descending is the reverse of ascending where all keys differ", () => {
    fc.assert(
      fc.property(fc.uniqueArray(json, { comparator: (a, b) => compareValues(a, b) === 0 }), (values) => {
        const records = values.map((v) => ({ v }));
        expect(sorted(records, "_sort=v&_order=desc")).toEqual(sorted(records, "_sort=v").toReversed());
      }),
    );
  });

  test("equal keys keep their order in both directions", () => {
    fc.assert(
      fc.property(fc.array(small), fc.constantFrom("asc", "desc"), (values, order) => {
        const records = values.map((v, at) => ({ v, at }));
        const result = sorted(records, `_sort=v&_order=${order}`) as typeof records;
        for (const [position, { v, at }] of result.entries()) {
          const next = result[position + 1];
          if (next && compareValues(v, next.v) === 0) expect(at).toBeLessThan(next.at);
        }
      }),
    );
  });

  test("a second key decides where the first is equal", () => {
    fc.assert(
      fc.property(fc.array(fc.record({ a: small, b: small })), (records) => {
        const twice = sorted(sorted(records, "_sort=b"), "_sort=a");
        expect(sorted(records, "_sort=a,b")).toEqual(twice);
      }),
    );
  });
});

describe("the window", () => {
  const position = fc.option(fc.integer({ min: -30, max: 30 }), { nil: undefined });

  test("cuts as Array.prototype.slice does", () => {
    fc.assert(
      fc.property(position, position, position, fc.nat(25), (start, end, limit, total) => {
        const list = Array.from({ length: total }, (_, index) => index);
        const { from, to } = positionsOf(createWindow({ start, end, limit }), total);
        const from0 = start ?? 0;
        const last = end ?? (limit === undefined ? total : from0 + limit);
        expect(list.slice(from, to)).toEqual(list.slice(from0, last));
        expect(0 <= from && from <= to && to <= total).toBe(true);
      }),
    );
  });

  test("pages of any size cover the list once and in order", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 12 }), fc.nat(40), (limit, total) => {
        const list = Array.from({ length: total }, (_, index) => index);
        const pages = Array.from({ length: Math.ceil(total / limit) + 1 }, (_, index) => {
          const { from, to } = positionsOf(createWindow({ page: index + 1, limit }), total);
          return list.slice(from, to);
        });
        expect(pages.flat()).toEqual(list);
        expect(pages.at(-1)).toEqual([]);
      }),
    );
  });

  test("positions lie within the list, for any numbers", () => {
    const wild = fc.option(fc.oneof(fc.integer(), fc.constantFrom(Infinity, -Infinity, 0, 1e300)), { nil: undefined });
    fc.assert(
      fc.property(wild, wild, wild, wild, fc.nat(30), (page, limit, start, end, total) => {
        const { from, to } = positionsOf(createWindow({ page, limit, start, end }), total);
        expect(0 <= from && from <= to && to <= total).toBe(true);
      }),
    );
  });
});

describe("_like", () => {
  test("an escaped literal is found where lower-case includes finds it", () => {
    fc.assert(
      fc.property(words, words, words, (before, wanted, after) => {
        const escaped = wanted.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&");
        for (const text of [before + wanted + after, before + after, wanted.toUpperCase()]) {
          expect(compileLike("x_like", escaped).matches(text)).toBe(text.toLowerCase().includes(wanted.toLowerCase()));
        }
      }),
    );
  });

  test("a pattern that both know means what it means to RegExp", () => {
    const atom = fc.constantFrom(
      "a",
      "b",
      ".",
      "[ab]",
      "[^a]",
      "\\d",
      "\\w",
      "\\.",
      "(a|b)",
      "(?:ab)",
      "\\s",
      "^",
      "$",
      "\\b",
    );
    const piece = fc
      .tuple(atom, fc.constantFrom("", "", "*", "+", "?", "{2}", "{1,2}", "*?"))
      .map(([one, times]) => (["^", "$", "\\b"].includes(one) ? one : one + times));
    const pattern = fc.array(piece, { minLength: 1, maxLength: 5 }).map((pieces) => pieces.join(""));
    const text = fc.string({ unit: fc.constantFrom("a", "A", "b", "c", "1", ".", " ", "\n"), maxLength: 8 });
    fc.assert(
      fc.property(pattern, text, (source, subject) => {
        expect(compileLike("x_like", source).matches(subject)).toBe(new RegExp(source, "i").test(subject));
      }),
      { numRuns: 500 },
    );
  });

  test("so does a pattern of only words and .*, anchored or not, which has a special path", () => {
    const piece = fc.constantFrom("a", "ab", "B", ".*", ".*", " ", "ä");
    const pattern = fc
      .tuple(fc.constantFrom("", "^"), fc.array(piece, { maxLength: 5 }), fc.constantFrom("", "$"))
      .map(([start, pieces, end]) => start + pieces.join("") + end);
    const text = fc.string({ unit: fc.constantFrom("a", "A", "b", "c", " ", "ä", "Ä", "\n"), maxLength: 10 });
    fc.assert(
      fc.property(pattern, text, (source, subject) => {
        expect(compileLike("x_like", source).matches(subject)).toBe(new RegExp(source, "i").test(subject));
      }),
      { numRuns: 1000 },
    );
  });

  test("any text at all is a judgement or a refusal, never another failure", () => {
    fc.assert(
      fc.property(words, fc.string(), (pattern, text) => {
        try {
          expect(typeof compileLike("x_like", pattern).matches(text)).toBe("boolean");
        } catch (thrown) {
          expect(thrown).toMatchObject({ code: "QUERY_INVALID" });
        }
      }),
      { numRuns: 500 },
    );
  });
});

describe("parameters", () => {
  test("are read as URLSearchParams reads them, where the query is well-formed", () => {
    const text = fc.string({ unit: "grapheme" });
    const name = text.filter((one) => one !== "" && !/\[\d*\]$/.test(one));
    fc.assert(
      fc.property(fc.array(fc.tuple(name, text)), (pairs) => {
        const search = new URLSearchParams(pairs).toString();
        const expected = new URLSearchParams(search);
        const parsed = parseParameters(search);
        expect([...parsed.keys()]).toEqual([...new Set(expected.keys())]);
        for (const [key, values] of parsed) expect(values).toEqual(expected.getAll(key));
      }),
    );
  });

  test("of any text at all are read without failing", () => {
    const binary = fc.array(fc.nat(0x10ffff)).map((points) => String.fromCodePoint(...points));
    fc.assert(
      fc.property(binary, (search) => {
        for (const values of parseParameters(search).values()) expect(values.length).toBeGreaterThan(0);
      }),
    );
  });

  test("any query is parsed or rejected with a code", () => {
    const names = [
      "_page",
      "_limit",
      "_start",
      "_end",
      "_sort",
      "_order",
      "_embed",
      "q",
      "a",
      "a.b",
      "a_like",
      "a_gte",
      "a[]",
    ];
    const pair = fc.tuple(fc.constantFrom(...names), fc.oneof(words, fc.integer().map(String)));
    fc.assert(
      fc.property(fc.array(pair, { maxLength: 6 }), (pairs) => {
        try {
          parseQuery(parseParameters(new URLSearchParams(pairs).toString()));
        } catch (thrown) {
          expect(thrown).toMatchObject({ code: "QUERY_INVALID" });
        }
      }),
    );
  });
});

describe("filters", () => {
  const record: fc.Arbitrary<JsonObject> = fc.record(
    { a: small, list: fc.array(fc.record({ b: small }, { requiredKeys: [] }), { maxLength: 3 }) },
    { requiredKeys: [] },
  );
  const operator = fc.constantFrom("", "_ne", "_gte", "_lte", "_like");
  const value = fc.constantFrom("", "a", "A", "b", "1", "10", "2", "true", "a,b", "1,10", "-1.5");

  test("agree with a plain reading of the rules", () => {
    fc.assert(
      fc.property(
        record,
        fc.constantFrom("a", "list.b"),
        operator,
        fc.array(value, { minLength: 1, maxLength: 3 }),
        (one, path, suffix, values) => {
          const { where } = parseQuery(parseParameters(values.map((text) => `${path}${suffix}=${text}`).join("&")));
          const kept = where.every((condition) => meets(one, condition));
          expect(kept).toBe(plainReading(one, path, suffix, values));
        },
      ),
      { numRuns: 2000 },
    );
  });

  test("the order of parameters does not matter", () => {
    fc.assert(
      fc.property(record, fc.array(fc.tuple(operator, value), { maxLength: 4 }), (one, filters) => {
        const keeps = (list: typeof filters) =>
          parseQuery(parseParameters(list.map(([suffix, text]) => `a${suffix}=${text}`).join("&"))).where.every(
            (condition) => meets(one, condition),
          );
        expect(keeps(filters)).toBe(keeps(filters.toReversed()));
      }),
    );
  });

  test("q finds a record by any piece of any of its texts", () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ unit: "grapheme-ascii", minLength: 1 }), { minLength: 1 }),
        fc.nat(),
        fc.nat(),
        (texts, which, at) => {
          const text = texts[which % texts.length]!;
          const piece = text.slice(at % text.length);
          expect(contains({ deep: [{ texts }] }, piece.toLowerCase())).toBe(true);
        },
      ),
    );
  });
});

test("a path of plain names is split at its dots, and joins to itself", () => {
  const name = fc.string({ unit: fc.constantFrom(..."abc_-1"), minLength: 1, maxLength: 4 });
  fc.assert(
    fc.property(fc.array(name, { minLength: 1, maxLength: 4 }), (names) => {
      const path = parsePath(names.join("."));
      expect(path).toEqual({ text: names.join("."), segments: names });
    }),
  );
});

function sorted<T extends object>(records: readonly T[], query: string): T[] {
  return sortBy(records, parseQuery(parseParameters(query)).sort, (record) => record as unknown as Json);
}

function permutations<T>([a, b, c]: readonly [T, T, T]): [T, T, T][] {
  return [
    [a, b, c],
    [a, c, b],
    [b, a, c],
    [b, c, a],
    [c, a, b],
    [c, b, a],
  ];
}

/** The contract of one filter, written as simply as possible and without regard to speed. */
function plainReading(record: JsonObject, path: string, suffix: string, wanted: readonly string[]): boolean {
  const found = (path === "a" ? [record.a] : ((record.list ?? []) as JsonObject[]).map(({ b }) => b)).filter(
    (value) => value !== undefined && value !== null,
  ) as Json[];
  // An array stands for each of its elements and for its comma-joined text.
  const values = found.flatMap((value) =>
    Array.isArray(value) ? [...value.filter((each) => each !== null), value.join(",")] : [value],
  );
  const some = (holds: (value: Json, want: string) => boolean) =>
    values.some((value) => wanted.some((want) => holds(value, want)));
  switch (suffix) {
    case "_ne":
      return found.length > 0 && !some((value, want) => String(value) === want);
    case "_gte":
      return some((value, want) => (typeof value === "string" ? value >= want : Number(value) >= Number(want)));
    case "_lte":
      return some((value, want) => (typeof value === "string" ? value <= want : Number(value) <= Number(want)));
    case "_like":
      return some((value, want) => new RegExp(want, "i").test(String(value)));
    default:
      return some((value, want) => String(value) === want);
  }
}

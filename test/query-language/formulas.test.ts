import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../src/base/json/json.ts";
import { parseFormula } from "../../src/query/formula/parse-formula.ts";
import { FormulaProblem } from "../../src/query/formula/read-tokens.ts";

const RECORD: JsonObject = {
  price: 10,
  stock: 0,
  name: " Oak Mug ",
  note: null,
  active: true,
  address: { city: "Rome", lines: ["a", "b"] },
  tags: ["x", "y", "z"],
  "unit-price": 7,
  "a.b": "literal",
  digits: "12.5",
};
const row = (record: JsonObject = RECORD) => ({
  record,
  now: "2026-11-17T15:04:05.000Z",
  plausible: (name: string | undefined) => `plausible ${name ?? "value"}`,
  between: (least: number, most: number) => least + most,
});
const compute = (text: string, record?: JsonObject) => parseFormula(text).compute(row(record));

describe("values", () => {
  const cases: readonly (readonly [string, unknown])[] = [
    ["price * 1.1", 11],
    ["0.1 + 0.2", 0.3],
    ["1 + 2 * 3 - 4 / 2 % 3", 5],
    ["(1 + 2) * 3", 9],
    ["-price - -1", -9],
    ["10 % 4", 2],
    [".5e1", 5],
    ["round(2.345, 2)", 2.35],
    ["round(1.005, 2)", 1.01],
    ["round(-2.5)", -3],
    ["floor(2.9) + ceil(2.1) + abs(-1)", 6],
    ["min(3, price, note) + max(3, price)", 13],
    ["max('b', 'a')", "b"],
    ["upper(name)", " OAK MUG "],
    ["lower(trim(name))", "oak mug"],
    ["trim(name) + ': ' + price", "Oak Mug: 10"],
    ["concat(note, name, active, 1)", " Oak Mug true1"],
    ["length(trim(name))", 7],
    ["length('😀')", 1],
    ["length(tags)", 3],
    ["replace('a.b.c', '.', '/')", "a/b/c"],
    ["number(digits) + 1", 13.5],
    ["text(price) + 1", "101"],
    ["address.city", "Rome"],
    ["address.lines[1] + address.lines.0", "ba"],
    ["`unit-price` + 1", 8],
    ["`a.b`", "literal"],
    ["tags", ["x", "y", "z"]],
    ["now", "2026-11-17T15:04:05.000Z"],
    ["now()", "2026-11-17T15:04:05.000Z"],
    ["today", "2026-11-17"],
    ["null", null],
    ["true", true],
    ["random", "plausible value"],
    ["random('email')", "plausible email"],
    ["random(1, 6)", 7],
    ["price > 5 and not (stock = 1)", true],
    ["price >= 10 && price <= 10 || false", true],
    ["price <> 10", false],
    ["note = null", true],
    ["missing == null", true],
    ["tags = tags", true],
    ["'a' < 'b'", true],
    ["if(price > 5, 'dear', 'cheap')", "dear"],
    ["if(stock, 1, 0)", 0],
    ["if(false, 1)", undefined],
    ["note * 2", null],
    ["missing * 2", undefined],
    ["upper(note)", null],
    ["missing + 'a'", undefined],
    [String.raw`"say \"hi\"\n" + 'it\'s'`, 'say "hi"\nit\'s'],
    ["constructor", undefined],
  ];
  for (const [text, value] of cases) {
    test(`${text} is ${JSON.stringify(value)}`, () => expect(compute(text)).toEqual(value));
  }
});

describe("mistakes", () => {
  const cases: readonly (readonly [string, number, string])[] = [
    ["", 1, "it is empty"],
    ["price *", 8, "a value is expected here, not the end"],
    ["price * * 2", 9, "a value is expected here, not *"],
    ["price 2", 7, "an operator or the end is expected here, not 2"],
    ["(price", 7, ") is expected here, not the end"],
    ["round(price; 2)", 12, "; means nothing here"],
    ["'abc", 1, "the ' has no end"],
    ["`abc", 1, "the ` has no end"],
    ["rund(price)", 1, 'there is no function rund. Did you mean "round"?'],
    ["constructor(1)", 1, "there is no function constructor."],
    ["round()", 1, "round takes 1 to 2 values, not 0"],
    ["if(1)", 1, "if takes 2 to 3 values, not 1"],
    ["name * 2", 6, "a number is needed here, not a text; number(…) reads one from a text"],
    ["tags + 1", 6, "a number is needed here, not a list"],
    ["upper(address)", 1, "a text is needed here, not an object"],
    ["1 / stock", 3, "the result is not a number, for example because of a division by 0"],
    ["number(name)", 1, "a text here is not a number"],
    ["round(1, 99)", 1, "round takes 0 to 15 digits"],
    ["replace(name, '', 'x')", 1, "replace needs a text to look for"],
    ["price > name", 7, "a number is needed here, not a text; number(…) reads one from a text"],
    ["1".repeat(2001), 2001, "it has 2001 characters; at most 2000 are allowed"],
    [`${"(".repeat(60)}1${")".repeat(60)}`, 52, "it is nested deeper than 50 levels"],
    [`${"-".repeat(60)}1`, 52, "it is nested deeper than 50 levels"],
  ];
  for (const [text, position, message] of cases) {
    test(`${text.slice(0, 40)}: position ${position}`, () => {
      const problem = problemOf(() => compute(text));
      expect([problem?.position, problem?.message]).toEqual([position, message]);
    });
  }

  test("nested replacements never make a long text", () => {
    const bomb = Array.from({ length: 20 }).reduce<string>((inner) => `replace(${inner}, 'a', 'aaaaaaaaaa')`, "'a'");
    expect(problemOf(() => compute(bomb))?.message).toMatch(/^the text has \d+ characters; at most 100000 are made$/);
  });

  test("a long chain is computed", () => {
    expect(compute(`1${"+1".repeat(999)}`)).toBe(1000);
  });
});

test("a formula names the fields it reads, and where", () => {
  const { fields, isRandom } = parseFormula("price * `unit-price` + address.city + now");
  expect(fields.map(({ path, position }) => [path.text, position])).toEqual([
    ["price", 1],
    ["unit-price", 9],
    ["address.city", 24],
  ]);
  expect(isRandom).toBe(false);
});

function problemOf(work: () => unknown): FormulaProblem | undefined {
  try {
    work();
  } catch (thrown) {
    if (thrown instanceof FormulaProblem) return thrown;
    throw thrown;
  }
  return undefined;
}

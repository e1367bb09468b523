import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Json, parseJson } from "../../src/base/json/json.ts";
import { copyInPieces } from "../../src/base/json/large/copy.ts";
import { parseInPieces } from "../../src/base/json/large/parse-in-pieces.ts";
import { toBytes } from "../../src/base/json/large/pieces.ts";
import { indentedPieces, indentInPieces, stringifyInPieces } from "../../src/base/json/large/stringify-in-pieces.ts";
import { atOnce, type Work } from "../../src/base/slices.ts";

const OPTIONS = { inspect() {}, maxDepth: 200, tooDeep: () => new Error("too deep") };
const NUMBERS = Array.from({ length: 6000 }, (_, at) => at);
const ODD = 'a"\\\n\u0001é\u{1f600}\u2028';

const MEMBERS = NUMBERS.slice(0, 3000).map((at): [string, number[]] => [`${at}${ODD}`, [at]]);

/** Values that are long, wide or deep enough to be cut into pieces, in every place where that may happen. */
const value = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, depthSize: "small" },
    fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => number + 0),
    fc.constantFrom<Json>(true, false, null, "", [], {}, 1e21, ODD),
    fc.nat(5000).map((times) => ODD.repeat(times)),
    fc.nat(NUMBERS.length).map((times) => NUMBERS.slice(0, times)),
    fc.nat(MEMBERS.length).map((times) => Object.fromEntries(MEMBERS.slice(0, times))),
    fc.array(tie("value"), { maxLength: 6 }),
    fc.dictionary(fc.constantFrom("a", "b", "1", "0", ODD), tie("value"), { maxKeys: 4 }),
  ),
})).value;
const spaces = fc.constantFrom(undefined, 1, "\t");
/** `npm run soak` tries fifty times as many. */
const times = (count: number) => ({ numRuns: process.env.STANDIN_SOAK ? count * 50 : count });

function outcome(work: () => Json): unknown {
  try {
    return work();
  } catch (thrown) {
    return (thrown as Error).message;
  }
}

describe("in pieces the same comes out as at once", () => {
  test("parsed", () => {
    fc.assert(
      fc.property(value, spaces, (one, indent) => {
        const text = JSON.stringify(one, null, indent);
        expect(JSON.stringify(atOnce(parseInPieces(text, OPTIONS)))).toBe(JSON.stringify(one));
      }),
      times(16),
    );
  });

  test("parsed, with a mistake in it: the same message", () => {
    const letters = fc.constantFrom("", ",", "]", "}", "{", "[", '"', "x", ":", "\\", "0", " ", "\u00a0", "-");
    const places = fc.double({ min: 0, max: 1, noNaN: true });
    fc.assert(
      fc.property(value, spaces, places, letters, fc.nat(1), (one, indent, place, letter, removed) => {
        const text = JSON.stringify(one, null, indent);
        const at = Math.floor(place * text.length);
        const spoilt = text.slice(0, at) + letter + text.slice(at + removed);
        const given = outcome(() => atOnce(parseInPieces(spoilt, OPTIONS)));
        expect(JSON.stringify(given)).toBe(JSON.stringify(outcome(() => parseJson(spoilt))));
      }),
      times(40),
    );
  });

  test("parsed, with something that does not belong there around a large value: the same message", () => {
    const large = fc.constantFrom("[1,", "x", "{}");
    const grown = {
      "[1,": `[${"1,".repeat(12_000)}1]`,
      x: `"${"x".repeat(70_000)}"`,
      "{}": `{"b":"${"x".repeat(70_000)}"}`,
    };
    const stray = fc.constantFrom("-", "1", ".", "e", "+", "0", "n", "nul", "t", '"', '"c":', ":", ",", "[", "}", " ");
    const strays = fc.array(stray, { maxLength: 3 }).map((all) => all.join(""));
    const places = fc.constantFrom<[string, string]>(
      ['{"a":', "}"],
      ['{"a":0,"b":', ',"c":1}'],
      ["[", "]"],
      ["[0,", ",1]"],
      ["", ""],
    );
    fc.assert(
      fc.property(places, strays, large, strays, ([open, close], before, one, after) => {
        const text = open + before + grown[one as keyof typeof grown] + after + close;
        const given = outcome(() => atOnce(parseInPieces(text, OPTIONS)));
        expect(JSON.stringify(given) === JSON.stringify(outcome(() => parseJson(text))), `${open}${before}`).toBe(true);
      }),
      times(40),
    );
  });

  test.each(["-", "1", "1.", "2e", "-1e+"])("%s before a large value makes no number with it", (number) => {
    for (const large of [`[${"1,".repeat(40_000)}1]`, `"${"x".repeat(70_000)}"`]) {
      expect(() => atOnce(parseInPieces(`{"a":${number}${large}}`, OPTIONS))).toThrow();
    }
  });

  test("a member that is called __proto__ is one, wherever it stands", () => {
    const long = `"${"x".repeat(70_000)}"`;
    for (const text of [
      `{"a":${long},"__proto__":{"b":1}}`,
      `{"a":${long},"__proto__":${long}}`,
      `{"__proto__":[${long}]}`,
    ]) {
      expect(atOnce(indentInPieces(text)) === JSON.stringify(JSON.parse(text), null, 2)).toBe(true);
    }
  });

  test("written, indented, copied, and as bytes", () => {
    fc.assert(
      fc.property(value, (one) => {
        const text = JSON.stringify(one);
        expect(atOnce(stringifyInPieces(one)) === text).toBe(true);
        const indented = JSON.stringify(one, null, 2);
        expect([...indentedPieces(one, "    ")].join("") === indented.replaceAll("\n", "\n    ")).toBe(true);
        expect(atOnce(indentInPieces(text)) === indented).toBe(true);
        expect(JSON.stringify(atOnce(copyInPieces(one, OPTIONS))) === text).toBe(true);
        expect(atOnce(toBytes(text)).equals(Buffer.from(text))).toBe(true);
      }),
      times(16),
    );
  });

  test("what JSON does not have is left out of a copy", () => {
    const long = Array.from({ length: 3000 }, () => 1);
    const odd = { long, none: undefined, run: () => 1, at: new Date(0), list: [undefined, Number.NaN, ...long] };
    expect(atOnce(copyInPieces(odd, OPTIONS))).toEqual(JSON.parse(JSON.stringify(odd)));
    const circle: unknown[] = [...long];
    circle.unshift(circle);
    expect(() => atOnce(copyInPieces(circle, OPTIONS))).toThrow("too deep");
  });
});

describe("no step of it takes in more than some thousand characters", () => {
  const count = (work: Work<unknown>): number => {
    for (let steps = 1; ; steps++) {
      try {
        if (work.next().done) return steps;
      } catch {
        return steps;
      }
    }
  };
  const BYTES = 1_000_000;
  const texts = {
    numbers: `[${"1,".repeat(BYTES / 2)}1]`,
    "a text": `"${"x".repeat(BYTES)}"`,
    "a text in an object": `{"a":"${"\\n".repeat(BYTES / 2)}"}`,
    brackets: "[".repeat(BYTES),
    spaces: `${" ".repeat(BYTES)}!`,
    "a mistake at the end": `[${"{},".repeat(BYTES / 3)}!`,
  };
  for (const [name, text] of Object.entries(texts)) {
    test(`${name}: at least ten steps`, () => {
      expect(count(parseInPieces(text, OPTIONS))).toBeGreaterThan(10);
    });
  }
});

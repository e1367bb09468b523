import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { findDuplicateKey } from "../../src/base/json/duplicate-keys/find-duplicate-key.ts";
import { mostKeys } from "../../src/base/json/duplicate-keys/most-keys.ts";
import { scannerFor } from "../../src/base/json/fast-scan/scanner.ts";
import { mayHoldExact, parseJson, stringifyJson } from "../../src/base/json/json.ts";
import { EXACT, jsonText, PLAIN } from "../support/exact-texts.ts";

/** A text long enough for the scanner, and for some of its parts. */
const LONG = " ".repeat(2 * 1024 * 1024);
const PART = 32 * 1024;
const scanner = scannerFor(LONG)!;

/** The characters of numbers and keys, those around them, and wide ones whose lower byte looks alike. */
const PIECES = [
  ...EXACT,
  ...PLAIN,
  ...['"', ":", '":', '" :', '"\t\n: ', '\\":', "\\u003a", "!:", "{", "}", "[", "]", ",", " ", "\n", "x", "-", "/"],
  ...["1", "9", ".", "e", "E", "+", "1e4", "1e40", "1e+40", "3e4567", "12345678", "1234567890123", "2026/11/17"],
  ...["\u0130", "\u0165", "\u033a", "\u0322", "\u012e", "é", "漢字", "😀"],
];
/** Joined at any place, at the beginning of a text or around the end of a part. */
const scraps = fc.tuple(
  fc.array(fc.constantFrom(...PIECES), { maxLength: 40 }),
  fc.constantFrom("", ..."x 1e:".split("").map((filler) => filler.repeat(PART))),
  fc.integer({ min: 0, max: 200 }),
);

function colonsIn(text: string): number {
  return (
    Buffer.from(text, "latin1")
      .toString("latin1")
      .match(/(?<=^|[\0-"]):/g)?.length ?? 0
  );
}

describe("the scanner finds what a look at each character finds", () => {
  test("in any text", () => {
    fc.assert(
      fc.property(scraps, ([pieces, filler, back]) => {
        const text = `${filler.slice(back)}${pieces.join("")}`;
        expect(mayHoldExact(text, scanner)).toBe(mayHoldExact(text));
        expect(scanner.countColons(text)).toBe(colonsIn(text));
        const most = mostKeys(text);
        if (most !== undefined) expect(scanner.countColons(text)).toBeGreaterThanOrEqual(most);
      }),
      { numRuns: 400 },
    );
  });

  test("in any JSON", () => {
    fc.assert(
      fc.property(jsonText(), fc.integer({ min: 0, max: 200 }), (json, back) => {
        const text = " ".repeat(PART - back) + json;
        expect(mayHoldExact(text, scanner)).toBe(mayHoldExact(json));
      }),
      { numRuns: 300 },
    );
  });

  test.each([...EXACT, ...PLAIN])("in %s at every place of a step and of the end of a part", (number) => {
    for (const from of [0, PART]) {
      for (let at = from; at < from + 40; at++) {
        const text = `[${" ".repeat(Math.max(0, at - 24))}${number}, "1"]`;
        expect(mayHoldExact(text, scanner)).toBe(mayHoldExact(text));
      }
    }
  });
});

describe("a long text", () => {
  const record = {
    id: 1,
    note: "Note : one",
    icon: ":smile:",
    at: 1763180000000,
    key: "3e4567-1e400",
    "a:": { ":": [{}] },
  };
  const records = JSON.stringify(new Array(20_000).fill(record)).slice(1, -1);

  test("has no key twice, and no exact number", () => {
    const text = `{"items":[${records}]}`;
    expect(findDuplicateKey(text, parseJson(text))).toBeUndefined();
    expect(mayHoldExact(text)).toBe(false);
  });

  test.each([
    ["at its beginning", `{"a":1,"\\u0061":2,"items":[${records}]}`, "a"],
    ["at its end", `{"items":[${records},\n{"id":2,\n"id" : 3}]}`, "id"],
    ["deep inside", `{"items":[${records},{"x":[[{"y":{"k":1,"k":1}}]]},${records}]}`, "k"],
  ])("has a key twice %s", (_where, text, key) => {
    expect(findDuplicateKey(text, parseJson(text))?.key).toBe(key);
  });

  test("keeps a number that no double can hold", () => {
    const text = `{"items":[${records},{"id":9007199254740993,"tiny":1e-400}]}`;
    expect(stringifyJson(parseJson(text))).toBe(text);
  });
});

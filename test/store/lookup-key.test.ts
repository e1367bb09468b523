import fc from "fast-check";
import { expect, test } from "vitest";
import { lookupKey } from "../../src/store/ids.ts";

const digits = fc.string({ unit: fc.constantFrom(..."0123456789"), maxLength: 20 });
const nearly = fc.string({ unit: fc.constantFrom(..."0123456789.-+e "), maxLength: 12 });

test("an id and its text have the same key, and texts that no number has are their own", () => {
  fc.assert(
    fc.property(fc.oneof(digits, nearly, fc.integer().map(String), fc.double().map(String)), (text) => {
      const number = Number(text);
      const isText = !Number.isFinite(number) || String(number) !== text;
      expect(lookupKey(text)).toBe(isText ? text : number);
    }),
    { numRuns: 500 },
  );
});

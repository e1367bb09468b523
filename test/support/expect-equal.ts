import { isDeepStrictEqual } from "node:util";
import { expect } from "vitest";

/** `toEqual` where thousands are compared: it asks the assertion library only about what is not strictly equal. */
export function expectEqual(given: unknown, expected: unknown, message?: string): void {
  if (!isDeepStrictEqual(given, expected)) expect(given, message).toEqual(expected);
}

import { expect, test } from "vitest";
import { setEngineFlag } from "../../src/store/file/give-back-memory.ts";

test("a runtime without flags of V8 is no failure", () => {
  const refuse = (): never => {
    throw new Error("not implemented");
  };
  expect(setEngineFlag("--expose-gc", refuse)).toBe(false);
  expect(setEngineFlag("--expose-gc")).toBe(true);
});

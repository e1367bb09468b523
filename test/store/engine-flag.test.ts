import { expect, test, vi } from "vitest";
import { setEngineFlag } from "../../src/store/file/engine-flag.ts";
import { parseLargeJson } from "../../src/store/file/parse-large-json.ts";

vi.mock("node:v8", () => ({
  setFlagsFromString: () => {
    throw new Error("not implemented");
  },
}));

test("a runtime without flags of V8 says so, and parses a large text all the same", () => {
  expect(setEngineFlag("--expose-gc")).toBe(false);
  expect(parseLargeJson(`"${"a".repeat(17 * 1024 * 1024)}"`)).toHaveLength(17 * 1024 * 1024);
});

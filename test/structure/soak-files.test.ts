import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { TEST_FILES } from "../support/test-files.ts";
import { quickFiles, SOAK, soakFiles } from "../support/test-runs.ts";

describe("the soak finds its tests by what they read", () => {
  const found = soakFiles();

  const cases: readonly [file: string, why: string][] = [
    ["test/durability/crash-loop.soak.test.ts", "by its name"],
    ["test/store/state.test.ts", "reads a variable"],
    ["test/compat/compat.test.ts", "reads one by its settings"],
    ["test/features/console/data.test.ts", "calls a helper that reads one"],
  ];
  for (const [file, why] of cases) {
    test(`${file}: ${why}`, () => {
      expect(found).toContain(file);
    });
  }

  test("a test that imports only other parts of such a helper is not among them", () => {
    const other = "test/features/console/document.test.ts";
    expect(readFileSync(other, "utf8")).toContain("./browser.ts");
    expect(found).not.toContain(other);
  });

  for (const name of Object.keys(SOAK)) {
    test(`some test reads ${name}`, () => {
      const readers = TEST_FILES.concat(["test/compat/settings.ts"]).filter((file) =>
        readFileSync(file, "utf8").includes(name),
      );
      expect(readers).not.toEqual([]);
    });
  }

  test("quick tests are others, and more than a quarter of all", () => {
    const quick = quickFiles();
    expect(quick.filter((file) => found.includes(file))).toEqual([]);
    expect(quick.length).toBeGreaterThan(TEST_FILES.length / 4);
  });
});

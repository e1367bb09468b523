import { spawnSync } from "node:child_process";
import { describe, expect, test } from "vitest";
import type { MeasuredWay } from "../../bench/path-length.ts";

const { stdout, stderr } = spawnSync(process.execPath, ["--import", "tsx", "bench/path-length.ts", "--json"], {
  encoding: "utf8",
});
const ways: readonly MeasuredWay[] = stdout === "" ? [] : JSON.parse(stdout);

/** A newcomer reads the files along the way of a request; every file is one more to know. */
describe("the way of a request is short", () => {
  test("the ways are measured", () => {
    expect(ways.length, stderr).toBeGreaterThan(5);
  });

  for (const { name, status, limit, files } of ways) {
    test(`${name}: at most ${limit} files`, () => {
      expect(status).toBeLessThan(300);
      const count = Object.keys(files).length;
      expect(count, `${count} files:\n${Object.keys(files).sort().join("\n")}`).toBeLessThanOrEqual(limit);
      expect(count).toBeGreaterThan(5);
    });
  }
});

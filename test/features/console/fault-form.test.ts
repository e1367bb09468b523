import { describe, expect, test } from "vitest";
import type { FaultRule } from "../../../console/src/api/faults.ts";
import { formOf, rulesOf, withKind } from "../../../console/src/lab/faults/fault-form.ts";
import { effectOf, limitsOf, scopeOf } from "../../../console/src/lab/faults/fault-words.ts";
import { PRESETS } from "../../../console/src/lab/faults/presets.ts";
import { roughTime, timeLeft } from "../../../console/src/lab/sandboxes/time-left.ts";
import { startApi } from "../../support/api.ts";
import { COPIED_RULES } from "./copied-rules.ts";

describe("the builder of faults", () => {
  test("the server takes every preset as the builder makes it", async () => {
    const api = await startApi();
    for (const { name, rules } of PRESETS) {
      const made = rulesOf(formOf(rules));
      expect([name, made]).toEqual([name, rules]);
      expect([name, (await api.ask("POST /__faults", { body: made })).status]).toEqual([name, 201]);
    }
  });

  test.each(Object.entries(COPIED_RULES))("shows a rule and makes the same one again: %s", (_name, rule) => {
    const method = rule.method === undefined ? {} : { method: [rule.method].flat() };
    expect(rulesOf(formOf([rule]))).toEqual([{ ...rule, ...method }]);
  });

  test("another kind keeps what both have; a latency gets a time, a time-out needs none", () => {
    const [effect] = formOf([{ fault: "status", status: 404 }]).effects;
    const late = withKind(effect!, "latency");
    expect(rulesOf({ ...formOf([]), effects: [late] })).toEqual([{ fault: "latency", ms: 1000 }]);
    expect(rulesOf({ ...formOf([]), effects: [withKind(late, "timeout")] })).toEqual([{ fault: "timeout" }]);
    expect(withKind(late, "status").status).toBe("404");
  });

  const words: [FaultRule, string, string, string[]][] = [
    [{ fault: "status", status: 503, method: ["POST"], collection: "products" }, "Status 503", "POST /products", []],
    [{ fault: "latency", ms: 2000, probability: 0.05 }, "2 s late", "All requests", ["5 % of requests"]],
    [{ fault: "latency", ms: { min: 100, max: 1500 } }, "100 ms to 1.5 s late", "All requests", []],
    [
      { fault: "reset", method: "DELETE", after: true, count: 1, sandbox: "ann" },
      "Connection reset",
      "All DELETE requests",
      ["in ann", "at most 1 time", "carried out first"],
    ],
    [{ fault: "timeout", method: ["POST", "PUT", "PATCH", "DELETE"] }, "No response", "All writes", []],
    [{ fault: "slow-body", bytesPerSecond: 5000, path: "/a/*" }, "Body at 5 kB/s", "/a/*", []],
  ];
  test.each(words)("%j is said as %s", (rule, effect, scope, limits) => {
    expect([effectOf(rule), scopeOf(rule), limitsOf(rule)]).toEqual([effect, scope, limits]);
  });
});

test("the time that a sandbox has left is told to the second in its last ten minutes", () => {
  expect([3_600_000, 1_799_000, 599_000, 61_000, 400, -5].map(timeLeft)).toEqual([
    "1 h",
    "30 min",
    "9:59 min",
    "1:01 min",
    "0:01 min",
    "0:00 min",
  ]);
  expect([59_000, 3_599_000, 86_400_000, 200_000_000].map(roughTime)).toEqual(["59 s", "59 min", "24 h", "2 d"]);
});

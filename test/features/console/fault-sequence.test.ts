import { describe, expect, test } from "vitest";
import { readSequence, sequenceRules, stepWords } from "../../../console/src/lab/faults/fault-sequence.ts";

const CASES = [
  [
    "2 x 503, then 200 after 3 s",
    [
      { fault: "status", status: 503, count: 2 },
      { fault: "latency", ms: 3000, skip: 2 },
    ],
    ["Requests 1 to 2: Status 503", "From request 3 on: 3 s late"],
  ],
  ["401", [{ fault: "status", status: 401 }], ["From request 1 on: Status 401"]],
  [
    "ok, 1x 500 after 250ms then ok",
    [
      { fault: "latency", ms: 250, skip: 1, count: 1 },
      { fault: "status", status: 500, skip: 1, count: 1 },
    ],
    ["Request 1: as usual", "Request 2: 250 ms late, Status 500", "From request 3 on: as usual"],
  ],
  [
    "slow; broken; 3 times reset",
    [
      { fault: "latency", ms: 3000, count: 1 },
      { fault: "malformed-json", skip: 1, count: 1 },
      { fault: "reset", skip: 2, count: 3 },
    ],
    ["Request 1: 3 s late", "Request 2: Invalid JSON", "Requests 3 to 5: Connection reset"],
  ],
] as const;

describe("a line is read as a sequence of faults", () => {
  for (const [line, rules, words] of CASES) {
    test(line, () => {
      const read = readSequence(line);
      const steps = read.kind === "steps" ? read.steps : [];
      expect(sequenceRules(steps, {})).toEqual(rules);
      expect(stepWords(steps)).toEqual(words);
    });
  }

  test.each(["oops", "2 x", "2 x 503, 999", "503 after soon", "503 after . s", "toString"])(
    "%s is no sequence",
    (line) => {
      expect(readSequence(line)).toMatchObject({ kind: "problem", message: expect.stringContaining("is no step") });
    },
  );
});

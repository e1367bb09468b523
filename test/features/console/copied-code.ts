import { expect } from "vitest";
import type { FaultRule } from "../../../console/src/api/faults.ts";

/** Faults of every kind, as they are copied as test code. */
export const COPIED_RULES: Readonly<Record<string, FaultRule>> = {
  status: { fault: "status", status: 503, method: ["POST"], collection: "products", sandbox: "ann" },
  headers: { fault: "status", status: 429, headers: { "Retry-After": "5" }, count: 3 },
  body: { fault: "status", status: 404, body: { text: 'a "quoted" \\ word' }, path: "/products/:id" },
  unlikely: { fault: "status", status: 500, probability: 0.05 },
  latency: { fault: "latency", ms: 40 },
  spread: { fault: "latency", ms: { min: 10, max: 30 }, probability: 0.5 },
  tail: { fault: "latency", ms: { median: 10, sigma: 0.5 } },
  slow: { fault: "slow-body", bytesPerSecond: 5000 },
  truncated: { fault: "truncated-body" },
  malformed: { fault: "malformed-json" },
  reset: { fault: "reset" },
  empty: { fault: "empty-reply", method: "DELETE" },
  lost: { fault: "reset", method: ["POST", "PUT"], after: true, count: 1 },
  timeout: { fault: "timeout", path: "/products/*" },
};

type Body = (...given: unknown[]) => Promise<void>;

/** Runs a program whose imports are handed over. */
export async function runProgram(code: string, given: Readonly<Record<string, unknown>>): Promise<void> {
  const AsyncFunction = (async () => {}).constructor as new (...parts: string[]) => Body;
  await new AsyncFunction(...Object.keys(given), code.replace(/^import .*;$/gm, ""))(...Object.values(given));
}

/** The test of copied code: its title and body. */
export async function collect(code: string, given: Readonly<Record<string, unknown>>): Promise<[string, Body]> {
  const found: [string, Body][] = [];
  await runProgram(code, { ...given, expect, test: (title: string, body: Body) => found.push([title, body]) });
  expect(found).toHaveLength(1);
  return found[0]!;
}

import { expect, test } from "vitest";
import type { Json, JsonObject } from "../../src/json.ts";
import { compileRules } from "../../src/rules/compile-rules.ts";
import { readRules } from "../../src/rules/read-rules.ts";
import { compareWithAjv } from "./agreement.ts";

test("10,000 generated pairs of schema and record agree with plain Ajv", async () => {
  const valid = await compareWithAjv({ schemas: 80, recordsEach: 125, seed: 1 });
  expect(valid).toBeGreaterThan(1000);
  expect(valid).toBeLessThan(9000);
});

/** A text of two letters without a period, for which automata need ever new states. */
function unruly(length: number): string {
  let text = "";
  for (let at = 0, seed = 1; at < length; at++) {
    seed = (seed * 1103515245 + 12345) & 0x7fffffff;
    text += (seed >> 16) & 1 ? "a" : "b";
  }
  return text;
}

/** CPU time of judging once the schema is compiled. */
async function cpuOf(schema: JsonObject, record: Json): Promise<{ ms: number; rules: string[] }> {
  const judge = (await compileRules(readRules({ one: schema }, "rules.json"))).get("one")!;
  judge(null);
  judge([null]);
  const before = process.cpuUsage();
  const violations = judge(record);
  const { user, system } = process.cpuUsage(before);
  return { ms: (user + system) / 1000, rules: violations.map(({ rule }) => rule) };
}

let deep: Json = { name: 1 };
for (let level = 0; level < 900; level++) deep = { left: deep };

const hostile: readonly [what: string, schema: JsonObject, record: Json, rule: string | undefined][] = [
  ["nested repetitions", { pattern: "^(a+)+$" }, `${"a".repeat(30_000)}b`, "pattern"],
  ["a pattern of many states", { pattern: "^(a|b)*a(a|b){200}$" }, unruly(1600), "too-costly"],
  [
    "the same in many texts",
    { items: { pattern: "^(a|b)*a(a|b){200}$" } },
    [...Array(500).keys()].map((at) => unruly(200 + at)),
    "too-costly",
  ],
  ["a text that is too long for a pattern", { pattern: "^(?:[a-z]{1,50}){1,10}$" }, "a".repeat(100_000), "too-costly"],
  ["inside not, where no match is valid", { not: { pattern: "^(a|b)*a(a|b){200}$" } }, unruly(1600), "too-costly"],
  ["an email of 1 MB", { format: "email" }, `${"a.".repeat(500_000)}@b.c`, "format"],
  ["a URI of 1 MB", { format: "uri" }, `http://${"a:@".repeat(300_000)}`, "format"],
  ["a host name of 1 MB", { format: "hostname" }, "a-".repeat(500_000), "format"],
  [
    "a recursive schema, 900 levels deep",
    { properties: { left: { $ref: "#" }, name: { type: "string" } } },
    deep,
    "type",
  ],
  ["100,000 violations", { items: { type: "number", minimum: 1 } }, Array(100_000).fill("x"), "type"],
  [
    "more values than can be judged",
    { items: { anyOf: [{ type: "string" }, { type: "null" }] } },
    Array(500_000).fill(null),
    "too-costly",
  ],
  [
    "1,000 large elements that must be unique",
    { uniqueItems: true },
    [...Array(1000).keys()].map((at) => ({ at, same: Array(20).fill(1) })),
    undefined,
  ],
];

for (const [what, schema, record, rule] of hostile) {
  test(`${what}: judged without blocking others`, async () => {
    const { ms, rules } = await cpuOf(schema, record);
    expect(rules[0]).toBe(rule);
    // 50 ms on an idle machine; the engine compiles while it runs for the first time.
    expect(ms).toBeLessThan(150);
  });
}

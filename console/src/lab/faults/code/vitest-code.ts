import type { Json } from "../../../api/json.ts";
import type { Overview } from "../../../api/overview.ts";
import { literal } from "./literal.ts";
import type { TestCase } from "./test-case.ts";

/** A test with a server of its own, in the process of the test. */
export function vitestCode(test: TestCase, overview: Overview): string {
  const { title, rule, outcome, changesData } = test;
  const lines = [
    `const api = await createStandin(${literal(dataOf(overview), "  ")});`,
    "onTestFinished(() => api.close());",
    ...(rule.seed === undefined ? [] : ["// With this seed, the first request is one of those that fail."]),
    `api.faults.add(${literal(rule as unknown as Json, "  ")});`,
    "",
    ...expectations(test),
    ...(changesData
      ? ["// The client got no response, but the record was created.", "expect(await api.changes()).toHaveLength(1);"]
      : []),
  ];
  const limitMs = outcome.kind === "late" && outcome.maxMs > 3000 ? `, ${outcome.maxMs + 5000}` : "";
  return [
    'import { createStandin } from "standin";',
    'import { expect, onTestFinished, test } from "vitest";',
    "",
    `test(${JSON.stringify(title)}, async () => {`,
    ...lines.map((line) => (line === "" ? "" : `  ${line}`)),
    `}${limitMs});`,
    "",
  ].join("\n");
}

/** The file that is served here, or else a record for each collection. */
function dataOf({ store, members }: Overview): Json {
  if (store.kind === "file") return { source: store.place };
  const data = members.map(({ name, kind, idKey = "id" }) => [name, kind === "collection" ? [{ [idKey]: 1 }] : {}]);
  return { data: Object.fromEntries(data) as Json };
}

function expectations({ method, path, outcome }: TestCase): string[] {
  const address = `\`\${api.url}${path.replace(/[`\\$]/g, "\\$&")}\``;
  const options = (...more: readonly string[]): string => {
    const all = [...(method === "GET" ? [] : [`method: ${JSON.stringify(method)}`]), ...more];
    return all.length === 0 ? "" : `, { ${all.join(", ")} }`;
  };
  const send = `fetch(${address}${options()})`;
  switch (outcome.kind) {
    case "status":
      return [
        `const response = await ${send};`,
        `expect(response.status).toBe(${outcome.status});`,
        ...Object.entries(outcome.headers).map(
          ([name, value]) => `expect(response.headers.get(${JSON.stringify(name)})).toBe(${JSON.stringify(value)});`,
        ),
      ];
    case "late":
      if (outcome.minMs === undefined)
        return [`const response = await ${send};`, "expect(response.status).toBeLessThan(500);"];
      return [
        "const startedAt = performance.now();",
        `await ${send};`,
        `expect(performance.now() - startedAt).toBeGreaterThan(${Math.floor(outcome.minMs * 0.9)});`,
      ];
    case "slow-body":
      return [`const response = await ${send};`, 'expect(await response.text()).not.toBe("");'];
    case "truncated-body":
      return [`const response = await ${send};`, "await expect(response.text()).rejects.toThrow();"];
    case "malformed-json":
      return [`const response = await ${send};`, "await expect(response.json()).rejects.toThrow();"];
    case "broken-connection":
      return [`await expect(${send}).rejects.toThrow();`];
    case "no-response":
      return [`await expect(fetch(${address}${options("signal: AbortSignal.timeout(1_000)")})).rejects.toThrow();`];
  }
}

import type { Json } from "../../../api/json.ts";
import { literal } from "./literal.ts";
import type { TestCase } from "./test-case.ts";

/** A test with a sandbox of its own on a running server. The page's requests meet the fault, too. */
export function playwrightCode(test: TestCase, origin: string): string {
  const { title, rule, changesData } = test;
  const lines = [
    "// A sandbox of its own: its data and faults are this test's alone.",
    `const sandbox = \`\${testId}-\${retry}\`;`,
    'const headers = { "X-Standin-Sandbox": sandbox };',
    "await page.setExtraHTTPHeaders(headers);",
    ...(rule.seed === undefined ? [] : ["// With this seed, the first request is one of those that fail."]),
    `const data = ${literal(rule as unknown as Json, "  ")};`,
    `await request.post(\`\${SERVER}/__faults\`, { headers, data });`,
    "",
    "// Replace this by what the page does: await page.goto(...), and what it shows then.",
    ...expectations(test),
    ...(changesData
      ? [
          "// The client got no response, but the record was created.",
          `const { changes } = await (await request.get(\`\${SERVER}/__changes\`, { headers })).json();`,
          "expect(changes).toHaveLength(1);",
        ]
      : []),
    "",
    `await request.delete(\`\${SERVER}/__sandboxes/\${sandbox}\`);`,
  ];
  return [
    'import { expect, test } from "@playwright/test";',
    "",
    `const SERVER = ${JSON.stringify(origin)};`,
    "",
    `test(${JSON.stringify(title)}, async ({ page, request }, { testId, retry }) => {`,
    ...lines.map((line) => (line === "" ? "" : `  ${line}`)),
    "});",
    "",
  ].join("\n");
}

function expectations({ method, path, outcome }: TestCase): string[] {
  const address = `\`\${SERVER}${path.replace(/[`\\$]/g, "\\$&")}\``;
  const known = ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD"].includes(method);
  const call = known ? method.toLowerCase() : "fetch";
  const options = (...more: readonly string[]): string =>
    `{ ${["headers", ...(known ? [] : [`method: ${JSON.stringify(method)}`]), ...more].join(", ")} }`;
  const send = `request.${call}(${address}, ${options()})`;
  switch (outcome.kind) {
    case "status":
      return [
        `const response = await ${send};`,
        `expect(response.status()).toBe(${outcome.status});`,
        ...Object.entries(outcome.headers).map(
          ([name, value]) =>
            `expect(response.headers()[${JSON.stringify(name.toLowerCase())}]).toBe(${JSON.stringify(value)});`,
        ),
      ];
    case "late":
      if (outcome.minMs === undefined)
        return [`const response = await ${send};`, "expect(response.status()).toBeLessThan(500);"];
      return [
        "const startedAt = performance.now();",
        `await ${send};`,
        `expect(performance.now() - startedAt).toBeGreaterThan(${Math.floor(outcome.minMs * 0.9)});`,
      ];
    case "slow-body":
      return [`const response = await ${send};`, 'expect(await response.text()).not.toBe("");'];
    case "malformed-json":
      return [`const response = await ${send};`, "await expect(response.json()).rejects.toThrow();"];
    case "truncated-body":
    case "broken-connection":
      return [`await expect(${send}).rejects.toThrow();`];
    case "no-response":
      return [`await expect(request.${call}(${address}, ${options("timeout: 1_000")})).rejects.toThrow();`];
  }
}

import { csharpTest, csharpText } from "../faults/code/csharp-test.ts";
import { rulesIn, type Scenario, type ScenarioStep, sequenceOf, stepText } from "./scenario.ts";

export const RUNNERS = ["Vitest", "Playwright", "C#"] as const;
export type ScenarioRunner = (typeof RUNNERS)[number];

interface Target {
  /** The address of the running server, which may have a path. */
  readonly server: string;
  /** A path to request in each step. */
  readonly path: string;
}

/** The scenario as a test to copy: each step sets its state in a sandbox, and expects the statuses that come of it. */
export function scenarioCode(runner: ScenarioRunner, scenario: Scenario, target: Target): string {
  if (runner === "C#") return csharp(scenario, target);
  return runner === "Vitest" ? vitest(scenario, target) : playwright(scenario, target);
}

/** The statuses of the requests of a step, as far as the sequence goes; undefined where one gets no proper response. */
export function statusesOf(step: ScenarioStep): (number | undefined)[] {
  const sequence = sequenceOf(step);
  if (sequence.length === 0) return [200];
  return sequence.flatMap(({ times = 1, effects }) => {
    const failure = effects.find(({ fault }) => fault !== "latency");
    const status = failure === undefined ? 200 : failure.fault === "status" ? failure.status : undefined;
    return Array.from({ length: Math.min(times, MOST_REQUESTS) }, () => status);
  });
}

/** A test that sends more would take long. */
const MOST_REQUESTS = 20;

function known(step: ScenarioStep): number[] {
  const statuses = statusesOf(step);
  const end = statuses.indexOf(undefined);
  return statuses.slice(0, end === -1 ? undefined : end).filter((status) => status !== undefined);
}

function vitest({ name, steps }: Scenario, { server, path }: Target): string {
  const lines = steps.flatMap((step, at) => [
    "",
    `// ${at + 1}. ${stepText(step)}`,
    'await send("DELETE", "/__faults");',
    ...(step.snapshot === "" ? [] : [`await send("PUT", ${text(snapshotAt(step))});`]),
    ...(rulesIn(step).length === 0 ? [] : [`await send("POST", "/__faults", ${JSON.stringify(rulesIn(step))});`]),
    ...expected(step, [
      `for (const status of [${known(step).join(", ")}]) {`,
      `  expect((await send("GET", ${text(path)})).status).toBe(status);`,
      "}",
    ]),
  ]);
  return [
    'import { expect, test } from "vitest";',
    "",
    `const SERVER = ${text(server)};`,
    "",
    `test(${text(name)}, async () => {`,
    "  // A sandbox of its own: its data and faults are this test's alone.",
    "  const sandbox = crypto.randomUUID();",
    '  const headers = { "X-Standin-Sandbox": sandbox, "Content-Type": "application/json" };',
    '  const send = (method = "GET", path = "/", rules = [{}]) =>',
    `    fetch(\`\${SERVER}\${path}\`, { method, headers, ...(method === "POST" && { body: JSON.stringify(rules) }) });`,
    ...lines.map((line) => (line === "" ? "" : `  ${line}`)),
    "",
    `  await fetch(\`\${SERVER}/__sandboxes/\${sandbox}\`, { method: "DELETE" });`,
    "});",
    "",
  ].join("\n");
}

function playwright({ name, steps }: Scenario, { server, path }: Target): string {
  const lines = steps.flatMap((step, at) => [
    "",
    `// ${at + 1}. ${stepText(step)}`,
    `await request.delete(\`\${SERVER}/__faults\`, { headers });`,
    ...(step.snapshot === "" ? [] : [`await request.put(\`\${SERVER}${snapshotAt(step)}\`, { headers });`]),
    ...(rulesIn(step).length === 0
      ? []
      : [`await request.post(\`\${SERVER}/__faults\`, { headers, data: ${JSON.stringify(rulesIn(step))} });`]),
    "// Replace this by what the page does: await page.goto(...), and what it shows then.",
    ...expected(step, [
      `for (const status of [${known(step).join(", ")}]) {`,
      `  expect((await request.get(\`\${SERVER}${path}\`, { headers })).status()).toBe(status);`,
      "}",
    ]),
  ]);
  return [
    'import { expect, test } from "@playwright/test";',
    "",
    `const SERVER = ${text(server)};`,
    "",
    `test(${text(name)}, async ({ page, request }, { testId, retry }) => {`,
    "  // A sandbox of its own: its data and faults are this test's alone.",
    `  const sandbox = \`\${testId}-\${retry}\`;`,
    '  const headers = { "X-Standin-Sandbox": sandbox };',
    "  await page.setExtraHTTPHeaders(headers);",
    ...lines.map((line) => (line === "" ? "" : `  ${line}`)),
    "",
    `  await request.delete(\`\${SERVER}/__sandboxes/\${sandbox}\`);`,
    "});",
    "",
  ].join("\n");
}

function csharp({ name, steps }: Scenario, { server, path }: Target): string {
  const { origin, pathname } = new URL(server);
  const mount = pathname.replace(/\/$/, "");
  const lines = steps.flatMap((step, at) => [
    "",
    `// ${at + 1}. ${stepText(step)}`,
    `await http.DeleteAsync(${csharpText(`${mount}/__faults`)});`,
    ...(step.snapshot === "" ? [] : [`await http.PutAsync(${csharpText(`${mount}${snapshotAt(step)}`)}, null);`]),
    ...(rulesIn(step).length === 0
      ? []
      : [
          `await http.PostAsync(${csharpText(`${mount}/__faults`)}, new StringContent("""${JSON.stringify(rulesIn(step))}""", Encoding.UTF8, "application/json"));`,
        ]),
    ...expected(step, [
      `foreach (var status in new[] { ${known(step).join(", ")} })`,
      "{",
      `    Assert.Equal(status, (int)(await http.GetAsync(${csharpText(`${mount}${path}`)})).StatusCode);`,
      "}",
    ]),
  ]);
  return csharpTest({
    title: name,
    className: "ScenarioTests",
    method: "PlaysTheScenario",
    lines: [
      `using var http = new HttpClient { BaseAddress = new Uri(${csharpText(origin)}) };`,
      "// A sandbox of its own: its data and faults are this test's alone.",
      'var sandbox = Guid.NewGuid().ToString("N");',
      'http.DefaultRequestHeaders.Add("X-Standin-Sandbox", sandbox);',
      ...lines,
      "",
      `await http.DeleteAsync(${csharpText(`${mount}/__sandboxes/`)} + sandbox);`,
    ],
  });
}

/** The lines where the first requests have statuses; else what happens, in words. */
function expected(step: ScenarioStep, lines: readonly string[]): readonly string[] {
  return known(step).length > 0 ? lines : ["// A request gets no proper response: expect what your client does then."];
}

function snapshotAt({ snapshot }: ScenarioStep): string {
  return `/__snapshots__/${encodeURIComponent(snapshot)}`;
}

/** The escapes of JSON texts are known to all of them. */
function text(value: string): string {
  return JSON.stringify(value);
}

import type { TestCase } from "./test-case.ts";

/** A test for xUnit, with a sandbox of its own on a running server, whose address may have a path. */
export function csharpCode(test: TestCase, url: string): string {
  const { origin, pathname } = new URL(url);
  const mount = pathname.replace(/\/$/, "");
  const { title, rule, outcome, changesData } = test;
  const isJson = outcome.kind === "malformed-json";
  const lines = [
    `using var http = new HttpClient { BaseAddress = new Uri(${text(origin)}) };`,
    "// A sandbox of its own: its data and faults are this test's alone.",
    'var sandbox = Guid.NewGuid().ToString("N");',
    'http.DefaultRequestHeaders.Add("X-Standin-Sandbox", sandbox);',
    ...(outcome.kind === "broken-connection"
      ? [
          "// HttpClient repeats a request that fails on a reused connection.",
          "http.DefaultRequestHeaders.ConnectionClose = true;",
        ]
      : []),
    ...(rule.seed === undefined ? [] : ["// With this seed, the first request is one of those that fail."]),
    `var rule = """${JSON.stringify(rule)}""";`,
    `await http.PostAsync(${text(`${mount}/__faults`)}, new StringContent(rule, Encoding.UTF8, "application/json"));`,
    "",
    ...expectations({ ...test, path: `${mount}${test.path}` }),
    ...(changesData
      ? [
          "// The client got no response, but the record was created.",
          `Assert.Contains("created", await http.GetStringAsync(${text(`${mount}/__changes`)}));`,
        ]
      : []),
    "",
    `await http.DeleteAsync(${text(`${mount}/__sandboxes/`)} + sandbox);`,
  ];
  return [
    ...(outcome.kind === "late" ? ["using System.Diagnostics;"] : []),
    ...(isJson ? ["using System.Net.Http.Json;"] : []),
    "using System.Text;",
    ...(isJson ? ["using System.Text.Json;"] : []),
    "using Xunit;",
    "",
    "public class FaultTests",
    "{",
    `    [Fact(DisplayName = ${text(title)})]`,
    "    public async Task MeetsTheFault()",
    "    {",
    ...lines.map((line) => (line === "" ? "" : `        ${line}`)),
    "    }",
    "}",
    "",
  ].join("\n");
}

function expectations({ method, path, outcome }: TestCase): string[] {
  const name = `${method[0]}${method.slice(1).toLowerCase()}`;
  const send = (more = ""): string => {
    const given = [`new HttpRequestMessage(new HttpMethod(${text(method)}), ${text(path)})`, more].filter(
      (one) => one !== "",
    );
    return ["Get", "Delete"].includes(name)
      ? `http.${name}Async(${[text(path), more].filter((one) => one !== "").join(", ")})`
      : `http.SendAsync(${given.join(", ")})`;
  };
  switch (outcome.kind) {
    case "status":
      return [
        `var response = await ${send()};`,
        `Assert.Equal(${outcome.status}, (int)response.StatusCode);`,
        ...Object.entries(outcome.headers)
          .filter(([header]) => header.toLowerCase() !== "content-type")
          .map(
            ([header, value]) => `Assert.Equal(${text(value)}, response.Headers.GetValues(${text(header)}).First());`,
          ),
      ];
    case "late":
      if (outcome.minMs === undefined)
        return [`var response = await ${send()};`, "Assert.True((int)response.StatusCode < 500);"];
      return [
        "var watch = Stopwatch.StartNew();",
        `await ${send()};`,
        `Assert.True(watch.ElapsedMilliseconds > ${Math.floor(outcome.minMs * 0.9)});`,
      ];
    case "slow-body":
      return [`var response = await ${send()};`, 'Assert.NotEqual("", await response.Content.ReadAsStringAsync());'];
    case "malformed-json":
      return [
        `var response = await ${send()};`,
        "await Assert.ThrowsAsync<JsonException>(() => response.Content.ReadFromJsonAsync<JsonElement>());",
      ];
    case "truncated-body":
    case "broken-connection":
      return [`await Assert.ThrowsAsync<HttpRequestException>(() => ${send()});`];
    case "no-response":
      return [
        "using var patience = new CancellationTokenSource(1000);",
        `await Assert.ThrowsAnyAsync<Exception>(() => ${send("patience.Token")});`,
      ];
  }
}

/** The escapes of JSON texts are all known to C#. */
function text(value: string): string {
  return JSON.stringify(value);
}

import { csharpTest, csharpText } from "./csharp-test.ts";
import type { TestCase } from "./test-case.ts";

/** A test for xUnit, with a sandbox of its own on a running server, whose address may have a path. */
export function csharpCode(test: TestCase, url: string): string {
  const { origin, pathname } = new URL(url);
  const mount = pathname.replace(/\/$/, "");
  const { title, rule, outcome, changesData } = test;
  const lines = [
    `using var http = new HttpClient { BaseAddress = new Uri(${csharpText(origin)}) };`,
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
    `await http.PostAsync(${csharpText(`${mount}/__faults`)}, new StringContent(rule, Encoding.UTF8, "application/json"));`,
    "",
    ...expectations({ ...test, path: `${mount}${test.path}` }),
    ...(changesData
      ? [
          "// The client got no response, but the record was created.",
          `Assert.Contains("created", await http.GetStringAsync(${csharpText(`${mount}/__changes`)}));`,
        ]
      : []),
    "",
    `await http.DeleteAsync(${csharpText(`${mount}/__sandboxes/`)} + sandbox);`,
  ];
  return csharpTest({ title, className: "FaultTests", method: "MeetsTheFault", lines });
}

function expectations({ method, path, outcome }: TestCase): string[] {
  const name = `${method[0]}${method.slice(1).toLowerCase()}`;
  const send = (more = ""): string => {
    const given = [`new HttpRequestMessage(new HttpMethod(${csharpText(method)}), ${csharpText(path)})`, more].filter(
      (one) => one !== "",
    );
    return ["Get", "Delete"].includes(name)
      ? `http.${name}Async(${[csharpText(path), more].filter((one) => one !== "").join(", ")})`
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
            ([header, value]) =>
              `Assert.Equal(${csharpText(value)}, response.Headers.GetValues(${csharpText(header)}).First());`,
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

import { execFile, spawnSync } from "node:child_process";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { formatListQuery, parseListQuery } from "../../../console/src/data/list-query.ts";
import { copyAs } from "../../../console/src/request/copy-as.ts";
import { addressOf, draftOfRequest, readyRequest, splitAddress } from "../../../console/src/request/request-draft.ts";
import { startApi } from "../../support/api.ts";

const run = promisify(execFile);
const ORIGIN = "http://localhost:3000";

describe("a request from the builder", () => {
  test("an address brings its query along, and leaves the host behind", () => {
    expect(splitAddress("http://elsewhere:1/products?name=a%20b&x=1#top")).toEqual({
      path: "/products",
      parameters: [
        ["name", "a b"],
        ["x", "1"],
      ],
    });
    expect(addressOf(draftOfRequest("GET", "/products?name=a%20b"))).toBe("/products?name=a%20b");
    // As typed by a user, without a query.
    for (const path of ["http://localhost:3000/products/1", "products/1"]) {
      expect(addressOf({ ...draftOfRequest("GET", "/"), path })).toBe("/products/1");
    }
  });

  test("rows not filled in are left out; own headers win; a body gets a content type", () => {
    const draft = draftOfRequest(
      "POST",
      "/products?=&a=1",
      [
        ["x-api-key", "mine"],
        ["", "y"],
      ],
      '{"a":1}',
    );
    expect(
      readyRequest(draft, ORIGIN, [
        ["X-API-KEY", "tab"],
        ["Authorization", "Bearer t"],
      ]),
    ).toEqual({
      method: "POST",
      url: `${ORIGIN}/products?a=1`,
      headers: [
        ["x-api-key", "mine"],
        ["Authorization", "Bearer t"],
        ["Content-Type", "application/json"],
      ],
      body: '{"a":1}',
    });
  });

  test("a GET has no body, whatever the input", () => {
    expect(readyRequest(draftOfRequest("GET", "/", [], "x"), ORIGIN, []).body).toBeUndefined();
  });
});

const PATCH = readyRequest(
  draftOfRequest("PATCH", "/products/1", [["X-Note", 'it\'s "q"']], '{"name":"O\'Hat"}'),
  ORIGIN,
  [],
);

describe("copy as", () => {
  test("curl", () => {
    expect(copyAs("curl", PATCH)).toBe(
      [
        "curl -X PATCH 'http://localhost:3000/products/1' \\",
        "  -H 'X-Note: it'\\''s \"q\"' \\",
        "  -H 'Content-Type: application/json' \\",
        "  --data-raw '{\"name\":\"O'\\''Hat\"}'",
      ].join("\n"),
    );
    const list = readyRequest(draftOfRequest("GET", "/products?a[]=1&_limit=2"), ORIGIN, []);
    expect(copyAs("curl", list)).toBe("curl 'http://localhost:3000/products?a%5B%5D=1&_limit=2'");
  });

  test("C# HttpClient", () => {
    expect(copyAs("C#", PATCH)).toBe(
      [
        "using System.Text;",
        "",
        "using var client = new HttpClient();",
        'using var request = new HttpRequestMessage(HttpMethod.Patch, "http://localhost:3000/products/1");',
        'request.Headers.TryAddWithoutValidation("X-Note", "it\'s \\"q\\"");',
        'request.Content = new StringContent("{\\"name\\":\\"O\'Hat\\"}", Encoding.UTF8, "application/json");',
        "",
        "using var response = await client.SendAsync(request);",
        "Console.WriteLine((int)response.StatusCode);",
        "Console.WriteLine(await response.Content.ReadAsStringAsync());",
      ].join("\n"),
    );
  });

  test("what is copied for JavaScript changes the record when it runs", async () => {
    const { url, ask } = await startApi();
    const request = readyRequest(draftOfRequest("PATCH", "/products/1", [], '{"name":"O\'Hat </script>"}'), url, []);
    await run(process.execPath, ["--input-type=module", "-e", copyAs("JavaScript", request)]);
    expect((await ask("GET /products/1")).body).toMatchObject({ name: "O'Hat </script>", price: 10 });
  });

  test("C# gets no line break inside a text", () => {
    const odd = readyRequest(draftOfRequest("POST", "/products", [], '{"name":"a\u2028b\u0085c\nd"}'), ORIGIN, []);
    expect(copyAs("C#", odd)).toContain('"{\\"name\\":\\"a\\u2028b\\u0085c\\nd\\"}"');
  });

  const hasPython = spawnSync("python3", ["--version"]).status === 0;
  test.skipIf(!hasPython)("what is copied for Python changes the record when it runs (needs python3)", async () => {
    const { url, ask } = await startApi();
    const body = { name: "O'Hat \\ \u2028 😀", tags: [true, null, []], at: { x: 1.5 } };
    const request = readyRequest(draftOfRequest("PATCH", "/products/1", [], JSON.stringify(body)), url, []);
    const { stdout } = await run("python3", ["-c", copyAs("Python", request)]);
    expect(stdout).toMatch(/^200 /);
    expect((await ask("GET /products/1")).body).toMatchObject({ ...body, price: 10 });
    const list = readyRequest(draftOfRequest("GET", "/products?_limit=1"), ORIGIN, [["X-API-KEY", "k"]]);
    expect(copyAs("Python", list)).toBe(
      [
        "import urllib.request",
        "",
        "request = urllib.request.Request(",
        '    "http://localhost:3000/products?_limit=1",',
        "    headers={",
        '        "X-API-KEY": "k",',
        "    },",
        ")",
        "with urllib.request.urlopen(request) as response:",
        "    print(response.status, response.read().decode())",
      ].join("\n"),
    );
  });

  const hasCurl = spawnSync("curl", ["--version"]).status === 0;
  test.skipIf(!hasCurl)("what is copied for a shell changes the record when it runs (needs curl)", async () => {
    const { url, ask } = await startApi();
    const request = readyRequest(draftOfRequest("PATCH", "/products/1", [], '{"name":"$HOME `x` O\'Hat"}'), url, []);
    await run("sh", ["-c", copyAs("curl", request)]);
    expect((await ask("GET /products/1")).body).toMatchObject({ name: "$HOME `x` O'Hat" });

    const list = formatListQuery(parseListQuery("_or=name:in=O'Hat,x%5C,y&_or=name:contains=%24HOME%20%60x%60%20O%27"));
    const listed = readyRequest(draftOfRequest("GET", `/products?${list}&_fields=id`), url, []);
    expect((await run("sh", ["-c", `${copyAs("curl", listed)} -s`])).stdout).toBe('[{"id":1}]');
    const conditions = `{"_where":{"name":{"endsWith":"O'Hat"}},"_fields":"id"}`;
    const search = readyRequest(draftOfRequest("QUERY", "/products", [], conditions), url, []);
    expect((await run("sh", ["-c", `${copyAs("curl", search)} -s`])).stdout).toBe('[{"id":1}]');
  });
});

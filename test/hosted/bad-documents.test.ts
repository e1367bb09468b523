import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { createFolder, type Run, runCli } from "../support/cli.ts";
import { runKept } from "../support/kept-process.ts";

const POSTMAN = "https://schema.getpostman.com/json/collection/v2.1.0/collection.json";
const info = { name: "x", schema: POSTMAN };
const openapi = (paths: unknown, more: object = {}): unknown => ({
  openapi: "3.1.0",
  info: { title: "x", version: "1" },
  paths,
  ...more,
});
const operation = (content: unknown): unknown => openapi({ "/a": { get: { responses: { 200: { content } } } } });
const deep = (depth: number): string => `${"[".repeat(depth)}${"]".repeat(depth)}`;

/** A file that cannot be served, and what is said of it. */
const cases: readonly [title: string, name: string, content: unknown, message: RegExp][] = [
  ["no such file", "none.json", undefined, /none\.json cannot be read: it does not exist\./],
  ["an empty file", "x.json", "", /x\.json is not valid JSON: line 1, column 1/],
  ["broken JSON", "x.json", '{\n  "examples": [,]\n}', /line 2, column 16: expected a value/],
  [
    "truncated JSON",
    "x.json",
    JSON.stringify(operation({})).slice(0, -9),
    /is not valid JSON: line 1, column \d+: expected/,
  ],
  [
    "truncated YAML",
    "x.yaml",
    'openapi: "3.0.0"\npaths:\n  /a: {get: {responses: {',
    /x\.yaml is not valid YAML: line 3/,
  ],
  ["broken YAML", "x.yml", "openapi: 3.0.0\npaths: *unknown\n", /x\.yml .*unknown/],
  ["a list", "x.json", "[]", /must contain a JSON object/],
  ["a number in YAML", "x.yaml", "5", /must contain a JSON object/],
  [
    "something else",
    "x.json",
    { products: [{ id: 1 }] },
    /neither a Postman collection .* standin hosted export --from/,
  ],
  ["Swagger 1", "x.json", { swagger: "1.2", paths: {} }, /x\.json: #\/swagger: is "1\.2"; version 2\.0 can be served/],
  ["OpenAPI 4", "x.json", { openapi: "4.0.0", paths: {} }, /#\/openapi: is "4\.0\.0"; versions 3\.0, 3\.1 and 3\.2/],
  [
    "Postman v1",
    "x.json",
    { id: "1", name: "old", order: [], requests: [] },
    /#\/requests: this is a Postman collection of version 1\. Export it from Postman as v2\.1/,
  ],
  [
    "Postman v3",
    "x.json",
    { info: { name: "x", schema: POSTMAN.replace("v2.1.0", "v3.0.0") }, item: [] },
    /#\/info\/schema: .*v3\.0\.0.* as v2\.1/,
  ],
  [
    "a Postman environment",
    "x.json",
    { values: [], _postman_variable_scope: "environment" },
    /this is a Postman environment/,
  ],
  [
    "an environment without a scope",
    "x.json",
    { name: "Live", values: [{ key: "a", value: "1" }] },
    /this is a Postman environment. Serve a collection, and add --environment/,
  ],
  [
    "a collection without requests",
    "x.json",
    { info, item: [{ name: "a", item: [] }] },
    /#\/item: contains no request\./,
  ],
  ["a folder that is none", "x.json", { info, item: [{ item: 5 }] }, /#\/item\/0\/item: must be a list, but is 5/],
  ["an item that is none", "x.json", { info, item: ["a"] }, /#\/item\/0: must be an object, but is "a"/],
  [
    "an example without a request",
    "x.json",
    { info, item: [{ response: [{ code: 200 }] }] },
    /#\/item\/0\/request: must be an object, but is missing/,
  ],
  [
    "an example with an odd code",
    "x.json",
    { info, item: [{ request: "/a", response: [{ code: "OK" }] }] },
    /#\/item\/0\/response\/0\/code: must be a status code from 200 to 599, but is "OK"/,
  ],
  ["OpenAPI without paths", "x.json", { openapi: "3.0.0" }, /#\/paths: is missing/],
  ["OpenAPI without operations", "x.json", openapi({ "/a": {} }), /#\/paths: contains no operation/],
  [
    "a reference to a file that is missing",
    "x.json",
    operation({ "application/json": { schema: { $ref: "other.yaml#/Thing" } } }),
    /x\.json: #\/paths\/~1a\/get\/responses\/200\/content\/application~1json\/schema\/\$ref: "other\.yaml#\/Thing": .*other\.yaml cannot be read: it does not exist\./,
  ],
  [
    "a reference over the network",
    "x.json",
    openapi({ "/a": { $ref: "http://127.0.0.1:1/a.json" } }),
    /#\/paths\/~1a\/\$ref: "http:\/\/127\.0\.0\.1:1\/a\.json": http:\/\/127\.0\.0\.1:1\/a\.json is on a private host/,
  ],
  [
    "a reference to nothing",
    "x.json",
    openapi({ "/a": { $ref: "#/components/x" } }),
    /#\/paths\/~1a\/\$ref: "#\/components\/x" does not exist/,
  ],
  ["a reference to a prototype", "x.json", openapi({ "/a": { $ref: "#/__proto__/toString" } }), /does not exist/],
  [
    "references in a circle",
    "x.json",
    openapi(
      { "/a": { $ref: "#/components/pathItems/a" } },
      {
        components: { pathItems: { a: { $ref: "#/components/pathItems/b" }, b: { $ref: "#/components/pathItems/a" } } },
      },
    ),
    /#\/components\/pathItems\/\w: the reference #\/components\/pathItems\/\w leads back to itself/,
  ],
  [
    "an odd status",
    "x.json",
    openapi({ "/a": { get: { responses: { 999: {} } } } }),
    /#\/paths\/~1a\/get\/responses\/999: is no status code/,
  ],
  [
    "responses that are none",
    "x.json",
    openapi({ "/a": { get: { responses: [1] } } }),
    /responses: must be an object, but is a list/,
  ],
  [
    "a schema that is none",
    "x.json",
    operation({ "application/json": { schema: "text" } }),
    /schema: must be a schema/,
  ],
  ["no example", "x.json", { examples: [] }, /#\/examples: contains no example/],
  [
    "an unknown key",
    "x.json",
    { examples: [{ request: { path: "/a" }, respones: {} }] },
    /#\/examples\/0\/respones: is unknown\. Did you mean "response"\?/,
  ],
  [
    "an example without a path",
    "x.json",
    { examples: [{ request: {}, response: {} }] },
    /#\/examples\/0\/request\/path: must be a string, but is missing/,
  ],
  [
    "a path without a slash",
    "x.json",
    { examples: [{ request: { path: "a" }, response: {} }] },
    /must begin with "\/", but is "a"/,
  ],
  [
    "a query in a path",
    "x.json",
    { examples: [{ request: { path: "/a?b=1" }, response: {} }] },
    /put parameters into "query"/,
  ],
  [
    "an odd method",
    "x.json",
    { examples: [{ request: { path: "/a", method: "FETCH" }, response: {} }] },
    /FETCH is not an HTTP method/,
  ],
  [
    "an odd header",
    "x.json",
    { examples: [{ request: { path: "/a" }, response: { headers: { a: {} } } }] },
    /#\/examples\/0\/response\/headers\/a: must be a string or a number/,
  ],
  [
    "an odd status of our own",
    "x.json",
    { examples: [{ request: { path: "/a" }, response: { status: 99 } }] },
    /#\/examples\/0\/response\/status: must be a status code from 200 to 599, but is 99/,
  ],
  ["deep nesting", "x.json", `{"examples":${deep(100_000)}}`, /nested deeper than 200 levels/],
  [
    "deep nesting in YAML",
    "x.yaml",
    `examples: ${deep(20_000)}`,
    /x\.yaml: line 1, column 210: nested deeper than 200 levels/,
  ],
  ["a YAML alias into itself", "x.yaml", "examples: &a [*a]", /alias leads into itself/],
  [
    "a YAML bomb",
    "x.yaml",
    [
      "a: &a [x,x,x,x,x,x,x,x,x]",
      ..."bcdefghi"
        .split("")
        .map((letter, at) => `${letter}: &${letter} [${Array(9).fill(`*${"abcdefgh"[at]}`).join(",")}]`),
    ].join("\n"),
    /x\.yaml: #(\/\w)?: its aliases make more than 5000000 values of it/,
  ],
];

describe("a document that cannot be served stops the start with its place, and without a stack", () => {
  for (const [title, name, content, message] of cases) {
    test.concurrent(title, async () => {
      const folder = createFolder(content === undefined ? {} : { [name]: content });
      await expectRefusal(folder, name, message);
    });
  }

  for (const name of ["x.json", "x.yaml"]) {
    test(`50 MB of ${name}`, async () => {
      const folder = createFolder();
      const pair = '{"request":{"path":"/a"},"response":{"body":"x"}},\n';
      writeFileSync(join(folder, name), `{"examples":[\n${pair.repeat(Math.ceil((50 * 2 ** 20) / pair.length))}`);
      await expectRefusal(folder, name, /it has 5[01] MB, and at most 32 MB are read/);
    });
  }

  test("a folder without mocks; the process ends, too", async () => {
    await expectRefusal(
      createFolder({ "a.txt": "x" }),
      ".",
      /folder \. contains no file of examples\.\n {2}a\.txt: it is neither/,
      runCli,
    );
  });
});

async function expectRefusal(
  folder: string,
  name: string,
  message: RegExp,
  runCommand: (args: string[], folder: string) => Run = runKept,
): Promise<void> {
  const run = runCommand(["hosted", name, "--port", "0"], folder);
  expect(await run.exit, run.output.stdout).toBe(1);
  expect(run.output.stderr).toMatch(/^standin: /);
  expect(run.output.stderr).toMatch(message);
  expect(run.output.stderr).not.toMatch(/^\s+at /m);
  expect(run.output.stderr.length).toBeLessThan(1000);
}

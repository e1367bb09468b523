import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { Json, JsonObject } from "../../src/base/json/json.ts";
import { BUILT_IN } from "../../src/hosted/sources/built-in.ts";
import { startHosted } from "../support/hosted.ts";
import { problemsBySchema } from "../support/json-schema.ts";

const schema = JSON.parse(readFileSync("examples.schema.json", "utf8")) as JsonObject;
const one = (request: object, response: object = {}, more: object = {}): JsonObject =>
  ({ examples: [{ request: { path: "/a", ...request }, response, ...more }] }) as JsonObject;

/** Without a parameter 0; with this value of q 1, with that 2. */
const two = (first: string, second: string): JsonObject => ({
  examples: [undefined, first, second].map((q, body) => ({
    request: q === undefined ? { path: "/a" } : { path: "/a", query: { q } },
    response: { body },
  })),
});

describe("standin's own format", () => {
  const cases: readonly [title: string, document: JsonObject, line: string, status: number, text: string][] = [
    ["GET and 200 unless given", one({}, { body: { a: 1 } }), "GET /a", 200, '{"a":1}'],
    ["no body", one({}), "GET /a", 200, ""],
    ["a text as it is", one({}, { body: "hello" }), "GET /a", 200, "hello"],
    ["null, which is JSON", one({}, { body: null }), "GET /a", 200, "null"],
    [
      "a wildcard that is a number",
      one({ path: "/a/{{id}}" }, { body: { id: "{{id}}" } }),
      "GET /a/7",
      200,
      '{"id":7}',
    ],
    [
      "a wildcard that is a text",
      one({ path: "/a/{{id}}" }, { body: { id: "{{id}}" } }),
      "GET /a/x7",
      200,
      '{"id":"x7"}',
    ],
    ["a wildcard within a text", one({ path: "/a/{{id}}" }, { body: ["no {{ id }}"] }), "GET /a/7", 200, '["no 7"]'],
    ["a wildcard in a key", one({ path: "/a/{{id}}" }, { body: { "{{id}}": 1 } }), "GET /a/7", 200, '{"7":1}'],
    ["a name that nothing has", one({ path: "/a/{{id}}" }, { body: ["{{b}}"] }), "GET /a/7", 200, '["{{b}}"]'],
    [
      "a very long number stays a text",
      one({ path: "/a/{{id}}" }, { body: ["{{id}}"] }),
      "GET /a/12345678901234567890",
      200,
      '["12345678901234567890"]',
    ],
    ["a part of a segment", one({ path: "/a/{{id}}.json" }, { body: ["{{id}}"] }), "GET /a/7.json", 200, "[7]"],
    [
      "two parts of a segment",
      one({ path: "/{{x}}-{{y}}" }, { body: ["{{x}}", "{{y}}"] }),
      "GET /1-2-3",
      200,
      '[1,"2-3"]',
    ],
    ["a parameter for any value", one({ query: { q: "{{q}}" } }, { body: ["{{q}}"] }), "GET /a?q=tea", 200, '["tea"]'],
    ["a list of parameters", one({ query: { "ids[]": ["1", "2"] } }, { body: 1 }), "GET /a?ids[]=1&ids[]=2", 200, "1"],
    ["a parameter that holds another", two("1&b=2", "other"), "GET /a?q=1&b=2", 200, "0"],
    ["the same, escaped", two("1&b=2", "other"), "GET /a?q=1%26b%3D2", 200, "1"],
    ["a parameter with a space", two("a b", "other"), "GET /a?q=a+b", 200, "1"],
    ["a parameter with an escape in it", two("a%20b", "other"), "GET /a?q=a%20b", 200, "0"],
    ["a method in lower case", one({ method: "post" }, { status: 202 }), "POST /a", 202, ""],
    [
      "names of the prototype",
      one({ path: "/__proto__/{{constructor}}" }, { body: { a: "{{constructor}}" } }),
      "GET /__proto__/x",
      200,
      '{"a":"x"}',
    ],
    ["an address in another alphabet", one({ path: "/tée" }, { body: 1 }), "GET /t%C3%A9e", 200, "1"],
    ["a dollar sign in a value", one({ path: "/a/{{id}}" }, { body: "{{id}}$1" }), "GET /a/$&", 200, "$&$1"],
  ];
  for (const [title, document, line, status, text] of cases) {
    test(`${title}: ${line} -> ${status} ${text}`, async () => {
      const api = await startHosted(document);
      const answer = await api.ask(line);
      expect(answer.status, answer.text).toBe(status);
      expect(answer.text).toBe(text);
      expect(problemsBySchema(schema, document)).toEqual([]);
    });
  }

  test("headers: a type, a list for several, numbers, and the name of a wildcard", async () => {
    const headers = {
      "content-type": "application/vnd.shop+json",
      "X-Page": 2,
      "Set-Cookie": ["a=1", "b=2"],
      Location: "/a/{{id}}",
    };
    const api = await startHosted(one({ path: "/a/{{id}}" }, { headers, body: { ok: true } }));
    const answer = await api.ask("GET /a/5");
    expect(answer.headers.get("content-type")).toBe("application/vnd.shop+json; charset=utf-8");
    expect(answer.headers.get("x-page")).toBe("2");
    expect(answer.headers.get("set-cookie")).toBe("a=1,b=2");
    expect(answer.headers.get("location")).toBe("/a/5");
    expect(answer.headers.get("x-content-type-options")).toBe("nosniff");
  });

  test("of several examples the first success is sent, unless a name is asked for", async () => {
    const examples = [
      { name: "down", request: { path: "/a" }, response: { status: 503 } },
      { name: "first", request: { path: "/a" }, response: { body: 1 } },
      { name: "second", request: { path: "/a" }, response: { body: 2 } },
    ];
    const api = await startHosted({ examples });
    expect((await api.ask("GET /a")).text).toBe("1");
    expect((await api.ask("GET /a", { headers: { "x-mock-response-name": "second" } })).text).toBe("2");
    expect((await api.ask("GET /a", { headers: { "x-mock-response-name": "down" } })).status).toBe(503);
  });
});

describe("examples.schema.json", () => {
  test("accepts the built-in examples", () => {
    expect(problemsBySchema(schema, BUILT_IN)).toEqual([]);
  });

  const wrong: readonly [Json, string][] = [
    [{}, "$.examples: missing"],
    [{ examples: [] }, "$.examples: too few"],
    [{ examples: [{ request: { path: "/a" } }] }, "$.examples[0].response: missing"],
    [{ examples: [{ request: {}, response: {} }] }, "$.examples[0].request.path: missing"],
    [one({}, { status: 99 }), "$.examples[0].response.status: too small"],
    [one({}, {}, { tag: "x" }), "$.examples[0].tag: unknown"],
  ];
  for (const [document, problem] of wrong) {
    test(`refuses ${JSON.stringify(document)}, and so does the reader`, async () => {
      expect(problemsBySchema(schema, document)).toEqual([problem]);
      await expect(startHosted(document)).rejects.toThrow();
    });
  }

  test("package.json names it, so that editors find it in the installed package", () => {
    const { exports, files } = JSON.parse(readFileSync("package.json", "utf8"));
    expect(exports["./examples.schema.json"]).toBe("./examples.schema.json");
    expect(files).toContain("examples.schema.json");
  });
});

import { describe, expect, test } from "vitest";
import { isJsonObject, type Json, type JsonObject } from "../../src/base/json/json.ts";
import { createRequestCheck, type RequestParts } from "../../src/openapi/check/request-check.ts";
import { requestError } from "../../src/openapi/check/request-error.ts";
import { createSchemaBook } from "../../src/openapi/check/schema-book.ts";
import { createSecurityCheck } from "../../src/openapi/check/security-check.ts";
import type { Operation } from "../../src/openapi/read/api-document.ts";
import { readApiDocument } from "../../src/openapi/read/load-api-document.ts";

/** An operation with these parts, and the checks of its document. */
async function operationOf(parts: JsonObject, components: JsonObject = {}, path = "/teas/{id}") {
  const root = { openapi: "3.2.0", info: {}, paths: { [path]: { post: { responses: {}, ...parts } } }, components };
  const document = await readApiDocument({ file: "own.yaml", root });
  const operation = document.operations[0] as Operation;
  const check = createRequestCheck(document, createSchemaBook(document));
  const secure = createSecurityCheck(document);
  const given = (sent: Partial<RequestParts>): RequestParts => ({
    pathValues: ["1"],
    search: "",
    headers: {},
    contentType: undefined,
    ...sent,
  });
  return {
    problems: (sent: Partial<RequestParts>) =>
      check(operation, given(sent)).map(({ pointer, message }) => `${pointer} ${message}`),
    violations: (sent: Partial<RequestParts>) => check(operation, given(sent)),
    missing: (sent: Partial<RequestParts>) => secure(operation, given(sent)),
    operation,
  };
}

const NUMBERS: JsonObject = { type: "array", items: { type: "integer" } };
const COLOUR: JsonObject = { type: "object", properties: { R: { type: "integer" }, name: { type: "string" } } };

type ParameterCase = readonly [parameter: JsonObject, sent: string, problems: readonly string[]];

const QUERY: readonly ParameterCase[] = [
  [{ schema: { type: "integer" } }, "p=12", []],
  [{ schema: { type: "integer" } }, "p=1.5", ["/query/p must be a whole number"]],
  [{ schema: { type: "integer" } }, "p=x", ["/query/p must be a whole number"]],
  [{ schema: { type: "integer", minimum: 1 } }, "p=0&other=1", ["/query/p must be at least 1"]],
  [{ schema: { type: "boolean" } }, "p=true", []],
  [{ schema: { type: "boolean" } }, "p=yes", ["/query/p must be true or false"]],
  [{ schema: { type: "string" } }, "p=12", []],
  [{ schema: { type: "string", enum: ["a b", "ä"] } }, "p=a+b", []],
  [{ schema: { type: "string", enum: ["a b", "ä"] } }, "p=%C3%A4", []],
  [{ schema: { oneOf: [{ type: "integer" }, { type: "string", enum: ["all"] }] } }, "p=all", []],
  [{ required: true, schema: {} }, "q=1", ["/query/p is required"]],
  [{ schema: { type: "integer" } }, "", []],
  [{ schema: NUMBERS }, "p=1&p=2", []],
  [{ schema: NUMBERS }, "p=1&p=x", ["/query/p/1 must be a whole number"]],
  [{ schema: NUMBERS }, "p[]=1&p[]=2", []],
  [{ schema: NUMBERS, explode: false }, "p=1,2,x", ["/query/p/2 must be a whole number"]],
  [{ schema: NUMBERS, explode: false }, "p=1%2C2%2Cx", ["/query/p/2 must be a whole number"]],
  [{ schema: { ...NUMBERS, items: { type: "string", maxLength: 3 } }, explode: false }, "p=a%2Cb,c", []],
  [{ schema: NUMBERS, style: "spaceDelimited", explode: false }, "p=1%202", []],
  [{ schema: NUMBERS, style: "pipeDelimited", explode: false }, "p=1%7C2|x", ["/query/p/2 must be a whole number"]],
  [{ schema: { ...NUMBERS, maxItems: 1 } }, "p=1&p=2", ["/query/p must have at most 1 element"]],
  [{ schema: { type: "array", items: COLOUR }, required: true, explode: false }, "p=red,green", []],
  [{ schema: { type: "array", items: COLOUR } }, 'p={"R":1}&p={"R":"x"}', ["/query/p/1/R must be a whole number"]],
  [{ schema: { type: "array", items: COLOUR } }, 'p=[{"R":"x"}]', ["/query/p/0/R must be a whole number"]],
  [{ schema: { type: "array", items: COLOUR } }, "p[0][R]=x", ["/query/p/0/R must be a whole number"]],
  [{ schema: COLOUR }, "R=x&name=red", ["/query/p/R must be a whole number"]],
  [{ schema: COLOUR, explode: false }, "p=R,x,name,red", ["/query/p/R must be a whole number"]],
  [{ schema: COLOUR, style: "deepObject" }, "p[R]=x&p[name]=1", ["/query/p/R must be a whole number"]],
  [{ schema: { ...COLOUR, required: ["R"] }, style: "deepObject", required: true }, "R=1", ["/query/p is required"]],
  [{ schema: COLOUR, style: "deepObject", required: true }, "", []],
  [{ schema: COLOUR, required: true }, "", []],
  [{ schema: COLOUR }, "p[R]=x", ["/query/p/R must be a whole number"]],
  [
    { schema: { type: "object", properties: { list: NUMBERS } } },
    "list=1&list=x",
    ["/query/p/list/1 must be a whole number"],
  ],
  [
    { schema: { type: "object", properties: { in: COLOUR } }, style: "deepObject" },
    "p[in][R]=x",
    ["/query/p/in/R must be a whole number"],
  ],
  [{ schema: { anyOf: [COLOUR, { type: "integer" }] }, style: "deepObject" }, "p=7", []],
  [{ content: { "application/json": { schema: COLOUR } } }, "p=%7B%22R%22:1%7D", []],
  [{ content: { "application/json": { schema: COLOUR } } }, "p=%7B", ["/query/p must be an object"]],
  [{ content: { "application/json": { schema: { type: "string" } } } }, "p=7", []],
  [
    { in: "querystring", content: { "application/x-www-form-urlencoded": { schema: COLOUR } } },
    "R=x",
    ["/query/R must be a whole number"],
  ],
];

describe("query parameters", () => {
  test.each(QUERY)("%j ?%s", async (parameter, search, problems) => {
    const { problems: check } = await operationOf({ parameters: [{ name: "p", in: "query", ...parameter }] });
    expect(check({ search })).toEqual(problems);
  });
});

const PATH: readonly ParameterCase[] = [
  [{ schema: { type: "integer" } }, "7", []],
  [{ schema: { type: "integer" } }, "seven", ["/path/id must be a whole number"]],
  [{ schema: NUMBERS }, "1,x", ["/path/id/1 must be a whole number"]],
  [{ schema: NUMBERS, style: "label", explode: true }, ".1.2", []],
  [{ schema: NUMBERS, style: "matrix" }, ";id=1,2", []],
  [{ schema: NUMBERS, style: "matrix", explode: true }, ";id=1;id=x", ["/path/id/1 must be a whole number"]],
  [{ schema: { type: "integer" }, style: "matrix" }, ";id=5", []],
  [{ schema: { type: "integer" }, style: "label" }, ".5", []],
  [{ schema: COLOUR }, "R,1", []],
  [{ schema: COLOUR, explode: true }, "R=x", ["/path/id/R must be a whole number"]],
];

describe("path parameters", () => {
  test.each(PATH)("%j %s", async (parameter, value, problems) => {
    const { problems: check } = await operationOf({ parameters: [{ name: "id", in: "path", ...parameter }] });
    expect(check({ pathValues: [value] })).toEqual(problems);
  });
});

describe("headers and cookies", async () => {
  const { problems } = await operationOf({
    parameters: [
      { name: "X-Pages", in: "header", schema: NUMBERS },
      { name: "X-Trace", in: "header", required: true, schema: { type: "string", format: "uuid" } },
      { name: "Authorization", in: "header", required: true, schema: { type: "string" } },
      { name: "theme", in: "cookie", schema: { enum: ["dark", "light"] } },
    ],
  });
  const trace = "7d444840-9dc0-11d1-b245-5ffdce74fad2";

  test.each([
    [{ "x-trace": trace, "x-pages": "1, 2", cookie: 'a=b; theme="dark"' }, []],
    [{ "x-trace": "1" }, ["/header/X-Trace must be a UUID"]],
    [{}, ["/header/X-Trace is required"]],
    [{ "x-trace": trace, "x-pages": "1,x" }, ["/header/X-Pages/1 must be a whole number"]],
    [{ "x-trace": trace, cookie: "theme=blue" }, ['/cookie/theme must be one of "dark", "light"']],
  ])("%j", (headers, expected) => {
    expect(problems({ headers })).toEqual(expected);
  });
});

const TEA: JsonObject = {
  type: "object",
  required: ["name"],
  properties: {
    id: { type: "integer", readOnly: true },
    name: { type: "string" },
    grams: { type: "integer" },
    tags: { type: "array", items: { type: "string", enum: ["green", "black"] } },
    origin: { type: "object", properties: { year: { type: "integer" } } },
    leaf: { type: "string", format: "binary" },
  },
};
const FORM = "application/x-www-form-urlencoded";
const PARTS = "multipart/form-data; boundary=x";
const part = (name: string, value: string, more = ""): string =>
  `--x\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n${value}\r\n`;

describe("bodies", async () => {
  const contents = {
    "application/json": { schema: TEA },
    [FORM]: { schema: TEA },
    "multipart/form-data": { schema: TEA },
  };
  const content = { ...contents, "text/plain": { schema: { type: "integer" } }, "image/*": {} };
  const { problems, violations, operation } = await operationOf({ requestBody: { required: true, content } });

  test.each<readonly [string | undefined, Json | undefined, readonly string[]]>([
    ["application/json", { name: "Sencha" }, []],
    [
      "application/json; charset=utf-8",
      { name: 1, grams: "2" },
      ["/body/name must be a string", "/body/grams must be a whole number"],
    ],
    ["APPLICATION/JSON", {}, ["/body/name is required"]],
    ["application/json", [], ["/body must be an object"]],
    [undefined, {}, ["/body/name is required"]],
    [FORM, { name: "Sencha", grams: "100", tags: ["green", "black"] }, []],
    [FORM, { name: "1", tags: "green" }, []],
    [
      FORM,
      { name: "1", grams: "x", "tags[]": "red" },
      ["/body/grams must be a whole number", '/body/tags/0 must be one of "green", "black"'],
    ],
    [FORM, "name=a+b&grams=x", ["/body/grams must be a whole number"]],
    [
      PARTS,
      `${part("name", "Sencha")}${part("origin", '{"year":2020}')}${part("leaf", "\0\n--y", '; filename="a.png"')}--x--`,
      [],
    ],
    [
      PARTS,
      `${part("grams", "x")}${part("origin", '{"year":"x"}')}--x--`,
      ["/body/name is required", "/body/grams must be a whole number", "/body/origin/year must be a whole number"],
    ],
    ["text/plain", "5", []],
    ["text/plain", "five", ["/body must be a whole number"]],
    ["image/png", "...", []],
    ["application/xml", "<a/>", [`/header/Content-Type must be ${Object.keys(content).join(", ")}`]],
    ["application/json", undefined, [`/body is required: send a body of type ${Object.keys(content).join(" or ")}`]],
  ])("%s %j", (contentType, body, expected) => {
    expect(problems({ contentType, body })).toEqual(expected);
  });

  test("an error names the problems and lists them", () => {
    const error = requestError(operation, violations({ contentType: "application/json", body: { name: 1 } }));
    expect(error.status).toBe(422);
    expect(error.toJSON()).toEqual({
      error: "Request does not match the API document",
      message: "The request does not match the API document at POST /teas/{id}: /body/name must be a string.",
      code: "REQUEST_INVALID",
      errors: [{ pointer: "/body/name", rule: "type", message: "must be a string", given: 1 }],
    });
    expect(requestError(operation, violations({ contentType: "a/b", body: "x" })).status).toBe(415);
  });

  test("an error shows no password and the like", async () => {
    const schema = {
      minProperties: 3,
      properties: { password: { type: "string", minLength: 8 }, name: { type: "string", minLength: 8 } },
    };
    const sign = await operationOf({ requestBody: { content: { "application/json": { schema } } } });
    const body = { password: "sesame", name: "Ann" };
    const error = requestError(sign.operation, sign.violations({ contentType: "application/json", body }));
    expect(error.toJSON()).toMatchObject({
      errors: [
        { pointer: "/body", rule: "minProperties" },
        { pointer: "/body/password", rule: "minLength" },
        { pointer: "/body/name", rule: "minLength", given: "Ann" },
      ],
    });
    expect(JSON.stringify(error)).not.toContain("sesame");
  });

  test("a body that is not required, or not declared, may be missing or anything", async () => {
    const optional = await operationOf({ requestBody: { content } });
    expect(optional.problems({})).toEqual([]);
    expect((await operationOf({})).problems({ contentType: "a/b", body: "x" })).toEqual([]);
  });
});

describe("security", async () => {
  const securitySchemes: JsonObject = {
    header: { type: "apiKey", in: "header", name: "X-Key" },
    query: { type: "apiKey", in: "query", name: "key" },
    cookie: { type: "apiKey", in: "cookie", name: "session" },
    basic: { type: "http", scheme: "basic" },
    bearer: { type: "http", scheme: "Bearer" },
    oauth: { type: "oauth2", flows: {} },
    tls: { type: "mutualTLS" },
  };
  const basic = `Basic ${Buffer.from("ann:secret").toString("base64")}`;

  test.each<readonly [string, JsonObject[], Partial<RequestParts>, string | undefined]>([
    ["none", [], {}, undefined],
    ["optional", [{ header: [] }, {}], {}, undefined],
    ["header", [{ header: [] }], { headers: { "x-key": "1" } }, undefined],
    ["header", [{ header: [] }], {}, "an API key in the header X-Key"],
    ["query", [{ query: [] }], { search: "key=1" }, undefined],
    ["query", [{ query: [] }], { search: "key=" }, "an API key in the query parameter key"],
    ["cookie", [{ cookie: [] }], { headers: { cookie: "session=1" } }, undefined],
    ["cookie", [{ cookie: [] }], { headers: { cookie: "other=1" } }, "an API key in the cookie session"],
    ["basic", [{ basic: [] }], { headers: { authorization: basic } }, undefined],
    [
      "basic",
      [{ basic: [] }],
      { headers: { authorization: "Basic x" } },
      "the header Authorization: Basic <user:password in base64>",
    ],
    ["bearer", [{ bearer: [] }], { headers: { authorization: "bearer abc" } }, undefined],
    [
      "oauth2",
      [{ oauth: ["read"] }],
      { headers: { authorization: basic } },
      "the header Authorization: Bearer <token>",
    ],
    ["mutualTLS", [{ tls: [] }], {}, undefined],
    ["undeclared", [{ nothing: [] }], {}, undefined],
    [
      "and",
      [{ header: [], query: [] }],
      { search: "key=1" },
      "an API key in the header X-Key and an API key in the query parameter key",
    ],
    ["or", [{ header: [] }, { bearer: [] }], { headers: { authorization: "Bearer abc" } }, undefined],
    [
      "or",
      [{ header: [] }, { bearer: [] }],
      {},
      "an API key in the header X-Key, or the header Authorization: Bearer <token>",
    ],
  ])("%s %j %j", async (_what, security, sent, wanted) => {
    const { missing } = await operationOf({ security }, { securitySchemes });
    const message = wanted && `POST /teas/{id} needs credentials: send ${wanted}.`;
    expect(missing(sent)?.message).toBe(message);
  });

  test("challenges of HTTP schemes", async () => {
    const { missing } = await operationOf(
      { security: [{ basic: [] }, { bearer: [] }, { oauth: [] }] },
      { securitySchemes },
    );
    const error = missing({});
    expect(error?.status).toBe(401);
    expect(error?.headers["WWW-Authenticate"]).toBe('Basic realm="standin", charset="UTF-8", Bearer realm="standin"');
    expect(isJsonObject(error?.toJSON())).toBe(true);
  });
});

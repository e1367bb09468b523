import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { AccessEntry } from "../../src/base/reporter.ts";
import { resolveHostedOptions } from "../../src/commands/hosted-options.ts";
import { createFolder } from "../support/cli.ts";
import { openHostedWith } from "../support/hosted.ts";

const TEAS = `
openapi: 3.0.3
info: { title: Teas, version: "1" }
paths:
  /teas:
    get:
      parameters: [{ name: limit, in: query, schema: { type: integer, maximum: 100 } }]
      responses: { "200": { description: ok, content: { application/json: { example: [] } } } }
    post:
      security: [{ key: [] }]
      requestBody: { required: true, content: { application/json: { schema: { $ref: "#/components/schemas/Tea" } }, application/x-www-form-urlencoded: { schema: { $ref: "#/components/schemas/Tea" } } } }
      responses:
        "201": { description: made, content: { application/json: { example: { id: 1 } } } }
        "404": { description: none }
  /cups:
    post:
      requestBody: { required: true, content: { application/json: { schema: { $ref: "#/components/schemas/Tea" } } } }
      responses:
        "201": { description: made, content: { application/json: { example: { id: 1 } } } }
        "400": { description: wrong, content: { application/problem+json: { schema: { $ref: "#/components/schemas/Problem" } } } }
  /teas/{id}:
    get:
      parameters: [{ name: id, in: path, required: true, schema: { type: integer } }]
      responses: { "200": { description: ok, content: { application/json: { example: { id: 1 } } } } }
components:
  securitySchemes: { key: { type: apiKey, in: header, name: X-Key } }
  schemas:
    Problem: { type: object, required: [title, detail], properties: { title: { type: string }, detail: { type: string }, trace: { type: string } } }
    Tea: { type: object, required: [name], properties: { id: { type: integer, readOnly: true }, name: { type: string }, grams: { type: integer } } }
`;

type Hosted = Awaited<ReturnType<typeof openHostedWith>>;

const warnings: string[] = [];
const reporter = {
  note() {},
  done() {},
  warn: (text: string) => void warnings.push(text),
  fault() {},
  request: ({ refusal }: AccessEntry) => void refusals.push(refusal),
};
const refusals: (string | undefined)[] = [];
let on: Hosted;
let warn: Hosted;

beforeAll(async () => {
  const folder = createFolder({ "teas.yaml": TEAS });
  [on, warn] = await Promise.all([
    openHostedWith(["--validate", `${folder}/teas.yaml`], reporter),
    openHostedWith([folder, "--validate=warn"], reporter),
  ]);
});
afterAll(() => Promise.all([on.close(), warn.close()]));

const KEY = { "x-key": "abc" };

describe("--validate", () => {
  test.each([
    ["GET /teas", {}, 200, undefined],
    ["GET /teas?limit=7&other=x", {}, 200, undefined],
    [
      "GET /teas?limit=many",
      {},
      422,
      [{ pointer: "/query/limit", rule: "type", message: "must be a whole number", given: "many" }],
    ],
    ["GET /teas/7", {}, 200, undefined],
    ["GET /teas/x", {}, 422, [{ pointer: "/path/id", rule: "type", message: "must be a whole number", given: "x" }]],
    ["POST /teas", { body: { name: "Sencha" }, headers: KEY }, 201, undefined],
    [
      "POST /teas",
      { body: { grams: "5" }, headers: KEY },
      422,
      [
        { pointer: "/body/name", rule: "required", message: "is required" },
        { pointer: "/body/grams", rule: "type", message: "must be a whole number", given: "5" },
      ],
    ],
    [
      "POST /teas",
      { body: "name=Sencha&grams=5", headers: { ...KEY, "content-type": "application/x-www-form-urlencoded" } },
      201,
      undefined,
    ],
    [
      "POST /teas",
      { headers: KEY },
      422,
      [
        {
          pointer: "/body",
          rule: "required",
          message: "is required: send a body of type application/json or application/x-www-form-urlencoded",
        },
      ],
    ],
    ["POST /teas", { body: "{", headers: KEY }, 400, undefined],
  ])("%s %j -> %i", async (line, request, status, errors) => {
    const answer = await on.ask(line, request);
    expect(answer.status).toBe(status);
    expect((answer.body as { errors?: unknown }).errors).toEqual(errors);
  });

  test("the first problems are named in the message", async () => {
    expect((await on.ask("GET /teas?limit=101")).body).toMatchObject({
      error: "Request does not match the API document",
      code: "REQUEST_INVALID",
      message: "The request does not match the API document at GET /teas: /query/limit must be at most 100.",
    });
  });

  test("in the form that the document declares, with the reason in the log and in the traffic", async () => {
    const answer = await on.ask("POST /cups", { body: { grams: 5 } });
    const reason = "The request does not match the API document at POST /cups: /body/name is required.";
    expect([answer.status, answer.headers.get("content-type"), answer.headers.get("x-standin-code")]).toEqual([
      400,
      "application/problem+json",
      "REQUEST_INVALID",
    ]);
    expect(answer.body).toEqual({ title: "Request does not match the API document", detail: reason });
    expect(refusals.at(-1)).toBe(reason);
    expect((await on.ask("GET /__requests?limit=1")).body).toMatchObject({ requests: [{ refusal: reason }] });
    await on.ask("GET /teas");
    expect(refusals.at(-1)).toBeUndefined();
  });

  test("a body of another type -> 415", async () => {
    const answer = await on.ask("POST /teas", { body: "<a/>", headers: { ...KEY, "content-type": "text/xml" } });
    expect(answer).toMatchObject({ status: 415, body: { code: "BODY_TYPE_UNSUPPORTED" } });
  });

  test("missing credentials come first -> 401", async () => {
    const answer = await on.ask("POST /teas", { body: {} });
    const message = "POST /teas needs credentials: send an API key in the header X-Key.";
    expect(answer).toMatchObject({ status: 401, body: { code: "CREDENTIALS_REQUIRED", message } });
  });

  test("also before a response that the request asks for", async () => {
    expect((await on.ask("POST /teas", { body: {}, headers: { ...KEY, prefer: "code=404" } })).status).toBe(422);
  });
});

describe("--validate warn", () => {
  test("responds as usual, with a warning in a header and in the log", async () => {
    const answer = await warn.ask("POST /teas/teas", { body: { name: 1 } });
    expect(answer.status).toBe(201);
    expect(answer.headers.get("warning")).toBe(
      '199 standin "Breaks the API document: POST /teas needs credentials: send an API key in the header X-Key.; /body/name must be a string"',
    );
    expect(warnings).toContain(
      "The request does not match the API document at POST /teas: /body/name must be a string.",
    );
    expect((await warn.ask("GET /teas/teas?limit=1")).headers.get("warning")).toBeNull();
  });

  test("responds to a body that cannot be read", async () => {
    const headers = { ...KEY, "content-type": "application/json" };
    const answer = await warn.ask("POST /teas/teas", { body: '{"name', headers });
    expect(answer.status).toBe(201);
    expect(answer.headers.get("warning")).toMatch(/^199 standin "Breaks the API document: The body is not valid JSON/);
    expect(await on.ask("POST /teas", { body: '{"name', headers })).toMatchObject({
      status: 400,
      body: { code: "BODY_MALFORMED" },
    });
  });

  test("the same warning is written once", async () => {
    for (let count = 0; count < 3; count++) await warn.ask("GET /teas/teas/x");
    expect(warnings.filter((text) => text.includes("/path/id"))).toHaveLength(1);
  });
});

test.each([
  [["a.yaml"], "off"],
  [["--validate", "a.yaml"], "on"],
  [["a.yaml", "--validate"], "on"],
  [["--validate", "--port", "3001", "a.yaml"], "on"],
  [["--validate", "warn", "a.yaml"], "warn"],
  [["--validate=off", "a.yaml"], "off"],
])("standin hosted %j: %s", (args, mode) => {
  const { options, file } = resolveHostedOptions(args, createFolder({}), {});
  expect([options.validate, file]).toEqual([mode, "a.yaml"]);
});

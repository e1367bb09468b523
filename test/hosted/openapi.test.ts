import { beforeAll, describe, expect, test } from "vitest";
import type { Json, JsonObject } from "../../src/base/json/json.ts";
import { createFolder } from "../support/cli.ts";
import { openHosted, openHostedWith, startHosted } from "../support/hosted.ts";

const LIBRARY = "test/hosted/fixtures/library.openapi.yaml";
const PAYMENTS = "test/hosted/fixtures/payments.openapi.json";

/** A document with one operation, `GET /a`, whose 200 has this schema or other content. */
function document(media: object, more: object = {}): JsonObject {
  const responses = { 200: { description: "", content: { "application/json": media } } };
  return {
    openapi: "3.1.0",
    info: { title: "", version: "" },
    paths: { "/a": { get: { responses } } },
    ...more,
  } as JsonObject;
}

async function bodyFor(schema: Json | object, more: object = {}): Promise<unknown> {
  const api = await startHosted(document({ schema }, more), "openapi.json");
  const answer = await api.ask("GET /a");
  expect(answer.status).toBe(200);
  return answer.body;
}

describe("a body made from its schema", () => {
  const fits: readonly [schema: object, expected: unknown][] = [
    [{ type: "string" }, expect.stringMatching(/^\w+/)],
    [{ type: "string", minLength: 30 }, expect.stringMatching(/^.{30,}$/)],
    [{ type: "string", maxLength: 3 }, expect.stringMatching(/^.{1,3}$/)],
    [{ type: "string", format: "date" }, expect.stringMatching(/^20\d\d-\d\d-\d\d$/)],
    [{ type: "string", format: "date-time" }, expect.stringMatching(/^20\d\d-\d\d-\d\dT\d\d:\d\d:\d\dZ$/)],
    [
      { type: "string", format: "uuid" },
      expect.stringMatching(/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-8[\da-f]{3}-[\da-f]{12}$/),
    ],
    [{ type: "string", format: "email" }, expect.stringMatching(/^[\w.]+@example\.(com|org|net)$/)],
    [{ type: "string", format: "uri" }, expect.stringMatching(/^https:\/\/example\.com\//)],
    [{ type: "string", format: "ipv4" }, expect.stringMatching(/^10(\.\d+){3}$/)],
    [{ type: "string", format: "unheard-of" }, expect.any(String)],
    [{ enum: ["only"] }, "only"],
    [{ const: { a: 1 } }, { a: 1 }],
    [{ type: "string", default: "usual" }, "usual"],
    [{ type: "string", example: "given" }, "given"],
    [{ type: "object", properties: { a: { type: "string", examples: ["inner"] } } }, { a: "inner" }],
    [{ type: "boolean" }, expect.any(Boolean)],
    [{ type: "null" }, null],
    [{ type: ["null", "integer"], minimum: 5, maximum: 5 }, 5],
    [{ type: "integer", exclusiveMinimum: 4, maximum: 5 }, 5],
    [{ type: "integer", minimum: 4, exclusiveMinimum: true, maximum: 5 }, 5],
    [{ type: "number", minimum: 1, maximum: 2, multipleOf: 2 }, 2],
    [{ type: "integer", maximum: -5, minimum: -5 }, -5],
    [{ type: "array", items: { const: 1 } }, [1, 1]],
    [{ type: "array", items: { const: 1 }, uniqueItems: true }, [1]],
    [{ type: "array", items: { const: 1 }, minItems: 4 }, [1, 1, 1, 1]],
    [{ type: "array", items: { const: 1 }, maxItems: 1 }, [1]],
    [{ type: "array", prefixItems: [{ const: 1 }, { const: "a" }] }, [1, "a"]],
    [
      { type: "object", additionalProperties: { const: 1 }, minProperties: 1, maxProperties: 1 },
      expect.objectContaining({}),
    ],
    [{ properties: { a: { const: 1 }, secret: { const: 2, writeOnly: true } } }, { a: 1 }],
    [
      {
        allOf: [{ properties: { a: { const: 1 } } }, { properties: { b: { const: 2 } } }],
        properties: { c: { const: 3 } },
      },
      { a: 1, b: 2, c: 3 },
    ],
    [{ oneOf: [{ type: "null" }, { const: 1 }, { const: 2 }] }, 1],
    [{ anyOf: [{ properties: { a: { const: 1 } } }, { const: 2 }] }, { a: 1 }],
    [JSON.parse('{"properties":{"__proto__":{"const":1}}}'), JSON.parse('{"__proto__":1}')],
    [{}, expect.any(String)],
  ];
  for (const [schema, expected] of fits) {
    test(JSON.stringify(schema), async () => {
      expect(await bodyFor(schema)).toEqual(expected);
    });
  }

  test("true fits anything, false nothing", async () => {
    expect(await bodyFor(true)).toEqual(expect.any(String));
    expect(await bodyFor({ properties: { a: true, b: false } })).toEqual({ a: expect.any(String) });
  });

  test("a schema that leads back into itself ends after a few rounds", async () => {
    const tree = { type: "object", required: ["child"], properties: { child: { $ref: "#/components/schemas/Tree" } } };
    const body = await bodyFor({ $ref: "#/components/schemas/Tree" }, { components: { schemas: { Tree: tree } } });
    expect(JSON.stringify(body).length).toBeLessThan(200);
    const list = { type: "array", items: { $ref: "#/components/schemas/List" } };
    expect(
      await bodyFor({ $ref: "#/components/schemas/List" }, { components: { schemas: { List: list } } }),
    ).toBeInstanceOf(Array);
    const self = { allOf: [{ $ref: "#/components/schemas/Self" }], properties: { a: { const: 1 } } };
    expect(await bodyFor({ $ref: "#/components/schemas/Self" }, { components: { schemas: { Self: self } } })).toEqual({
      a: 1,
    });
  });

  test("schemas that double each other do not take for ever", async () => {
    const double = (kind: "allOf" | "properties") => {
      const schemas: Record<string, unknown> = { s0: { type: "string" } };
      for (let at = 1; at < 60; at++) {
        const $ref = `#/components/schemas/s${at - 1}`;
        schemas[`s${at}`] =
          kind === "allOf" ? { allOf: [{ $ref }, { $ref }] } : { properties: { a: { $ref }, b: { $ref } } };
      }
      return bodyFor({ $ref: "#/components/schemas/s59" }, { components: { schemas } });
    };
    await double("allOf");
    await double("properties");
    await bodyFor({ type: "array", minItems: 1e9, items: { type: "string", minLength: 1e9 } });
  });

  test("the same seed gives the same bodies, another one others", async () => {
    const bodies = await Promise.all(
      [1, 1, 2].map(async (seed) => {
        const api = await openHosted(LIBRARY, seed);
        const { text } = await api.ask("GET /members");
        await api.close();
        return text;
      }),
    );
    expect(bodies[0]).toBe(bodies[1]);
    expect(bodies[0]).not.toBe(bodies[2]);
  });

  test("it fits the schemas of the documents of realistic size", async () => {
    const library = await openHosted(LIBRARY);
    const [member] = (await library.ask("GET /members")).body as JsonObject[];
    expect(member).toMatchObject({
      id: expect.stringMatching(/^[\da-f-]{36}$/),
      email: expect.stringMatching(/@/),
      kind: expect.stringMatching(/^(adult|child|staff)$/),
      address: { city: expect.any(String), zip: expect.stringMatching(/^.{5}$/) },
    });
    expect(member).not.toHaveProperty("password");
    expect(member!.fees as number).toBeLessThanOrEqual(50);
    await library.close();
    const payments = await openHosted(PAYMENTS);
    const customer = (await payments.ask("GET /v1/customers/c")).body as JsonObject;
    expect(customer).toMatchObject({
      id: expect.any(String),
      plan: "basic",
      source: { last4: expect.stringMatching(/^.{4}$/) },
    });
    expect(Math.abs(customer.balance as number)).toBeLessThanOrEqual(100);
    await payments.close();
  });
});

describe("which example is sent", () => {
  const cases: readonly [title: string, media: object, text: string][] = [
    ["example before examples", { example: 1, examples: { a: { value: 2 } } }, "1"],
    ["the first of examples", { examples: { a: { value: 2 }, b: { value: 3 } } }, "2"],
    ["examples before those of the schema", { examples: { a: { value: 2 } }, schema: { example: 4 } }, "2"],
    ["the example of the schema", { schema: { example: 4 } }, "4"],
    ["the first of the schema's", { schema: { examples: [5, 6] } }, "5"],
    ["null is an example", { example: null }, "null"],
    ["a text is JSON in JSON", { example: "a" }, '"a"'],
    ["nothing where there is nothing", {}, ""],
  ];
  for (const [title, media, text] of cases) {
    test(`${title} -> ${text}`, async () => {
      const api = await startHosted(document(media), "openapi.json");
      expect((await api.ask("GET /a")).text).toBe(text);
    });
  }

  test("headers of a response: example, examples, schema", async () => {
    const api = await openHosted(LIBRARY);
    expect((await api.ask("GET /books")).headers.get("x-total-count")).toBe("3");
    expect((await api.ask("POST /books", { body: {} })).headers.get("location")).toBe("/books/4");
    expect((await api.ask("POST /loans/9/renewals")).headers.get("location")).toBe("/loans/9");
    await api.close();
  });

  test("Postman's headers work on it, too", async () => {
    const api = await openHosted(LIBRARY);
    const ask = (name: string, value: string) => api.ask("GET /books/1", { headers: { [`x-mock-${name}`]: value } });
    expect((await ask("response-code", "404")).body).toMatchObject({ code: "UNKNOWN" });
    expect((await ask("response-name", "removed")).body).toMatchObject({ code: "REMOVED" });
    expect((await ask("response-name", "lentOut")).body).toMatchObject({ id: 2 });
    await api.close();
  });

  test("YAML: codes as numbers, anchors, merged keys, long texts", async () => {
    const yaml = [
      "openapi: 3.1",
      "info: &info { title: Teas, version: 1 }",
      "paths:",
      "  /a:",
      "    get:",
      "      responses:",
      "        200:",
      "          description: &text >",
      "            A long",
      "            text",
      "          content:",
      "            application/json:",
      "              example: { <<: *info, on: 2024-01-01, yes: no, text: *text }",
    ].join("\n");
    const api = await startHosted(yaml, "openapi.yaml");
    const answer = await api.ask("GET /a");
    expect(answer.body).toEqual({ title: "Teas", version: 1, on: "2024-01-01", yes: "no", text: "A long text\n" });
  });

  test("types: as the document names them", async () => {
    const api = await openHosted(PAYMENTS);
    expect((await api.ask("GET /v1/statements/2024-01.csv")).headers.get("content-type")).toBe(
      "text/csv; charset=utf-8",
    );
    expect((await api.ask("GET /v1/statements/2024.csv")).status).toBe(404);
    const problem = await api.ask("POST /v1/webhooks", { headers: { prefer: "code=400" } });
    expect(problem.headers.get("content-type")).toBe("application/problem+json; charset=utf-8");
    await api.close();
  });
});

describe("cross-origin requests to a document", () => {
  const responses = { 200: { description: "", headers: { "X-Pages": { example: 4 }, Link: { example: "<a>" } } } };
  const paths = {
    "/a": { get: { responses }, options: { responses: { 200: { content: { "text/plain": { example: "ok" } } } } } },
  };

  test("a documented OPTIONS is reached, unless the request is a preflight", async () => {
    const api = await startHosted({ openapi: "3.0.0", paths: { ...paths, "/b": { get: { responses } } } }, "api.json");
    expect((await api.ask("OPTIONS /a")).text).toBe("ok");
    const preflight = await api.ask("OPTIONS /a", { headers: { "access-control-request-method": "GET" } });
    expect([preflight.status, preflight.headers.get("access-control-allow-methods")]).toEqual([
      204,
      expect.stringContaining("GET"),
    ]);
    expect((await api.ask("OPTIONS /b")).status).toBe(204);
    expect((await api.ask("OPTIONS /%zz")).status).toBe(400);
  });

  test("the headers of a response can be read by pages of other origins", async () => {
    const api = await startHosted({ openapi: "3.0.0", paths }, "api.json");
    const { headers } = await api.ask("GET /a", { headers: { origin: "https://page.example" } });
    expect(headers.get("x-pages")).toBe("4");
    expect(headers.get("access-control-expose-headers")?.split(", ").sort()).toEqual(["Link", "X-Pages"]);
  });
});

test("an operation without a response is 204, and QUERY of OpenAPI 3.2 is served", async () => {
  const found = { responses: { 200: { content: { "application/json": { example: ["found"] } } } } };
  const api = await startHosted({ openapi: "3.2.0", paths: { "/a": { get: {}, query: found } } }, "api.json");
  expect((await api.ask("GET /a")).status).toBe(204);
  expect((await api.ask("QUERY /a")).body).toEqual(["found"]);
});

test("names of required fields that are no texts are left aside", async () => {
  expect(await bodyFor({ type: "object", required: [null, 1, "a"], properties: { a: { const: 1 } } })).toEqual({
    a: 1,
  });
});

describe("paths", () => {
  const operation = (a: string, more: object = {}): object => ({
    ...more,
    responses: { 200: { content: { "application/json": { example: { a } } } } },
  });
  const paths = {
    "/n/{ns}/settings/": { get: operation("settings") },
    "/n/{ns}/{id}": { get: operation("one") },
    "/s/{id}": { get: operation("without") },
    "/s/{id}/": { get: operation("with") },
    "/rides?page={page}&size={n}": {
      get: operation("{{page}}", {
        parameters: [
          { name: "page", in: "path", schema: { type: "integer" } },
          { name: "n", in: "path", schema: { type: "integer" } },
        ],
      }),
    },
    "/act?do=first": { post: operation("first") },
    "/act?do=second&x": { post: operation("second") },
    "/found/{id}{?q,size*}": { get: operation("found") },
  };
  let api: Awaited<ReturnType<typeof startHosted>>;
  beforeAll(async () => {
    const folder = createFolder({ "openapi.json": { openapi: "3.0.0", info: {}, paths } });
    const hosted = await openHostedWith([`${folder}/openapi.json`, "--validate"]);
    api = hosted;
    return () => hosted.close();
  });
  test.each([
    ["GET /n/x/settings/", "settings"],
    ["GET /n/x/settings", "settings"],
    ["GET /n/x/5", "one"],
    ["GET /s/5", "without"],
    ["GET /s/5/", "with"],
    ["GET /rides?size=1&page=2", 2],
    ["GET /rides?page=x", ["/query/page", "/query/size"]],
    ["POST /act?do=second", "second"],
    ["POST /act?do=first", "first"],
    ["POST /act", "first"],
    ["GET /found/5", "found"],
    ["GET /found/5?q=1", "found"],
  ])("%s -> %j", async (line, expected) => {
    const { body } = (await api.ask(line)) as { body: { a?: unknown; errors?: { pointer: string }[] } };
    expect(body.errors ? body.errors.map(({ pointer }) => pointer) : body.a).toEqual(expected);
  });
});

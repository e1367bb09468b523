import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Api, type AskOptions, codeOf } from "../support/api.ts";
import { createFolder } from "../support/cli.ts";
import { openHostedWith } from "../support/hosted.ts";

const raw = (text: string): object => ({ mode: "raw", raw: text });
const form = (...keys: string[]): object => ({
  mode: "urlencoded",
  urlencoded: keys.map((key) => ({ key, value: "{{some}}" })),
});
const header = (key: string, value = "x"): object => ({ key, value });
const request = (method: string, url: string, more: object = {}): object => ({ method, url, ...more });
const saved = (code: number, originalRequest: object): object => ({
  name: `${code}`,
  code,
  originalRequest,
  body: "{}",
});
const post = (body: object, more: object = {}): object => request("POST", "{{base}}/orders", { body, ...more });

const COLLECTION = {
  info: { name: "Shop", schema: "https://schema.getpostman.com/json/collection/v2.1.0/collection.json" },
  variable: [{ key: "base", value: "https://shop.example.com/api" }],
  item: [
    {
      name: "Orders",
      request: request("GET", "{{base}}/orders"),
      response: [
        saved(200, request("GET", "{{base}}/orders?page=1&size=5", { header: [header("X-Tenant"), header("Accept")] })),
        saved(200, request("GET", "{{base}}/orders?page=2", { header: [header("X-Tenant"), header("X-Trace")] })),
        // Requests that fail are no model for others.
        saved(400, request("GET", "{{base}}/orders")),
      ],
    },
    {
      name: "New order",
      request: request("POST", "{{base}}/orders"),
      response: [
        saved(201, post(raw('{ "product": 1, "note": "a", "lines": [{ "n": 1 }], "any": {{any}} } // comment'))),
        saved(201, post(raw('{ "product": 2.5, "lines": [{ "n": 1, "m": null }], "any": 1 }'))),
        saved(422, post(raw("{}"))),
      ],
    },
    {
      name: "One order",
      request: request("GET", "{{base}}/orders/:id"),
      response: [
        saved(200, {
          method: "GET",
          url: { raw: "{{base}}/orders/:id?full=1", variable: [{ key: "id", value: "7" }] },
        }),
      ],
    },
    {
      name: "Log in",
      request: request("POST", "{{base}}/login", { body: form("user", "password") }),
      response: [{ name: "in", code: 200, body: "{}" }],
    },
    {
      name: "Private",
      auth: { type: "basic", basic: [{ key: "username", value: "a" }] },
      item: [
        { name: "Basic", request: request("GET", "{{base}}/basic"), response: [{ name: "b", code: 200, body: "{}" }] },
        {
          name: "By key",
          request: request("GET", "{{base}}/key", {
            auth: { type: "apikey", apikey: { key: "X-Key", value: "{{key}}", in: "header" } },
          }),
          response: [{ name: "k", code: 200, body: "{}" }],
        },
        {
          name: "Open",
          request: request("GET", "{{base}}/open", { auth: { type: "noauth" } }),
          response: [{ name: "o", code: 200, body: "{}" }],
        },
      ],
    },
    {
      name: "Only failures",
      request: request("PUT", "{{base}}/x", { header: [header("X-Must")] }),
      response: [{ name: "f", code: 500, body: "{}" }],
    },
  ],
};

const TENANT = { "x-tenant": "t" };
const ORDER = { product: 1, lines: [], any: "x" };

describe("--validate for a Postman collection", () => {
  let api: Api & { close(): Promise<void> };
  let lenient: typeof api;
  beforeAll(async () => {
    const folder = createFolder({ "shop.json": COLLECTION });
    api = await openHostedWith([`${folder}/shop.json`, "--validate"]);
    lenient = await openHostedWith([`${folder}/shop.json`, "--validate", "warn"]);
  });
  afterAll(() => Promise.all([api.close(), lenient.close()]));

  const cases: readonly [line: string, status: number, errors: readonly string[], options?: AskOptions][] = [
    ["GET /orders?page=2", 200, [], { headers: TENANT }],
    ["GET /api/orders?page=2&more=1", 200, [], { headers: TENANT }],
    ["GET /orders", 422, ["/query/page", "/header/x-tenant"]],
    ["GET /api/orders?size=1", 422, ["/query/page"], { headers: TENANT }],
    ["POST /orders", 201, [], { body: ORDER }],
    ["POST /orders", 201, [], { body: { ...ORDER, more: true, note: "b" } }],
    ["POST /orders", 422, ["/body"]],
    ["POST /orders", 422, ["/body/lines", "/body/any"], { body: { product: 1 } }],
    ["POST /orders", 422, ["/body/product"], { body: { ...ORDER, product: "1" } }],
    ["POST /orders", 422, ["/body/lines/0/n"], { body: { ...ORDER, lines: [{}] } }],
    ["POST /orders", 415, ["/header/Content-Type"], { body: "<a/>", headers: { "content-type": "application/xml" } }],
    ["GET /orders/7?full=1", 200, []],
    ["GET /orders/8", 422, ["/query/full"]],
    [
      "POST /login",
      200,
      [],
      { body: "user=a&password=b", headers: { "content-type": "application/x-www-form-urlencoded" } },
    ],
    [
      "POST /login",
      422,
      ["/body/password"],
      { body: "user=a", headers: { "content-type": "application/x-www-form-urlencoded" } },
    ],
    ["GET /basic", 401, []],
    ["GET /basic", 401, [], { headers: { authorization: "Bearer x" } }],
    ["GET /basic", 200, [], { headers: { authorization: "Basic YTpi" } }],
    ["GET /key", 401, []],
    ["GET /key", 200, [], { headers: { "x-key": "k" } }],
    ["GET /open", 200, []],
    ["PUT /x", 500, []],
    ["GET /nothing", 404, []],
  ];
  for (const [line, status, pointers, options] of cases) {
    const given = options ? ` ${JSON.stringify(options)}` : "";
    test(`${line}${given} -> ${status} ${pointers.join(", ")}`, async () => {
      const response = await api.ask(line, options);
      expect(response.status, response.text).toBe(status);
      const { errors = [] } = (response.body ?? {}) as { errors?: { pointer: string }[] };
      expect(errors.map(({ pointer }) => pointer).sort()).toEqual([...pointers].sort());
      if (status === 401) expect(codeOf(response)).toBe("CREDENTIALS_REQUIRED");
      if (status === 422) expect(codeOf(response)).toBe("REQUEST_INVALID");
    });
  }

  test("with warn, the example is sent with a warning", async () => {
    const { status, headers } = await lenient.ask("POST /orders", { body: { ...ORDER, product: "1" } });
    expect(status).toBe(201);
    expect(headers.get("warning")).toContain("/body/product must be");
  });
});

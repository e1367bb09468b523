import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Api, type AskOptions, askAt } from "../support/api.ts";
import { openHosted, startHosted } from "../support/hosted.ts";

const FILE = "test/hosted/fixtures/shop.postman_collection.json";
const LIST = [
  { id: 1, name: "Spade", currency: "EUR" },
  { id: 2, name: "Lamp", currency: "EUR" },
];

/** A request, the status of its answer, and its body (a text is compared as such). */
type Case = readonly [line: string, status: number, body: unknown, options?: AskOptions];

const mock = (name: string, value: string): AskOptions => ({ headers: { [`x-mock-${name}`]: value } });

describe("a Postman collection", () => {
  let api: Api & { close(): Promise<void> };
  beforeAll(async () => {
    api = await openHosted(FILE);
  });
  afterAll(() => api.close());

  const table: Readonly<Record<string, readonly Case[]>> = {
    "method and path": [
      ["GET /products", 200, LIST],
      ["GET /orders/12", 200, { id: 12 }],
      ["DELETE /orders/12", 204, ""],
      ["GET /legal/Terms", 200, "Be nice."],
      ["POST /products", 404, "EXAMPLE_NOT_FOUND"],
      ["GET /orders/history/more", 404, "EXAMPLE_NOT_FOUND"],
      ["POST /", 404, "EXAMPLE_NOT_FOUND"],
    ],
    "a path that is nearly the same": [
      ["GET /products/", 200, LIST],
      ["GET /PRODUCTS", 200, LIST],
      ["GET /Products//", 200, LIST],
      ["GET /feed", 200, "<feed/>", { headers: { accept: "application/xml" } }],
      ["GET /legal/terms/", 200, "Be nice."],
      ["GET /%70roducts", 200, LIST],
    ],
    "path variables": [
      ["GET /products/1", 200, { id: 1, name: "Spade", price: 34.95 }],
      ["GET /products/999", 404, { message: "No such product" }],
      ["GET /products/5", 200, { id: 1, name: "Spade", price: 34.95 }],
      ["GET /products/5/", 200, { id: 1, name: "Spade", price: 34.95 }],
    ],
    wildcards: [
      ["GET /products/5/texts/fr?tone=dry", 200, { product: 5, language: "fr", tone: "dry", kept: "{{unknown}}" }],
      ["GET /products/five/texts/fr?tone=", 200, { product: "five", language: "fr", tone: "", kept: "{{unknown}}" }],
      ['GET /products/1/texts/a"b?tone=%22%5C', 200, { product: 1, language: 'a"b', tone: '"\\', kept: "{{unknown}}" }],
      ["GET /products/%3Cb%3E/texts/de", 200, "<p>&lt;b&gt;</p>"],
      ["GET /products//texts/fr", 404, "EXAMPLE_NOT_FOUND"],
      ["GET /products/1/2/texts/fr", 404, "EXAMPLE_NOT_FOUND"],
      ["GET /products/a%2Fb/texts/fr?tone=x", 200, { product: "a/b", language: "fr", tone: "x", kept: "{{unknown}}" }],
    ],
    "variables of collection and folder": [["POST /orders", 201, { id: 7, currency: "USD" }]],
    "x-mock-response-code": [
      ["GET /products", 503, { message: "Be right back" }, mock("response-code", "503")],
      ["GET /products", 200, LIST, mock("response-code", "200")],
      ["GET /products", 404, "EXAMPLE_NOT_FOUND", mock("response-code", "500")],
      ["GET /products/1", 404, { message: "No such product" }, mock("response-code", "404")],
      ["GET /products", 400, "MATCH_HEADER_INVALID", mock("response-code", "many")],
      ["GET /products", 400, "MATCH_HEADER_INVALID", mock("response-code", "100")],
    ],
    "x-mock-response-name": [
      ["GET /products", 503, { message: "Be right back" }, mock("response-name", "Down")],
      ["GET /products", 200, [], mock("response-name", "Nothing in stock")],
      ["GET /products", 404, "EXAMPLE_NOT_FOUND", mock("response-name", "down")],
      ["POST /orders", 422, { message: "product is missing" }, mock("response-name", "Refused")],
    ],
    "x-mock-response-id": [
      ["GET /products", 200, [{ id: 2, name: "Lamp" }], mock("response-id", "ex-page")],
      ["GET /products", 200, [{ id: 2, name: "Lamp" }], mock("response-id", "12345-ex-page")],
      ["GET /products", 404, "EXAMPLE_NOT_FOUND", mock("response-id", "ex-order")],
    ],
    query: [
      ["GET /products?stock=none", 200, []],
      ["GET /products?page=2&size=1", 200, [{ id: 2, name: "Lamp" }]],
      ["GET /products?size=1&page=2", 200, [{ id: 2, name: "Lamp" }]],
      ["GET /products?page=2&size=1&debug=1", 200, [{ id: 2, name: "Lamp" }]],
      ["GET /products?page=2&size=9", 200, LIST],
      ["GET /products?stock=some", 200, LIST],
      ["GET /products?unheard=of", 200, LIST],
      ["GET /products?callback=run", 200, LIST],
      ["GET /products?_delay=soon", 200, LIST],
    ],
    "x-mock-match-request-headers": [
      [
        "POST /orders",
        201,
        { id: 8 },
        { headers: { "x-mock-match-request-headers": "X-Channel", "x-channel": "app" } },
      ],
      [
        "POST /orders",
        201,
        { id: 7, currency: "USD" },
        { headers: { "x-mock-match-request-headers": "x-channel", "X-Channel": "web" } },
      ],
      [
        "POST /orders",
        404,
        "EXAMPLE_NOT_FOUND",
        { headers: { "x-mock-match-request-headers": "x-channel", "x-channel": "fax" } },
      ],
      [
        "POST /orders",
        404,
        "EXAMPLE_NOT_FOUND",
        { headers: { "x-mock-match-request-headers": "x-trial", "x-trial": "on" } },
      ],
      ["POST /orders", 201, { id: 7, currency: "USD" }, { headers: { "x-channel": "app" } }],
    ],
    "x-mock-match-request-body": [
      ["POST /orders", 201, { id: 8 }, { ...mock("match-request-body", "true"), body: { product: 2 } }],
      [
        "POST /orders",
        201,
        { id: 7, currency: "USD" },
        { ...mock("match-request-body", "true"), body: '{ "count":2, "product":1 }' },
      ],
      [
        "POST /orders",
        201,
        { id: 9 },
        {
          body: "note=a+b&product=3",
          headers: { "x-mock-match-request-body": "true", "content-type": "application/x-www-form-urlencoded" },
        },
      ],
      ["POST /orders", 404, "EXAMPLE_NOT_FOUND", { ...mock("match-request-body", "true"), body: { product: 5 } }],
      [
        "POST /orders",
        201,
        { id: 7, currency: "USD" },
        { ...mock("match-request-body", "false"), body: { product: 2 } },
      ],
      ["POST /orders", 400, "MATCH_HEADER_INVALID", { ...mock("match-request-body", "maybe"), body: { product: 2 } }],
      ["POST /orders", 201, { id: 7, currency: "USD" }, { body: "{ not JSON" }],
    ],
    "several types": [
      ["GET /feed/", 200, { feed: [] }],
      ["GET /feed/", 200, "<feed/>", { headers: { accept: "application/xml" } }],
      ["GET /feed/", 200, { feed: [] }, { headers: { accept: "image/png" } }],
    ],
    "other methods": [
      ["HEAD /products", 200, ""],
      ["POST /products", 200, LIST, { headers: { "x-http-method-override": "GET" } }],
      ["OPTIONS /products", 204, ""],
    ],
    "Prefer, as in Prism": [
      ["GET /products", 503, { message: "Be right back" }, { headers: { prefer: "code=503" } }],
      ["GET /products", 503, { message: "Be right back" }, { headers: { prefer: 'code=503, example="Down"' } }],
      ["GET /products", 200, [], { headers: { prefer: 'example="Nothing in stock"' } }],
      ["GET /products", 200, LIST, { headers: { prefer: "respond-async, wait=10" } }],
    ],
  };

  for (const [group, cases] of Object.entries(table)) {
    describe(group, () => {
      for (const [line, status, body, options] of cases) {
        const given = Object.entries(options?.headers ?? {}).map(([name, value]) => `${name}: ${value}`);
        test([line, ...given, `-> ${status}`].join(" | "), async () => {
          const answer = await askAt(api.url, line, options);
          expect(answer.status, answer.text).toBe(status);
          if (typeof body === "string" && /^[A-Z_]+$/.test(body)) expect(answer.body).toHaveProperty("code", body);
          else if (typeof body === "string") expect(answer.text).toBe(body);
          else expect(answer.body).toEqual(body);
        });
      }
    });
  }

  test("headers of an example are sent, but those of the wire and of another origin", async () => {
    const { headers, bytes } = await api.ask("GET /products");
    expect(headers.get("x-total-count")).toBe("2");
    expect(headers.get("set-cookie")).toBe("a=1; Path=/,b=2; Path=/");
    expect(headers.get("cache-control")).toBe("max-age=60");
    expect(headers.get("x-off")).toBeNull();
    expect(headers.get("transfer-encoding")).toBeNull();
    expect(headers.get("content-encoding")).toBeNull();
    expect(headers.get("content-length")).toBe(String(bytes.length));
    expect(headers.get("access-control-allow-origin")).toBeNull();
    expect((await api.ask("GET /products", mock("response-code", "503"))).headers.get("retry-after")).toBe("120");
  });

  test("a captured value in a header stays a header", async () => {
    const { headers } = await api.ask("GET /products/1/texts/a%0d%0aX-Evil:%201?tone=x");
    expect(headers.get("x-evil")).toBeNull();
    expect(headers.get("content-language")).toBe("a%0D%0AX-Evil: 1");
  });

  test("a body is sent as it was saved, white space and all", async () => {
    expect((await api.ask("GET /products")).text).toContain('[\n  {"id": 1,');
  });

  test("a miss names the nearest examples and what each lacks", async () => {
    const near = async (line: string, options?: AskOptions): Promise<unknown> =>
      ((await api.ask(line, options)).body as { nearest: unknown[] }).nearest[0];
    expect(await near("GET /prodcts")).toEqual({
      example: "All products",
      request: "GET /products",
      why: 'part 1 of its path is "products", not "prodcts"',
    });
    expect(await near("PUT /orders")).toMatchObject({ request: "POST /orders", why: "its method is POST, not PUT" });
    expect(await near("GET /legal/Terms/old")).toMatchObject({ why: "its path has 2 parts, yours has 3" });
    expect(await near("GET /products", mock("response-code", "500"))).toMatchObject({
      why: "its status is 200, not 500",
    });
    expect(await near("GET /orders/1", mock("response-name", "x"))).toMatchObject({
      why: 'its name is "An order", not "x"',
    });
    expect(await near("POST /orders", { ...mock("match-request-body", "true"), body: {} })).toMatchObject({
      why: "its body is another",
    });
    const { message } = (await api.ask("GET /prodcts")).body as { message: string };
    expect(message).toContain("No example matches GET /prodcts");
  });
});

describe("other forms of a collection", () => {
  const collection = JSON.parse(readFileSync(FILE, "utf8"));

  test("as Postman's API returns it, wrapped in an object", async () => {
    const api = await startHosted({ collection });
    expect((await api.ask("GET /products")).body).toEqual(LIST);
  });

  test("a variable with a path in it puts that path in front", async () => {
    const variable = [{ key: "baseUrl", value: "https://shop.example.com/v1" }];
    const api = await startHosted({ ...collection, variable });
    expect((await api.ask("GET /v1/legal/Terms")).status).toBe(404);
    expect((await api.ask("GET /v1/products/1")).body).toMatchObject({ name: "Spade" });
  });

  test("variables that name each other in a circle stay as they are", async () => {
    const variable = [
      { key: "currency", value: "{{a}}" },
      { key: "a", value: "{{currency}}" },
    ];
    const api = await startHosted({ ...collection, variable });
    expect((await api.ask("GET /products")).status).toBe(200);
  });
});

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createStandin, type Standin } from "../../../src/index.ts";
import { askAt, codeOf } from "../../support/api.ts";
import { createFolder } from "../../support/cli.ts";
import { type OddUpstream, startOddUpstream } from "./odd-upstream.ts";

let api: OddUpstream;
beforeAll(async () => {
  api = await startOddUpstream();
});
afterAll(() => api.close());

const DOCUMENT = {
  openapi: "3.1.0",
  info: { title: "Pets", version: "1" },
  paths: {
    "/pets": {
      get: {
        parameters: [{ name: "limit", in: "query", schema: { type: "integer" } }],
        responses: {
          200: {
            description: "",
            content: { "application/json": { schema: { type: "array", items: { type: "object" } } } },
          },
        },
      },
    },
    "/status": {
      get: {
        responses: {
          200: {
            description: "",
            content: { "application/json": { schema: { type: "object" }, example: { isUp: true } } },
          },
        },
      },
    },
    "/version": {
      get: {
        responses: {
          200: {
            description: "",
            content: { "application/json": { schema: { type: "object", properties: { n: { type: "integer" } } } } },
          },
        },
      },
    },
  },
};

describe("--fallback", () => {
  let standin: Standin;
  beforeAll(async () => {
    standin = await createStandin({ data: { products: [{ id: 1 }] }, fallback: api.url });
  });
  afterAll(() => standin.close());

  test.each([
    ["GET /products", 200, "data"],
    ["GET /products/9", 404, null],
    ["GET /orders/7?a=1", 200, "upstream"],
    ["GET /products/1/orders", 200, "upstream"],
    ["GET /a/b/c/d", 200, "upstream"],
    ["GET /__nothing", 404, null],
    ["POST /orders", 404, null],
    ["DELETE /orders/7", 404, null],
  ])("%s is %i from %s", async (line, status, from) => {
    const before = api.seen.length;
    const answer = await askAt(standin.url, line, line.startsWith("POST") ? { body: {} } : {});
    expect([answer.status, answer.headers.get("x-standin-from")]).toEqual([status, from]);
    expect(api.seen.length - before).toBe(from === "upstream" ? 1 : 0);
  });

  test.each([
    "GET /__at/1/hello",
    "GET /__at/1/orders/7",
    "HEAD /__at/1/hello",
    "GET /hello?_at=1",
    "GET /hello?_at=-1ms",
  ])("%s shows nothing of the real API, whose past nobody knows", async (line) => {
    const before = api.seen.length;
    const answer = await askAt(standin.url, line);
    expect([answer.status, answer.headers.get("x-standin-from")]).toEqual([404, null]);
    expect(api.seen).toHaveLength(before);
  });

  test("a read with the method of a write in a header is none", async () => {
    const before = api.seen.length;
    await askAt(standin.url, "POST /orders", { body: {}, headers: { "X-HTTP-Method-Override": "GET" } });
    expect(api.seen.length).toBe(before);
  });

  test("--fallback-writes sends writes, but none from a sandbox", async () => {
    await using writing = await createStandin({ data: {}, fallback: api.url, fallbackWrites: true });
    const answer = await askAt(writing.url, "POST /orders", { body: { a: 1 }, headers: { "Idempotency-Key": "k-1" } });
    expect([answer.status, api.seen.at(-1)?.body]).toEqual([200, '{"a":1}']);
    const before = api.seen.length;
    const sandboxed = await askAt(writing.url, "POST /orders", { body: {}, headers: { "X-Standin-Sandbox": "ann" } });
    expect([sandboxed.status, api.seen.length]).toEqual([404, before]);
    expect((await askAt(writing.url, "GET /orders", { headers: { "X-Standin-Sandbox": "ann" } })).status).toBe(200);
  });

  test("a document says whether a response is an example or made from a schema", async () => {
    const folder = createFolder({ "api.json": DOCUMENT });
    await using served = await createStandin({ source: `${folder}/api.json`, fallback: api.url });
    const from = async (path: string) => (await askAt(served.url, `GET ${path}`)).headers.get("x-standin-from");
    expect(await Promise.all(["/status", "/version", "/elsewhere"].map(from))).toEqual([
      "example",
      "generated",
      "upstream",
    ]);
  });
});

describe("--upstream", () => {
  let standin: Standin;
  beforeAll(async () => {
    const folder = createFolder({ "api.json": DOCUMENT });
    standin = await createStandin({ source: `${folder}/api.json`, upstream: api.url });
  });
  afterAll(() => standin.close());

  test("takes every response from the real API, and judges both directions", async () => {
    const { body, headers } = await askAt(standin.url, "GET /pets?limit=many");
    expect(headers.get("x-standin-from")).toBe("upstream");
    // The real API returns an object where the document promises a list.
    expect(body).toMatchObject({ url: "/pets?limit=many" });
    const { body: health } = await askAt(standin.url, "GET /health-check");
    expect(health).toMatchObject({ status: "ok", upstream: { judged: 1, findings: 2 } });
    const { requests } = (await askAt(standin.url, "GET /__requests")).body as { requests: object[] };
    expect(requests[0]).toMatchObject({
      answeredBy: "upstream",
      refusal: expect.stringMatching(/request.*; response/),
    });
  });

  test("a path that the document does not have is passed on, and is a finding", async () => {
    expect((await askAt(standin.url, "GET /unknown")).status).toBe(200);
    const { requests } = (await askAt(standin.url, "GET /__requests?limit=1")).body as { requests: object[] };
    expect(requests[0]).toMatchObject({ refusal: expect.stringContaining("no path /unknown") });
  });

  test("no write goes there from a sandbox", async () => {
    const answer = await askAt(standin.url, "POST /pets", { body: {}, headers: { "X-Standin-Sandbox": "ann" } });
    expect([answer.status, codeOf(answer)]).toEqual([403, "READ_ONLY"]);
  });
});

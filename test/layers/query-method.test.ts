import { describe, expect, test } from "vitest";
import { codeOf, idsOf, startApi } from "../support/api.ts";
import { type LayeredOptions, startLayered } from "../support/layers.ts";

const TOKEN = "the-one-fixed-token";
const READER = "reader-0123456789";
const WRITER = "writer-0123456789";
const KEYS = {
  "api-key": {
    keys: [
      { key: READER, permissions: ["read"] },
      { key: WRITER, permissions: ["write"] },
    ],
  },
};
const SIGNED = {
  "signed-token": {
    secret: "a secret of thirty-two bytes, ok",
    users: [{ email: "ann@example.com", password: "open sesame" }],
  },
};
const body = { "price:gt": 99.99 };

/** The two ways to send a query. */
const WAYS: [way: string, line: string, headers: Record<string, string>][] = [
  ["QUERY", "QUERY /products", {}],
  ["POST with X-HTTP-Method-Override: QUERY", "POST /products", { "X-HTTP-Method-Override": "QUERY" }],
];

for (const [way, line, override] of WAYS) {
  const send = async (options: LayeredOptions, headers: Record<string, string> = {}) => {
    const api = await startLayered(options);
    const answer = await api.ask(line, { body, headers: { ...override, ...headers } });
    // Whatever it was taken for, it wrote nothing.
    const all = await api.ask("GET /products", { headers });
    if (all.status === 200) expect(idsOf(all)).toHaveLength(12);
    return answer;
  };

  describe(`${way} counts as GET`, () => {
    test("api-key: a key that may read", async () => {
      const options = { middlewares: ["api-key"], layers: KEYS };
      expect(idsOf(await send(options, { "X-API-KEY": READER }))).toEqual([5, 8]);
    });

    test("api-key: not without one, and not with a key that may only write", async () => {
      const options = { middlewares: ["api-key"], layers: KEYS };
      expect(codeOf(await send(options))).toBe("API_KEY_MISSING");
      const answer = await send(options, { "X-API-KEY": WRITER });
      expect([answer.status, codeOf(answer)]).toEqual([403, "FORBIDDEN_READ"]);
    });

    test("bearer: with the token alone", async () => {
      const options = { middlewares: ["bearer"], layers: { bearer: { token: TOKEN } } };
      expect(idsOf(await send(options, { Authorization: `Bearer ${TOKEN}` }))).toEqual([5, 8]);
      expect(codeOf(await send(options))).toBe("AUTH_REQUIRED");
    });

    test("signed-token: as a GET", async () => {
      const options = { middlewares: ["signed-token"], layers: SIGNED };
      const api = await startLayered(options);
      const [get, query] = [await api.ask("GET /products"), await send(options)];
      expect(query.status).toBe(get.status);
    });

    test("rate-limit: each one counts", async () => {
      const api = await startLayered({ middlewares: ["rate-limit"], now: () => 0 });
      const ask = () => api.ask(line, { body, headers: override });
      for (let remaining = 9; remaining >= 0; remaining--)
        expect((await ask()).headers.get("x-ratelimit-remaining")).toBe(String(remaining));
      expect((await ask()).status).toBe(429);
    });

    test("cors: the response has the headers of a GET", async () => {
      const answer = await send({ middlewares: ["cors"] }, { Origin: "http://app.example" });
      expect(idsOf(answer)).toEqual([5, 8]);
      expect(answer.headers.get("access-control-allow-origin")).toBe("*");
    });

    test("latency and logger let it through", async () => {
      const layers = { latency: { minMs: 0, maxMs: 0 } };
      expect(idsOf(await send({ middlewares: ["logger", "latency"], layers }))).toEqual([5, 8]);
    });

    test("publicRoutes: never without credentials, because its body may reach into other collections", async () => {
      const layers = { bearer: { token: TOKEN, publicRoutes: ["/products"] } };
      const api = await startLayered({ middlewares: ["bearer"], layers });
      expect((await api.ask("GET /products")).status).toBe(200);
      const embedding = { body: { _expand: "company" }, headers: override };
      expect(codeOf(await api.ask(line, embedding))).toBe("AUTH_REQUIRED");
    });

    test("read-only mode serves it", async () => {
      const api = await startApi({ readOnly: true });
      expect(idsOf(await api.ask(line, { body, headers: override }))).toEqual([5, 8]);
      expect((await api.ask("POST /products", { body: {} })).status).toBe(403);
    });
  });
}

describe("preflights", () => {
  const preflight = { Origin: "http://app.example", "Access-Control-Request-Method": "QUERY" };

  test("allow QUERY with and without the layer", async () => {
    for (const api of [await startLayered({ middlewares: ["cors"] }), await startApi()]) {
      const { headers } = await api.ask("OPTIONS /products", { headers: preflight });
      expect(headers.get("access-control-allow-methods")).toMatch(/\bQUERY\b/);
    }
  });
});

test("an override on QUERY itself is not heard", async () => {
  const api = await startApi();
  const headers = { "X-HTTP-Method-Override": "DELETE" };
  expect(idsOf(await api.ask("QUERY /products", { body, headers }))).toEqual([5, 8]);
  expect((await api.ask("QUERY /products/1", { headers })).status).toBe(405);
  expect((await api.ask("GET /products/1")).status).toBe(200);
});

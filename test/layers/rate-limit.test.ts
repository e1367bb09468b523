import { describe, expect, test } from "vitest";
import type { Answer } from "../support/api.ts";
import { startLayered } from "../support/layers.ts";

const MINUTE = 60_000;
const KEY = "my-key-0123456789";

/** The rate limit headers of a response. */
function limitOf({ status, headers }: Answer): [status: number, limit: string | null, remaining: string | null] {
  return [status, headers.get("x-ratelimit-limit"), headers.get("x-ratelimit-remaining")];
}

describe("10 requests in 60 seconds", () => {
  test("requests 1 to 10 pass, with 9 to 0 remaining; the 11th is 429, and so is every one after it", async () => {
    const api = await startLayered({ middlewares: ["rate-limit"], now: () => 0 });
    for (let remaining = 9; remaining >= 0; remaining--) {
      const answer = await api.ask("GET /products/1");
      expect(limitOf(answer)).toEqual([200, "10", String(remaining)]);
      expect(answer.headers.get("retry-after")).toBeNull();
    }
    for (let more = 0; more < 3; more++) {
      const answer = await api.ask("GET /products/1");
      expect(limitOf(answer)).toEqual([429, "10", "0"]);
      expect(answer.headers.get("retry-after")).toBe("60");
      expect(answer.body).toEqual({
        error: "Too many requests",
        message: expect.stringMatching(/10.*60/),
        code: "RATE_LIMIT_EXCEEDED",
      });
    }
  });

  test("every method and every path counts, found or not", async () => {
    const api = await startLayered({ middlewares: ["rate-limit"], now: () => 0 });
    const lines = ["GET /products", "POST /products", "DELETE /products/1", "GET /nowhere", "HEAD /db", "GET /__rules"];
    for (const [position, line] of lines.entries()) {
      const [, , remaining] = limitOf(await api.ask(line));
      expect(remaining, line).toBe(String(9 - position));
    }
  });

  test("a preflight that the built-in CORS handling responds to does not count", async () => {
    const api = await startLayered({ middlewares: ["rate-limit"], now: () => 0 });
    for (let i = 0; i < 20; i++) expect((await api.ask("OPTIONS /products")).status).toBe(204);
    expect(limitOf(await api.ask("GET /products/1"))).toEqual([200, "10", "9"]);
  });
});

describe("the window", () => {
  test("starts with the first request and restarts when it is over, not before", async () => {
    let time = 5000;
    const api = await startLayered({ middlewares: ["rate-limit"], now: () => time });
    for (let i = 0; i < 11; i++) await api.ask("GET /products/1");
    time = 5000 + MINUTE - 1;
    expect(limitOf(await api.ask("GET /products/1"))).toEqual([429, "10", "0"]);
    time = 5000 + MINUTE;
    expect(limitOf(await api.ask("GET /products/1"))).toEqual([200, "10", "9"]);
    // The refused requests did not carry over, and this window is a whole one again.
    time += MINUTE - 1;
    expect(limitOf(await api.ask("GET /products/1"))).toEqual([200, "10", "8"]);
  });

  test("is fixed: later requests do not move its end", async () => {
    let time = 0;
    const api = await startLayered({ middlewares: ["rate-limit"], now: () => time });
    for (let i = 0; i < 10; i++) {
      time = i * 5000;
      await api.ask("GET /products/1");
    }
    time = MINUTE;
    expect(limitOf(await api.ask("GET /products/1"))).toEqual([200, "10", "9"]);
  });

  test("limit and windowSeconds are settings, and Retry-After is windowSeconds", async () => {
    let time = 0;
    const layers = { "rate-limit": { limit: 2, windowSeconds: 7 } };
    const api = await startLayered({ middlewares: ["rate-limit"], layers, now: () => time });
    expect(limitOf(await api.ask("GET /products/1"))).toEqual([200, "2", "1"]);
    expect(limitOf(await api.ask("GET /products/1"))).toEqual([200, "2", "0"]);
    time = 6999;
    const refused = await api.ask("GET /products/1");
    expect(limitOf(refused)).toEqual([429, "2", "0"]);
    expect(refused.headers.get("retry-after")).toBe("7");
    time = 7000;
    expect(limitOf(await api.ask("GET /products/1"))).toEqual([200, "2", "1"]);
  });

  test("a limit of 1 lets one through", async () => {
    const api = await startLayered({
      middlewares: ["rate-limit"],
      layers: { "rate-limit": { limit: 1 } },
      now: () => 0,
    });
    expect(limitOf(await api.ask("GET /products/1"))).toEqual([200, "1", "0"]);
    expect(limitOf(await api.ask("GET /products/1"))).toEqual([429, "1", "0"]);
  });

  test("runs by the real clock, too", async () => {
    const layers = { "rate-limit": { limit: 1, windowSeconds: 1 } };
    const api = await startLayered({ middlewares: ["rate-limit"], layers });
    let startedAt = 0;
    let answer: Answer;
    do {
      startedAt = Date.now();
      await api.ask("GET /products/1");
      answer = await api.ask("GET /products/1");
      // On a slow machine the window may be over before the second one.
    } while (answer.status !== 429 && Date.now() - startedAt > 900);
    expect(answer.status).toBe(429);
    while (answer.status === 429) answer = await api.ask("GET /products/1");
    expect(Date.now() - startedAt).toBeGreaterThanOrEqual(990);
  });
});

describe("the key", () => {
  test("each X-API-KEY has its own window, and requests without one are counted by address", async () => {
    const api = await startLayered({ middlewares: ["rate-limit"], now: () => 0 });
    const ask = async (key: string | undefined) =>
      limitOf(await api.ask("GET /products/1", { headers: { "X-API-KEY": key } }))[2];
    expect([await ask("a"), await ask("a"), await ask("b"), await ask(undefined), await ask("a")]).toEqual([
      "9",
      "8",
      "9",
      "9",
      "7",
    ]);
    // As sent: neither trimmed of its case nor read in any way.
    expect([await ask("A"), await ask(""), await ask("a, a"), await ask("x".repeat(5000))]).toEqual([
      "9",
      "9",
      "9",
      "9",
    ]);
    expect(await ask("x".repeat(5000))).toBe("8");
    expect(await ask("x".repeat(4999))).toBe("9");
  });

  test("a key that looks like an address is not one", async () => {
    const api = await startLayered({ middlewares: ["rate-limit"], now: () => 0 });
    await api.ask("GET /products/1");
    for (const key of ["127.0.0.1", "::1", "address 127.0.0.1"]) {
      expect(limitOf(await api.ask("GET /products/1", { headers: { "X-API-KEY": key } }))[2], key).toBe("9");
    }
  });
});

describe("its headers win over the placeholders of api-key", () => {
  const layers = { "api-key": { keys: [KEY] }, "rate-limit": { limit: 5 } };
  for (const middlewares of [
    ["api-key", "rate-limit"],
    ["rate-limit", "api-key"],
  ]) {
    test(middlewares.join(", "), async () => {
      const api = await startLayered({ middlewares, layers, now: () => 0 });
      const answer = await api.ask("GET /products/1", { headers: { "X-API-KEY": KEY } });
      expect(limitOf(answer)).toEqual([200, "5", "4"]);
      expect(answer.headers.get("x-authenticated-client")).toBe("generic");
    });
  }

  test("rate-limit first: a refused key counts, too", async () => {
    const api = await startLayered({ middlewares: ["rate-limit", "api-key"], layers, now: () => 0 });
    const ask = () => api.ask("GET /products/1", { headers: { "X-API-KEY": "another-key-1" } });
    for (const remaining of ["4", "3", "2", "1", "0"]) expect(limitOf(await ask())).toEqual([403, "5", remaining]);
    expect((await ask()).status).toBe(429);
  });

  test("api-key first: a refused key is never counted", async () => {
    const api = await startLayered({ middlewares: ["api-key", "rate-limit"], layers, now: () => 0 });
    for (let i = 0; i < 8; i++) {
      const answer = await api.ask("GET /products/1", { headers: { "X-API-KEY": "another-key-1" } });
      expect(limitOf(answer)).toEqual([403, null, null]);
    }
  });
});

import { resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { rateLimit } from "../../src/layers/rate-limit.ts";
import type { AskOptions } from "../support/api.ts";
import { type LayeredApi, startLayered, toolsWith } from "../support/layers.ts";

const KEY = "my-key-0123456789";
const TOKEN = "the-one-fixed-token";
const SECRET = "a secret of thirty-two bytes, ok";
const ANN = { email: "ann@example.com", password: "open sesame" };
const PASS = resolve("test/fixtures/middlewares/pass.cjs");
const LAYERS = {
  "rate-limit": { limit: 5, windowSeconds: 60 },
  "api-key": { keys: [KEY, { key: "reader-0123456789", permissions: ["read"] }] },
  bearer: { token: TOKEN },
  "signed-token": { secret: SECRET, users: [ANN] },
  latency: { minMs: 20, maxMs: 20 },
};
const guessed = (index: number): string => `guess-${String(index).padStart(10, "0")}`;

/** One wrong guess of each kind. A new key with every request gives each of them its own count. */
const GUESSES: Record<string, [line: string, status: number, guess: (index: number) => AskOptions]> = {
  "api-key": ["GET /products/1", 403, (index) => ({ headers: { "X-API-KEY": guessed(index) } })],
  bearer: [
    "GET /products/1",
    403,
    (index) => ({ headers: { "X-API-KEY": guessed(index), Authorization: `Bearer ${guessed(index)}` } }),
  ],
  "signed-token": [
    "POST /login",
    401,
    (index) => ({ headers: { "X-API-KEY": guessed(index) }, body: { email: ANN.email, password: guessed(index) } }),
  ],
};

const RIGHT: Record<string, AskOptions> = {
  "api-key": { headers: { "X-API-KEY": KEY } },
  bearer: { headers: { Authorization: `Bearer ${TOKEN}` } },
  "signed-token": { body: ANN },
};

async function statusesOf(api: LayeredApi, line: string, asks: readonly AskOptions[]): Promise<number[]> {
  const statuses: number[] = [];
  for (const ask of asks) statuses.push((await api.ask(line, ask)).status);
  return statuses;
}

describe("an address may send as many wrong keys as the limit allows, whichever they are", () => {
  for (const [guard, [line, status, guess]] of Object.entries(GUESSES)) {
    for (const middlewares of [
      ["rate-limit", guard],
      ["rate-limit", PASS, guard],
    ]) {
      test(`${middlewares.length === 2 ? "" : "behind an interceptor, "}${guard}: the sixth guess -> 429, a right one too, until the window ends`, async () => {
        let time = 0;
        const api = await startLayered({ middlewares, layers: LAYERS, now: () => time });
        const guesses = [0, 1, 2, 3, 4, 5, 6].map(guess);
        expect(await statusesOf(api, line, guesses)).toEqual([...Array(5).fill(status), 429, 429]);
        const refused = await api.ask(line, RIGHT[guard]);
        expect(refused.status).toBe(429);
        expect(refused.body).toMatchObject({ code: "RATE_LIMIT_EXCEEDED" });
        expect(refused.headers.get("retry-after")).toBe("60");
        expect(refused.headers.get("x-ratelimit-remaining")).toBe("0");
        time = 60_000;
        expect((await api.ask(line, RIGHT[guard])).status).toBe(200);
      });
    }
  }

  test("many guesses at once, waiting in front of the guard: no more are judged", async () => {
    const api = await startLayered({ middlewares: ["rate-limit", "latency", "api-key"], layers: LAYERS, now: () => 0 });
    const asks = Array.from({ length: 30 }, (_, index) =>
      api.ask("GET /products/1", { headers: { "X-API-KEY": guessed(index) } }),
    );
    const statuses = (await Promise.all(asks)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 403)).toHaveLength(5);
    expect(statuses.filter((status) => status === 429)).toHaveLength(25);
  });

  test("many logins at once: no more are judged", async () => {
    const api = await startLayered({ middlewares: ["rate-limit", "signed-token"], layers: LAYERS, now: () => 0 });
    const [line, , guess] = GUESSES["signed-token"]!;
    const answers = await Promise.all(Array.from({ length: 20 }, (_, index) => api.ask(line, guess(index))));
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(5);
  });

  test("forged tokens count, expired ones do not", async () => {
    let time = 0;
    const middlewares = ["rate-limit", "signed-token"];
    const layers = { ...LAYERS, "signed-token": { ...LAYERS["signed-token"], expiresInSeconds: 1 } };
    const api = await startLayered({ middlewares, layers, now: () => time });
    const { body } = await api.ask("POST /login", { body: ANN });
    const { accessToken } = body as { accessToken: string };
    time = 5000;
    const write = (token: string, index: number): AskOptions => ({
      headers: { "X-API-KEY": guessed(index), Authorization: `Bearer ${token}` },
      body: {},
    });
    const expired = [0, 1, 2, 3, 4, 5, 6, 7].map((index) => write(accessToken, index));
    expect(await statusesOf(api, "POST /products", expired)).toEqual(Array(8).fill(401));
    const forged = [0, 1, 2, 3, 4, 5].map((index) => write("a.b.c", index));
    expect(await statusesOf(api, "POST /products", forged)).toEqual([...Array(5).fill(401), 429]);
  });
});

describe("what does not count as a guess", () => {
  test("right keys, missing keys, missing permissions and public routes", async () => {
    const layers = { ...LAYERS, "rate-limit": { limit: 8 } };
    const api = await startLayered({
      middlewares: ["rate-limit", "api-key"],
      layers,
      rules: { "/health": "/health-check" },
    });
    const reader = { headers: { "X-API-KEY": "reader-0123456789" } };
    expect(await statusesOf(api, "DELETE /products/1", Array(8).fill(reader))).toEqual(Array(8).fill(403));
    expect(await statusesOf(api, "GET /products/1", Array(4).fill({}))).toEqual(Array(4).fill(401));
    const wrong = [0, 1, 2, 3, 4, 5, 6, 7].map((index) => ({ headers: { "X-API-KEY": guessed(index) } }));
    expect(await statusesOf(api, "GET /health", wrong)).toEqual(Array(8).fill(200));
    expect((await api.ask("GET /products/1", { headers: { "X-API-KEY": KEY } })).status).toBe(200);
  });

  test("another address is not held to it", async () => {
    const addresses = ["203.0.113.1", "203.0.113.2"];
    let address = addresses[0]!;
    const layer = rateLimit({ limit: 1, windowSeconds: 60 }, toolsWith());
    const req = {
      headers: { "x-api-key": KEY },
      get address() {
        return address;
      },
    } as unknown as Parameters<typeof layer>[0];
    const res = { setHeader() {} } as unknown as Parameters<typeof layer>[1];
    await layer(req, res, () => {});
    req.countGuess?.(req, res)(false);
    expect(() => req.countGuess?.(req, res)).toThrow(/rejected credentials/);
    address = addresses[1]!;
    expect(() => req.countGuess?.(req, res)).not.toThrow();
  });
});

test("processes on one database learn of each other's rejections", async () => {
  const counts = new Map<string, number>();
  const countTogether = async (name: string): Promise<number> => {
    counts.set(name, (counts.get(name) ?? 0) + 1);
    return counts.get(name)!;
  };
  const processes = [1, 2].map(() => rateLimit({ limit: 10, windowSeconds: 60 }, { ...toolsWith(), countTogether }));
  const res = { setHeader() {} } as unknown as Parameters<(typeof processes)[number]>[1];
  let judged = 0;
  for (let index = 0; index < 40; index++) {
    const layer = processes[index % 2]!;
    const req = { headers: { "x-api-key": guessed(index) }, address: "here" } as unknown as Parameters<typeof layer>[0];
    await layer(req, res, () => {});
    try {
      req.countGuess?.(req, res)(false);
      judged++;
    } catch {}
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(judged).toBeGreaterThanOrEqual(10);
  expect(judged).toBeLessThanOrEqual(12);
});

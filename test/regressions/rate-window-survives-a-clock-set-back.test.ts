import { expect, test } from "vitest";
import { startLayered } from "../support/layers.ts";

const HOUR = 3_600_000;
const NOON = Date.parse("2030-01-01T12:00:00Z");

test("a client is accepted again after one window, although the clock was set back by an hour", async () => {
  let time = NOON;
  const layers = { "rate-limit": { limit: 2, windowSeconds: 60 } };
  const api = await startLayered({ middlewares: ["rate-limit"], layers, now: () => time });
  const ask = async () => (await api.ask("GET /products/1")).status;
  expect([await ask(), await ask(), await ask()]).toEqual([200, 200, 429]);
  time -= HOUR;
  expect(await ask()).toBe(429);
  time += 59_999;
  expect(await ask()).toBe(429);
  time += 1;
  expect([await ask(), await ask(), await ask()]).toEqual([200, 200, 429]);
});

test("small steps back, one after the other, neither end a window early nor hold it open", async () => {
  let time = NOON;
  const layers = { "rate-limit": { limit: 1, windowSeconds: 10 } };
  const api = await startLayered({ middlewares: ["rate-limit"], layers, now: () => time });
  const ask = async () => (await api.ask("GET /products/1")).status;
  expect(await ask()).toBe(200);
  for (let second = 1; second < 10; second++) {
    time += 1000;
    expect(await ask(), `after ${second} seconds`).toBe(429);
    time -= 500;
    expect(await ask(), `after ${second} seconds, set back`).toBe(429);
  }
  time += 1000;
  expect(await ask()).toBe(200);
});

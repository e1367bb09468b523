import { describe, expect, test } from "vitest";
import { latency, readLatencyOptions } from "../../src/layers/latency.ts";
import type { LayerRequest, LayerResponse, LayerTools } from "../../src/layers/layer.ts";
import { settingsOf, startLayered, toolsWith } from "../support/layers.ts";

const NOW = Date.UTC(2026, 4, 6, 7, 8, 9, 10);

/** Runs the layer once with given dice; tells what it slept and what it set. */
async function runOnce(values: Record<string, number> | undefined, random: number) {
  const headers: Record<string, unknown> = {};
  const slept: number[] = [];
  let passes = 0;
  const options = readLatencyOptions(settingsOf("latency", values));
  const wait: LayerTools["wait"] = async (delayMs) => {
    slept.push(delayMs);
    return "over";
  };
  const layer = latency(options, toolsWith({ now: () => NOW, random: () => random, wait }));
  const res = { setHeader: (name: string, value: unknown) => Object.assign(headers, { [name]: value }) };
  await layer({} as LayerRequest, res as unknown as LayerResponse, () => passes++);
  return { headers, slept, passes };
}

describe("the delay", () => {
  const lowest = 0;
  const highest = 1 - Number.EPSILON / 2;
  const cases: [values: Record<string, number> | undefined, random: number, delayMs: number][] = [
    [undefined, lowest, 200],
    [undefined, highest, 1499],
    [undefined, 1 / 1300, 201],
    [undefined, 0.5, 850],
    [undefined, 1299 / 1300, 1499],
    [{ minMs: 0, maxMs: 0 }, highest, 0],
    [{ minMs: 5, maxMs: 6 }, 0.49, 5],
    [{ minMs: 5, maxMs: 6 }, 0.51, 6],
    [{ minMs: 3000 }, highest, 3000],
    [{ maxMs: 300 }, highest, 300],
  ];
  for (const [values, random, delayMs] of cases) {
    test(`${JSON.stringify(values ?? "the defaults")} and the dice at ${random} -> ${delayMs} ms`, async () => {
      const { headers, slept, passes } = await runOnce(values, random);
      expect(slept).toEqual([delayMs]);
      expect(headers).toEqual({
        "X-Simulated-Delay": `${delayMs}ms`,
        "X-Server-Time": new Date(NOW).toISOString(),
      });
      expect(passes).toBe(1);
    });
  }

  test("10,000 delays by real dice are whole numbers from 200 to 1499, and reach far into both ends", async () => {
    const delays: number[] = [];
    const wait: LayerTools["wait"] = async (delayMs) => {
      delays.push(delayMs);
      return "over";
    };
    const layer = latency({ minMs: 200, maxMs: 1499 }, toolsWith({ wait }));
    const res = { setHeader: () => undefined } as unknown as LayerResponse;
    for (let i = 0; i < 10_000; i++) await layer({} as LayerRequest, res, () => undefined);
    expect(delays.every((delayMs) => Number.isInteger(delayMs) && delayMs >= 200 && delayMs <= 1499)).toBe(true);
    expect(Math.min(...delays)).toBeLessThan(210);
    expect(Math.max(...delays)).toBeGreaterThan(1489);
  });
});

describe("over HTTP", () => {
  test("the response comes after the delay that it names, with the time of the server", async () => {
    const api = await startLayered({ middlewares: ["latency"] });
    const startedAt = Date.now();
    const { status, headers } = await api.ask("GET /products/1");
    const elapsed = Date.now() - startedAt;
    const [, delayMs] = /^(\d+)ms$/.exec(headers.get("x-simulated-delay") ?? "") ?? [];
    expect(status).toBe(200);
    expect(Number(delayMs)).toBeGreaterThanOrEqual(200);
    expect(Number(delayMs)).toBeLessThanOrEqual(1499);
    // Timers and clocks round; a millisecond or two is theirs.
    expect(elapsed).toBeGreaterThanOrEqual(Number(delayMs) - 2);
    const time = headers.get("x-server-time") ?? "";
    expect(time).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    expect(Date.parse(time)).toBeGreaterThanOrEqual(startedAt - 1);
    expect(Date.parse(time)).toBeLessThanOrEqual(Date.now());
  });

  test("errors, writes and HEAD are slow, too", async () => {
    const layers = { latency: { minMs: 30, maxMs: 30 } };
    const api = await startLayered({ middlewares: ["latency"], layers });
    for (const line of ["GET /nowhere", "POST /products", "HEAD /products/1", "GET /%ff"]) {
      const startedAt = Date.now();
      const { headers } = await api.ask(line);
      expect(headers.get("x-simulated-delay"), line).toBe("30ms");
      expect(Date.now() - startedAt, line).toBeGreaterThanOrEqual(28);
    }
  });

  test("one request does not wait for another: fifty delays of a fifth of a second pass side by side", async () => {
    const layers = { latency: { minMs: 200, maxMs: 200 } };
    const api = await startLayered({ middlewares: ["latency"], layers });
    let open = 0;
    let mostOpen = 0;
    await Promise.all(
      Array.from({ length: 50 }, async () => {
        open++;
        await api.ask("GET /products/1");
        mostOpen = Math.max(mostOpen, open--);
      }),
    );
    // The first answer came while all the others were still on their way.
    expect(mostOpen).toBe(50);
    expect(api.requests.filter(({ durationMs }) => durationMs >= 195)).toHaveLength(50);
  });
});

import { setTimeout as wait } from "node:timers/promises";
import type { Layer, LayerTools } from "./layer.ts";
import type { LayerSettings } from "./settings.ts";

export interface LatencyOptions {
  readonly minMs: number;
  readonly maxMs: number;
}

/** Makes every answer wait a random whole number of milliseconds, from `minMs` to `maxMs`, and says how many. */
export function latency({ minMs, maxMs }: LatencyOptions, { random, now }: LayerTools, sleep = wait): Layer {
  return async function latency(_req, res, next) {
    const delayMs = minMs + Math.floor(random() * (maxMs - minMs + 1));
    res.setHeader("X-Simulated-Delay", `${delayMs}ms`);
    res.setHeader("X-Server-Time", new Date(now()).toISOString());
    await sleep(delayMs);
    next();
  };
}

export function readLatencyOptions(settings: LayerSettings): LatencyOptions {
  const longest = 2 ** 31 - 1;
  const minMs = settings.integer("minMs", 0, longest, 200);
  const maxMs = settings.integer("maxMs", 0, longest, Math.max(minMs, 1499));
  if (maxMs < minMs) throw settings.problem("maxMs", `is ${maxMs}, which is less than minMs (${minMs}).`);
  return { minMs, maxMs };
}

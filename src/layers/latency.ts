import { MAX_WAIT_MS } from "../base/wait.ts";
import type { Layer, LayerDefinition, LayerTools } from "./layer.ts";
import type { LayerSettings } from "./settings.ts";

export interface LatencyOptions {
  readonly minMs: number;
  readonly maxMs: number;
}

/** Delays every response by a random whole number of milliseconds from `minMs` to `maxMs`, and reports it in a header. */
export function latency({ minMs, maxMs }: LatencyOptions, { random, now, wait }: LayerTools): Layer {
  return async function latency(req, res, next) {
    const delayMs = minMs + Math.floor(random() * (maxMs - minMs + 1));
    res.setHeader("X-Simulated-Delay", `${delayMs}ms`);
    res.setHeader("X-Server-Time", new Date(now()).toISOString());
    if ((await wait(delayMs, req)) !== "left") next();
  };
}

export function readLatencyOptions(settings: LayerSettings): LatencyOptions {
  const minMs = settings.integer("minMs", { min: 0, max: MAX_WAIT_MS, fallback: 200 });
  const maxMs = settings.integer("maxMs", { min: 0, max: MAX_WAIT_MS, fallback: Math.max(minMs, 1499) });
  if (maxMs < minMs) throw settings.problem("maxMs", `is ${maxMs}, which is less than minMs (${minMs}).`);
  return { minMs, maxMs };
}

export const latencyLayer: LayerDefinition = {
  name: "latency",
  isAskedOnce: true,
  headers: ["X-Simulated-Delay", "X-Server-Time"],
  create: (settings, tools) => latency(readLatencyOptions(settings), tools),
};

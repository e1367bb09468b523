import { createHash } from "node:crypto";
import { StandinError } from "../errors.ts";
import type { Layer, LayerResponse, LayerTools } from "./layer.ts";
import type { LayerSettings } from "./settings.ts";

/** More keys than this are not counted at once: the oldest windows go first. */
const MAX_KEYS = 100_000;
/** A longer key is counted under its digest, so that the memory per key is bounded, too. */
const MAX_KEY_LENGTH = 64;

export interface RateLimitOptions {
  readonly limit: number;
  readonly windowSeconds: number;
}

interface CountedWindow {
  endsAt: number;
  count: number;
}

/** Refuses more than `limit` requests of one key in a window that starts with its first request. */
export function rateLimit(
  { limit, windowSeconds }: RateLimitOptions,
  { now, clientAddress, countTogether }: LayerTools,
): Layer {
  const byKey = createCounter(windowSeconds * 1000, now);
  const byAddress = createCounter(windowSeconds * 1000, now);

  if (countTogether) {
    return async function rateLimit(req, res, next) {
      const sent = req.headers["x-api-key"];
      const name = sent === undefined ? `address ${clientAddress(req)}` : `key ${shorten(String(sent))}`;
      judge(await countTogether(name, windowSeconds), res, next);
    };
  }
  return function rateLimit(req, res, next) {
    const sent = req.headers["x-api-key"];
    judge(sent === undefined ? byAddress(clientAddress(req)) : byKey(shorten(String(sent))), res, next);
  };

  function judge(count: number, res: LayerResponse, next: () => void): void {
    res.setHeader("X-RateLimit-Limit", String(limit));
    res.setHeader("X-RateLimit-Remaining", String(Math.max(0, limit - count)));
    if (count > limit) {
      throw new StandinError(
        "RATE_LIMIT_EXCEEDED",
        `More than ${limit} requests in ${windowSeconds} seconds. Try again in ${windowSeconds} seconds.`,
        { "Retry-After": String(windowSeconds) },
      );
    }
    next();
  }
}

/** Counts how often each name came in its present window, this time included. */
function createCounter(windowMs: number, now: () => number): (name: string) => number {
  let young = new Map<string, CountedWindow>();
  let old = young;
  return (name) => {
    const time = now();
    const window = young.get(name) ?? old.get(name);
    if (window && window.endsAt > time) return ++window.count;
    if (young.size >= MAX_KEYS / 2) {
      // Forgotten by the half: to take the oldest out of a Map one by one becomes slow as their places pile up.
      old = young;
      young = new Map();
    }
    young.set(name, { endsAt: time + windowMs, count: 1 });
    return 1;
  };
}

function shorten(key: string): string {
  return key.length <= MAX_KEY_LENGTH ? key : createHash("sha256").update(key).digest("base64");
}

export function readRateLimitOptions(settings: LayerSettings): RateLimitOptions {
  return {
    limit: settings.integer("limit", 1, 1_000_000_000, 10),
    windowSeconds: settings.integer("windowSeconds", 1, 86_400, 60),
  };
}

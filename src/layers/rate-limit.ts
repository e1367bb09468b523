import { StandinError } from "../base/errors.ts";
import { createHash } from "../base/platform/crypto.ts";
import type { Layer, LayerDefinition, LayerRequest, LayerResponse, LayerTools } from "./layer.ts";
import type { LayerSettings } from "./settings.ts";
import { createWindowCounter } from "./window-counter.ts";

/** A longer name is counted under its digest, so that the memory per name is bounded, too. */
const MAX_NAME_LENGTH = 64;

export interface RateLimitOptions {
  readonly limit: number;
  readonly windowSeconds: number;
}

/**
 * Rejects more than `limit` requests of one key in a window that starts with its first request. Guards behind it may
 * reject as many credentials of one address, so that guessing keys is limited although each key has its own count.
 */
export function rateLimit(options: RateLimitOptions, tools: LayerTools): Layer {
  const { limit, windowSeconds } = options;
  const { now, countTogether } = tools;
  const byKey = createWindowCounter(windowSeconds * 1000, now);
  const byAddress = createWindowCounter(windowSeconds * 1000, now);
  const countGuess = createGuessCounter(options, tools);

  if (countTogether) {
    return async function rateLimit(req, res, next) {
      req.countGuess = countGuess;
      const sent = req.headers["x-api-key"];
      const name = sent === undefined ? `address ${shorten(req.address)}` : `key ${shorten(String(sent))}`;
      admitOrRefuse(await countTogether(name, windowSeconds), res, next);
    };
  }
  return function rateLimit(req, res, next) {
    req.countGuess = countGuess;
    const sent = req.headers["x-api-key"];
    const window = sent === undefined ? byAddress(shorten(req.address)) : byKey(shorten(String(sent)));
    admitOrRefuse(++window.count, res, next);
  };

  function admitOrRefuse(count: number, res: LayerResponse, next: () => void): void {
    res.setHeader("X-RateLimit-Limit", String(limit));
    res.setHeader("X-RateLimit-Remaining", String(Math.max(0, limit - count)));
    if (count > limit) throw tooMany(`More than ${limit} requests`, windowSeconds);
    next();
  }
}

/** Counts before the credential is checked: of many guesses under way at once, no more than `limit` are checked. */
function createGuessCounter(
  { limit, windowSeconds }: RateLimitOptions,
  { now, countTogether }: LayerTools,
): NonNullable<LayerRequest["countGuess"]> {
  const guessesOf = createWindowCounter(windowSeconds * 1000, now);
  return function countGuess(req, res) {
    const address = shorten(req.address);
    const window = guessesOf(address);
    if (window.count >= limit) {
      res.setHeader("X-RateLimit-Remaining", "0");
      throw tooMany(`More than ${limit} rejected credentials from this address`, windowSeconds);
    }
    window.count++;
    return function settle(isRight) {
      if (isRight) window.count--;
      else {
        // A process learns of the rejections of others with its own next one.
        countTogether?.(`guesses ${address}`, windowSeconds).then(
          (count) => {
            window.count = Math.max(window.count, count);
          },
          () => undefined,
        );
      }
    };
  };
}

function tooMany(what: string, windowSeconds: number): StandinError {
  const message = `${what} in ${windowSeconds} seconds. Try again in ${windowSeconds} seconds.`;
  return new StandinError("RATE_LIMIT_EXCEEDED", message, { "Retry-After": String(windowSeconds) });
}

function shorten(name: string): string {
  return name.length <= MAX_NAME_LENGTH ? name : createHash("sha256").update(name).digest("base64");
}

export function readRateLimitOptions(settings: LayerSettings): RateLimitOptions {
  return {
    limit: settings.integer("limit", { min: 1, max: 1_000_000_000, fallback: 10 }),
    windowSeconds: settings.integer("windowSeconds", { min: 1, max: 86_400, fallback: 60 }),
  };
}

export const rateLimitLayer: LayerDefinition = {
  name: "rate-limit",
  isAskedOnce: true,
  precedesGuards: true,
  codes: ["RATE_LIMIT_EXCEEDED"],
  headers: ["X-RateLimit-Limit", "X-RateLimit-Remaining"],
  create: (settings, tools) => rateLimit(readRateLimitOptions(settings), tools),
};

import { StandinError } from "../base/errors.ts";
import { availableParallelism } from "../base/platform/runtime.ts";
import type { LayerRequest, LayerResponse, LayerTools } from "./layer.ts";
import { createWindowCounter } from "./window-counter.ts";

/**
 * Passwords that are checked at once: hashing takes a thread of a pool that files and compression need, too, and a
 * processor, of which one is left to the requests of others.
 */
const WIDTH = Math.max(1, Math.min(2, availableParallelism() - 1));
const WINDOW_SECONDS = 60;

/** Runs the check of a login, which throws for a wrong one. */
type CheckLogin = <T>(req: LayerRequest, res: LayerResponse, check: () => Promise<T>) => Promise<T>;

/**
 * Lets logins wait for their turn, and refuses an address after too many wrong ones. Only wrong ones count, and they count
 * when they turn out wrong: any number of right logins may come at once. 0 means no limit. `advice` ends the message of a refusal.
 */
export function createLoginCheck(maxWrongLogins: number, { now }: Pick<LayerTools, "now">, advice: string): CheckLogin {
  const inTurn = createTurns(WIDTH);
  const wrongOf = createWindowCounter(WINDOW_SECONDS * 1000, now);
  return function checkLogin(req, _res, check) {
    const address = req.address;
    return inTurn(async () => {
      const wrong = wrongOf(address);
      if (maxWrongLogins > 0 && wrong.count >= maxWrongLogins) {
        throw tooMany(maxWrongLogins, wrong.endsAt - now(), advice);
      }
      if (req.hasLeft) throw new StandinError("LOGIN_FAILED", "The client has left.");
      try {
        return await check();
      } catch (thrown) {
        wrong.count++;
        throw thrown;
      }
    });
  };
}

function tooMany(limit: number, leftMs: number, advice: string): StandinError {
  const seconds = Math.min(WINDOW_SECONDS, Math.max(1, Math.ceil(leftMs / 1000)));
  return new StandinError(
    "RATE_LIMIT_EXCEEDED",
    `More than ${limit} wrong logins from this address in ${WINDOW_SECONDS} seconds. Try again in ${seconds} seconds${advice}.`,
    { "Retry-After": String(seconds) },
  );
}

/** Runs work when its turn comes: at most `width` pieces at once, in order of arrival. */
export function createTurns(width: number): <T>(work: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async function inTurn(work) {
    if (running < width) running++;
    // The one that ends hands its place on.
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else running--;
    }
  };
}

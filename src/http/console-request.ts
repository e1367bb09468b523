import type { Exchange } from "./exchange.ts";

/** Whether the console sent a request for itself: it reads and writes records as they are, and no fault is meant for it. */
export function isOfConsole({ req }: Exchange): boolean {
  return req.headers["x-standin-console"] !== undefined;
}

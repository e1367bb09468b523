import type { Call } from "./call.ts";

/** Whether the console sent a request for itself: it reads and writes records as they are, and no fault is meant for it. */
export function isOfConsole(call: Call): boolean {
  return call.headers["x-standin-console"] !== undefined;
}

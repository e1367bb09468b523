import { StandinError } from "./errors.ts";

/** The first and the last time that a clock shows. Dates go on long after it: there is room for delays and expiries. */
export const FIRST_TIME = Date.parse("0001-01-01T00:00:00.000Z");
export const LAST_TIME = Date.parse("9999-12-31T23:59:59.999Z");
export const TIME_RANGE = "0001-01-01T00:00:00.000Z to 9999-12-31T23:59:59.999Z";

/** Throws for a time that no clock shows. */
export function expectTimeInRange(time: number): number {
  if (time >= FIRST_TIME && time <= LAST_TIME) return time;
  throw new StandinError("CLOCK_INVALID", `The time is out of range: the clock goes from ${TIME_RANGE}.`);
}

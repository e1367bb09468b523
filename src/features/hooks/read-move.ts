import { type Clock, expectTimeInRange } from "../../base/clock.ts";
import { parseDuration } from "../../base/duration.ts";
import { StandinError } from "../../base/errors.ts";
import { isJsonObject, type Json } from "../../base/json/json.ts";
import type { ClockState } from "./types.ts";

/** The clocks of a server, and what follows from a move. */
interface Movable {
  clock(sandbox: string | undefined): Clock;
  clockState(sandbox: string | undefined): ClockState;
  /** Changes how a clock goes. */
  change(sandbox: string | undefined, change: (clock: Clock) => void): Promise<ClockState>;
  move(sandbox: string | undefined, time: () => number): Promise<ClockState>;
}

const MOVES = 'Send { "advance": "1h" }, { "set": "2030-01-01T00:00:00Z" }, { "rate": 60 } or { "real": true }.';

/** Moves the clock as a request asks for; resolves when everything that became due has run. */
export async function moveClock(
  hooks: Movable,
  sandbox: string | undefined,
  body: Json | undefined,
): Promise<ClockState> {
  const entries = isJsonObject(body) ? Object.entries(body) : [];
  const [move, value] = entries[0] ?? [];
  if (entries.length !== 1) throw new StandinError("CLOCK_INVALID", MOVES);
  const clock = hooks.clock(sandbox);
  if (move === "advance") {
    const ms = typeof value === "string" ? parseDuration(value) : undefined;
    if (ms === undefined)
      throw new StandinError("CLOCK_INVALID", `"advance" expects a time such as 90s, 5m, 1h or 2d.`);
    return hooks.move(sandbox, () => expectTimeInRange(clock.now() + ms));
  }
  if (move === "set") {
    const time = typeof value === "string" ? Date.parse(value) : Number.NaN;
    if (Number.isNaN(time))
      throw new StandinError("CLOCK_INVALID", `"set" expects a time such as 2030-01-01T00:00:00Z.`);
    return hooks.move(sandbox, () => expectTimeInRange(time));
  }
  if (move === "rate" && typeof value === "number") return hooks.change(sandbox, (one) => one.run(value));
  if (move === "real" && value === true) return hooks.change(sandbox, (one) => one.free());
  throw new StandinError("CLOCK_INVALID", MOVES);
}

export function clockBusy(clock: Clock, count: number, left: number): StandinError {
  return new StandinError(
    "CLOCK_BUSY",
    `${count} jobs have run, and ${left} are left until then. Send the same time again to go on.`,
    {},
    { now: new Date(clock.now()).toISOString(), left },
  );
}

import { StandinError, StartError } from "./errors.ts";

/** The first and the last time that a clock shows. Dates go on long after it: there is room for delays and expiries. */
const FIRST_TIME = Date.parse("0001-01-01T00:00:00.000Z");
const LAST_TIME = Date.parse("9999-12-31T23:59:59.999Z");
const TIME_RANGE = "0001-01-01T00:00:00.000Z to 9999-12-31T23:59:59.999Z";

/** Throws for a time that no clock shows. */
export function expectTimeInRange(time: number): number {
  if (time >= FIRST_TIME && time <= LAST_TIME) return time;
  throw new StandinError("CLOCK_INVALID", `The time is out of range: the clock goes from ${TIME_RANGE}.`);
}

/** `moved`: it runs, but at another time or speed than the real one. */
export type ClockKind = "real" | "stopped" | "moved" | "program";

/** Where a clock stands that is not the real time: at `time` when it is really `since`, and going `rate` times as fast. */
export interface ClockSetting {
  readonly time: number;
  readonly since: number;
  readonly rate: number;
}

const MAX_RATE = 1_000_000;

/** Tells the time. Ask each time anew: the source may change. */
export interface TimeSource {
  now(): number;
}

/** The time that clients see. It is the real one until it is moved. */
export class Clock {
  readonly #program: (() => number) | undefined;
  readonly #onMove: (() => void)[] = [];
  #setting: ClockSetting | undefined;

  /** `start`: a time to stand still at, or a program that tells the time. */
  constructor(start?: number | (() => number)) {
    if (typeof start === "function") this.#program = start;
    else if (start !== undefined) this.#setting = { time: start, since: Date.now(), rate: 0 };
  }

  now(): number {
    if (this.#program) return withinRange(this.#program());
    const setting = this.#setting;
    if (!setting) return Date.now();
    return withinRange(Math.floor(setting.time + (Date.now() - setting.since) * setting.rate));
  }

  get kind(): ClockKind {
    if (this.#program) return "program";
    if (!this.#setting) return "real";
    return this.#setting.rate === 0 ? "stopped" : "moved";
  }

  /** 0 while it stands still. */
  get rate(): number {
    return this.#setting?.rate ?? 1;
  }

  /** Undefined while it is the real time. */
  get setting(): ClockSetting | undefined {
    return this.#setting;
  }

  /** The real time until it shows `time`, in milliseconds; infinite if it is unknown. */
  realMsUntil(time: number): number {
    if (this.#program) return Number.POSITIVE_INFINITY;
    return Math.max(0, time - this.now()) / this.rate;
  }

  set(time: number): void {
    this.#move({ time: expectTimeInRange(time), since: Date.now(), rate: this.rate });
  }

  /** Goes on from the present time, `rate` times as fast as real time. */
  run(rate: number): void {
    if (!(rate >= 0 && rate <= MAX_RATE)) {
      throw new StandinError(
        "CLOCK_INVALID",
        `"rate" must be a number from 0, where time stands still, to ${MAX_RATE}.`,
      );
    }
    this.#move({ time: this.now(), since: Date.now(), rate });
  }

  /** Shows the real time again. */
  free(): void {
    this.#move(undefined);
  }

  /** Goes on where another clock, or this one in an earlier run, stood. */
  takeOver(setting: ClockSetting | undefined): void {
    this.#move(setting);
  }

  /** Calls the listener after every move. */
  watch(listener: () => void): void {
    this.#onMove.push(listener);
  }

  /** A clock of its own that shows the same time. */
  fork(): Clock {
    const clock = new Clock(this.#program);
    clock.#setting = this.#setting;
    return clock;
  }

  #move(setting: ClockSetting | undefined): void {
    if (this.#program) {
      throw new StandinError(
        "CLOCK_IS_PROGRAM",
        "The time of this server comes from a function, which cannot be moved.",
      );
    }
    this.#setting = setting;
    for (const listener of this.#onMove) listener();
  }
}

/** A clock that goes fast stands still at the end. */
function withinRange(time: number): number {
  return Math.min(Math.max(time, FIRST_TIME), LAST_TIME);
}

/** Reads the option `clock`: a time at which the clock stands still, or a function that returns the time. */
export function readClock(clock: string | Date | (() => number) | undefined): number | (() => number) | undefined {
  if (clock === undefined || typeof clock === "function") return clock;
  const time = new Date(clock).getTime();
  if (time >= FIRST_TIME && time <= LAST_TIME) return time;
  if (!Number.isNaN(time)) throw new StartError(`clock: ${JSON.stringify(clock)} is not from ${TIME_RANGE}.`);
  throw new StartError(`clock: ${JSON.stringify(String(clock))} is not a time. Write it as 2030-01-01T12:00:00Z.`);
}

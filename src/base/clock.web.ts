import type { ClockKind } from "./clock.ts";

/** A clock that nobody moves: webhooks and the timeline, which go by it, need a server of Node. */
export class Clock {
  readonly now: () => number;
  readonly kind: ClockKind;
  readonly rate: number;

  constructor(start?: number | (() => number)) {
    this.now = typeof start === "number" ? () => start : (start ?? Date.now);
    this.kind = start === undefined ? "real" : typeof start === "number" ? "stopped" : "program";
    this.rate = this.kind === "stopped" ? 0 : 1;
  }
}

/** Sandboxes have the time of the main data. */
export class Clocks {
  readonly main: Clock;
  readonly areApart = false;
  readonly now: () => number;

  constructor(main: Clock) {
    this.main = main;
    this.now = main.now;
  }

  of(): Clock {
    return this.main;
  }

  begin(): void {}

  forget(): void {}

  within<T>(_sandbox: string, work: () => T): T {
    return work();
  }
}

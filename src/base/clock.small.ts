import type { ClockKind } from "./clock.ts";

/** A clock that nobody moves: the small worker has no timeline, which goes by it. */
export class Clock {
  readonly now: () => number;
  readonly kind: ClockKind;
  readonly rate: number;

  constructor(start?: number | (() => number)) {
    this.now = typeof start === "number" ? () => start : (start ?? Date.now);
    this.kind = start === undefined ? "real" : typeof start === "number" ? "stopped" : "program";
    this.rate = this.kind === "stopped" ? 0 : 1;
  }

  watch(): void {}
}

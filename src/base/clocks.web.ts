import type { Clock, TimeSource } from "./clock.ts";

/** Pages cannot tell on whose behalf code goes on after a wait, so sandboxes have the time of the main data. */
export class Clocks implements TimeSource {
  readonly main: Clock;
  readonly areApart = false;
  now: () => number;

  constructor(main: Clock) {
    this.main = main;
    this.now = main.kind === "real" ? Date.now : () => main.now();
    main.watch(() => {
      this.now = () => main.now();
    });
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

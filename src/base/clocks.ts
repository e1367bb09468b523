import { AsyncLocalStorage } from "node:async_hooks";
import type { Clock, TimeSource } from "./clock.ts";

/** The clock of the main data, and one for each sandbox. */
export class Clocks implements TimeSource {
  readonly main: Clock;
  /** Whether they may show different times. */
  areApart = false;
  /** The time of the data that the present request is for. Hot path: the system's own until a clock is moved. */
  now: () => number;
  readonly #own = new Map<string, Clock>();
  #scope: AsyncLocalStorage<Clock> | undefined;

  constructor(main: Clock) {
    this.main = main;
    this.now = main.kind === "real" ? Date.now : () => main.now();
    main.watch(this.#noteMove);
  }

  /** The clock of a sandbox, or of the main data. */
  of(sandbox: string | undefined): Clock {
    return (sandbox !== undefined && this.#own.get(sandbox)) || this.main;
  }

  /** A new sandbox begins with the time of the main data. */
  begin(sandbox: string): void {
    const clock = this.main.fork();
    clock.watch(this.#noteMove);
    this.#own.set(sandbox, clock);
  }

  forget(sandbox: string): void {
    this.#own.delete(sandbox);
  }

  /** Runs work at the time of a sandbox. */
  within<T>(sandbox: string, work: () => T): T {
    const clock = this.#own.get(sandbox);
    if (!this.areApart || !clock) return work();
    this.#scope ??= new AsyncLocalStorage();
    return this.#scope.run(clock, work);
  }

  readonly #noteMove = (): void => {
    this.areApart = true;
    this.now = () => (this.#scope?.getStore() ?? this.main).now();
  };
}

import { type Client, type WaitEnd, Waits } from "../../src/base/wait.ts";

/** Tells of the first wait. */
export class WatchedWaits extends Waits {
  #tell: (ending: () => Promise<WaitEnd>) => void = () => {};
  /** Settles when it has begun, with how to learn of its end. */
  readonly begun = new Promise<() => Promise<WaitEnd>>((resolve) => {
    this.#tell = resolve;
  });

  override wait(ms: number, client: Client): Promise<WaitEnd> {
    const ending = super.wait(ms, client);
    this.#tell(() => ending);
    return ending;
  }
}

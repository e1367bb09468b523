/** The one who waits for a response and may leave before it: the response itself, as a rule. */
export interface Client {
  readonly destroyed?: boolean;
  once(event: "close", listener: () => void): unknown;
  off(event: "close", listener: () => void): unknown;
}

/** Why a wait ended: its time was over, the server stops, or the client left. */
export type WaitEnd = "over" | "stopping" | "left";

/** The longest a timer can wait. */
export const MAX_WAIT_MS = 2 ** 31 - 1;

/** Every delay made on purpose. None outlives its client, and none holds up a server that stops. */
export class Waits {
  readonly #running = new Set<() => void>();
  #isStopping = false;

  wait(ms: number, client: Client): Promise<WaitEnd> {
    if (client.destroyed) return Promise.resolve("left");
    if (this.#isStopping) return Promise.resolve("stopping");
    return new Promise((resolve) => {
      const end = (reason: WaitEnd): void => {
        clearTimeout(timer);
        this.#running.delete(stop);
        client.off("close", leave);
        resolve(reason);
      };
      const stop = (): void => end("stopping");
      const leave = (): void => end("left");
      const timer = setTimeout(end, ms, "over");
      this.#running.add(stop);
      client.once("close", leave);
    });
  }

  /** Ends every wait, and every later one at once. */
  stop(): void {
    this.#isStopping = true;
    for (const stop of this.#running) stop();
  }
}

/** The client of a request, which may disconnect before the response. */
export interface Client {
  readonly hasLeft: boolean;
  onLeave(listener: () => void): void;
  offLeave(listener: () => void): void;
}

/** The reason why a wait ended: its time is over, the server stops, or the client disconnected. */
export type WaitEnd = "over" | "stopping" | "left";

/** The longest delay of a timer. */
export const MAX_WAIT_MS = 2 ** 31 - 1;

/** All intentional delays. None outlives its client, and none delays the stop of the server. */
export class Waits {
  readonly #running = new Set<() => void>();
  #isStopping = false;

  wait(ms: number, client: Client): Promise<WaitEnd> {
    if (client.hasLeft) return Promise.resolve("left");
    if (this.#isStopping) return Promise.resolve("stopping");
    return new Promise((resolve) => {
      const end = (reason: WaitEnd): void => {
        clearTimeout(timer);
        this.#running.delete(stop);
        client.offLeave(leave);
        resolve(reason);
      };
      const stop = (): void => end("stopping");
      const leave = (): void => end("left");
      const timer = setTimeout(end, ms, "over");
      this.#running.add(stop);
      client.onLeave(leave);
    });
  }

  /** Ends every wait, and every later one at once. */
  stop(): void {
    this.#isStopping = true;
    for (const stop of this.#running) stop();
  }
}

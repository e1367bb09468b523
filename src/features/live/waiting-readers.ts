/** Those who wait for something to happen, for a while. */
export class Waiting {
  readonly #looks = new Set<(isOver: boolean) => void>();
  #isClosed = false;

  /** Something happened: whoever waits looks whether it is what they wait for. */
  look(): void {
    for (const look of this.#looks) look(false);
  }

  /** Settles when it is there, or the time is over. */
  until(isThere: () => boolean, ms: number): Promise<void> {
    if (ms <= 0 || this.#isClosed || isThere()) return Promise.resolve();
    return new Promise((resolve) => {
      const look = (isOver: boolean): void => {
        if (!isOver && !isThere()) return;
        clearTimeout(timer);
        this.#looks.delete(look);
        resolve();
      };
      const timer = setTimeout(() => look(true), ms);
      this.#looks.add(look);
    });
  }

  /** Nobody waits any more. */
  close(): void {
    this.#isClosed = true;
    for (const look of this.#looks) look(true);
  }
}

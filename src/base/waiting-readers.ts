/** Readers that wait, for a limited time, until a condition holds. */
export class Waiting {
  /** A field, because it is read for every request. */
  isEmpty = true;
  readonly #looks = new Set<(isOver: boolean) => void>();
  #isClosed = false;

  /** Checks the condition of every reader. */
  look(): void {
    for (const look of this.#looks) look(false);
  }

  /** Resolves when the condition holds, or the time is over. */
  until(isThere: () => boolean, ms: number): Promise<void> {
    if (ms <= 0 || this.#isClosed || isThere()) return Promise.resolve();
    return new Promise((resolve) => {
      const look = (isOver: boolean): void => {
        if (!isOver && !isThere()) return;
        clearTimeout(timer);
        this.#looks.delete(look);
        this.isEmpty = this.#looks.size === 0;
        resolve();
      };
      const timer = setTimeout(() => look(true), ms);
      this.#looks.add(look);
      this.isEmpty = false;
    });
  }

  /** Ends every wait, and every later one at once. */
  close(): void {
    this.#isClosed = true;
    for (const look of this.#looks) look(true);
  }
}

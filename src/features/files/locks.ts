/** Lets work on one key wait for earlier work on the same key. */
export class Locks {
  readonly #latest = new Map<string, Promise<void>>();

  async run<T>(key: string, work: () => Promise<T>): Promise<T> {
    const result = (this.#latest.get(key) ?? Promise.resolve()).then(work);
    const done = result.then(ignore, ignore).then(() => {
      if (this.#latest.get(key) === done) this.#latest.delete(key);
    });
    this.#latest.set(key, done);
    return result;
  }

  /** Resolves when no work is left. */
  async idle(): Promise<void> {
    await Promise.all(this.#latest.values());
  }
}

function ignore(): void {}

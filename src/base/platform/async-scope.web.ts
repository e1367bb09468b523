/** A value for what a function does at once: browsers do not tell what belongs to it later. */
export class AsyncScope<T> {
  #value: T | undefined;

  run<R>(value: T, work: () => R): R {
    const before = this.#value;
    this.#value = value;
    try {
      return work();
    } finally {
      this.#value = before;
    }
  }

  getStore(): T | undefined {
    return this.#value;
  }
}

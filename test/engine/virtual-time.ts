/** Time that passes only when everybody waits, so that an hour of delays takes a moment, in an order that a seed decides. */
export class VirtualTime {
  now = 0;
  #count = 0;
  #timers: { readonly at: number; readonly order: number; readonly wake: () => void }[] = [];

  sleep(ms: number): Promise<void> {
    return new Promise((wake) => this.#add({ at: this.now + ms, order: this.#count++, wake }));
  }

  /** Lets time pass until a promise is settled. */
  async until<T>(promise: Promise<T>): Promise<T> {
    let isSettled = false;
    const settled = promise.finally(() => {
      isSettled = true;
    });
    settled.catch(() => {});
    while (!isSettled) {
      await new Promise((resolve) => setImmediate(resolve));
      const next = this.#take();
      if (next) {
        this.now = next.at;
        next.wake();
      }
    }
    return settled;
  }

  #add(timer: { readonly at: number; readonly order: number; readonly wake: () => void }): void {
    const timers = this.#timers;
    let at = timers.push(timer) - 1;
    for (let above = (at - 1) >> 1; at > 0 && isBefore(timer, timers[above]!); above = (at - 1) >> 1) {
      timers[at] = timers[above]!;
      timers[above] = timer;
      at = above;
    }
  }

  #take() {
    const timers = this.#timers;
    const first = timers[0];
    const last = timers.pop();
    if (first === undefined || last === undefined || timers.length === 0) return first;
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child + 1 < timers.length && isBefore(timers[child + 1]!, timers[child]!)) child++;
      if (child >= timers.length || isBefore(last, timers[child]!)) break;
      timers[at] = timers[child]!;
      at = child;
    }
    timers[at] = last;
    return first;
  }
}

function isBefore(one: { at: number; order: number }, other: { at: number; order: number }): boolean {
  return one.at < other.at || (one.at === other.at && one.order < other.order);
}

/** A value, or the promise of one: a promise per request costs as much as finding a record. */
export type Eventually<T> = T | Promise<T>;

/** Goes on with a value at once where it is there. Not called `then`: a module that exports that counts as a promise. */
export function andThen<T, R>(value: Eventually<T>, next: (value: T) => Eventually<R>): Eventually<R> {
  return value instanceof Promise ? later(value, next) : next(value);
}

/** Awaits twice: a promise that is returned as it is takes two more microtasks. */
async function later<T, R>(value: Promise<T>, next: (value: T) => Eventually<R>): Promise<R> {
  return await next(await value);
}

import type { Eventually } from "./eventually.ts";

/** Work that can pause: it yields wherever other requests may run, or a promise that it must wait for. */
export type Work<T> = Generator<Promise<unknown> | undefined, T>;

/** Of the 5 ms that the event loop may be blocked: the last step of a slice, and the garbage collector, come on top. */
const SLICE_MS = 3;
/** Reading this many records takes no longer than a few slices, so it is done at once. */
export const MAX_AT_ONCE = 10_000;
/** The records to read between two possible pauses. */
export const STEP = 256;
/** The same for a test that may take long: a pattern. */
export const SLOW_STEP = 4;

/** The paused works, in the order in which they go on. */
const waiting: (() => void)[] = [];

/** Waits for a turn of the event loop. Each turn has one slice, so that it stays short however many works there are. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    if (waiting.push(resolve) === 1) inLaterTurn(continueOne);
  });
}

function continueOne(): void {
  waiting.shift()?.();
  if (waiting.length > 0) inLaterTurn(continueOne);
}

/** Runs work without pauses; it must not wait for anything. */
export function atOnce<T>(work: Work<T>): T {
  for (;;) {
    const { done, value } = work.next();
    if (done) return value;
  }
}

/** The most slices of other works between two of a work in the background. */
const MAX_PASSED = 7;

/** Runs work in slices, with a turn of the event loop after each. */
export function inSlices<T>(work: Work<T>): Promise<T> {
  return runInSlices(work, 1);
}

/** The same with several turns, while other works need them. */
export function inSlicesBehind<T>(work: Work<T>): Promise<T> {
  return runInSlices(work, MAX_PASSED);
}

async function runInSlices<T>(work: Work<T>, maxPassed: number): Promise<T> {
  for (let sliceEnd = performance.now() + SLICE_MS; ; ) {
    const { done, value } = work.next();
    if (done) return value;
    if (value) await value;
    if (performance.now() < sliceEnd) continue;
    await nextTurn();
    for (let passed = 1; passed < maxPassed && waiting.length > 0; passed++) await nextTurn();
    sliceEnd = performance.now() + SLICE_MS;
  }
}

/** Waits for a value as part of work, if it is not there yet; throws where it is refused. */
export function* settled<T>(value: Eventually<T>): Work<T> {
  if (!(value instanceof Promise)) return value;
  let outcome: { readonly value: T } | { readonly thrown: unknown } | undefined;
  yield value.then(
    (settled) => {
      outcome = { value: settled };
    },
    (thrown: unknown) => {
      outcome = { thrown };
    },
  );
  if (!outcome) throw new Error("This work waits for a promise, so it cannot be done at once.");
  if ("thrown" in outcome) throw outcome.thrown;
  return outcome.value;
}

/** Runs work at once as far as it neither pauses nor waits, and the rest in slices. */
export function eventually<T>(work: Work<T>): Eventually<T> {
  const { done, value } = work.next();
  if (done) return value;
  return value ? value.then(() => inSlices(work)) : inSlices(work);
}

/** Runs work at once if that takes no longer than a slice; otherwise the rest in slices. */
export function promptly<T>(work: Work<T>): Eventually<T> {
  for (const sliceEnd = performance.now() + SLICE_MS; ; ) {
    const { done, value } = work.next();
    if (done) return value;
    if (value) return value.then(() => inSlices(work));
    if (performance.now() >= sliceEnd) return nextTurn().then(() => inSlices(work));
  }
}

/** The pauses of an asynchronous function that would otherwise keep other requests waiting. */
interface Pause {
  readonly isDue: boolean;
  /** Lets other requests run. */
  take(): Promise<void>;
}

export function createPause(): Pause {
  let sliceEnd = performance.now() + SLICE_MS;
  return {
    get isDue() {
      return performance.now() >= sliceEnd;
    },
    async take() {
      await nextTurn();
      sliceEnd = performance.now() + SLICE_MS;
    },
  };
}

let send: ((run: () => void) => void) | undefined;

/** Calls a function in a later turn of the event loop. */
function inLaterTurn(run: () => void): void {
  send ??= "setImmediate" in globalThis ? (later) => void setImmediate(later) : createMessenger();
  send(run);
}

/** Messages, since a page delays timers by milliseconds. */
function createMessenger(): (run: () => void) => void {
  const { port1, port2 } = new MessageChannel();
  const waiting: (() => void)[] = [];
  port1.onmessage = () => waiting.shift()?.();
  return (run) => {
    waiting.push(run);
    port2.postMessage(undefined);
  };
}

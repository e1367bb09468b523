import { setImmediate as nextTurn } from "node:timers/promises";

/** Work that can pause: it yields wherever other requests may run. */
export type Work<T> = Generator<undefined, T>;

/** The longest time to block the event loop. */
const SLICE_MS = 10;
/** Reading this many records takes no longer than a few slices, so it is done at once. */
export const MAX_AT_ONCE = 10_000;
/** The records to read between two possible pauses. */
export const STEP = 256;

/** Runs work without pauses. */
export function atOnce<T>(work: Work<T>): T {
  for (;;) {
    const { done, value } = work.next();
    if (done) return value;
  }
}

/** Runs work in slices, with a turn of the event loop after each. */
export async function inSlices<T>(work: Work<T>): Promise<T> {
  for (let sliceEnd = performance.now() + SLICE_MS; ; ) {
    const { done, value } = work.next();
    if (done) return value;
    if (performance.now() < sliceEnd) continue;
    await nextTurn();
    sliceEnd = performance.now() + SLICE_MS;
  }
}

import { setImmediate as nextTurn } from "node:timers/promises";

/** Work that can pause: it yields wherever others may have their turn. */
export type Work<T> = Generator<undefined, T>;

/** How long work may hold the event loop. */
const SLICE_MS = 10;
/** Going through this many records is done in less than a few slices, so nobody needs to wait for a turn. */
export const MAX_AT_ONCE = 10_000;
/** How many records may be gone through before a pause is offered. */
export const STEP = 256;

export function atOnce<T>(work: Work<T>): T {
  for (;;) {
    const { done, value } = work.next();
    if (done) return value;
  }
}

/** Lets others have their turn again and again. */
export async function inSlices<T>(work: Work<T>): Promise<T> {
  for (let sliceEnd = performance.now() + SLICE_MS; ; ) {
    const { done, value } = work.next();
    if (done) return value;
    if (performance.now() < sliceEnd) continue;
    await nextTurn();
    sliceEnd = performance.now() + SLICE_MS;
  }
}

import { createStore } from "./store.ts";

/**
 * Whether the page is discarding the sandbox that it shows, and is about to show the main data. Streams and reloads stop
 * meanwhile: the server would respond with errors.
 */
export const isLeaving = createStore(false);

/** Discards the sandbox of this page, then goes to another address. After a failure, the page goes on as before. */
export async function leaveAfter(discard: () => Promise<unknown>, address: string): Promise<void> {
  isLeaving.set(true);
  try {
    await discard();
  } catch (thrown) {
    isLeaving.set(false);
    throw thrown;
  }
  // A page that the browser brings back must notice that its sandbox is gone.
  addEventListener("pageshow", () => isLeaving.set(false), { once: true });
  location.assign(address);
}

let left = new AbortController();
isLeaving.listen((now) => {
  if (now) left.abort();
  else left = new AbortController();
});

/** Aborts when the page begins to leave. */
export function whenLeaving(): AbortSignal {
  return left.signal;
}

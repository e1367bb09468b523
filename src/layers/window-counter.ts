/** At most this many names are counted at once: the oldest windows go first. */
const MAX_NAMES = 100_000;

/** Events of one name since the first of them. */
export interface EventWindow {
  readonly endsAt: number;
  count: number;
}

/** Finds the present window of a name, or opens one. */
export type WindowCounter = (name: string) => EventWindow;

/** Counts by name in fixed windows that begin with a name's first event. Memory is bounded. */
export function createWindowCounter(windowMs: number, now: () => number): WindowCounter {
  const steadyNow = createSteadyClock(now);
  let young = new Map<string, EventWindow>();
  let old = young;
  return (name) => {
    const time = steadyNow();
    const window = young.get(name) ?? old.get(name);
    if (window && window.endsAt > time) return window;
    if (young.size >= MAX_NAMES / 2) {
      // Forgotten by the half: to take the oldest out of a Map one by one becomes slow as their places pile up.
      old = young;
      young = new Map();
    }
    const opened = { endsAt: time + windowMs, count: 0 };
    young.set(name, opened);
    return opened;
  };
}

/** Goes on from the latest time when the clock is set back, so that no window lasts until the clock has caught up. */
function createSteadyClock(now: () => number): () => number {
  let latest = Number.NEGATIVE_INFINITY;
  let setBackMs = 0;
  return () => {
    const time = now();
    if (time < latest) setBackMs += latest - time;
    latest = time;
    return time + setBackMs;
  };
}

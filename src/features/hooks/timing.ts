import { inBackground } from "../../base/timers.ts";

/** Real time, which limits and leases go by; tests pass in their own. */
export interface Timing {
  /** Milliseconds since any moment. */
  elapsed(): number;
  /** Repeats work; returns a function that ends it. */
  every(ms: number, work: () => void): () => void;
}

export const REAL_TIMING: Timing = {
  elapsed: () => performance.now(),
  every(ms, work) {
    const timer = inBackground(setInterval(work, ms));
    return () => clearInterval(timer);
  },
};

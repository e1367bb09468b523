/** The codes by which Windows refuses access to a file that a virus scanner, an editor or another program has open. */
const HELD = new Set(["EACCES", "EBUSY", "EPERM"]);

/** A quarter of a second in all; scanners take a few milliseconds. */
const PAUSES_MS = [1, 2, 4, 8, 16, 32, 64, 128];

/**
 * Accesses a file. On Windows, tries again for a quarter of a second while another program has it open; elsewhere, the
 * same codes mean that permission is missing. Blocks: callers rely on nothing else happening between two of their steps.
 */
export function retryWhileHeld<Result>(access: () => Result): Result {
  if (process.platform !== "win32") return access();
  for (const pauseMs of PAUSES_MS) {
    try {
      return access();
    } catch (thrown) {
      if (!HELD.has((thrown as NodeJS.ErrnoException).code ?? "")) throw thrown;
    }
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pauseMs);
  }
  return access();
}

import type { Reporter } from "../reporter.ts";

/** Shuts down gracefully on the first signal, at once on the second. Returns a function that does it without a signal. */
export function stopOnSignal(reporter: Reporter, close: () => Promise<void>): () => void {
  let isStopping = false;
  const stop = async (): Promise<void> => {
    if (isStopping) process.exit(1);
    isStopping = true;
    try {
      await close();
      process.exit(0);
    } catch (thrown) {
      reporter.fault(
        "The shutdown failed. Unsaved changes are in the journal and will be restored at the next start.",
        thrown,
      );
      process.exit(1);
    }
  };
  process.on("SIGINT", () => void stop());
  process.on("SIGTERM", () => void stop());
  // A file size limit must fail the write, not kill the process.
  process.on("SIGXFSZ" as NodeJS.Signals, () => {});
  return () => void stop();
}

/** Keeps serving if the output breaks: a log on a full disk, a closed pipe. */
export function outliveOutput(): void {
  for (const stream of [process.stdout, process.stderr]) stream.on("error", () => {});
}

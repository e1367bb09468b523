import type { Reporter } from "../base/reporter.ts";

/**
 * The signals that ask for a stop. On Windows also Ctrl+Break and the closing of the window, after which Windows ends the
 * process within seconds. Elsewhere SIGHUP keeps its meaning: nohup relies on that.
 */
export function stopSignals(platform = process.platform): NodeJS.Signals[] {
  return platform === "win32" ? ["SIGINT", "SIGTERM", "SIGBREAK", "SIGHUP"] : ["SIGINT", "SIGTERM"];
}

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
  for (const signal of stopSignals()) process.on(signal, () => void stop());
  // A file size limit must fail the write, not kill the process.
  process.on("SIGXFSZ" as NodeJS.Signals, () => {});
  return () => void stop();
}

/** Keeps serving if the output breaks: a log on a full disk, a closed pipe. */
export function outliveOutput(): void {
  for (const stream of [process.stdout, process.stderr]) stream.on("error", () => {});
}

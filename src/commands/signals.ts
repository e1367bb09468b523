import { join } from "node:path";
import { createInterface } from "node:readline";
import { messageOf } from "../errors.ts";
import { snapshotsFeature } from "../features/snapshots/feature.ts";
import type { Service } from "../http/service.ts";
import type { Reporter } from "../reporter.ts";
import type { Terminal } from "./terminal.ts";

/** The first signal stops in good order; a second one does not wait. */
export function stopOnSignal(reporter: Reporter, close: () => Promise<void>): void {
  let isStopping = false;
  const stop = async (): Promise<void> => {
    if (isStopping) process.exit(1);
    isStopping = true;
    try {
      await close();
      process.exit(0);
    } catch (thrown) {
      reporter.fault(
        "The stop was not clean; unsaved changes are in the journal and come back at the next start.",
        thrown,
      );
      process.exit(1);
    }
  };
  process.on("SIGINT", () => void stop());
  process.on("SIGTERM", () => void stop());
  // A file size limit must fail the write, not end the process.
  process.on("SIGXFSZ" as NodeJS.Signals, () => {});
}

/** A log on a full disk, a pipe that nobody reads any more: no reason to stop serving. */
export function outliveOutput(): void {
  for (const stream of [process.stdout, process.stderr]) stream.on("error", () => {});
}

/** `s` + enter saves a snapshot, as in 0.17, when a person sits at the terminal. */
export function saveOnKey(terminal: Terminal, { store, offer }: Service): void {
  const snapshots = offer(snapshotsFeature);
  if (!snapshots || !process.stdin.isTTY) return;
  createInterface({ input: process.stdin }).on("line", (line) => {
    if (line.trim().toLowerCase() !== "s") return;
    snapshots.save(store).then(
      ({ file }) => terminal.print(`  Saved snapshot to ${join(snapshots.place, file)}`),
      (thrown) => terminal.error(`  The snapshot was not saved: ${messageOf(thrown)}`),
    );
  });
}

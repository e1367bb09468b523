import { setFlagsFromString } from "node:v8";

/** A smaller file is not worth a garbage collection of its own. */
const MIN_BYTES = 32 * 1024 * 1024;
/** Leaves time for the first responses. */
const DELAY_MS = 1000;
/** A process that was busy for more of the delay than this is in use. */
const MAX_BUSY_SHARE = 0.2;

type Collect = (options: { type: "major"; execution: "async" }) => Promise<void>;

/**
 * Returns the memory of a large file's text to the system by one garbage collection after the load. The text is garbage
 * once it is parsed, but a server that only handles reads might not collect it for hours. Waits for a second in which
 * little is asked of the server: the collection takes as much time as thousands of requests, and a busy server collects by
 * itself.
 */
export function giveBackMemory(bytes: number): void {
  if (bytes < MIN_BYTES) return;
  const before = process.cpuUsage();
  setTimeout(() => {
    const { user, system } = process.cpuUsage(before);
    if ((user + system) / 1000 > DELAY_MS * MAX_BUSY_SHARE) giveBackMemory(bytes);
    else void collectAll();
  }, DELAY_MS).unref();
}

async function collectAll(): Promise<void> {
  const { runInNewContext } = await import("node:vm");
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as Collect;
  await collect({ type: "major", execution: "async" });
}

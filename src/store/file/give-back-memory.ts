import { setFlagsFromString } from "node:v8";

/** A smaller file is not worth a garbage collection of its own. */
const MIN_BYTES = 32 * 1024 * 1024;
/** Leaves time for the first responses. */
const DELAY_MS = 1000;

type Collect = (options: { type: "major"; execution: "async" }) => Promise<void>;

/**
 * Returns the memory of a large file's text to the system by one garbage collection after the load. The text is garbage
 * once it is parsed, but a server that only handles reads might not collect it for hours.
 */
export function giveBackMemory(bytes: number): void {
  if (bytes < MIN_BYTES) return;
  setTimeout(async () => {
    const { runInNewContext } = await import("node:vm");
    setFlagsFromString("--expose-gc");
    const collect = runInNewContext("gc") as Collect;
    await collect({ type: "major", execution: "async" });
  }, DELAY_MS).unref();
}

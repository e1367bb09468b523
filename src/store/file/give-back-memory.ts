import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** Below this the text of a file is not worth a collection of its own. */
const MIN_BYTES = 32 * 1024 * 1024;
/** After the first answers. */
const DELAY_MS = 1000;

type Collect = (options: { type: "major"; execution: "async" }) => Promise<void>;

/**
 * The text of a large file is garbage once it is parsed, but Node would hold it until something more is asked of it: for
 * hours, on a server that is only read from. Asked once after a load, the collector gives it back to the system.
 */
export function giveBackMemory(bytes: number): void {
  if (bytes < MIN_BYTES) return;
  setTimeout(() => {
    setFlagsFromString("--expose-gc");
    const collect = runInNewContext("gc") as Collect;
    void collect({ type: "major", execution: "async" });
  }, DELAY_MS).unref();
}

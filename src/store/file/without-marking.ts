import { setFlagsFromString } from "node:v8";

/** The collector seldom runs while a smaller text is parsed. */
const MIN_BYTES = 16 * 1024 * 1024;

/**
 * Parses a large text while the garbage collector does not mark. The garbage of a start makes it mark early, and then each
 * of the scavenges during the parse takes half as long again, although everything parsed is alive.
 */
export function withoutMarking<T>(bytes: number, parse: () => T): T {
  if (bytes < MIN_BYTES) return parse();
  setFlagsFromString("--no-incremental-marking");
  try {
    return parse();
  } finally {
    setFlagsFromString("--incremental-marking");
  }
}

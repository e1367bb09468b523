import { setFlagsFromString } from "node:v8";

/** A smaller file is not worth a garbage collection of its own. */
const MIN_BYTES = 32 * 1024 * 1024;
/** Leaves time for the first responses. */
const DELAY_MS = 1000;
/** A process that was busy for more of the delay than this is in use. */
const MAX_BUSY_SHARE = 0.2;
/** The most delays to wait for one without much to do. A process that is in use for longer collects by itself, in steps. */
const MAX_DELAYS = 60;

type Collect = (options: { type: "major"; execution: "async" }) => Promise<void>;

/**
 * Returns the memory of a large file's text to the system by one garbage collection after the load. The text is garbage
 * once it is parsed, but a server that only handles reads might not collect it for hours. Waits a while for a second in
 * which little is asked of the server: the collection takes as much time as thousands of requests, which would wait.
 */
export function giveBackMemory(bytes: number, delays = MAX_DELAYS): void {
  if (bytes < MIN_BYTES) return;
  const before = process.cpuUsage();
  setTimeout(() => {
    const { user, system } = process.cpuUsage(before);
    const isBusy = (user + system) / 1000 > DELAY_MS * MAX_BUSY_SHARE;
    if (!isBusy) void collectAll();
    else if (delays > 1) giveBackMemory(bytes, delays - 1);
  }, DELAY_MS).unref();
}

async function collectAll(): Promise<void> {
  if (!setEngineFlag("--expose-gc")) return;
  const { runInNewContext } = await import("node:vm");
  const collect = runInNewContext("globalThis.gc") as Collect | undefined;
  await collect?.({ type: "major", execution: "async" });
}

/** Sets a flag of V8; returns whether it could be set: other runtimes than Node have another engine, or none of its flags. */
export function setEngineFlag(flag: string, set: (flag: string) => void = setFlagsFromString): boolean {
  try {
    set(flag);
    return true;
  } catch {
    return false;
  }
}

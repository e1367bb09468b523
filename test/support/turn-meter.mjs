import { openSync, readSync } from "node:fs";

/**
 * Loaded before a server that was forked: tells its parent, when asked, the longest turn of its event loop since the last
 * question, and the sum of all, in milliseconds of the main thread's CPU time, so that neither other programs on the machine count nor the
 * threads that collect garbage beside it.
 */
const mainThreadMs = createClock();
/** A turn without work takes some microseconds. */
const WORK_MS = 1;
let longest = 0;
let sum = 0;
let startedAt = performance.now();
let cpu = mainThreadMs();

function turn() {
  const cpuNow = mainThreadMs();
  const now = performance.now();
  const used = Math.min(now - startedAt, cpuNow - cpu);
  longest = Math.max(longest, used);
  if (now - startedAt >= WORK_MS) sum += used;
  cpu = cpuNow;
  startedAt = now;
  setImmediate(turn);
}

/** Newer Node versions tell a thread's time, as Linux does (to a few milliseconds); elsewhere, that of all threads. */
function createClock() {
  const sumOf = ({ user, system }) => (user + system) / 1000;
  if (process.threadCpuUsage) return () => sumOf(process.threadCpuUsage());
  if (process.platform !== "linux") return () => sumOf(process.cpuUsage());
  // The main thread has the number of the process. The first number is its nanoseconds on a processor.
  const file = openSync(`/proc/self/task/${process.pid}/schedstat`, "r");
  const bytes = Buffer.alloc(64);
  return () => Number.parseInt(bytes.latin1Slice(0, readSync(file, bytes, 0, bytes.length, 0)), 10) / 1e6;
}

setImmediate(turn).unref();
process.on("message", () => {
  process.send({ longest, sum });
  longest = 0;
  sum = 0;
});

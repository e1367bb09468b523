import { openSync, readSync } from "node:fs";
import { PerformanceObserver } from "node:perf_hooks";

/**
 * Loaded before a server that was forked: tells its parent, when asked, the longest turn of its event loop since the last
 * question, the longest without the pauses for garbage in it, and the sum of all, in milliseconds of the main thread's CPU time,
 * so that neither other programs on the machine count nor the threads that collect garbage beside it.
 */
const mainThreadMs = createClock();
/** A turn without work takes some microseconds. */
const WORK_MS = 1;
/** Pauses for garbage are looked for in turns of this length. */
const LONG_MS = 20;
let longest = 0;
let sum = 0;
let longestShort = 0;
/** The long turns, and the pauses for garbage, which are told later. */
let turns = [];
let pauses = [];
new PerformanceObserver((list) => pauses.push(...list.getEntries())).observe({ entryTypes: ["gc"] });
let startedAt = performance.now();
let cpu = mainThreadMs();

function turn() {
  const cpuNow = mainThreadMs();
  const now = performance.now();
  const used = Math.min(now - startedAt, cpuNow - cpu);
  longest = Math.max(longest, used);
  if (now - startedAt >= WORK_MS) sum += used;
  if (used >= LONG_MS) turns.push({ startedAt, endedAt: now, used });
  else longestShort = Math.max(longestShort, used);
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

/** Without the share of its time in which garbage was collected. */
function ownTime({ startedAt, endedAt, used }) {
  let paused = 0;
  for (const { startTime, duration } of pauses) {
    paused += Math.max(0, Math.min(endedAt, startTime + duration) - Math.max(startedAt, startTime));
  }
  return used * (1 - paused / (endedAt - startedAt));
}

function tell() {
  process.send({ longest, longestOwn: Math.max(longestShort, ...turns.map(ownTime)), sum });
  longest = 0;
  longestShort = 0;
  sum = 0;
  turns = [];
  pauses = [];
  // This turn is not one of the next request.
  startedAt = performance.now();
  cpu = mainThreadMs();
}

setImmediate(turn).unref();
// Two turns later, the observer knows all pauses.
process.on("message", () => setImmediate(() => setImmediate(tell)));

import { spawnSync } from "node:child_process";

const VARIABLE = "STANDIN_TEST_SLOWNESS";
/** The duration of the measured work on an idle machine of 2024. */
const REFERENCE_MS = 430;
/** Slower than that nothing is waited for: a test that hangs must end some day. */
const HIGHEST = 4;

/**
 * Takes down how many times slower than an idle machine this one is now, or is expected to become. Called once, when a run
 * begins: in an hour the machine may get busy.
 */
export function measureSlowness({ isLong = false } = {}): void {
  const startedAt = performance.now();
  work();
  spawnSync(process.execPath, ["--eval", "0"]);
  const least = isLong ? HIGHEST : 1;
  const slowness = Math.min(Math.max((performance.now() - startedAt) / REFERENCE_MS, least), HIGHEST);
  process.env[VARIABLE] = slowness.toFixed(2);
}

/** Called by vitest once, before all workers. */
export function setup(): void {
  console.log(`Time limits are ${process.env[VARIABLE]} times those of an idle machine.`);
}

/** A time limit for this machine, from what is ample on an idle one. */
export function limit(milliseconds: number): number {
  return Math.ceil(milliseconds * Number(process.env[VARIABLE] ?? 1));
}

/** Arithmetic, texts, objects and JSON: what the server does. */
function work(): void {
  let number = 1;
  const texts = new Map<number, string>();
  for (let turn = 0; turn < 1_000_000; turn++) {
    number = (number * 1_103_515_245 + 12_345) % 2 ** 31;
    texts.set(number % 5000, String(number));
  }
  const json = JSON.stringify([...texts]);
  for (let turn = 0; turn < 20; turn++) JSON.parse(json);
}

import { setFlagsFromString } from "node:v8";

/** For this process and those that it keeps; empty in the soak, which repeats more. */
const VARIABLE = "STANDIN_TEST_V8_FLAGS";
const FLAGS = "--always-sparkplug --interrupt-budget=1000000";

/**
 * Lets V8 optimise code later than it would: most code of a test runs so few times that to optimise it costs more than it
 * saves, a fifth of all on two cores. V8 leaves out a flag that it does not know.
 */
export function compileForShortRuns(): void {
  process.env[VARIABLE] ??= FLAGS;
  setFlagsFromString(process.env[VARIABLE]);
}

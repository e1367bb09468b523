/**
 * `npm run smoke -- bun`: runs the smoke test of the built package under a runtime. Without a name, under all that are
 * installed.
 */
import { findRuntime, RUNTIMES, variableOf } from "./runtime.ts";
import { smoke } from "./smoke.ts";

const asked = RUNTIMES.filter((name) => process.argv.slice(2).includes(name));
for (const name of asked.length > 0 ? asked : RUNTIMES) {
  const runtime = findRuntime(name);
  if (!runtime) {
    console.log(`${name} is not installed: put it on the PATH, or name it with ${variableOf(name)}.`);
    if (asked.length > 0) process.exitCode = 1;
    continue;
  }
  console.log(`${name} ${runtime.version}`);
  const failures = await smoke(runtime, { place: process.cwd(), say: (text) => console.log(`  ${text}`) });
  if (failures.length > 0) process.exitCode = 1;
}

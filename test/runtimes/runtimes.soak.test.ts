import { expect, test } from "vitest";
import { builtPackage } from "../support/build.ts";
import { findRuntime, RUNTIMES, variableOf } from "./runtime.ts";
import { smoke } from "./smoke.ts";

for (const name of RUNTIMES) {
  test(`standin works under ${name}`, async (context) => {
    const runtime = findRuntime(name);
    if (!runtime) {
      const reason = `${name} is not on the PATH, and ${variableOf(name)} does not name it`;
      console.warn(`not tested here: ${reason}`);
      return context.skip(reason);
    }
    console.log(`${name} ${runtime.version}`);
    expect(await smoke(runtime, { place: builtPackage() })).toEqual([]);
  });
}

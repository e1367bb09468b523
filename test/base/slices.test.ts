import { expect, onTestFinished, test, vi } from "vitest";
import { inSlices, inSlicesBehind, type Work } from "../../src/base/slices.ts";

test("work in the background lets other work go first, and comes to its end all the same", async () => {
  // Every look at the clock finds a slice of time used up.
  let now = 0;
  const clock = vi.spyOn(performance, "now").mockImplementation(() => (now += 10));
  onTestFinished(() => clock.mockRestore());
  let steps = 0;
  function* work(onStep: () => void): Work<number> {
    for (let step = 0; step < 70; step++) {
      onStep();
      yield;
    }
    return steps;
  }
  const background = inSlicesBehind(work(() => steps++));
  const stepsMeanwhile = await inSlices(work(() => {}));
  expect(stepsMeanwhile).toBeGreaterThan(5);
  expect(stepsMeanwhile).toBeLessThan(20);
  expect(await background).toBe(70);
});

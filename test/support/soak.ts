import { type TestContext, test } from "vitest";

/** Whether this is `npm run soak`, which tests at length what `npm test` keeps short. */
export const IS_SOAK = process.env.STANDIN_SOAK !== undefined;

/** A test that `npm run soak` alone runs: a sister of one that `npm test` runs. */
export function testAtLength(name: string, body: (context: TestContext) => Promise<void> | void): void {
  if (IS_SOAK) test(name, body);
}

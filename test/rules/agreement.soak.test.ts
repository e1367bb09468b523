import { expect, test } from "vitest";
import { compareWithAjv } from "./agreement.ts";

test("10,000 generated schemas agree with plain Ajv", async () => {
  const valid = await compareWithAjv({ schemas: 10_000, recordsEach: 10, seed: 2 });
  expect(valid).toBeGreaterThan(10_000);
});

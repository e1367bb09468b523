import { afterAll, beforeAll } from "vitest";
import { createStandin, type Standin } from "../../src/index.ts";
import { askAt } from "../support/api.ts";
import { describeBatches } from "./batch-cases.ts";
import { describeWrites, type Place, START } from "./cases.ts";
import { describeIdempotency } from "./idempotency-cases.ts";

let api: Standin<object>;
beforeAll(async () => {
  api = await createStandin({ data: START });
});
afterAll(() => api.close());

const place = (): Place => ({
  ask: (line, options) => askAt(api.url, line, options),
  reset: () => api.reset(),
});
describeWrites("in memory", place);
describeBatches("in memory", place, true);
describeIdempotency("in memory", place);

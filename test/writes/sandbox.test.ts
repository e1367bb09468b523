import { afterAll, beforeAll, expect, test } from "vitest";
import { createStandin, type Standin, type StandinSandbox } from "../../src/index.ts";
import { askAt } from "../support/api.ts";
import { describeBatches } from "./batch-cases.ts";
import { describeWrites, type Place, START } from "./cases.ts";
import { describeIdempotency } from "./idempotency-cases.ts";

let api: Standin<object>;
let sandbox: StandinSandbox<object>;
beforeAll(async () => {
  api = await createStandin({ data: START });
  sandbox = await api.sandbox();
});
afterAll(() => api.close());

const place = (): Place => ({
  ask: (line, { headers, ...options } = {}) =>
    askAt(api.url, line, { ...options, headers: { ...headers, ...sandbox.headers } }),
  reset: () => sandbox.reset(),
});
describeWrites("in a sandbox", place);
describeBatches("in a sandbox", place);
describeIdempotency("in a sandbox", place);

test("the shared data are as they were", async () => {
  expect((await askAt(api.url, "GET /products")).body).toEqual(START.products);
});

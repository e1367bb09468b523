import { afterAll, beforeAll, expect, test } from "vitest";
import { createStandin, type Standin, type StandinSandbox } from "../../src/index.ts";
import { askAt } from "../support/api.ts";
import { describeWrites, START } from "./cases.ts";

let api: Standin<object>;
let sandbox: StandinSandbox<object>;
beforeAll(async () => {
  api = await createStandin({ data: START });
  sandbox = await api.sandbox();
});
afterAll(() => api.close());

describeWrites("in a sandbox", () => ({
  ask: (line, { headers, ...options } = {}) =>
    askAt(api.url, line, { ...options, headers: { ...headers, ...sandbox.headers } }),
  reset: () => sandbox.reset(),
}));

test("the shared data are as they were", async () => {
  expect((await askAt(api.url, "GET /products")).body).toEqual(START.products);
});

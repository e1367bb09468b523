import { afterAll, beforeAll } from "vitest";
import { createStandin, type Standin } from "../../src/index.ts";
import { askAt } from "../support/api.ts";
import { describeWrites, START } from "./cases.ts";

let api: Standin<object>;
beforeAll(async () => {
  api = await createStandin({ data: START });
});
afterAll(() => api.close());

describeWrites("in memory", () => ({
  ask: (line, options) => askAt(api.url, line, options),
  reset: () => api.reset(),
}));

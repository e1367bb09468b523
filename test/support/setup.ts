import { afterAll, afterEach } from "vitest";
import { inSources } from "./in-sources.ts";
import { removeLeftovers } from "./leftovers.ts";
import { compileForShortRuns } from "./short-runs.ts";

compileForShortRuns();

afterEach(({ task }) => {
  for (const error of task.result?.errors ?? []) if (error.stack) error.stack = inSources(error.stack);
});

afterAll(removeLeftovers);

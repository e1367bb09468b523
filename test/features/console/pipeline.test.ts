import { expect, test } from "vitest";
import type { Overview, Stage } from "../../../console/src/api/overview.ts";
import { drawnStages } from "../../../console/src/overview/pipeline/stages.ts";
import { recentRequests, SLOT_MS, SLOTS } from "../../../console/src/overview/recent-requests.ts";
import type { Entry } from "../../../console/src/traffic/entry.ts";

function drawn(pipeline: readonly Stage[], faults = { active: 0, hits: 0 }): string[] {
  const overview = { pipeline, members: [{ kind: "collection" }, { kind: "singleton" }] } as unknown as Overview;
  return drawnStages(overview, faults).map(({ name, isActive, notes }) => `${isActive ? "" : "no "}${name}: ${notes}`);
}

test("a bare server shows where everything would be", () => {
  expect(drawn([{ stage: "rewrite", rules: 0 }, { stage: "faults" }, { stage: "data" }])).toEqual([
    "no Rewrite: No rules",
    "no Layers: None",
    "no Interceptors: None",
    "no Faults: None active",
    "Data: 1 collection,1 object",
  ]);
});

test("layers and interceptors stay in their order, and neighbours are drawn as one", () => {
  const pipeline: Stage[] = [
    { stage: "static", folder: "public" },
    { stage: "rewrite", rules: 2 },
    { stage: "layer", name: "cors" },
    { stage: "layer", name: "latency" },
    { stage: "interceptor", name: "./steps/stamp.cjs" },
    { stage: "layer", name: "api-key" },
    { stage: "faults" },
    { stage: "plugins" },
    { stage: "delay", ms: 200 },
    { stage: "read-only" },
    { stage: "document" },
    { stage: "data" },
  ];
  expect(drawn(pipeline, { active: 2, hits: 5 })).toEqual([
    "Static files: public",
    "Rewrite: 2 rules",
    "Layers: cors,latency",
    "Interceptors: stamp.cjs",
    "Layers: api-key",
    "Faults: 2 active,5 hits",
    "Plugins: Active",
    "Delay: 200 ms",
    "Read-only: Writes refused",
    "OpenAPI: Document",
    "Data: 1 collection,1 object",
  ]);
});

test("interceptors alone come after the place of the layers", () => {
  const pipeline: Stage[] = [
    { stage: "rewrite", rules: 0 },
    { stage: "interceptor", name: "a.cjs" },
    { stage: "data" },
  ];
  expect(drawn(pipeline)).toEqual([
    "no Rewrite: No rules",
    "no Layers: None",
    "Interceptors: a.cjs",
    "Data: 1 collection,1 object",
  ]);
});

test("the requests of the last minutes are counted without reads of the console", () => {
  const now = Date.UTC(2026, 4, 1, 12);
  const entry = (agoMs: number, status: number, requestHeaders = {}): Entry =>
    ({ time: new Date(now - agoMs).toISOString(), method: "GET", status, requestHeaders }) as Entry;
  const { counts, failed, total, totalFailed } = recentRequests(
    [
      entry(SLOTS * SLOT_MS, 200),
      entry((SLOTS - 1) * SLOT_MS, 200),
      entry(SLOT_MS, 404),
      entry(0, 200),
      entry(0, 200, { "x-standin-console": "1" }),
      entry(-60_000, 500),
    ],
    now,
  );
  expect([counts[0], counts.at(-2), counts.at(-1), total]).toEqual([1, 1, 2, 4]);
  expect([failed.at(-2), failed.at(-1), totalFailed]).toEqual([1, 1, 2]);
});

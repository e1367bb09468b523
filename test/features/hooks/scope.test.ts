import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { Clock } from "../../../src/base/clock.ts";
import { Clocks } from "../../../src/base/clocks.ts";
import type { JsonObject } from "../../../src/base/json/json.ts";
import { HookRules } from "../../../src/features/hooks/hook-rules.ts";
import { HookScope } from "../../../src/features/hooks/hook-scope.ts";
import type { Job, RunJob } from "../../../src/features/hooks/job.ts";
import { readHook, readStep } from "../../../src/features/hooks/read-hooks.ts";
import { REAL_TIMING, type Timing } from "../../../src/features/hooks/timing.ts";
import { openStore } from "../../../src/store/open-store.ts";
import type { Store } from "../../../src/store/store.ts";
import { createFolder } from "../../support/cli.ts";
import { limit } from "../../support/limits.ts";

const OPTIONS = { idKey: "id", durability: "process", followsOutside: true, memory: false, warn() {} } as const;

interface Opened {
  readonly scope: HookScope;
  readonly store: Store;
}

/** The jobs of data, run by the test. */
async function openScope(source: JsonObject | string, run: RunJob, timing: Timing = REAL_TIMING): Promise<Opened> {
  const store = await openStore(source, OPTIONS);
  onTestFinished(() => store.close());
  const clocks = new Clocks(new Clock());
  const rules = new HookRules({
    hooks: [readHook({ name: "all", on: "orders.created", subscribers: "webhooks" })],
    steps: [readStep({ on: "tasks.created", after: "1s", set: { isDone: true } }, 0)],
    targets: [],
  });
  const scope: HookScope = new HookScope({
    store,
    rules,
    clocks,
    sandbox: undefined,
    unsent: () => new Set(),
    log: undefined,
    run,
    held: () => scope.jobs.held,
    inTurn: (make) => make(),
    onChange: () => {},
    warn: (text) => expect.fail(text),
    timing,
  });
  scope.begin();
  onTestFinished(() => scope.close());
  return { scope, store };
}

function end(job: Job): void {
  job.state = "done";
}

test("a move of the clock gives up after 30 s, and says what is left", async () => {
  let elapsed = 0;
  const run: RunJob = async (job) => {
    elapsed += 16_000;
    end(job);
  };
  const { scope, store } = await openScope({ tasks: [] }, run, { ...REAL_TIMING, elapsed: () => elapsed });
  scope.clock.run(0);
  const until = scope.clock.now() + 60_000;
  await store.apply({ kind: "create", collection: "tasks", bodies: [{}, {}, {}, {}, {}] });
  const busy = { code: "CLOCK_BUSY", message: expect.stringContaining("2 jobs have run, and 3 are left") };
  await expect(scope.moveTo(() => until)).rejects.toMatchObject(busy);
  await expect(scope.moveTo(() => until)).rejects.toMatchObject({ code: "CLOCK_BUSY" });
  await scope.moveTo(() => until);
  expect(scope.clock.now()).toBe(until);
  expect((await scope.all()).map(({ state }) => state)).toEqual(Array(5).fill("done"));
});

test("an edit of the file by another program keeps what is due, and a reset does not", async () => {
  const source = join(createFolder({ "db.json": { tasks: [] } }), "db.json");
  const { scope, store } = await openScope(source, async (job) => end(job));
  scope.clock.run(0);
  await store.apply({ kind: "create", collection: "tasks", bodies: [{}] });
  expect(await scope.all()).toHaveLength(1);
  writeFileSync(source, '{ "tasks": [{ "id": 1, "note": "edited" }] }');
  expect(await store.reload()).toBe(true);
  expect(await scope.all()).toHaveLength(1);
  await store.reset();
  expect(await scope.all()).toEqual([]);
});

test("one delivery at a time goes to a target, in the order of the changes", async () => {
  const order: unknown[] = [];
  let running = 0;
  let most = 0;
  const webhooks = [{ id: 1, url: "http://localhost:4000/" }];
  const { store } = await openScope({ orders: [], webhooks }, async (job) => {
    most = Math.max(most, ++running);
    await Promise.resolve();
    running--;
    order.push(job.record);
    end(job);
  });
  for (let n = 0; n < 3; n++) await store.apply({ kind: "create", collection: "orders", bodies: [{}] });
  await expect.poll(() => order).toEqual([1, 2, 3]);
  expect(most).toBe(1);
});

test("5,000 subscribers hear of a change, eight at a time", async () => {
  const webhooks = Array.from({ length: 5000 }, (_, n) => ({ id: n + 1, url: `http://localhost:4000/${n}` }));
  const told = new Map<string, number>();
  let running = 0;
  let most = 0;
  const { scope, store } = await openScope({ orders: [], webhooks }, async (job) => {
    most = Math.max(most, ++running);
    await Promise.resolve();
    running--;
    const url = job.delivery?.url ?? "";
    told.set(url, (told.get(url) ?? 0) + 1);
    end(job);
  });
  await store.apply({ kind: "create", collection: "orders", bodies: [{ text: "x".repeat(1000) }] });
  await expect.poll(() => told.size, { timeout: limit(30_000) }).toBe(5000);
  expect(most).toBe(8);
  expect(new Set(told.values())).toEqual(new Set([1]));
  // The others are forgotten, bodies included.
  await expect.poll(async () => (await scope.all()).length).toBe(500);
});

import postgres from "postgres";
import { expect, onTestFinished, test } from "vitest";
import { Clock } from "../../src/base/clock.ts";
import { Clocks } from "../../src/base/clocks.ts";
import { HookRules } from "../../src/features/hooks/hook-rules.ts";
import type { RunJob } from "../../src/features/hooks/job.ts";
import { readHook } from "../../src/features/hooks/read-hooks.ts";
import { SharedScope } from "../../src/features/hooks/shared-scope.ts";
import { REAL_TIMING } from "../../src/features/hooks/timing.ts";
import { DEFAULT_HISTORY } from "../../src/store/history.ts";
import { limit } from "../support/limits.ts";
import { createStore } from "./database.ts";

const soon = { timeout: limit(10_000) };
const RULES = { hooks: [readHook({ name: "all", on: "*", to: "http://localhost:4000/" })], steps: [], targets: [] };

/** A process on a schema, which runs its jobs by `run`. Its timers do nothing until they are called. */
async function openProcess(run: RunJob, schema?: string) {
  const opened = await createStore({ history: DEFAULT_HISTORY, ...(schema !== undefined && { schema }) });
  const timers = new Map<() => void, number>();
  const parts = {
    store: opened.store,
    rules: new HookRules(RULES),
    clocks: new Clocks(new Clock()),
    sandbox: undefined,
    unsent: () => new Set<string>(),
    log: undefined,
    run,
    onChange: () => {},
    warn: () => {},
    timing: {
      ...REAL_TIMING,
      every(ms: number, work: () => void) {
        timers.set(work, ms);
        return () => void timers.delete(work);
      },
    },
  };
  const scope = new SharedScope(parts, opened.store.jobs);
  onTestFinished(async () => {
    await scope.close();
    await opened.close();
  });
  return { ...opened, scope, timers };
}

function tick(timers: ReadonlyMap<() => void, number>, ms: number): void {
  for (const [work, every] of timers) if (every === ms) work();
}

test("a lease is renewed while a webhook is sent, and another process takes over when it has ended", async () => {
  const runs: string[] = [];
  let respond = (): void => undefined;
  const responded = new Promise<void>((resolve) => {
    respond = resolve;
  });
  const first = await openProcess(async (job, scope) => {
    job.state = "sending";
    job.attempts = [{ number: 1, time: "", durationMs: 0 }];
    await scope.log(job);
    runs.push("first");
    await responded;
    job.state = "failed";
  });
  await first.store.swap({ orders: [] });
  first.scope.begin();
  await first.store.apply({ kind: "create", collection: "orders", bodies: [{}] });
  await expect.poll(() => runs, soon).toEqual(["first"]);

  const sql = postgres(first.url, { max: 1, onnotice: () => {}, connection: { search_path: first.schema } });
  onTestFinished(() => sql.end());
  const leftMs = async (): Promise<number> => {
    const [lane] = await sql`SELECT extract(epoch FROM leased_until - now()) * 1000 AS ms FROM lanes`;
    return Number(lane!.ms);
  };
  const second = await openProcess(async (job) => {
    runs.push(`second, after ${job.attempts.length}`);
    job.state = "done";
  }, first.schema);
  second.scope.begin();

  // Any other end, to see that every ten seconds the first process says: 30 s from now on.
  await sql`UPDATE lanes SET leased_until = now() + interval '1 hour'`;
  tick(first.timers, 10_000);
  await expect.poll(leftMs, soon).toBeLessThan(30_001);
  expect(await second.store.jobs.take({ now: Date.now() })).toBeUndefined();
  expect(runs).toEqual(["first"]);

  await sql`UPDATE lanes SET leased_until = now() - interval '1 s'`;
  tick(second.timers, 5000);
  await expect.poll(() => runs, soon).toEqual(["first", "second, after 1"]);
  await expect.poll(async () => (await second.scope.all())[0]?.state, soon).toBe("done");
  // The first process has lost its lease: what it says counts no more.
  respond();
  await expect.poll(() => [...first.timers.values()], soon).toEqual([5000]);
  expect((await first.scope.all())[0]?.state).toBe("done");
});

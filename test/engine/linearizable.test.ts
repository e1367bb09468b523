import { describe, expect, test } from "vitest";
import { Random } from "../compat/random.ts";
import { IS_SOAK } from "../support/soak.ts";
import { tellNumbers } from "../support/tell-numbers.ts";
import { type Faults, NO_FAULTS, SimulatedDatabase, SimulatedLog } from "./simulated-database.ts";
import type { Change } from "./spike/change.ts";
import { afterChange, Collection, type Data } from "./spike/data.ts";
import { Engine, type View } from "./spike/engine.ts";
import { OutcomeUnknown } from "./spike/log.ts";
import { NoLog } from "./spike/no-log.ts";
import { VirtualTime } from "./virtual-time.ts";

const SEED = Number(process.env.STANDIN_SEED ?? 7);
const OPERATIONS = IS_SOAK ? 1_000_000 : 20_000;
const KEYS = 40;
const CLIENTS = 8;

class Refused extends Error {}

/** A read of a counter, or a write that was refused for its value: both show what was there at some version. */
interface Seen {
  readonly key: string;
  readonly value: number;
  /** The newest version that anybody was told of before it began, and when it ended. */
  readonly from: number;
  readonly to: number;
  /** The version that it shows, where that is known. */
  readonly version?: number;
}

interface Run {
  readonly database: SimulatedDatabase;
  readonly engines: readonly Engine[];
  readonly seen: Seen[];
  /** The writes that were acknowledged, with the newest version told before each began; those that certainly failed. */
  readonly done: Map<string, number>;
  readonly failed: Set<string>;
  unknown: number;
  told: number;
}

function counters(): Data {
  const values = Array.from({ length: KEYS }, (_, at) => ({ id: `k${at}`, n: 0 }));
  return { members: new Map([["counters", Collection.of(values)]]) };
}

/** Several processes and many clients on one simulated database. `trouble` happens now and then. */
async function simulate(
  faults: Faults,
  operations: number,
  trouble: (database: SimulatedDatabase) => void,
): Promise<Run> {
  const random = new Random(SEED);
  const time = new VirtualTime();
  const database = new SimulatedDatabase(time, random, counters());
  const tools = { now: () => time.now, mark: () => String(random.int(0, 2 ** 31)) };
  const logs = Array.from({ length: 3 }, () => new SimulatedLog(database));
  const engines = await time.until(Promise.all(logs.map((log) => Engine.open(log, tools))));
  for (const log of logs) log.faults = faults;
  const run: Run = { database, engines, seen: [], done: new Map(), failed: new Set(), unknown: 0, told: 0 };
  let left = operations;
  const client = async (number: number): Promise<void> => {
    for (let turn = 0; left-- > 0; turn++) {
      const engine = random.pick(engines);
      const key = `k${random.int(0, KEYS - 1)}`;
      if (random.chance(0.5)) await read(run, engine, key);
      else await write(run, engine, { key, by: `${number}.${turn}` });
      if (random.chance(0.001)) trouble(database);
      await time.sleep(random.int(0, 3));
    }
  };
  await time.until(Promise.all(Array.from({ length: CLIENTS * engines.length }, (_, number) => client(number))));
  for (const log of logs) log.faults = NO_FAULTS;
  const views = await time.until(Promise.all(engines.map((engine) => engine.open())));
  const [first] = views.map(({ members }) => [...(members.get("counters") as Collection)]);
  for (const { members, at } of views) {
    expect(at).toMatchObject({ version: database.newest.version, mark: database.newest.mark });
    expect([...(members.get("counters") as Collection)]).toEqual(first);
  }
  return run;
}

async function read(run: Run, engine: Engine, key: string): Promise<void> {
  const from = run.told;
  try {
    const view = await engine.open();
    const value = counterIn(view, key);
    run.told = Math.max(run.told, view.at.version);
    run.seen.push({ key, value, from, to: view.at.version, version: view.at.version });
  } catch {
    // The database could not be asked.
  }
}

/** Counts up; every seventh number is refused, and some writes count two up at once. */
async function write(run: Run, engine: Engine, { key, by }: { key: string; by: string }): Promise<void> {
  const from = run.told;
  let value = 0;
  try {
    const { at } = await engine.write(
      (draft) => {
        const record = draft.get("counters", key)!;
        value = (record.value as { n: number }).n;
        if (value % 7 === 6 && Number(by.split(".")[1]) % 3 !== 0) throw new Refused();
        draft.change("counters", record, { n: value + 1 });
        if (value % 5 !== 0) return;
        const other = draft.get("counters", `k${value % KEYS}`)!;
        draft.change("counters", other, { n: (other.value as { n: number }).n + 1 });
      },
      { by, cause: "write" },
    );
    run.done.set(by, from);
    run.told = Math.max(run.told, at.version);
  } catch (thrown) {
    if (thrown instanceof Refused) run.seen.push({ key, value, from, to: Number.POSITIVE_INFINITY });
    else if (thrown instanceof OutcomeUnknown) run.unknown++;
    else run.failed.add(by);
  }
}

function counterIn(view: Pick<View, "get">, key: string): number {
  const record = view.get("counters", key);
  if (!record) throw new Error(`there is no ${key}`);
  return (record.value as { n: number }).n;
}

test("the changes of many clients are linearizable, whatever the network and the processes do", async () => {
  const line: Change[] = [];
  let prunings = 0;
  const faults = { refused: 0.005, lostReply: 0.02, paused: 0.0005 };
  const run = await simulate(faults, OPERATIONS, (database) => {
    line.push(...database.changes.slice(0, Math.max(0, database.changes.length - 100)));
    database.prune(100);
    // Nothing is lost: the other server has everything.
    if (prunings++ % 3 === 0) database.failOver(0);
  });
  line.push(...run.database.changes);
  expect(line.map(({ version }) => version)).toEqual(line.map((_, at) => at + 1));

  const versionOf = new Map(line.map(({ by, version }) => [by, version]));
  expect(versionOf.size, "no write is there twice").toBe(line.length);
  for (const [by, from] of run.done) expect(versionOf.get(by) ?? 0, `the write ${by}`).toBeGreaterThan(from);
  expect(
    [...run.failed].filter((by) => versionOf.has(by)),
    "writes that failed, and are there",
  ).toEqual([]);

  /** By counter, the versions from which on it has each of its values. */
  const values = new Map<string, { readonly version: number; readonly value: number }[]>();
  for (const key of Array.from({ length: KEYS }, (_, at) => `k${at}`)) values.set(key, [{ version: 0, value: 0 }]);
  let data = counters();
  for (const change of line) {
    data = afterChange(data, change);
    for (const edit of change.edits) {
      if (edit.kind !== "changed") continue;
      const { id, n } = (data.members.get("counters") as Collection).at(edit.slot)!.value as { id: string; n: number };
      const steps = values.get(id)!;
      // One change may count it up twice.
      if (steps.at(-1)!.value !== n) steps.push({ version: change.version, value: n });
    }
  }
  for (const { key, value, from, to, version } of run.seen) {
    const steps = values.get(key)!;
    const at = steps.findIndex((step) => step.value === value);
    const [since, until] = [steps[at]?.version ?? Number.NaN, steps[at + 1]?.version ?? Number.POSITIVE_INFINITY];
    // It was there at some moment between what was told before and the end.
    if (!(since <= to && until > from))
      throw new Error(`${key} = ${value} was read from ${from} on, but was there ${since} to ${until}`);
    if (version !== undefined && (version < from || !(since <= version && version < until)))
      throw new Error(`${key} = ${value} was read at ${version}, but was there ${since} to ${until}`);
  }
  expect(run.done.size).toBeGreaterThan(OPERATIONS / 4);
  tellNumbers(
    `engine (seed ${SEED}): ${OPERATIONS} operations of ${CLIENTS * 3} clients on 3 processes, ${line.length} changes, ` +
      `${run.failed.size} writes refused by faults, ${run.unknown} with an unknown outcome: linearizable, equal data everywhere.`,
  );
});

describe("without a log", () => {
  const tools = { now: () => 0, mark: () => "m" };

  test("a refusal leaves nothing, and others planned with it are not touched", async () => {
    const engine = await Engine.open(new NoLog(counters()), tools);
    const origin = { by: "a", cause: "write" };
    const count = (id: string, isRefused = false): Promise<unknown> =>
      engine.write((draft) => {
        const record = draft.get("counters", id)!;
        draft.change("counters", record, { n: 1 });
        if (isRefused) throw new Refused();
      }, origin);
    const outcomes = await Promise.allSettled([count("k1"), count("k2", true), count("k3")]);
    expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
    const view = await engine.open();
    expect(["k1", "k2", "k3"].map((key) => counterIn(view, key))).toEqual([1, 0, 1]);
    expect(view.at.version).toBe(2);
  });

  test("a view stays as it is while others write", async () => {
    const engine = await Engine.open(new NoLog(counters()), tools);
    const view = await engine.open();
    await engine.write((draft) => draft.remove("counters", draft.get("counters", "k1")!), { by: "a", cause: "write" });
    expect(view.get("counters", "k1")?.value).toEqual({ id: "k1", n: 0 });
    expect((await engine.open()).get("counters", "k1")).toBeUndefined();
  });
});

import type { DataFiles } from "./data.ts";
import { putLoadOn } from "./load.ts";
import { type Plan, say } from "./plan.ts";
import type { Row } from "./rows.ts";
import { type CpuProfile, startServer } from "./servers.ts";
import { percent, renderTable } from "./table.ts";

/** The parts that a profile is divided into. */
const PARTS = ["standin", "Node", "system calls", "garbage", "other"] as const;
type Part = (typeof PARTS)[number];

/** Node's bindings that send, read and save: nearly all of their time is spent in the system. */
const SYSTEM_CALLS = /^(write|read|open|close|fsync|fdatasync|shutdown|ftruncate)/;
/** How many of standin's functions are named. */
const NAMED = 6;

export interface ProfiledRow {
  readonly row: Row;
  /** Of the main thread, its waiting not included. */
  readonly microseconds: number;
  readonly shares: ReadonlyMap<Part, number>;
  /** Those that take longest themselves, the built-in functions they call included. */
  readonly functions: readonly (readonly [name: string, share: number])[];
}

/** Where the main thread of a warm server spends its time. The profiler itself takes some: compare shares, not times. */
export async function profileRow(row: Row, files: DataFiles, plan: Plan): Promise<ProfiledRow> {
  const server = await startServer("standin", files.generated(row.data), { setup: row.setup, probe: "profile" });
  try {
    const load = { url: server.url, requests: row.requests, connections: plan.connections };
    const warmUpSeconds = row.warmUpSeconds ?? plan.warmUpSeconds;
    let answered = 0;
    await putLoadOn({ ...load, warmUpSeconds, seconds: plan.seconds });
    const profile = await server.profile(async () => {
      ({ answered } = await putLoadOn({ ...load, warmUpSeconds: 0, seconds: plan.seconds * 2 }));
    });
    say(`${row.name}: profiled ${answered} responses`);
    return { row, ...divide(profile, answered) };
  } finally {
    await server.stop();
  }
}

function divide(profile: CpuProfile, answered: number): Omit<ProfiledRow, "row"> {
  const nodes = new Map(profile.nodes.map((node) => [node.id, node]));
  const parents = new Map(
    profile.nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id] as const)),
  );
  const shares = new Map<Part, number>(PARTS.map((part) => [part, 0]));
  const functions = new Map<string, number>();
  let total = 0;
  for (const [at, id] of profile.samples.entries()) {
    const { functionName: name } = nodes.get(id)!.callFrame;
    const time = profile.timeDeltas[at]!;
    if (name === "(idle)") continue;
    total += time;
    const [part, owner] = placeOf(id);
    shares.set(part, shares.get(part)! + time);
    if (part === "standin") functions.set(owner, (functions.get(owner) ?? 0) + time);
  }
  const longest = [...functions].sort(([, one], [, other]) => other - one).slice(0, NAMED);
  return {
    microseconds: total / answered,
    shares: new Map([...shares].map(([part, time]) => [part, time / total])),
    functions: longest.map(([name, time]) => [name, time / total]),
  };

  /** The part of a node, and the function it counts for: built-in functions count for their callers. */
  function placeOf(id: number): readonly [Part, string] {
    const { functionName, url } = nodes.get(id)!.callFrame;
    if (functionName === "(garbage collector)") return ["garbage", functionName];
    if (url.startsWith("node:")) return ["Node", functionName];
    if (url !== "") return ["standin", functionName || "(anonymous)"];
    if (SYSTEM_CALLS.test(functionName)) return ["system calls", functionName];
    const parent = parents.get(id);
    return parent === undefined || functionName === "(program)" ? ["other", functionName] : placeOf(parent);
  }
}

export function reportProfiles(profiled: readonly ProfiledRow[]): string {
  const lines = profiled.map(({ row, microseconds, shares, functions }) => [
    row.name,
    microseconds.toFixed(0),
    ...PARTS.map((part) => percent(shares.get(part)!)),
    functions.map(([name, share]) => `${name} ${(share * 100).toFixed(1)}`).join(", "),
  ]);
  return renderTable(["main thread", "us", ...PARTS, "standin's longest functions, % of all"], lines);
}

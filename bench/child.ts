import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";

const STOP_LIMIT_MS = 30_000;

/** Of a process; NaN where the system does not tell. */
export function cpuSecondsOf({ pid }: ChildProcess): number {
  return statOf(pid!)?.cpuSeconds ?? Number.NaN;
}

/** Of a process, its children, and those of them that have ended. */
export function cpuSecondsOfTree(pid: number): number {
  const stats = readdirSync("/proc").flatMap((name) => (/^\d+$/.test(name) ? (statOf(Number(name)) ?? []) : []));
  const family = stats.filter((stat) => stat.pid === pid || stat.parent === pid);
  return family.reduce((sum, { cpuSeconds, endedSeconds }) => sum + cpuSeconds + endedSeconds, 0);
}

interface Stat {
  readonly pid: number;
  readonly parent: number;
  readonly cpuSeconds: number;
  /** Of children that have ended. */
  readonly endedSeconds: number;
}

/** From proc(5): field 4, the parent; 14 to 17, user and system time in hundredths of a second, its own and its children's. */
function statOf(pid: number): Stat | undefined {
  try {
    const [, text = ""] = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ");
    const fields = text.split(" ").map(Number);
    const [user, system, endedUser, endedSystem] = fields.slice(11, 15) as [number, number, number, number];
    return {
      pid,
      parent: fields[1]!,
      cpuSeconds: (user + system) / 100,
      endedSeconds: (endedUser + endedSystem) / 100,
    };
  } catch {
    return undefined;
  }
}

export async function endProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const closed = once(child, "close");
  child.kill("SIGTERM");
  const timer = setTimeout(() => child.kill("SIGKILL"), STOP_LIMIT_MS);
  await closed;
  clearTimeout(timer);
}

import { setTimeout as sleep } from "node:timers/promises";
import { compareWithKnown, runCrowd } from "./crowd.ts";
import { newSchema } from "./database.ts";
import { kill, type Process, startProcess } from "./processes.ts";
import { PostgresServer } from "./server.ts";

export interface FaultRun {
  readonly problems: readonly string[];
  readonly acknowledged: number;
  readonly refused: ReadonlyMap<number, number>;
}

/** So many writes are acknowledged before each fault and after the last, however slow the machine is. */
const LEAST_WRITES = 20;

/**
 * Three processes and a crowd of clients on one database. After a third of the time one process is killed outright, and
 * another takes its place; after two thirds the database goes away in the given way, and comes back.
 */
export async function runWithFaults(
  clients: number,
  milliseconds: number,
  stop: "fast" | "immediate",
): Promise<FaultRun> {
  const server = await PostgresServer.create();
  const schema = newSchema();
  let processes: Process[] = [];
  try {
    processes = await Promise.all([0, 1, 2].map(() => startProcess(server.url, schema)));
    let acknowledged = 0;
    let isOver = false;
    const crowd = runCrowd(
      () => processes.map(({ url }) => url),
      clients,
      (count) => {
        acknowledged = count;
        return isOver;
      },
    );
    const third = async (): Promise<void> => {
      const enough = acknowledged + LEAST_WRITES;
      await sleep(milliseconds / 3);
      while (acknowledged < enough) await sleep(20);
    };
    await third();
    await kill(processes[0]!);
    processes = [...processes.slice(1), await startProcess(server.url, schema)];
    await third();
    await server.stop(stop);
    // For a while there is none.
    await sleep(300);
    await server.start();
    await third();
    isOver = true;
    const seen = await crowd;
    const ended = processes.filter(({ child }) => child.exitCode !== null);
    if (ended.length > 0) return { ...seen, problems: ended.map(({ output }) => `a process ended: ${output.stderr}`) };
    const products = (await (await fetch(`${processes[0]!.url}/products`)).json()) as { id: unknown }[];
    return { problems: compareWithKnown(seen, products), acknowledged: seen.acknowledged, refused: seen.refused };
  } finally {
    for (const one of processes) one.child.kill("SIGKILL");
    await server.destroy();
  }
}

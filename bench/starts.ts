import type { DataFiles } from "./data.ts";
import { type Plan, say } from "./plan.ts";
import { type Running, type ServerName, startServer } from "./servers.ts";

const SERVERS = ["standin", "bare-data", "json-server"] as const;

export interface Start {
  readonly startMs: number;
  /** Alive, garbage not counted; measured with many records only. */
  readonly liveMegabytes: number;
}

export type Starts = Readonly<Record<(typeof SERVERS)[number], readonly Start[]>>;

/** Time from the start of the process to its first response, and the memory alive; servers take turns. */
export async function measureStarts(products: number, files: DataFiles, plan: Plan): Promise<Starts> {
  const data = files.generated({ products, companies: 100 });
  const isLarge = products > 100;
  const figures: Record<string, Start[]> = { standin: [], "bare-data": [], "json-server": [] };
  for (let round = 0; round < (isLarge ? plan.rounds : plan.starts); round++) {
    for (const name of SERVERS) {
      const figure = await startOnce(name, data, isLarge);
      figures[name]?.push(figure);
      say(`start with ${products} records: ${name} ${figure.startMs.toFixed(0)} ms`);
    }
  }
  return figures as unknown as Starts;
}

async function startOnce(name: ServerName, data: string, isLarge: boolean): Promise<Start> {
  const server: Running = await startServer(name, data);
  try {
    const { startMs } = server;
    return { startMs, liveMegabytes: isLarge ? await liveOf(name, data) : Number.NaN };
  } finally {
    await server.stop();
  }
}

/** By a start of its own: the probe would lengthen the one that is measured. */
async function liveOf(name: ServerName, data: string): Promise<number> {
  const server = await startServer(name, data, { isProbed: true });
  try {
    return await server.liveMegabytes();
  } finally {
    await server.stop();
  }
}

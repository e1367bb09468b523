import { type Answer, recordAnswer } from "./answer.ts";
import type { DataFiles } from "./data.ts";
import { putLoadOn } from "./load.ts";
import { type Plan, say } from "./plan.ts";
import type { Row } from "./rows.ts";
import { type Running, type ServerName, startServer } from "./servers.ts";

/** One server in one round. */
export interface Figure {
  readonly perSecond: number;
  /** Time of any core that the server spent on one request. */
  readonly cpuMicroseconds: number;
}

/** The figures of one row, by server, one a round. */
export type Figures = Readonly<Partial<Record<ServerName, readonly Figure[]>>>;

const SERVERS: readonly ServerName[] = ["standin", "bare", "json-server"];
/** For a server that needs seconds for a handful of responses. */
const FEW_CONNECTIONS = 3;
/** Between rounds: the server was warm before. */
const REWARM_SECONDS = 0.2;

/** Servers take turns in rounds, so that a slow minute of the machine hits all of them. */
export async function measureRates(row: Row, files: DataFiles, plan: Plan): Promise<Figures> {
  const data = files.generated(row.data);
  const servers = row.servers ?? SERVERS;
  const bareAnswer = await answerOf(row, data);
  const start = (name: ServerName): Promise<Running> => startServer(name, data, { config: row.config, bareAnswer });
  const running = new Map<ServerName, Running>();
  const figures = new Map<ServerName, Figure[]>(servers.map((name) => [name, []]));
  try {
    for (let round = 0; round < plan.rounds; round++) {
      // Each round begins with another server: nobody is always the first after a pause.
      for (const name of servers.map((_, index) => servers[(index + round) % servers.length]!)) {
        const isFirst = !running.has(name);
        const server = running.get(name) ?? (await start(name));
        running.set(name, server);
        const figure = await measureServer(name, row, server, isFirst, plan);
        figures.get(name)?.push(figure);
        say(`${row.name}, round ${round + 1}: ${name} ${figure.perSecond.toFixed(1)}/s`);
        if (!row.isWriting) continue;
        running.delete(name);
        await server.stop();
      }
    }
  } finally {
    for (const server of running.values()) await server.stop();
  }
  return Object.fromEntries(figures);
}

/** Records standin's response to the first request of the row, which the bare server repeats. */
async function answerOf({ requests, config }: Row, data: string): Promise<Answer> {
  const server = await startServer("standin", data, { config });
  try {
    return await recordAnswer(server.url, requests[0]!);
  } finally {
    await server.stop();
  }
}

async function measureServer(
  name: ServerName,
  { requests, isSlow = false, isWriting = false, warmUpSeconds: ownWarmUpSeconds }: Row,
  { url, cpuSeconds }: Running,
  isFirst: boolean,
  plan: Plan,
): Promise<Figure> {
  const isSlowHere = isSlow && name === "json-server";
  let warmUpSeconds = isFirst ? (ownWarmUpSeconds ?? plan.warmUpSeconds) : REWARM_SECONDS;
  // Warming up writes, too, and json-server gets slower with every record.
  if (isWriting && name === "json-server") warmUpSeconds = plan.warmUpSeconds / 6;
  if (isSlowHere) warmUpSeconds = 0;
  const connections = isSlowHere ? FEW_CONNECTIONS : plan.connections;
  let before = Number.NaN;
  const load = { url, requests, connections, warmUpSeconds, seconds: plan.seconds };
  const { answered, seconds, generatorBusy } = await putLoadOn(load, () => {
    before = cpuSeconds();
  });
  const spent = cpuSeconds() - before;
  if (generatorBusy > 0.95) say(`the load generator was the bottleneck: ${generatorBusy.toFixed(2)} of a core`);
  return {
    perSecond: answered / seconds,
    cpuMicroseconds: (spent / answered) * 1e6,
  };
}

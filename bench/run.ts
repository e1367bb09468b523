/**
 * `npm run bench [-- --quick] [-- --only POST]`: standin against bare node:http and json-server 0.17.4, on the same
 * data, in the same run. Servers take turns in rounds, so that a slow minute of the machine hits all of them.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { type Answer, recordAnswer } from "./answer.ts";
import { putLoadOn } from "./load.ts";
import { ROWS, type Row } from "./rows.ts";
import { generateData, SERVERS, type ServerName, startServer } from "./servers.ts";
import { type Figure, type Figures, renderTable } from "./table.ts";

const CONNECTIONS = 32;

const { values: flags } = parseArgs({ options: { quick: { type: "boolean" }, only: { type: "string" } } });
const { rounds, warmUpSeconds, seconds } = flags.quick
  ? { rounds: 1, warmUpSeconds: 1, seconds: 2 }
  : { rounds: 3, warmUpSeconds: 2, seconds: 6 };

const folder = mkdtempSync(join(tmpdir(), "standin-bench-"));
try {
  const results: { row: Row; figures: Figures }[] = [];
  for (const row of ROWS.filter(({ name }) => name.includes(flags.only ?? ""))) {
    results.push({ row, figures: await measureRow(row) });
  }
  const [cpu] = cpus();
  const machine = `${cpus().length} cores (${cpu?.model}), Node ${process.version}`;
  console.log(`\n${machine}; ${CONNECTIONS} connections, loopback, ${rounds} x ${seconds} s\n`);
  console.log(renderTable(results));
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function measureRow(row: Row): Promise<Figures> {
  const data = join(folder, "db.json");
  generateData(row.data, data);
  const answer = await answerOf(row, data);
  const figures: Record<ServerName, Figure[]> = { standin: [], bare: [], "json-server": [] };
  for (let round = 0; round < rounds; round++) {
    // Each round begins with another server: nobody is always the first after a pause.
    const order = SERVERS.map((_, index) => SERVERS[(index + round) % SERVERS.length]!);
    for (const name of order) {
      const figure = await measureServer(name, row, data, answer);
      figures[name].push(figure);
      const { perSecond, cpuMicroseconds } = figure;
      const cost = `${Math.round(cpuMicroseconds)} µs of CPU each`;
      console.log(`${row.name}, round ${round + 1}: ${name} ${perSecond.toFixed(1)}/s, ${cost}`);
    }
  }
  return figures;
}

/** What standin answers to the first request of the row: the bytes that the bare server repeats. */
async function answerOf({ requests }: Row, data: string): Promise<Answer> {
  const server = await startServer("standin", data);
  try {
    return await recordAnswer(server.url, requests[0]!);
  } finally {
    await server.stop();
  }
}

async function measureServer(name: ServerName, { requests }: Row, data: string, answer: Answer): Promise<Figure> {
  const server = await startServer(name, data, answer);
  try {
    const load = { url: server.url, requests, connections: CONNECTIONS, warmUpSeconds, seconds };
    let cpuBefore = Number.NaN;
    const {
      answered,
      seconds: elapsed,
      failures,
    } = await putLoadOn(load, () => {
      cpuBefore = server.cpuSeconds();
    });
    const cpuSeconds = server.cpuSeconds() - cpuBefore;
    if (failures > 0) throw new Error(`${name} failed ${failures} requests; its figure would mean nothing.`);
    return { perSecond: answered / elapsed, cpuMicroseconds: (cpuSeconds / answered) * 1e6 };
  } finally {
    await server.stop();
  }
}

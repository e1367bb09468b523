/**
 * `npm run bench:postgres [-- --quick]`: the CPU time of one process on PostgreSQL, that of the database included, against
 * that of a process with a file of the same data.
 */
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { PostgresServer } from "../test/postgres/server.ts";
import { cpuSecondsOf, cpuSecondsOfTree, endProcess } from "./child.ts";
import { DataFiles } from "./data.ts";
import { freePort } from "./free-port.ts";
import { putLoadOn } from "./load.ts";
import { FULL, QUICK, say } from "./plan.ts";
import { type LoadRequest, newProducts, oneOf } from "./requests.ts";
import { STANDIN, untilAnswering } from "./servers.ts";
import { median } from "./statistics.ts";
import { number, renderTable, verdict } from "./table.ts";

const { values: flags } = parseArgs({ options: { quick: { type: "boolean" } } });
const plan = { ...(flags.quick ? QUICK : FULL), connections: 16 };
const PRODUCTS = 100_000;
const MOST = 3;
const folder = mkdtempSync(join(tmpdir(), "standin-bench-"));
const database = await PostgresServer.create();
const WORK: readonly (readonly [name: string, requests: readonly LoadRequest[]])[] = [
  ["GET one record", oneOf(PRODUCTS)],
  ["POST", newProducts(1000)],
];

try {
  const file = new DataFiles(folder).generated({ products: PRODUCTS, companies: 1000 });
  await endOf(spawn(process.execPath, [STANDIN, "import", file, database.url, "--quiet"], { stdio: "inherit" }));
  const lines: string[][] = [];
  for (const [name, requests] of WORK) {
    const onFile = await cpuMicroseconds(file, requests);
    const onDatabase = await cpuMicroseconds(database.url, requests);
    const ratio = onDatabase / onFile;
    const goal = verdict([[`<= ${MOST} x, is ${number(ratio)} x`, ratio <= MOST]]);
    lines.push([name, onFile.toFixed(0), onDatabase.toFixed(0), goal]);
  }
  console.log(renderTable(["CPU µs of a request, database included", "file", "PostgreSQL", "goal"], lines));
} finally {
  await database.destroy();
  rmSync(folder, { recursive: true, force: true });
}

async function cpuMicroseconds(source: string, requests: readonly LoadRequest[]): Promise<number> {
  const port = await freePort();
  const args = [STANDIN, source, "--quiet", "--port", String(port)];
  const child = spawn(process.execPath, args, { cwd: folder, stdio: "inherit" });
  const cpu = (): number => cpuSecondsOf(child) + cpuSecondsOfTree(database.pid);
  try {
    await untilAnswering(child, port);
    const costs: number[] = [];
    for (let round = 0; round < plan.rounds; round++) {
      let before = Number.NaN;
      const load = { ...plan, url: `http://127.0.0.1:${port}`, requests };
      const { answered } = await putLoadOn(load, () => {
        before = cpu();
      });
      costs.push(((cpu() - before) / answered) * 1e6);
      say(`${source.split(":")[0]}: ${costs.at(-1)!.toFixed(0)} µs`);
    }
    return median(costs);
  } finally {
    await endProcess(child);
  }
}

function endOf(child: ReturnType<typeof spawn>): Promise<void> {
  return new Promise((done, failed) => {
    child.once("close", (code) => (code === 0 ? done() : failed(new Error(`the import ended with ${code}`))));
  });
}

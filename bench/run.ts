/**
 * `npm run bench [-- --quick] [-- --only POST] [-- --chart growth.svg]`: standin against bare node:http and json-server
 * 0.17.4, on the same data, in the same run. Each row is printed with its goal and whether it is met.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { cpus, tmpdir, totalmem } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { renderChart } from "./chart.ts";
import { DataFiles } from "./data.ts";
import { measureGrowth } from "./growth.ts";
import { FULL, QUICK } from "./plan.ts";
import { type Figures, measureRates } from "./rates.ts";
import { reportGrowth, reportRates, reportStarts } from "./report.ts";
import { ROWS, type Row } from "./rows.ts";
import { measureStarts, type Starts } from "./starts.ts";
import { measureWaits } from "./waits.ts";

const { values: flags } = parseArgs({
  options: { quick: { type: "boolean" }, only: { type: "string" }, chart: { type: "string" } },
});
const plan = flags.quick ? QUICK : FULL;
const isWanted = (name: string): boolean => name.includes(flags.only ?? "");
const folder = mkdtempSync(join(tmpdir(), "standin-bench-"));
const files = new DataFiles(folder);

try {
  const gigabytes = Math.round(totalmem() / 2 ** 30);
  console.log(
    `${cpus().length} cores (${cpus()[0]?.model}), ${gigabytes} GB, Node ${process.version}; ` +
      `${plan.connections} connections, loopback, ${plan.rounds} x ${plan.seconds} s`,
  );
  if (isWanted("start")) print(await starts());
  print(await rates());
  if (isWanted("waits")) print(await measureWaits(files, plan));
  if (isWanted("growth") && (flags.chart || !plan.isQuick)) print(await growth());
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function rates(): Promise<string> {
  const rows = ROWS.filter(({ name, isQuick }) => isWanted(name) && (isQuick || !plan.isQuick));
  const results: { row: Row; figures: Figures }[] = [];
  for (const row of rows) results.push({ row, figures: await measureRates(row, files, plan) });
  return results.length === 0 ? "" : reportRates(results);
}

async function starts(): Promise<string> {
  const results: { products: number; starts: Starts }[] = [];
  for (const products of [100, 100_000]) results.push({ products, starts: await measureStarts(products, files, plan) });
  return reportStarts(results);
}

async function growth(): Promise<string> {
  const curves = await measureGrowth(folder, plan);
  if (flags.chart) writeFileSync(flags.chart, renderChart(curves));
  return reportGrowth(curves);
}

function print(table: string): void {
  if (table !== "") console.log(`\n${table}`);
}

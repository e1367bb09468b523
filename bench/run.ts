/**
 * `npm run bench [-- --quick] [-- --only POST] [-- --chart growth.svg] [-- --profile]`: standin against bare node:http
 * and json-server 0.17.4, on the same data, in the same run. rows.ts says what is asked; each kind of measurement has a file
 * of its own. `--profile` tells where standin spends the time of each row instead.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { cpus, tmpdir, totalmem } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { measureAgentCosts } from "./agent-costs.ts";
import { measureBatchCosts } from "./batch-costs.ts";
import { renderChart } from "./chart.ts";
import { measureCheckpoints } from "./checkpoints.ts";
import { DataFiles } from "./data.ts";
import { measureFilterCosts } from "./filter-costs.ts";
import { measureGrowth } from "./growth.ts";
import { measureIndexCosts } from "./index-costs.ts";
import { measureIsolation, reportIsolation } from "./isolation.ts";
import { FULL, QUICK } from "./plan.ts";
import { type ProfiledRow, profileRow, reportProfiles } from "./profile.ts";
import { measureQueryCosts } from "./query-costs.ts";
import { type Figures, measureRates } from "./rates.ts";
import {
  reportAgentCosts,
  reportBatchCosts,
  reportBusy,
  reportCheckpoints,
  reportFetchCosts,
  reportFilterCosts,
  reportGrowth,
  reportIndexCosts,
  reportQueryCosts,
  reportRates,
  reportSizes,
  reportStarts,
  reportWakeUps,
} from "./report.ts";
import { ROWS, type Row } from "./rows.ts";
import { measureSizes } from "./sizes.ts";
import { measureStarts, type Starts } from "./starts.ts";
import { measureWakeUps } from "./wake-up.ts";
import { measureFetchCosts } from "./without-server.ts";

const { values: flags } = parseArgs({
  options: {
    quick: { type: "boolean" },
    only: { type: "string" },
    chart: { type: "string" },
    profile: { type: "boolean" },
  },
});
const plan = flags.quick ? QUICK : FULL;
const isWanted = (name: string): boolean => name.includes(flags.only ?? "");
const folder = mkdtempSync(join(tmpdir(), "standin-bench-"));
const files = new DataFiles(folder);

const wantedRows = ROWS.filter(({ name, isQuick }) => isWanted(name) && (isQuick || !plan.isQuick));

try {
  print(describeRun());
  if (flags.profile) print(await profiles());
  else await measure();
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function measure(): Promise<void> {
  print(await starts());
  for (const table of await rates()) print(table);
  if (isWanted("batch")) print(reportBatchCosts(await measureBatchCosts(files, plan)));
  if (isWanted("agents")) print(reportAgentCosts(await measureAgentCosts(files, plan)));
  if (isWanted("without a server")) print(reportFetchCosts(await measureFetchCosts(files, plan)));
  if (isWanted("wake-up")) print(reportWakeUps(await measureWakeUps(files, join(folder, "wake-up"), plan)));
  if (isWanted("sizes")) print(reportSizes(await measureSizes(join(folder, "page"))));
  if (isWanted("filter")) print(reportFilterCosts(await measureFilterCosts(files)));
  if (!plan.isQuick) for (const table of await largeOnes()) print(table);
  if (isWanted("tests")) print(reportIsolation(measureIsolation(files)));
  print(await growth());
}

async function profiles(): Promise<string> {
  const profiled: ProfiledRow[] = [];
  for (const row of wantedRows) profiled.push(await profileRow(row, files, plan));
  return reportProfiles(profiled);
}

function describeRun(): string {
  const gigabytes = Math.round(totalmem() / 2 ** 30);
  const machine = `${cpus().length} cores (${cpus()[0]?.model}), ${gigabytes} GB, Node ${process.version}`;
  return `${machine}; ${plan.connections} connections, loopback, ${plan.rounds} x ${plan.seconds} s`;
}

async function rates(): Promise<string[]> {
  const results: { row: Row; figures: Figures }[] = [];
  for (const row of wantedRows) results.push({ row, figures: await measureRates(row, files, plan) });
  return results.length === 0 ? [] : [reportRates(results), reportBusy(results)];
}

async function starts(): Promise<string> {
  if (!isWanted("start")) return "";
  const results: { products: number; starts: Starts }[] = [];
  for (const products of plan.isQuick ? [100] : [100, 1_000_000]) {
    results.push({ products, starts: await measureStarts(products, files, plan) });
  }
  return reportStarts(results);
}

async function largeOnes(): Promise<string[]> {
  return [
    isWanted("checkpoint") ? reportCheckpoints(await measureCheckpoints(files, plan)) : "",
    isWanted("index") ? reportIndexCosts(await measureIndexCosts(files)) : "",
    isWanted("query: groups, cursors, first search") ? reportQueryCosts(await measureQueryCosts(files)) : "",
  ];
}

async function growth(): Promise<string> {
  if (!isWanted("growth")) return "";
  const curves = await measureGrowth(folder, plan);
  if (flags.chart) writeFileSync(flags.chart, renderChart(curves));
  return reportGrowth(curves);
}

function print(part: string): void {
  if (part !== "") console.log(`${part}\n`);
}

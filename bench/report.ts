import type { AgentCosts } from "./agent-costs.ts";
import type { BatchCost } from "./batch-costs.ts";
import type { CheckpointFigures } from "./checkpoints.ts";
import type { FilterCost } from "./filter-costs.ts";
import type { Curve } from "./growth.ts";
import type { IndexCost } from "./index-costs.ts";
import type { QueryCost } from "./query-costs.ts";
import type { Figure, Figures } from "./rates.ts";
import type { Row } from "./rows.ts";
import type { Size } from "./sizes.ts";
import type { Starts } from "./starts.ts";
import { median } from "./statistics.ts";
import { middle, number, percent, renderTable, verdict } from "./table.ts";
import type { WakeUp } from "./wake-up.ts";
import type { FetchCost } from "./without-server.ts";

/** Ratios are of CPU time for a request, which does not change when others use the machine; medians over the rounds. */
export function reportRates(results: readonly { row: Row; figures: Figures }[]): string {
  const head = ["requests a second", "standin", "bare", "json-server", "of bare", "x json-server", "budget"];
  const lines = results.map(({ row: { name, budget }, figures }) => {
    const { standin, bare, plain, "json-server": jsonServer } = figures;
    const rates = [standin, bare, jsonServer].map((list) => middle(list?.map(perSecond)));
    const ofBare = costRatio(bare, standin);
    const ofPlain = costRatio(plain, standin);
    const times = costRatio(jsonServer, standin);
    const wanted: [string, boolean][] = [];
    if (budget.ofBare) wanted.push([`>= ${percent(budget.ofBare)} of bare`, ofBare >= budget.ofBare]);
    if (budget.ofPlain) {
      const text = `>= ${percent(budget.ofPlain)} of without, is ${percent(ofPlain)}`;
      wanted.push([text, ofPlain >= budget.ofPlain]);
    }
    if (budget.cpuMs) {
      const cpuMs = median((standin ?? []).map(({ cpuMicroseconds }) => cpuMicroseconds)) / 1000;
      wanted.push([`<= ${budget.cpuMs} ms, is ${number(cpuMs)}`, cpuMs <= budget.cpuMs]);
    }
    if (budget.timesJsonServer) {
      wanted.push([`>= ${number(budget.timesJsonServer).replace(/\.0+$/, "")} x`, times >= budget.timesJsonServer]);
    }
    const share = Number.isFinite(ofBare) ? percent(ofBare) : "";
    return [name, ...rates, share, Number.isFinite(times) ? `${number(times)} x` : "", verdict(wanted)];
  });
  return renderTable(head, lines);
}

/** Who worked: a server at its limit uses one core or more, a generator that is not the bottleneck less. */
export function reportBusy(results: readonly { row: Row; figures: Figures }[]): string {
  const head = ["share of one core used", "standin", "its generator", "bare", "its generator"];
  const lines = results.map(({ row, figures: { standin = [], bare = [] } }) => [
    row.name,
    ...[standin, bare].flatMap((list) => [
      percent(median(list.map(({ serverBusy }) => serverBusy))),
      percent(median(list.map(({ generatorBusy }) => generatorBusy))),
    ]),
  ]);
  return renderTable(head, lines);
}

export function reportGrowth(curves: readonly Curve[]): string {
  const sizes = curves[0]?.points.map(({ size }) => size.toLocaleString("en")) ?? [];
  const head = ["CPU ms for a response at", ...sizes, "growth", "of the median wait", "budget"];
  const lines = curves.map(({ kind, server, points }) => {
    const [first, last] = [points[0]!, points.at(-1)!];
    const growth = last.cpuMs / first.cpuMs;
    const cells = sizes.map((_, index) => (points[index] ? number(points[index].cpuMs) : ""));
    const isOurs = server === "standin";
    const wait = `${number(last.medianMs / first.medianMs)} x`;
    return [
      `${server}: ${kind}`,
      ...cells,
      `${number(growth)} x`,
      isOurs ? wait : "",
      isOurs ? verdict([["<= 1.2 x", growth <= 1.2]]) : "",
    ];
  });
  return renderTable(head, lines);
}

export function reportStarts(results: readonly { products: number; starts: Starts }[]): string {
  const head = ["start and memory", "standin", "bare", "json-server", "budget"];
  const lines = results.flatMap(({ products, starts }) => {
    const { standin, "bare-data": bare, "json-server": jsonServer } = starts;
    const isLarge = products >= 1_000_000;
    const ms = [standin, bare, jsonServer].map((list) => list.map(({ startMs }) => startMs));
    const mb = [standin, bare, jsonServer].map((list) => list.map(({ megabytes }) => megabytes));
    const size = `${products.toLocaleString("en")} records`;
    const [ofBare, ofJsonServer] = [median(ms[0]!) / median(ms[1]!), median(ms[0]!) / median(ms[2]!)];
    const startVerdict = isLarge
      ? verdict([[`<= 1.1 x bare, is ${number(ofBare)} x`, ofBare <= 1.1]])
      : verdict([[`<= 80 % of json-server, is ${percent(ofJsonServer)}`, ofJsonServer <= 0.8]]);
    if (!isLarge) return [[`ms to the first response, ${size}`, ...ms.map(middle), startVerdict]];
    const live = [standin, bare, jsonServer].map((list) => list.map(({ liveMegabytes }) => liveMegabytes));
    const [inRam, alive] = [median(mb[0]!) / median(mb[1]!), median(live[0]!) / median(live[1]!)];
    return [
      [`ms to the first response, ${size}`, ...ms.map(middle), startVerdict],
      [
        `MB in RAM after loading ${size}`,
        ...mb.map(middle),
        verdict([[`<= 1.3 x bare, is ${number(inRam)} x`, inRam <= 1.3]]),
      ],
      ["MB of these alive", ...live.map(middle), verdict([[`<= 1.5 x bare, is ${number(alive)} x`, alive <= 1.5]])],
    ];
  });
  return renderTable(head, lines);
}

export function reportCheckpoints(figures: CheckpointFigures): string {
  const { checkpoints, seconds, p99DuringMs, p99OtherwiseMs, megabytesBefore, megabytesDuring } = figures;
  const slower = p99DuringMs / p99OtherwiseMs;
  const larger = megabytesDuring / megabytesBefore;
  const head = [`${checkpoints} checkpoints, ${number(seconds / checkpoints)} s each`, "without", "during", "budget"];
  return renderTable(head, [
    [
      "p99 of reads in ms",
      number(p99OtherwiseMs),
      number(p99DuringMs),
      verdict([[`<= 3 x, is ${number(slower)} x`, slower <= 3]]),
    ],
    [
      "memory in MB",
      number(megabytesBefore),
      number(megabytesDuring),
      verdict([[`<= +30 %, is ${larger < 1 ? "" : "+"}${percent(larger - 1)}`, larger <= 1.3]]),
    ],
  ]);
}

export function reportIndexCosts(costs: readonly IndexCost[]): string {
  const lines = costs.map(({ index, firstMs, laterMs, megabytes, maxFirstMs }) => [
    index,
    `${number(firstMs)} ms`,
    `${number(laterMs)} ms`,
    `${Math.round(megabytes)} MB`,
    withinMs(firstMs, maxFirstMs),
  ]);
  return renderTable(["index at 1,000,000 records", "first request", "later", "memory", "budget"], lines);
}

function withinMs(ms: number, most: number | undefined): string {
  return most === undefined ? "" : verdict([[`<= ${most} ms`, ms <= most]]);
}

export function reportBatchCosts(costs: readonly BatchCost[]): string {
  const lines = costs.map(({ records, arrayMs, batchMs, ratio }) => [
    records,
    `${number(arrayMs)} ms`,
    `${number(batchMs)} ms`,
    verdict([[`<= 3 x, is ${number(ratio)} x`, ratio <= 3]]),
  ]);
  return renderTable(["1,000 new records of", "CPU for an array", "for a batch", "budget"], lines);
}

export function reportAgentCosts({ listed, costs }: AgentCosts): string {
  const lines = costs.map(({ call, requestMs, callMs, ratio }) => [
    call,
    `${number(requestMs)} ms`,
    `${number(callMs)} ms`,
    verdict([[`<= 2 x, is ${number(ratio)} x`, ratio <= 2]]),
  ]);
  lines.push(["tools/list", "", `${listed} characters`, verdict([["<= 12,000", listed <= 12_000]])]);
  return renderTable(["tool call of an agent", "CPU of the request", "of the call", "budget"], lines);
}

export function reportFetchCosts(costs: readonly FetchCost[]): string {
  const lines = costs.map(({ kind, socketMicroseconds, fetchMicroseconds, wholeMicroseconds, ratio }) => [
    kind,
    number(socketMicroseconds),
    number(fetchMicroseconds),
    number(wholeMicroseconds),
    verdict([[`<= 1 x, is ${number(ratio)} x`, ratio <= 1]]),
  ]);
  const head = ["without a server, CPU µs for a request", "socket", "api.fetch", "with Request and text()", "budget"];
  return renderTable(head, lines);
}

export function reportWakeUps(wakeUps: readonly WakeUp[] | string): string {
  if (typeof wakeUps === "string") return `wake-up of a worker: not measured, ${wakeUps}`;
  const lines = wakeUps.map(({ worker, milliseconds, limit }) => [
    worker,
    number(milliseconds),
    limit ? verdict([[`<= ${limit} ms`, milliseconds <= limit]]) : "",
  ]);
  return renderTable(["wake-up of a worker", "ms", "budget"], lines);
}

export function reportSizes(sizes: readonly Size[]): string {
  const lines = sizes.map(({ part, bytes, gzipped, limit }) => [
    part,
    number(bytes / 1000),
    number(gzipped / 1000),
    limit ? verdict([[`<= ${limit / 1000} kB gzip`, gzipped <= limit]]) : "",
  ]);
  return renderTable(["size", "kB", "kB gzip", "budget"], lines);
}

export function reportFilterCosts(costs: readonly FilterCost[]): string {
  const lines = costs.map(({ store, firstMs, laterMs, longestGetMs }) => [
    store,
    `${number(firstMs)} ms`,
    `${number(laterMs)} ms`,
    `${number(longestGetMs)} ms`,
    verdict([
      ["<= 150 ms", laterMs <= 150],
      ["GET <= 20 ms", longestGetMs <= 20],
    ]),
  ]);
  return renderTable(["PATCH of 10,000 of 100,000", "first", "later", "longest GET beside it", "budget"], lines);
}

export function reportQueryCosts(costs: readonly QueryCost[]): string {
  const lines = costs.map(({ query, firstMs, laterMs, maxFirstMs }) => [
    query,
    `${number(firstMs)} ms`,
    `${number(laterMs)} ms`,
    withinMs(firstMs, maxFirstMs),
  ]);
  return renderTable(["query", "first request", "later", "budget"], lines);
}

function perSecond(figure: Figure): number {
  return figure.perSecond;
}

/** How many times as much CPU time `other` spends on a request. */
function costRatio(other: readonly Figure[] | undefined, own: readonly Figure[] | undefined): number {
  if (!own || !other) return Number.NaN;
  return median(own.map(({ cpuMicroseconds }, round) => other[round]!.cpuMicroseconds / cpuMicroseconds));
}

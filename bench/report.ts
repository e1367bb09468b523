import type { Curve } from "./growth.ts";
import type { Figure, Figures } from "./rates.ts";
import type { Row } from "./rows.ts";
import type { Start, Starts } from "./starts.ts";
import { median } from "./statistics.ts";
import { middle, number, percent, renderTable, verdict } from "./table.ts";

/** Ratios are of CPU time for a request, which does not change when others use the machine; medians over the rounds. */
export function reportRates(results: readonly { row: Row; figures: Figures }[]): string {
  const head = ["requests a second", "standin", "bare", "json-server", "of bare", "x json-server", "goal"];
  const lines = results.map(({ row: { name, budget }, figures }) => {
    const { standin, bare, "json-server": jsonServer } = figures;
    const rates = [standin, bare, jsonServer].map((list) => middle(list?.map(({ perSecond }) => perSecond)));
    const ofBare = costRatio(bare, standin);
    const times = costRatio(jsonServer, standin);
    const wanted: [string, boolean][] = [];
    if (budget.ofBare) wanted.push([`>= ${percent(budget.ofBare)} of bare`, ofBare >= budget.ofBare]);
    if (budget.timesJsonServer) wanted.push([`>= ${budget.timesJsonServer} x`, times >= budget.timesJsonServer]);
    if (budget.cpuMs) {
      const cpuMs = median((standin ?? []).map(({ cpuMicroseconds }) => cpuMicroseconds)) / 1000;
      wanted.push([`<= ${budget.cpuMs} ms, is ${number(cpuMs)}`, cpuMs <= budget.cpuMs]);
    }
    const share = Number.isFinite(ofBare) ? percent(ofBare) : "";
    return [name, ...rates, share, Number.isFinite(times) ? `${number(times)} x` : "", verdict(wanted)];
  });
  return renderTable(head, lines);
}

export function reportGrowth(curves: readonly Curve[]): string {
  const sizes = curves[0]?.points.map(({ size }) => size.toLocaleString("en")) ?? [];
  const lines = curves.map(({ kind, server, points }) => [
    `${server}: ${kind}`,
    ...sizes.map((_, index) => (points[index] ? number(points[index].cpuMs) : "")),
    `${number(points.at(-1)!.cpuMs / points[0]!.cpuMs)} x`,
  ]);
  return renderTable(["CPU ms for a response at", ...sizes, "growth"], lines);
}

/** `bare` is a server that parses the file and sends one record of it. */
export function reportStarts(results: readonly { products: number; starts: Starts }[]): string {
  const head = ["start and memory", "standin", "bare", "json-server", "goal"];
  const lines = results.flatMap(({ products, starts }) => {
    const { standin, "bare-data": bare, "json-server": jsonServer } = starts;
    const line = (name: string, read: (start: Start) => number, goal: [text: string, isMet: boolean]): string[] => [
      `${name}, ${products.toLocaleString("en")} records`,
      ...[standin, bare, jsonServer].map((list) => middle(list.map(read))),
      verdict([goal]),
    ];
    const ratio = (other: readonly Start[], read: (start: Start) => number): number =>
      median(standin.map(read)) / median(other.map(read));
    const startMs = (start: Start): number => start.startMs;
    const liveMegabytes = (start: Start): number => start.liveMegabytes;
    if (Number.isNaN(standin[0]?.liveMegabytes)) {
      const share = ratio(jsonServer, startMs);
      return [
        line("ms to the first response", startMs, [`<= 80 % of json-server, is ${percent(share)}`, share <= 0.8]),
      ];
    }
    const [slower, larger] = [ratio(bare, startMs), ratio(bare, liveMegabytes)];
    return [
      line("ms to the first response", startMs, [`<= 2 x bare, is ${number(slower)} x`, slower <= 2]),
      line("MB alive", liveMegabytes, [`<= 3 x bare, is ${number(larger)} x`, larger <= 3]),
    ];
  });
  return renderTable(head, lines);
}

/** How many times as much CPU time the other takes, round by round. */
function costRatio(other: readonly Figure[] | undefined, own: readonly Figure[] | undefined): number {
  if (!own || !other) return Number.NaN;
  return median(own.map(({ cpuMicroseconds }, round) => other[round]!.cpuMicroseconds / cpuMicroseconds));
}

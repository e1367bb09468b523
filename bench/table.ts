import type { Row } from "./rows.ts";
import { SERVERS, type ServerName } from "./servers.ts";
import { median, spread } from "./statistics.ts";

/** One server in one round. */
export interface Figure {
  readonly perSecond: number;
  /** Time of any core that the server spent on one request. */
  readonly cpuMicroseconds: number;
}

/** The figures of one row, by server, one a round. */
export type Figures = Readonly<Record<ServerName, readonly Figure[]>>;

const HEAD = ["work", ...SERVERS.map((name) => `${name}/s`), "of bare", "by CPU", "x json-server", "budget"];

/**
 * The table of a run, in Markdown. Ratios are medians of the ratios within each round. "of bare" flatters a server where
 * the load generator is the slower one; "by CPU" compares what a request costs, whoever waits for whom.
 */
export function renderTable(results: readonly { row: Row; figures: Figures }[]): string {
  const lines = results.map(({ row, figures }) => cells(row, figures));
  const widths = HEAD.map((head, column) => Math.max(head.length, ...lines.map((line) => line[column]!.length)));
  const render = (line: readonly string[]): string =>
    `| ${line.map((cell, column) => (column === 0 ? cell.padEnd(widths[0]!) : cell.padStart(widths[column]!))).join(" | ")} |`;
  const rule = widths.map((width, column) => (column === 0 ? "-".repeat(width) : `${"-".repeat(width - 1)}:`));
  return [render(HEAD), render(rule), ...lines.map(render)].join("\n");
}

function cells({ name, budget }: Row, figures: Figures): string[] {
  const { standin, bare, "json-server": jsonServer } = figures;
  const ofBare = ratio(standin, bare, (figure) => figure.perSecond);
  const byCpu = ratio(bare, standin, (figure) => figure.cpuMicroseconds);
  const times = ratio(standin, jsonServer, (figure) => figure.perSecond);
  const isMet = ofBare >= (budget.ofBare ?? 0) && times >= (budget.timesJsonServer ?? 0);
  const wanted = [
    budget.ofBare === undefined ? [] : [`>= ${percent(budget.ofBare)}`],
    budget.timesJsonServer === undefined ? [] : [`>= ${budget.timesJsonServer} x`],
  ].flat();
  return [
    name,
    ...SERVERS.map((server) => rate(figures[server].map((figure) => figure.perSecond))),
    percent(ofBare),
    Number.isNaN(byCpu) ? "" : percent(byCpu),
    `${times.toFixed(1)} x`,
    `${wanted.join(", ")}: ${isMet ? "met" : "MISSED"}`,
  ];
}

function ratio(own: readonly Figure[], other: readonly Figure[], pick: (figure: Figure) => number): number {
  return median(own.map((figure, round) => pick(figure) / pick(other[round]!)));
}

function rate(values: readonly number[]): string {
  const middle = median(values);
  const figure = middle < 100 ? middle.toFixed(1) : Math.round(middle).toLocaleString("en");
  return values.length === 1 ? figure : `${figure} ±${percent(spread(values))}`;
}

function percent(share: number): string {
  return `${Math.round(share * 100)} %`;
}

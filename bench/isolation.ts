import { execFileSync } from "node:child_process";
import { resolve } from "node:path";
import type { DataFiles } from "./data.ts";
import { say } from "./plan.ts";
import { number, renderTable, verdict } from "./table.ts";

interface Reset {
  readonly ms: number;
  /** A reset and the first write after it, which copies one pointer per record. */
  readonly firstWriteMs: number;
}

export interface IsolationFigures {
  readonly firstStartMs: number;
  /** The same in CPU time, which does not change when others use the machine. */
  readonly firstStartCpuMs: number;
  readonly startMs: number;
  readonly resets: { readonly small: Reset; readonly large: Reset };
  readonly makeMs: number;
  /** For each of 100 sandboxes over 100,000 products and 1,000 companies. */
  readonly untouchedMegabytes: number;
  readonly smallWriteMegabytes: number;
  readonly largeWriteMegabytes: number;
}

/** The cost of isolating a test: by its own server, by a reset, by a sandbox. */
export function measureIsolation(files: DataFiles): IsolationFigures {
  const small = files.generated({ products: 100, companies: 100 });
  const large = files.generated({ products: 100_000, companies: 1000 });
  const args = ["--expose-gc", resolve("bench/isolation-process.mjs"), small, large];
  const printed = execFileSync(process.execPath, args, { encoding: "utf8" });
  say(`isolation: ${printed.trim()}`);
  return JSON.parse(printed) as IsolationFigures;
}

export function reportIsolation(figures: IsolationFigures): string {
  const { startMs, firstStartMs, firstStartCpuMs, resets, makeMs } = figures;
  const line = (name: string, value: number, unit: string, most?: number): string[] => [
    name,
    `${value < 0.1 ? value.toFixed(4) : number(value)} ${unit}`,
    most === undefined ? "" : verdict([[`<= ${most} ${unit}`, value <= most]]),
  ];
  return renderTable(
    ["tests", "standin", "budget"],
    [
      line("the first createStandin of a process, 100 records", firstStartMs, "ms"),
      line("the same in CPU time", firstStartCpuMs, "ms", 20),
      line("every later one", startMs, "ms", 0.5),
      line("reset(), 100 records", resets.small.ms, "ms", 1),
      line("reset(), 100,000 records", resets.large.ms, "ms", 20),
      line("reset() and the first write after it, 100,000 records", resets.large.firstWriteMs, "ms"),
      line("making a sandbox, 100,000 records", makeMs, "ms"),
      line("a sandbox that only reads", figures.untouchedMegabytes, "MB"),
      line("a sandbox that wrote to a collection of 1,000", figures.smallWriteMegabytes, "MB", 10),
      line("a sandbox that wrote to one of 100,000, too", figures.largeWriteMegabytes, "MB", 10),
    ],
  );
}

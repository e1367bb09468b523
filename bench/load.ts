import { fork } from "node:child_process";
import { resolve } from "node:path";
import type { LoadRequest } from "./requests.ts";

export interface Load {
  readonly url: string;
  readonly requests: readonly LoadRequest[];
  readonly connections: number;
  readonly warmUpSeconds: number;
  readonly seconds: number;
}

export interface LoadResult {
  readonly answered: number;
  /** From the first request to the last response: requests under way at the end are awaited and counted. */
  readonly seconds: number;
  readonly medianMs: number;
  readonly p99Ms: number;
  /** The share of one core that the load generator itself used: far from 1, or it is what was measured. */
  readonly generatorBusy: number;
}

/** Messages of the load generator: warm-up finished, measurements, or an error. */
export type LoadMessage =
  | { readonly kind: "warm" }
  | ({ readonly kind: "result" } & LoadResult)
  | { readonly kind: "failed"; readonly reason: string };

const GENERATOR = resolve("bench/load-process.ts");
/** Beyond the time asked for: starting, building of indexes, and the last responses of a slow server. */
const SLACK_MS = 60_000;

/** Puts load on a server from a process of its own; `onWarm` is called when what counts begins. */
export async function putLoadOn(load: Load, onWarm: () => void = () => {}): Promise<LoadResult> {
  const child = fork(GENERATOR, { execArgv: ["--import", import.meta.resolve("tsx")] });
  const limitMs = (load.warmUpSeconds + load.seconds) * 1000 + SLACK_MS;
  const timer = setTimeout(() => child.kill("SIGKILL"), limitMs);
  try {
    return await new Promise<LoadResult>((resolve, reject) => {
      child.on("message", (message: LoadMessage) => {
        if (message.kind === "warm") onWarm();
        else if (message.kind === "result") resolve(message);
        else reject(new Error(message.reason));
      });
      child.once("exit", (code) => reject(new Error(`the load generator ended early with exit code ${code}`)));
      child.send(load);
    });
  } finally {
    clearTimeout(timer);
    child.kill();
  }
}

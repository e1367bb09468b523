import { fork } from "node:child_process";
import { resolve } from "node:path";
import type { LoadRequest } from "./rows.ts";

export interface Load {
  readonly url: string;
  readonly requests: readonly LoadRequest[];
  readonly connections: number;
  readonly warmUpSeconds: number;
  readonly seconds: number;
}

export interface LoadResult {
  readonly answered: number;
  readonly seconds: number;
  /** Answers other than 2xx, broken connections, time-outs: none in a run that counts. */
  readonly failures: number;
}

const GENERATOR = resolve("bench/load-process.ts");
/** Beyond the time asked for: starting, and the last answers of a slow server. */
const SLACK_MS = 60_000;

/** What the load generator sends: that the warming up is over, then what it measured. */
export type LoadMessage = { readonly kind: "warm" } | ({ readonly kind: "result" } & LoadResult);

/** Puts load on a server from a process of its own; `onWarm` is called when what counts begins. */
export async function putLoadOn(load: Load, onWarm: () => void): Promise<LoadResult> {
  const child = fork(GENERATOR, { execArgv: ["--import", import.meta.resolve("tsx")] });
  const limitMs = (load.warmUpSeconds + load.seconds) * 1000 + SLACK_MS;
  const timer = setTimeout(() => child.kill("SIGKILL"), limitMs);
  try {
    return await new Promise<LoadResult>((resolve, reject) => {
      child.on("message", (message: LoadMessage) => (message.kind === "warm" ? onWarm() : resolve(message)));
      child.once("exit", (code) => reject(new Error(`the load generator ended early with exit code ${code}`)));
      child.send(load);
    });
  } finally {
    clearTimeout(timer);
    child.kill();
  }
}

import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { expect, vi } from "vitest";
import { askAt } from "./api.ts";
import { CLI, createFolder } from "./cli.ts";
import { afterEachFile } from "./leftovers.ts";
import { limit } from "./limits.ts";
import { somePort } from "./some-port.ts";

const running = new Set<ChildProcess>();
// Before the folders are removed, in which they save.
afterEachFile(async () => {
  for (const child of running) await end(child);
});

/** The turns of a server's event loop since the last question, in milliseconds of its main thread's CPU time. */
export interface Turns {
  readonly longest: number;
  /** The longest without its pauses for garbage. */
  readonly longestOwn: number;
  /** Of all turns that did some work. */
  readonly sum: number;
}

export interface MeteredServer {
  readonly url: string;
  turns(): Promise<Turns>;
  stop(): Promise<void>;
}

/** Starts a server as users do, which counts the turns of its event loop. */
export async function startMetered(data: object, ...args: readonly string[]): Promise<MeteredServer> {
  const port = somePort();
  const child = fork(CLI, ["db.json", "--port", String(port), ...args], {
    cwd: createFolder({ "db.json": data }),
    silent: true,
    execArgv: ["--import", join(import.meta.dirname, "turn-meter.mjs")],
  });
  running.add(child);
  // A long list of routes would fill the pipe, and the server wait for a reader.
  child.stdout?.resume();
  const url = `http://localhost:${port}`;
  await vi.waitFor(async () => expect((await askAt(url, "GET /health-check")).status).toBe(200), {
    timeout: limit(60_000),
    interval: 50,
  });
  return {
    url,
    async turns() {
      const told = once(child, "message");
      child.send("ask");
      return (await told)[0] as Turns;
    },
    stop: () => end(child),
  };
}

async function end(child: ChildProcess): Promise<void> {
  running.delete(child);
  const ended = once(child, "close");
  if (child.kill()) await ended;
}

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { get } from "node:http";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath, pathToFileURL } from "node:url";
import type { Answer } from "./answer.ts";
import { cpuSecondsOf, endProcess } from "./child.ts";
import { freePort } from "./free-port.ts";

export const STANDIN = resolve("dist/cli.js");
const JSON_SERVER = fileURLToPath(import.meta.resolve("json-server/lib/cli/bin.js"));
const BARE = resolve("bench/bare-server.ts");
const BARE_DATA = resolve("bench/bare-data-server.mjs");
const MEMORY_PROBE = ["--expose-gc", "--import", pathToFileURL(resolve("bench/memory-probe.mjs")).href];
const START_LIMIT_MS = 60_000;
/** How often a starting server is asked: the error of a start-up time. */
const POLL_MS = 4;

/**
 * standin; node:http that repeats one answer; node:http that parses the data file and then serves one record of it;
 * json-server 0.17.4.
 */
export type ServerName = "standin" | "bare" | "bare-data" | "json-server";

/** The generated data each server starts from. */
export interface Data {
  readonly products: number;
  readonly companies: number;
}

export interface Running {
  readonly url: string;
  /** Its data file, in a folder of its own. */
  readonly file: string;
  /** From the start of the process to its first response. */
  readonly startMs: number;
  /** The CPU time that the process has used so far, on all cores. */
  cpuSeconds(): number;
  /** Alive after the collector has been through; of a server that is probed. */
  liveMegabytes(): Promise<number>;
  stop(): Promise<void>;
}

interface StartOptions {
  /** The config file of standin. */
  readonly config?: object | undefined;
  readonly bareAnswer?: Answer | undefined;
  /** Whether it tells what is alive in its memory. */
  readonly isProbed?: boolean;
}

/** Starts a server in its own process and folder, as its users do, and waits until it responds. */
export async function startServer(
  name: ServerName,
  data: string,
  { config, bareAnswer, isProbed = false }: StartOptions = {},
): Promise<Running> {
  const folder = mkdtempSync(join(tmpdir(), "standin-bench-"));
  const file = join(folder, "db.json");
  const port = await freePort();
  copyFileSync(data, file);
  writeFileSync(join(folder, "answer.json"), JSON.stringify(bareAnswer ?? null));
  if (config) writeFileSync(join(folder, "standin.json"), JSON.stringify(config));
  const startedAt = performance.now();
  const child = spawn(process.execPath, [...(isProbed ? MEMORY_PROBE : []), ...commandLine(name, String(port))], {
    cwd: folder,
    stdio: ["ignore", "ignore", "inherit", isProbed ? "ipc" : "ignore"],
  });
  const stop = async (): Promise<void> => {
    await endProcess(child);
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    await untilAnswering(child, port);
  } catch (thrown) {
    await stop();
    throw new Error(`${name} did not start`, { cause: thrown });
  }
  return {
    url: `http://127.0.0.1:${port}`,
    file,
    startMs: performance.now() - startedAt,
    cpuSeconds: () => cpuSecondsOf(child),
    liveMegabytes: async () => {
      child.send("how much?");
      const [megabytes] = await once(child, "message");
      return megabytes as number;
    },
    stop,
  };
}

function commandLine(name: ServerName, port: string): string[] {
  switch (name) {
    case "standin":
      return [STANDIN, "--quiet", "--port", port];
    case "json-server":
      return [JSON_SERVER, "--quiet", "--port", port, "--host", "127.0.0.1", "--foreignKeySuffix", "_id", "db.json"];
    case "bare":
      return ["--import", import.meta.resolve("tsx"), BARE, port, "answer.json"];
    case "bare-data":
      return [BARE_DATA, port, "db.json"];
  }
}

export async function untilAnswering(child: ChildProcess, port: number): Promise<void> {
  const limit = Date.now() + START_LIMIT_MS;
  while (!(await hasAnswered(port))) {
    if (child.exitCode !== null) throw new Error(`it ended with exit code ${child.exitCode}`);
    if (Date.now() > limit) throw new Error(`it did not answer for ${START_LIMIT_MS / 1000} seconds`);
    await sleep(POLL_MS);
  }
}

/** Any response will do: a server that guards its data rejects this request. */
function hasAnswered(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const asked = get({ host: "127.0.0.1", port, path: "/products/1", agent: false }, (response) => {
      response.resume();
      response.once("end", () => resolve(true));
    });
    asked.once("error", () => resolve(false));
  });
}

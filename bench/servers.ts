import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { get } from "node:http";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath, pathToFileURL } from "node:url";
import type { Answer } from "./answer.ts";
import { cpuSecondsOf, endProcess, megabytesOf } from "./child.ts";
import { freePort } from "./free-port.ts";

export const STANDIN = resolve("dist/cli.js");
const JSON_SERVER = fileURLToPath(import.meta.resolve("json-server/lib/cli/bin.js"));
const BARE = resolve("bench/bare-server.ts");
const BARE_DATA = resolve("bench/bare-data-server.mjs");
/** Modules that are loaded into a server before it starts. */
const PROBES = {
  memory: ["--expose-gc", "--import", pathToFileURL(resolve("bench/memory-probe.mjs")).href],
  profile: ["--import", pathToFileURL(resolve("bench/profile-probe.mjs")).href],
} as const;
const START_LIMIT_MS = 60_000;
/** How often a starting server is asked: the error of a start-up time. */
const POLL_MS = 4;

/**
 * standin; the same without the row's setup; node:http that repeats one answer; node:http that parses the data file and
 * then serves one record of it; json-server 0.17.4.
 */
export type ServerName = "standin" | "plain" | "bare" | "bare-data" | "json-server";

/** The generated data each server starts from. */
export interface Data {
  readonly products: number;
  readonly companies: number;
}

/** The setup that a row adds to the start of a server. */
export interface Setup {
  readonly files?: Readonly<Record<string, string>>;
  /** The config file of standin. */
  readonly standin: object;
  /** The arguments of standin instead of serving the data. */
  readonly command?: readonly string[];
  /** That of the standin it is compared with; none when left out. */
  readonly plain?: object;
  /** More arguments of json-server. */
  readonly jsonServer?: readonly string[];
}

export interface Running {
  readonly url: string;
  /** Its data file, in a folder of its own. */
  readonly file: string;
  /** From the start of the process to its first response. */
  readonly startMs: number;
  /** The CPU time that the process has used so far, on all cores. */
  cpuSeconds(): number;
  /** In RAM, as the system counts. */
  megabytes(): number;
  /** Alive after the collector has been through; where the server was started with the probe "memory". */
  liveMegabytes(): Promise<number>;
  /** The CPU profile of its main thread during some work; with the probe "profile". */
  profile(work: () => Promise<void>): Promise<CpuProfile>;
  stop(): Promise<void>;
}

/** The part of V8's CPU profile that is read here. */
export interface CpuProfile {
  readonly nodes: readonly {
    readonly id: number;
    readonly callFrame: { readonly functionName: string; readonly url: string };
    readonly children?: readonly number[];
  }[];
  readonly samples: readonly number[];
  readonly timeDeltas: readonly number[];
}

interface StartOptions {
  readonly setup?: Setup | undefined;
  readonly bareAnswer?: Answer | undefined;
  readonly probe?: keyof typeof PROBES;
}

/** Starts a server in its own process and folder, as its users do, and waits until it responds. */
export async function startServer(
  name: ServerName,
  data: string,
  { setup, bareAnswer, probe }: StartOptions = {},
): Promise<Running> {
  const folder = mkdtempSync(join(tmpdir(), "standin-bench-"));
  const file = join(folder, "db.json");
  const port = await freePort();
  copyFileSync(data, file);
  writeFileSync(join(folder, "answer.json"), JSON.stringify(bareAnswer ?? null));
  for (const [path, text] of Object.entries(setup?.files ?? {})) writeFileSync(join(folder, path), text);
  const config = name === "standin" ? setup?.standin : name === "plain" ? setup?.plain : undefined;
  if (config) writeFileSync(join(folder, "standin.json"), JSON.stringify(config));
  const more = name === "json-server" ? (setup?.jsonServer ?? []) : [];
  const probing = probe ? PROBES[probe] : [];
  const startedAt = performance.now();
  const child = spawn(process.execPath, [...probing, ...commandLine(name, String(port), setup?.command), ...more], {
    cwd: folder,
    stdio: ["ignore", "ignore", "inherit", probe ? "ipc" : "ignore"],
  });
  const stop = async (): Promise<void> => {
    await endProcess(child);
    rmSync(folder, { recursive: true, force: true });
  };
  const ask = async <T>(question: string): Promise<T> => {
    child.send(question);
    const [answer] = await once(child, "message");
    return answer as T;
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
    megabytes: () => megabytesOf(child),
    liveMegabytes: () => ask<number>("how much?"),
    profile: async (work) => {
      await ask("begin");
      await work();
      return ask<CpuProfile>("end");
    },
    stop,
  };
}

function commandLine(name: ServerName, port: string, command: readonly string[] = []): string[] {
  switch (name) {
    case "standin":
      return [STANDIN, ...command, "--quiet", "--port", port];
    case "plain":
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

import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type { Answer } from "./answer.ts";
import type { Row } from "./rows.ts";

const STANDIN = resolve("dist/cli.js");
const JSON_SERVER = fileURLToPath(import.meta.resolve("json-server/lib/cli/bin.js"));
const BARE = resolve("bench/bare-server.ts");
const START_LIMIT_MS = 60_000;
const STOP_LIMIT_MS = 10_000;

export const SERVERS = ["standin", "bare", "json-server"] as const;
export type ServerName = (typeof SERVERS)[number];

export interface Running {
  readonly url: string;
  /** What the process has used of all cores so far; NaN where the system does not tell. */
  cpuSeconds(): number;
  stop(): Promise<void>;
}

/** Makes the data of a row once; every start copies it. */
export function generateData({ products, companies }: Row["data"], file: string): void {
  const counts = ["--products", String(products), "--companies", String(companies)];
  execFileSync(process.execPath, [STANDIN, "generate", file, ...counts, "--seed", "1", "--quiet"]);
}

/** Starts a server in a process and a folder of its own, as its users do, and waits until it answers. */
export async function startServer(name: ServerName, data: string, bareAnswer?: Answer): Promise<Running> {
  const folder = mkdtempSync(join(tmpdir(), "standin-bench-"));
  const port = String(await freePort());
  copyFileSync(data, join(folder, "db.json"));
  writeFileSync(join(folder, "answer.json"), JSON.stringify(bareAnswer ?? null));
  const child = spawn(process.execPath, commandLine(name, port), {
    cwd: folder,
    stdio: ["ignore", "ignore", "inherit"],
  });
  const stop = async (): Promise<void> => {
    await endProcess(child);
    rmSync(folder, { recursive: true, force: true });
  };
  const url = `http://127.0.0.1:${port}`;
  try {
    await untilAnswering(child, `${url}/products/1`);
  } catch (thrown) {
    await stop();
    throw new Error(`${name} did not start`, { cause: thrown });
  }
  return { url, cpuSeconds: () => cpuSecondsOf(child), stop };
}

function commandLine(name: ServerName, port: string): string[] {
  switch (name) {
    case "standin":
      return [STANDIN, "--quiet", "--port", port];
    case "json-server":
      return [JSON_SERVER, "--quiet", "--port", port, "--host", "127.0.0.1", "--foreignKeySuffix", "_id", "db.json"];
    case "bare":
      return ["--import", import.meta.resolve("tsx"), BARE, port, "answer.json"];
  }
}

/** From proc(5): fields 14 and 15, user and system time in hundredths of a second. */
function cpuSecondsOf({ pid }: ChildProcess): number {
  try {
    const [, fields = ""] = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ");
    const [user, system] = fields.split(" ").slice(11, 13);
    return (Number(user) + Number(system)) / 100;
  } catch {
    return Number.NaN;
  }
}

async function untilAnswering(child: ChildProcess, url: string): Promise<void> {
  const limit = Date.now() + START_LIMIT_MS;
  for (;;) {
    if (child.exitCode !== null) throw new Error(`it ended with exit code ${child.exitCode}`);
    try {
      await (await fetch(url)).arrayBuffer();
      return;
    } catch (thrown) {
      if (Date.now() > limit) throw thrown;
      await sleep(50);
    }
  }
}

async function endProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const closed = once(child, "close");
  child.kill("SIGTERM");
  const timer = setTimeout(() => child.kill("SIGKILL"), STOP_LIMIT_MS);
  await closed;
  clearTimeout(timer);
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}

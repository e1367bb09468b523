import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer } from "node:net";

export interface RunningServer {
  readonly url: string;
  /** Seconds of CPU until it served. */
  readonly startCpu: number;
  stop(): Promise<void>;
}

const START_MS = 120_000;

/** Starts standin as people do. Rejects with the last line it printed. */
export function startStandin(args: readonly string[]): Promise<RunningServer> {
  return start(process.execPath, ["dist/cli.js", ...args, "--port", "0"], /serving at (http:\/\/\S+)/);
}

export async function startPrism(prism: string, file: string): Promise<RunningServer> {
  const args = [prism, "mock", file, "--port", String(await freePort()), "--host", "127.0.0.1"];
  return start(process.execPath, args, /listening on (http:\/\/\S+)/);
}

async function start(command: string, args: readonly string[], address: RegExp): Promise<RunningServer> {
  const child = spawn(command, args, { stdio: ["ignore", "pipe", "pipe"], env: { ...process.env, NO_COLOR: "1" } });
  const exit = once(child, "exit");
  const stop = async (): Promise<void> => {
    child.kill("SIGKILL");
    await exit;
  };
  let printed = "";
  const timer = setTimeout(() => child.kill("SIGKILL"), START_MS);
  const url = await new Promise<string>((resolve, reject) => {
    const read = (piece: Buffer): void => {
      printed += piece;
      const found = address.exec(printed)?.[1];
      if (found) resolve(found);
    };
    child.stdout.on("data", read);
    child.stderr.on("data", read);
    void exit.then(() => reject(new Error(lastLine(printed) || `${command} ended without a word`)));
  }).finally(() => clearTimeout(timer));
  return { url, startCpu: cpuSeconds(child.pid!), stop };
}

/** Prism takes no port 0. Another process could take this one meanwhile, so a start may fail for that. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, "close");
  return port;
}

function lastLine(text: string): string {
  return text.trim().split("\n").at(-1)?.trim() ?? "";
}

function cpuSeconds(pid: number): number {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "utf8");
    const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
    return (Number(fields[11]) + Number(fields[12])) / 100;
  } catch {
    return Number.NaN;
  }
}

import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";

export const RUNTIMES = ["node", "bun", "deno"] as const;

export type RuntimeName = (typeof RUNTIMES)[number];

/** A program that runs JavaScript for the server. */
export interface Runtime {
  readonly name: RuntimeName;
  readonly version: string;
  /** The program and its first arguments; the script to run comes next. */
  readonly command: readonly [string, ...string[]];
  /** The same for a module that exports `fetch`, on a free port; undefined where there is no such server. */
  readonly server: readonly [string, ...string[]] | undefined;
}

/** The variable that names the program, where it is not on the PATH: `STANDIN_BUN=/opt/bun/bin/bun`. */
export function variableOf(name: RuntimeName): string {
  return `STANDIN_${name.toUpperCase()}`;
}

const FLAGS = {
  node: { command: [], server: undefined },
  bun: { command: [], server: ["--port=0"] },
  deno: { command: ["run", "--allow-all"], server: ["serve", "--allow-all", "--host=127.0.0.1", "--port=0"] },
} as const;

/** Finds an installed runtime; undefined when there is none. */
export function findRuntime(name: RuntimeName): Runtime | undefined {
  const program = process.env[variableOf(name)] ?? onPath(name);
  if (program === undefined) return undefined;
  const { stdout, status } = spawnSync(program, ["--version"], { encoding: "utf8" });
  const version = /\d+\.\d+\.\d+\S*/.exec(stdout ?? "")?.[0];
  if (status !== 0 || version === undefined) throw new Error(`${program} does not run.`);
  const { command, server } = FLAGS[name];
  return { name, version, command: [program, ...command], server: server && [program, ...server] };
}

function onPath(name: RuntimeName): string | undefined {
  if (name === "node") return process.execPath;
  const file = process.platform === "win32" ? `${name}.exe` : name;
  const places = (process.env.PATH ?? "").split(delimiter).filter((folder) => folder !== "");
  return places.map((folder) => join(folder, file)).find((path) => existsSync(path));
}

import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import postgres from "postgres";
import { createSelfSigned } from "../../src/http/node/tls/self-signed.ts";
import { createDatabase } from "../postgres/database.ts";
import { builtPackage } from "./build.ts";
import { CLI, createFolder, follow, type Run, runCli } from "./cli.ts";
import { parseCurl, runCurl, shellWords } from "./curl.ts";
import { addressOf, runKept } from "./kept-process.ts";
import { Likeness } from "./likeness.ts";
import { limit } from "./limits.ts";
import { ANY_PORT, listeningOf, TELLING, TOLD } from "./listening.ts";
import { trimLines } from "./pages.ts";
import { runTests } from "./test-runners.ts";

const DEFAULT_PORT = "3000";
/** The path that the pages show for their folder. */
const SHOWN_FOLDER = "/home/you/shop";
/** Files of the repository that the commands of the pages name. */
const EXAMPLE_FILES = ["docs/example-data.json", "docs/example-routes.json"];
/** Served where a page has not started anything itself. */
const DEFAULT_ARGS = ["docs/example-data.json", "--memory"];
/** Words after `standin` that serve nothing. */
const COMMANDS = new Set([
  "browser",
  "generate",
  "history",
  "snapshots",
  "explain",
  "doctor",
  "secret",
  "types",
  "client",
  "requests",
  "import",
  "export",
  "rules",
  "check",
  "bind",
  "convert",
  "drift",
  "help",
  "init",
  "version",
]);
/** The URL that the pages show for a database; each page has its own. */
const SHOWN_DATABASE = "postgres://localhost/shop";
/** The packages of a project: standin, and a TypeScript loader. */
const INSTALLED = {
  standin: builtPackage(),
  tsx: "node_modules/tsx",
  vitest: "node_modules/vitest",
  jest: "node_modules/jest",
  "@playwright/test": "node_modules/@playwright/test",
};
/** How long to wait for what the terminal is said to print. */
const PATIENCE_MS = limit(30_000);
/** A line of the request log, with the reason of a refusal below it. */
const REQUEST_LINE = /^\d\d:\d\d:\d\d [A-Z]+ \/\S* \d{3} [\d.]+ ms - .*\n(?: {9}\S.*\n)?/gm;

interface Serving {
  readonly run: Run;
  /** `localhost:41234` */
  readonly host: string;
  /** `localhost:3000` */
  readonly shownHost: string;
  /** How much of its output the page has shown. */
  read: { stdout: number; stderr: number };
}

/** A copy of an example, without what runs of it have left there. */
export function copyProject(project: string, folder: string): void {
  const isLeftover = (path: string): boolean => [".standin", "snapshots", "node_modules"].includes(basename(path));
  cpSync(project, folder, { recursive: true, filter: (path) => !isLeftover(path) });
}

/** Someone who reads a page from top to bottom in a folder of their own and types what stands there. */
export class Reader {
  readonly folder = createFolder();
  readonly #likeness = new Likeness();
  /** By the port that the page shows: a second server on another port leaves the first one alone. */
  readonly #servers = new Map<string, Serving>();
  #latest: Serving | undefined;
  #programs = 0;
  #database = SHOWN_DATABASE;

  /** `project` is the folder of an example; what its page says is typed there. */
  constructor(project?: string) {
    if (project) copyProject(project, this.folder);
    for (const file of EXAMPLE_FILES) {
      mkdirSync(dirname(join(this.folder, file)), { recursive: true });
      cpSync(file, join(this.folder, file));
    }
    mkdirSync(join(this.folder, "node_modules"), { recursive: true });
    for (const [name, path] of Object.entries(INSTALLED)) {
      mkdirSync(dirname(join(this.folder, "node_modules", name)), { recursive: true });
      symlinkSync(resolve(path), join(this.folder, "node_modules", name));
    }
    mkdirSync(join(this.folder, "node_modules/.bin"));
    writeFileSync(join(this.folder, "node_modules/.bin/standin"), `#!/bin/sh\nexec node "${CLI}" "$@"\n`, {
      mode: 0o755,
    });
  }

  /** Whole or not at all: a server may be watching. */
  saveFile(name: string, content: string): void {
    const file = join(this.folder, name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(join(this.folder, "unfinished.tmp"), `${content}\n`);
    renameSync(join(this.folder, "unfinished.tmp"), file);
  }

  /** Types a command; gives back what it prints, in the form the pages show. */
  async type(command: string): Promise<string> {
    if (command.startsWith("npx standin ")) return this.type(command.slice("npx ".length));
    const [, plain, file] = /^(standin .*) > (\S+)$/s.exec(command) ?? [];
    if (file !== undefined) {
      this.saveFile(file, await this.type(plain as string));
      return "";
    }
    if (command.includes(SHOWN_DATABASE) && this.#database === SHOWN_DATABASE) this.#database = await createDatabase();
    const installed = command.replace(/^npm ci && /, "");
    const [, settings = "", rest = ""] = /^((?:[A-Z_]+=\S+ )*)(.*)$/s.exec(this.#unscripted(installed)) ?? [];
    const env = Object.fromEntries(shellWords(settings).map((word) => word.split("=", 2)));
    const [piped, input] = rest.split(" | ").reverse();
    const [program, ...args] = shellWords(this.#likeness.real(piped as string));
    const typed = input === undefined ? undefined : shellWords(input).slice(1).join(" ");
    if (program === "curl") return this.#curl(args);
    if (program === "standin") return this.#standin(args, env, typed);
    if (program === "npx") return runTests(this.folder, args, env);
    if (program === "cat") return this.#asShown(readFileSync(join(this.folder, args[0] as string), "utf8").trimEnd());
    if (program === "node") return this.#serveFile(args[0] as string);
    if (program === "psql") return this.#runStatements(args);
    if (program === "openssl") return this.#makePair(args);
    if (program === "kill" && args[0] === "-9") return this.#kill(Number(args[1]));
    throw new Error(`No test knows how to run: ${command}`);
  }

  /** `psql -f`, for machines without it. */
  async #runStatements(args: readonly string[]): Promise<string> {
    const driver = postgres(this.#database, { max: 1, onnotice: () => {} });
    await driver.unsafe(readFileSync(join(this.folder, args.at(-1) as string), "utf8"));
    await driver.end();
    return "";
  }

  /** Runs a program of the page; gives back what it prints. */
  async runProgram(source: string, language: "js" | "python" = "js"): Promise<string> {
    // Apart from the files of the page, so that a process that is kept may come back to their folder.
    const file = `.programs/${++this.#programs}.${language === "js" ? "mjs" : "py"}`;
    this.saveFile(file, this.#withRealHosts(this.#likeness.real(source)));
    const { output, exit } =
      language === "js"
        ? runKept([], this.folder, {}, join(this.folder, file))
        : follow(spawn("python3", [file], { cwd: this.folder }));
    await exit;
    return this.#asShown(`${output.stdout}${output.stderr}`.trimEnd());
  }

  /** Whether what is shown is what was printed. */
  isLike(shown: string, output: string): boolean {
    return this.#likeness.isLike(shown, output);
  }

  /** The output of the last started server since the page last showed it, without requests. */
  async hears(shown: string): Promise<string> {
    const serving = this.#latest;
    if (!serving) throw new Error("No server is running.");
    const { run, read } = serving;
    for (const end = performance.now() + PATIENCE_MS; ; ) {
      const { stdout, stderr } = run.output;
      const fresh = `${stdout.slice(read.stdout)}${stderr.slice(read.stderr)}`;
      const heard = this.#asShown(trimLines(fresh.replace(REQUEST_LINE, "")));
      const isSame = this.#likeness.hasLines(shown, heard);
      if (!isSame && performance.now() < end) {
        await sleep(20);
        continue;
      }
      serving.read = { stdout: stdout.length, stderr: stderr.length };
      return isSame ? shown : heard;
    }
  }

  async leave(): Promise<void> {
    for (const port of this.#servers.keys()) await this.#stop(port, "SIGTERM");
  }

  async #stop(port: string, signal: NodeJS.Signals): Promise<void> {
    const run = this.#servers.get(port)?.run;
    this.#servers.delete(port);
    run?.child.kill(signal);
    await run?.exit;
  }

  async #kill(pid: number): Promise<string> {
    const [port] = [...this.#servers].find(([, { run }]) => run.child.pid === pid) ?? [];
    if (port === undefined) throw new Error(`The page started no process ${pid}.`);
    await this.#stop(port, "SIGKILL");
    return "";
  }

  /** A server of the page's own, on a free port in place of the one it names. */
  async #serveFile(name: string): Promise<string> {
    await this.#stop(DEFAULT_PORT, "SIGTERM");
    const options = { ...TOLD, cwd: this.folder, env: { ...process.env, ...ANY_PORT } };
    const child = spawn(process.execPath, [...TELLING, name], options);
    const run = follow(child as ChildProcessWithoutNullStreams);
    const { wanted, port } = await listeningOf(run);
    if (String(wanted) !== DEFAULT_PORT) throw new Error(`${name} wants port ${wanted}.`);
    const read = { stdout: 0, stderr: 0 };
    this.#servers.set(DEFAULT_PORT, { run, host: `localhost:${port}`, shownHost: `localhost:${DEFAULT_PORT}`, read });
    return "";
  }

  /** In place of openssl, which not every machine has: a pair under the names that were asked for. */
  async #makePair(args: readonly string[]): Promise<string> {
    const { cert, key } = await createSelfSigned();
    const after = (flag: string): string => args[args.indexOf(flag) + 1] as string;
    this.saveFile(after("-out"), cert.trimEnd());
    this.saveFile(after("-keyout"), key.trimEnd());
    // As openssl does.
    chmodSync(join(this.folder, after("-keyout")), 0o600);
    return "";
  }

  /** `npm start` is the command in this repository; in an example its own package.json says what it is. */
  #unscripted(command: string): string {
    const file = join(this.folder, "package.json");
    if (!existsSync(file)) return command.replace(/\bnpm start( --)?/, "standin");
    const { scripts } = JSON.parse(readFileSync(file, "utf8"));
    return command.replace(/\bnpm (?:run )?([\w-]+)( --)?/, (all, script) =>
      script in scripts ? scripts[script].replace("node ../../dist/cli.js", "standin") : all,
    );
  }

  async #curl(args: readonly string[]): Promise<string> {
    if (this.#servers.size === 0) await this.#standin(DEFAULT_ARGS);
    const request = parseCurl(
      args.map((word) => this.#withRealHosts(word)),
      this.folder,
    );
    return this.#asShown(await runCurl(request));
  }

  /** Runs the command line until it ends or serves. A server stays until the next one on its port or the end of the page. */
  async #standin(args: readonly string[], env: Record<string, string> = {}, typed?: string): Promise<string> {
    const real = args.map((word) => this.#withRealHosts(word));
    if (COMMANDS.has(args[0] ?? "") || ["hosted export", "files clean"].includes(args.slice(0, 2).join(" ")))
      return typed === undefined
        ? this.#told(runKept(real, this.folder, env))
        : this.#ended(runCli(real, this.folder, env), typed);
    const shownPort = this.#portOf(args);
    await this.#stop(shownPort, "SIGTERM");
    const isPort = (word: string | undefined): boolean => word === "--port" || word === "-p";
    const others = real.filter((word, position) => !isPort(word) && !isPort(real[position - 1]));
    const run = runKept([...others, "--port", "0"], this.folder, env);
    const address = await addressOf(run).catch(() => undefined);
    if (address === undefined) return this.#told(run);
    const { host } = new URL(address);
    const { stdout, stderr } = run.output;
    const read = { stdout: stdout.length, stderr: stderr.length };
    this.#latest = { run, host, shownHost: `localhost:${shownPort}`, read };
    this.#servers.set(shownPort, this.#latest);
    return trimLines(this.#asShown(`${stdout}${stderr}`));
  }

  async #ended(run: Run, typed = ""): Promise<string> {
    run.child.stdin?.end(`${typed}\n`);
    return this.#told(run);
  }

  async #told({ output, exit }: Omit<Run, "child">): Promise<string> {
    await exit;
    return trimLines(this.#asShown(`${output.stdout}${output.stderr}`));
  }

  /** The port on the command line, else that of the config file. */
  #portOf(args: readonly string[]): string {
    const [, port] = /(?:--port|-p) (\d+)/.exec(args.join(" ")) ?? [];
    const [, config = "standin.json"] = /(?:--config|-c) (\S+)/.exec(args.join(" ")) ?? [];
    const file = join(this.folder, config);
    if (port !== undefined || !existsSync(file)) return port ?? DEFAULT_PORT;
    return String(JSON.parse(readFileSync(file, "utf8")).port ?? DEFAULT_PORT);
  }

  #withRealHosts(text: string): string {
    let result = text.replaceAll(SHOWN_DATABASE, this.#database);
    for (const { host, shownHost } of this.#servers.values()) result = result.replaceAll(shownHost, host);
    return result;
  }

  #asShown(text: string): string {
    let result = text.replaceAll(this.folder, SHOWN_FOLDER).replaceAll(this.#database, SHOWN_DATABASE);
    for (const { host, shownHost } of this.#servers.values()) result = result.replaceAll(host, shownHost);
    return result;
  }
}

import { Writable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { StartError } from "../base/errors.ts";
import { version } from "../base/platform/files.ts";
import type { ServeOptions } from "../config/options.ts";
import { type Resolved, resolveServeOptions } from "../config/resolve.ts";
import { loadStdio } from "../features/agents/feature.ts";
import { IN_MEMORY } from "../features/snapshots/feature.ts";
import { AGENT_HEADER } from "../http/call.ts";
import { sendOverHttp } from "../http/node/send-over-http.ts";
import { type LockHolder, liveHolder } from "../store/file/lock.ts";
import { layoutOf } from "../store/open-store.ts";
import { servedSource } from "../store/sources/served-source.ts";
import { credentials } from "./credentials.ts";
import { defineCommand } from "./define-command.ts";
import { startServing } from "./serve.ts";
import { outliveOutput } from "./signals.ts";
import { createTerminal, type Terminal } from "./terminal.ts";

/** How long to wait for the address of a server that has just started. */
const ADDRESS_TRIES = 100;
const ADDRESS_WAIT_MS = 100;

/** The server that tools act on. */
interface Target {
  /** Asked again when nothing listens there any more. */
  url(): string;
  /** Called when the client has gone. */
  end(): void;
}

/** `standin mcp [source]`: the Model Context Protocol on standard input and output, for AI agents. */
export const mcpCommand = defineCommand({
  name: "mcp",
  usage: "[source]",
  summary: "let AI agents use the data (Model Context Protocol on stdio)",
  help: [
    "standin mcp [source] [options]   let an AI agent use the data: Model Context Protocol on standard input and output",
    "",
    "Connects to the server that uses the source, if there is one. Otherwise serves the source itself, over HTTP as well.",
    "An agent works in a sandbox, a private copy of the data, until its changes are promoted. Every server offers the same",
    "at /__mcp.",
    "",
    "Credentials for a protected server come from the environment: STANDIN_API_KEY for the api-key layer, STANDIN_TOKEN",
    "for the bearer and signed-token layers. Snapshots stay in memory unless --snapshots names a folder. If the port is in",
    "use, another one is used.",
    "",
    "Takes the options of standin [source]; see standin --help.",
  ],
  examples: ["standin mcp db.json", "claude mcp add standin -- npx standin mcp db.json"],
  resolve: resolveServeOptions,
  async run({ terminal: { print }, ...resolved }) {
    if (resolved.options.version) return print(version());
    if (resolved.mounts) throw new StartError("standin mcp uses one source, but there are several. Name one of them.");
    outliveOutput();
    const output = reserveOutput();
    if (resolved.options.noConsole) {
      throw new StartError("standin mcp is a part of the console: leave --no-console out.");
    }
    const terminal = createTerminal({ out: process.stderr });
    const target = (await join(resolved.options, terminal)) ?? (await serveOrJoin(resolved, terminal));
    const serveOnStdio = await loadStdio();
    await serveOnStdio({
      send: sendOverHttp(target.url, { ...credentials(), [AGENT_HEADER]: `stdio-${process.pid}` }),
      input: process.stdin,
      output,
      onError: ({ message }) => terminal.error(`  standin: a message cannot be read: ${message}`),
      onEnd: target.end,
    });
  },
});

/** Joins the server that runs on the source; undefined if there is none. */
async function join(options: ServeOptions, terminal: Terminal): Promise<Target | undefined> {
  const holder = holderOf(options);
  if (!holder) return undefined;
  const url = await addressOf(options, holder);
  if (url === undefined) return undefined;
  const { status } = await sendOverHttp(() => url, credentials())({ method: "GET", path: "/__mcp" });
  if (status === 404) {
    throw new StartError(`The server at ${url} was started with --no-console, so agents cannot use it.`);
  }
  terminal.error(`  standin: joined the server at ${url} (pid ${holder.pid})`);
  return { url: () => holderOf(options)?.url ?? url, end: () => {} };
}

function holderOf(options: ServeOptions): LockHolder | undefined {
  const { source } = servedSource(options);
  // Data that lives in memory belongs to its process.
  const layout = options.memory || source === "" ? undefined : layoutOf(source);
  return layout && liveHolder(layout.anchor);
}

/** The address of the server; undefined if it has ended meanwhile. */
async function addressOf(options: ServeOptions, { pid }: LockHolder): Promise<string | undefined> {
  for (let tries = 0; tries < ADDRESS_TRIES; tries++) {
    const holder = holderOf(options);
    if (!holder) return undefined;
    if (holder.url !== undefined) return holder.url;
    await sleep(ADDRESS_WAIT_MS);
  }
  throw new StartError(`${options.source} is in use by process ${pid}, which standin mcp cannot connect to.`);
}

async function serveOrJoin(resolved: Resolved<ServeOptions>, terminal: Terminal): Promise<Target> {
  try {
    return await serveHere(resolved, terminal);
  } catch (thrown) {
    // Another process may have started to serve the same file in this moment.
    const joined = await join(resolved.options, terminal);
    if (joined) return joined;
    throw thrown;
  }
}

/** Serves the data from this process, by HTTP as well: the code under test needs an address. */
async function serveHere(resolved: Resolved<ServeOptions>, terminal: Terminal): Promise<Target> {
  const options = { ...resolved.options, snapshots: resolved.options.snapshots ?? IN_MEMORY };
  const { url, stop } = await startServing({ ...resolved, options }, terminal).catch((thrown: unknown) => {
    if (!(thrown instanceof StartError) || !thrown.message.startsWith("EADDRINUSE")) throw thrown;
    terminal.error(`  standin: port ${options.port} is in use, so another one is taken`);
    return startServing({ ...resolved, options: { ...options, port: 0 } }, terminal);
  });
  return { url: () => url, end: stop };
}

/**
 * Keeps standard output for a protocol: everything else that is printed there, by users' code as well, goes to standard
 * error from now on.
 */
function reserveOutput(): Writable {
  const { stdout, stderr } = process;
  const write = stdout.write.bind(stdout);
  stdout.write = stderr.write.bind(stderr) as typeof stdout.write;
  return new Writable({
    decodeStrings: false,
    write: (chunk: string | Uint8Array, _encoding, done) => void write(chunk, () => done()),
  });
}

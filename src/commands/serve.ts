import { StartError } from "../base/errors.ts";
import { nearest } from "../base/nearest.ts";
import { version } from "../base/platform/files.ts";
import { prepareConfig } from "../config/config-module.ts";
import type { ServeOptions } from "../config/options.ts";
import { type Resolved, resolveServeOptions } from "../config/resolve.ts";
import { documentFeature } from "../features/openapi-source/feature.ts";
import type { Service } from "../http/contract.ts";
import { hiddenNames } from "../http/edge.ts";
import { servedSource } from "../store/sources/served-source.ts";
import { sourceKind } from "../store/sources/source-kind.ts";
import { networkAddresses, printBanner } from "./banner.ts";
import type { CommandTable } from "./define-command.ts";
import { keysHint, listenToKeys, openBrowser } from "./keys.ts";
import { runService, type Serving } from "./run-service.ts";
import { createStart, type DataStart, expectReadable, openingOf, startNotes } from "./served-data.ts";
import { outliveOutput } from "./signals.ts";
import { staticFolder } from "./static-folder.ts";
import { createReporter, createTerminal, type Terminal } from "./terminal.ts";

/** `standin [source]`: serves until a signal stops it. */
export async function serve(argv: readonly string[], commands: CommandTable): Promise<void> {
  outliveOutput();
  const terminal = createTerminal();
  await prepareConfig(argv, process.cwd());
  const resolved = resolveServeOptions(argv, process.cwd());
  if (resolved.options.help) {
    const { helpOf } = await import("./help.ts");
    return terminal.print(await helpOf(commands, resolved.options.source === "all"));
  }
  if (resolved.options.version) return terminal.print(version());
  for (const { options } of resolved.mounts ?? [resolved]) expectNoCommand(options, commands);
  const serving = resolved.mounts
    ? await (await import("./serve-mounts.ts")).serveMounts(resolved, resolved.mounts, terminal)
    : await startServing(resolved, terminal);
  serving.atEnd(listenToKeys(terminal, serving));
  if (resolved.options.open && !(await openBrowser(serving.url))) {
    terminal.print(`  No browser could be opened. Open ${serving.url} yourself.`);
  }
}

/** Starts a server with these options, which tells the terminal about it. */
export async function startServing(
  { options, warnings, configFile }: Resolved<ServeOptions>,
  terminal: Terminal,
): Promise<Serving> {
  const reporter = createReporter(terminal, options.quiet);
  for (const warning of warnings) reporter.warn(warning);
  const served = { ...options, static: staticFolder(options.static) };
  return serveData(await createStart(served, { configFile, terminal, reporter }));
}

/** A word that is no source may be a command with a typing mistake. */
function expectNoCommand(options: ServeOptions, commands: CommandTable): void {
  const { source, document } = servedSource(options);
  const isSource = document !== undefined || sourceKind(source) !== undefined;
  const names = Object.keys(commands);
  const command = isSource
    ? undefined
    : (names.find((name) => name.startsWith(`${source} `)) ?? nearest(source, names));
  if (command !== undefined) {
    throw new StartError(`${source} is neither a source nor a command. Did you mean "standin ${command}"?`);
  }
}

/** The port comes first: a start that fails because of it must not leave a file, a lock or a journal behind. */
function serveData(start: DataStart): Promise<Serving> {
  return runService({
    ...start,
    lookForProblems: () => expectReadable(start.options),
    services: [openingOf(start)],
    announce: ([service], url) => service && announce(start, url, service),
  });
}

function announce(start: DataStart, url: string, service: Service): void {
  const { options, terminal } = start;
  const { store, rewriter, steps, settings } = service;
  const facts = startNotes(start, service);
  const hint = keysHint();
  if (hint) facts.push(hint);
  printBanner(terminal, {
    url,
    network: networkAddresses(options.host, url),
    store,
    steps,
    rewrites: rewriter.rewrites,
    hasConsole: settings.console,
    hidden: hiddenNames(service),
    document: service.offer(documentFeature),
    notes: facts,
  });
}

import { existsSync, statSync } from "node:fs";
import { basename, resolve } from "node:path";
import { abandonService, closeService, openService } from "../app/open-service.ts";
import { StartError } from "../base/errors.ts";
import { version } from "../base/files/package-file.ts";
import { nearest } from "../base/nearest.ts";
import type { Reporter } from "../base/reporter.ts";
import { readIdKeys } from "../config/id-keys.ts";
import type { ServeOptions } from "../config/options.ts";
import { type Resolved, resolveServeOptions } from "../config/resolve.ts";
import { DOCUMENT, documentFeature, type GivenDocument } from "../features/openapi-source/feature.ts";
import { servedSource } from "../features/openapi-source/served-source.ts";
import { snapshotsFeature } from "../features/snapshots/feature.ts";
import type { Service } from "../http/contract.ts";
import { createHandler } from "../http/node/handler.ts";
import type { Listening } from "../http/node/server.ts";
import { stopServing } from "../http/node/stop.ts";
import { SAMPLE, suffixesIn } from "../http/relations/foreign-key-suffix.ts";
import type { Watcher } from "../store/file/watch-folders.ts";
import { layoutOf, openStore } from "../store/open-store.ts";
import { sourceKind } from "../store/sources/source-kind.ts";
import type { Exported } from "../store/store.ts";
import { printBanner } from "./banner.ts";
import { Baseline } from "./baseline.ts";
import { certificateNotes, openCertificate } from "./certificates.ts";
import type { COMMANDS } from "./command-table.ts";
import { followChanges, followedData } from "./follow-changes.ts";
import { generateIntoEmpty, generateMissing } from "./generate-missing.ts";
import { keysHint, listenToKeys } from "./keys.ts";
import { listenBeforeReady } from "./listen.ts";
import { networkAddresses } from "./network-addresses.ts";
import { openBrowser } from "./open-browser.ts";
import { outliveOutput, stopOnSignal } from "./signals.ts";
import { staticFolder } from "./static-folder.ts";
import { outliveUserCode } from "./stray-errors.ts";
import { createReporter, createTerminal, type Terminal } from "./terminal.ts";

const LARGE_FILE_BYTES = 16 * 1024 * 1024;

type Commands = typeof COMMANDS;

/** The state shared by the steps of a start. */
interface Start {
  readonly options: ServeOptions;
  /** The OpenAPI document in front of the data; undefined for data alone. */
  readonly document: string | undefined;
  readonly configFile: string | undefined;
  readonly terminal: Terminal;
  readonly reporter: Reporter;
  readonly baseline: Baseline;
  /** Decisions of the start that are worth knowing. */
  readonly notes: string[];
}

/** `standin [source]`: serves until a signal stops it. */
export async function serve(argv: readonly string[], commands: Commands): Promise<void> {
  outliveOutput();
  const terminal = createTerminal();
  const resolved = resolveServeOptions(argv, process.cwd());
  const names = Object.keys(commands).filter((name) => !name.includes(" "));
  if (resolved.options.help) {
    const { fullHelp, shortHelp } = await import("./help.ts");
    return terminal.print(
      resolved.options.source === "all"
        ? fullHelp(await Promise.all(names.map((name) => commands[name]!())))
        : shortHelp(names),
    );
  }
  if (resolved.options.version) return terminal.print(version());
  expectNoCommand(resolved.options, names);
  const serving = await startServing(resolved, terminal);
  serving.atEnd(listenToKeys(terminal, serving));
  if (resolved.options.open && !(await openBrowser(serving.url))) {
    terminal.print(`  No browser could be opened. Open ${serving.url} yourself.`);
  }
}

/** A server that runs until `stop` is called or a signal comes; then the process ends. */
export interface Serving {
  readonly service: Service;
  readonly url: string;
  stop(): void;
  /** Calls a function when the server stops. */
  atEnd(act: () => void): void;
}

/** Starts a server with these options, which tells the terminal about it. */
export async function startServing(
  { options: resolved, warnings, configFile }: Resolved<ServeOptions>,
  terminal: Terminal,
): Promise<Serving> {
  const { source, document } = servedSource(resolved);
  const options = { ...resolved, source, static: staticFolder(resolved.static) };
  const reporter = createReporter(terminal, options.quiet);
  for (const warning of warnings) reporter.warn(warning);
  const { routes, middlewares = [], plugins = [], rules } = options;
  const reloaded = [...plugins, ...(typeof rules === "string" ? [rules] : [])].map((file) => resolve(file));
  const watched = [configFile, routes, ...middlewares, ...reloaded, document && resolve(document)];
  const baseline = new Baseline(options.watch ? watched : []);
  return serveData({ options, document, configFile, terminal, reporter, baseline, notes: [] });
}

/** A word that is no source may be a command with a typing mistake. */
function expectNoCommand(options: ServeOptions, names: readonly string[]): void {
  const { source, document } = servedSource(options);
  const isSource = document !== undefined || sourceKind(source) !== undefined;
  const command = isSource ? undefined : nearest(source, names);
  if (command !== undefined) {
    throw new StartError(`${source} is neither a source nor a command. Did you mean "standin ${command}"?`);
  }
}

async function serveData(start: Start): Promise<Serving> {
  const { options, reporter, notes } = start;
  // The port first: a start that fails because of it must not leave a file, a lock or a journal behind.
  const certificate = await openCertificate(options, options.source);
  if (certificate?.warning) reporter.warn(certificate.warning);
  const { listening, ready } = await listenBeforeReady({
    ...options,
    terminal: start.terminal,
    certificate,
    lookForProblems: () => expectReadable(options),
  });
  let opened: Service | undefined;
  try {
    const service = await openServed(start);
    opened = service;
    await lookAtData(start, service);
    service.store.announceAddress?.(listening.url);
    ready(await createHandler(service));
    const watcher = options.watch ? follow(start, service) : undefined;
    const endings: (() => void)[] = [() => watcher?.close()];
    const stop = stopOnSignal(reporter, async () => {
      for (const end of endings) end();
      await stopServing(service, listening, service.store.shared ? "shared" : "process");
      await closeService(service);
    });
    outliveUserCode(
      service.steps,
      reporter,
      service.features.flatMap(({ watched }) => watched?.files() ?? []),
    );
    certificate?.keep?.();
    if (certificate) notes.push(...certificateNotes(certificate));
    if (!options.quiet) announce(start, listening, service);
    return { service, url: listening.url, stop, atEnd: (act) => endings.push(act) };
  } catch (thrown) {
    await listening.abort();
    // Open database connections would keep the process alive.
    if (opened) await abandonService(opened);
    throw thrown;
  }
}

/** A source that cannot be read is the first problem to solve, whatever else is wrong. Loads no module or URL; writes nothing. */
async function expectReadable(options: ServeOptions): Promise<void> {
  const kind = sourceKind(options.source);
  const isFile = kind === "file" || kind === "folder";
  if (options.source === "" || (isFile ? !existsSync(options.source) : kind !== undefined)) return;
  const reading = { memory: true, durability: "process", followsOutside: false, warn: () => {} } as const;
  await (await openStore(options.source, { ...readIdKeys(options), ...reading })).close();
}

function follow({ options, configFile, baseline }: Start, service: Service): Watcher {
  const served = options.source === "" ? undefined : followedData(service, options.source);
  return followChanges({ edge: service, routes: options.routes, configFile, served: served ? [served] : [], baseline });
}

async function openServed(start: Start): Promise<Service> {
  const { options, document, configFile, reporter, notes } = start;
  const generated = document === undefined ? await generateMissing(options, start.terminal) : undefined;
  if (generated) notes.push(generated.note);
  const isRead = options.quiet ? () => {} : sayReading(options.source, start.terminal);
  return openService(options, {
    reporter,
    place: configFile ?? "standin.json",
    note: (text) => notes.push(text),
    ...(document !== undefined && { given: { [DOCUMENT]: { file: document } satisfies GivenDocument } }),
    openData: (given) => openStore(generated?.source ?? options.source, given).finally(isRead),
  });
}

async function lookAtData({ options, document, notes }: Start, service: Service): Promise<void> {
  if (document === undefined) notes.push(...(await generateIntoEmpty(service.store)));
  warnOfHiddenNames(service);
  // A document says by itself what its records refer to.
  if (document === undefined && options.foreignKeySuffix === undefined && !options.quiet) {
    notes.push(...foreignKeyNotes(await service.store.export(SAMPLE)));
  }
}

function foreignKeyNotes(members: readonly Exported[]): string[] {
  const found = suffixesIn(members);
  if (found.size === 0) return [];
  const suffixes = [...found].map(([suffix, names]) => (found.size > 1 ? `${suffix} in ${names.join(", ")}` : suffix));
  return [`foreign keys end in ${suffixes.join(", and in ")} (detected; change it with --foreignKeySuffix)`];
}

/** Shows a line while a large file, which takes seconds, is being read. */
function sayReading(source: string, terminal: Terminal): () => void {
  const bytes = statSync(source, { throwIfNoEntry: false })?.size ?? 0;
  if (bytes < LARGE_FILE_BYTES) return () => {};
  return terminal.waiting(`Reading ${source} (${Math.round(bytes / 2 ** 20)} MB)`);
}

function warnOfHiddenNames({ store, steps, reporter, reservedNames }: Service): void {
  const hasLogin = steps.some((step) => step.kind === "layer" && step.name === "signed-token");
  for (const { name } of store.members()) {
    if (reservedNames.includes(name) || (hasLogin && name === "login")) {
      reporter.warn(`/${name} is a built-in route, so the data key "${name}" is hidden.`);
    }
  }
}

function announce({ options, terminal, notes }: Start, { url }: Listening, service: Service): void {
  const { store, rewriter, steps, settings } = service;
  const snapshots = service.offer(snapshotsFeature);
  const facts = [...notes];
  if (options.watch && layoutOf(options.source)) facts.push(`watching ${basename(options.source)} for changes`);
  if (snapshots) facts.push(`saving snapshots to ${snapshots.place}`);
  const hint = keysHint();
  if (hint) facts.push(hint);
  printBanner(terminal, {
    url,
    network: networkAddresses(options.host, url),
    store,
    steps,
    rules: rewriter.rules,
    hasConsole: settings.console,
    document: service.offer(documentFeature),
    notes: facts,
  });
}

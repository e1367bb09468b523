import { existsSync, statSync } from "node:fs";
import { basename } from "node:path";
import { createChance } from "../clock-and-random.ts";
import type { ServeOptions } from "../config/options.ts";
import { resolveServeOptions } from "../config/resolve.ts";
import { messageOf, StartError } from "../errors.ts";
import type { Fault } from "../features/faults/fault.ts";
import { FaultProblem, readFaults } from "../features/faults/read-fault.ts";
import { createLive } from "../features/live/live.ts";
import { type SnapshotKeeper, Snapshots } from "../features/snapshots/folder-snapshots.ts";
import { createHandler } from "../http/handler.ts";
import { createIsolation } from "../http/isolation.ts";
import { readAllowedHosts } from "../http/own-routes.ts";
import { SAMPLE, suffixesIn } from "../http/relations/foreign-key-suffix.ts";
import { WINNING_NAMES } from "../http/router.ts";
import type { Listening } from "../http/server.ts";
import type { Service, ServiceSettings, Step } from "../http/service.ts";
import { stopServing } from "../http/stop.ts";
import type { JsonObject } from "../json.ts";
import { version } from "../package-file.ts";
import type { Reporter } from "../reporter.ts";
import { layoutOf, openStore } from "../store/open.ts";
import type { PostgresStore } from "../store/postgres/postgres-store.ts";
import { sourceKind } from "../store/sources/source-kind.ts";
import type { Exported, Store } from "../store/store.ts";
import { printBanner } from "./banner.ts";
import { certificateNotes, openCertificate } from "./certificates.ts";
import { openEdge } from "./edge.ts";
import { Baseline, followChanges, followedData } from "./follow-changes.ts";
import { generateIntoEmpty, generateMissing } from "./generate-missing.ts";
import { serveHelp } from "./help.ts";
import { listenBeforeReady } from "./listen.ts";
import { postgresSettings } from "./postgres-settings.ts";
import { outliveOutput, saveOnKey, stopOnSignal } from "./signals.ts";
import { outliveInterceptors } from "./stray-errors.ts";
import { createReporter, createTerminal, type Terminal } from "./terminal.ts";

const LARGE_FILE_BYTES = 16 * 1024 * 1024;

/** `standin [source]`: serves until a signal ends it. */
export async function serve(argv: readonly string[]): Promise<void> {
  outliveOutput();
  const terminal = createTerminal();
  const { options, warnings, configFile } = resolveServeOptions(argv, process.cwd());
  if (options.help) return terminal.print(serveHelp());
  if (options.version) return terminal.print(version());
  const reporter = createReporter(terminal, options.quiet);
  for (const warning of warnings) reporter.warn(warning);
  const baseline = new Baseline(options.watch ? [configFile, options.routes, ...(options.middlewares ?? [])] : []);

  // The port first: a start that fails for it must leave no file, no lock and no journal behind.
  const certificate = await openCertificate(options, options.source);
  const { listening, ready } = await listenBeforeReady(options, certificate);
  let opened: Store | undefined;
  const onOpen = (store: Store): void => {
    opened = store;
  };
  try {
    const notes: string[] = [];
    const service = await createService(options, configFile, terminal, reporter, notes, onOpen);
    ready(await createHandler(service));
    const watcher = options.watch
      ? followChanges(service, options.routes, configFile, followedData(service, options.source), baseline)
      : undefined;
    stopOnSignal(reporter, async () => {
      watcher?.close();
      await stopServing(service, listening, service.store.kind === "postgres" ? "shared" : "process");
      await service.store.close();
    });
    outliveInterceptors(service.steps, reporter);
    certificate?.keep?.();
    if (certificate) notes.push(...certificateNotes(certificate));
    if (!options.quiet) announce(terminal, listening, service, options, notes);
    saveOnKey(terminal, service);
  } catch (thrown) {
    await listening.abort();
    // Connections to a database would keep the process alive. Why the start failed is what counts.
    await opened?.close().catch(() => undefined);
    throw thrown;
  }
}

async function createService(
  options: ServeOptions,
  configFile: string | undefined,
  terminal: Terminal,
  reporter: Reporter,
  notes: string[],
  onOpen: (store: Store) => void,
): Promise<Service> {
  const generated = await generateMissing(options, terminal);
  if (generated) notes.push(generated.note);
  // Everything that can be wrong is looked at before the data file is locked.
  const chance = createChance(readClock(options.clock), options.seed);
  const faults = readFaultRules(options.faults, configFile ?? "standin.json");
  const postgres = postgresSettings(options, configFile);
  const allowedHosts = readAllowedHosts(options.host, options.allowedHosts);
  const isShared = sourceKind(options.source) === "postgres" && !options.memory;
  let shared: PostgresStore | undefined;
  const edge = await openEdge(
    options,
    configFile,
    reporter,
    chance,
    isShared ? (key, windowSeconds) => shared!.countRequest(key, windowSeconds) : undefined,
  );
  const folderSnapshots = isShared ? undefined : openSnapshots(options.snapshots, chance.now, notes);
  const isRead = options.quiet ? () => {} : sayReading(options.source, terminal);
  const store = await openStore(generated?.source ?? options.source, {
    idKey: options.id,
    durability: options.durability === "disk" ? "disk" : "process",
    followsOutside: options.watch,
    memory: options.memory,
    warn: reporter.warn,
    postgres,
    seed: options.seed,
  }).finally(isRead);
  onOpen(store);
  if (isShared) {
    shared = store as PostgresStore;
    notes.push(...(await generateIntoEmpty(shared)));
  }
  const snapshots = shared ? await databaseSnapshots(shared) : folderSnapshots;
  warnOfHiddenNames(store, edge.steps, reporter);
  if (options.foreignKeySuffix === undefined && !options.quiet)
    notes.push(...foreignKeyNotes(await store.export(SAMPLE)));
  const settings: ServiceSettings = {
    ...edge.settings,
    foreignKeySuffix: options.foreignKeySuffix,
    readOnly: options.readOnly,
    allowedHosts,
    console: !options.noConsole,
    traffic: options.traffic,
  };
  const { now } = chance;
  const live = createLive(store, settings, now);
  const limits = {
    count: options.sandboxes,
    expirySeconds: options.sandboxExpiry,
    megabytes: options.sandboxMegabytes,
  };
  const isolation = createIsolation(store, live, limits, options.seed);
  isolation.faults.add(faults, true);
  return { ...edge, store, snapshots, live, startedAt: now(), settings, now, ...isolation };
}

function foreignKeyNotes(members: readonly Exported[]): string[] {
  const found = suffixesIn(members);
  if (found.size === 0) return [];
  const suffixes = [...found].map(([suffix, names]) => (found.size > 1 ? `${suffix} in ${names.join(", ")}` : suffix));
  return [`foreign keys end in ${suffixes.join(", and in ")} (chosen from the data; --foreignKeySuffix changes it)`];
}

function readClock(clock: string | undefined): number | undefined {
  if (clock === undefined) return undefined;
  const time = Date.parse(clock);
  if (!Number.isNaN(time)) return time;
  throw new StartError(`clock: ${JSON.stringify(clock)} is no time. Write it as 2030-01-01T12:00:00Z.`);
}

function readFaultRules(rules: readonly JsonObject[] = [], file: string): Fault[] {
  try {
    return readFaults(rules);
  } catch (thrown) {
    throw thrown instanceof FaultProblem ? new StartError(`${file}: "faults${thrown.key}" ${thrown.message}`) : thrown;
  }
}

/** A large file takes seconds: whoever looks at the terminal is to know what for. */
function sayReading(source: string, terminal: Terminal): () => void {
  const bytes = statSync(source, { throwIfNoEntry: false })?.size ?? 0;
  if (bytes < LARGE_FILE_BYTES) return () => {};
  return terminal.waiting(`Reading ${source} (${Math.round(bytes / 2 ** 20)} MB)`);
}

async function databaseSnapshots(store: PostgresStore): Promise<SnapshotKeeper> {
  const { DatabaseSnapshots } = await import("../features/snapshots/database-snapshots.ts");
  return new DatabaseSnapshots(store);
}

function openSnapshots(folder: string | undefined, now: () => number, notes: string[]): Snapshots | undefined {
  if (folder === undefined) return undefined;
  const isThere = existsSync(folder);
  try {
    const snapshots = new Snapshots(folder, now);
    if (!isThere) notes.push(`the snapshot folder ${folder} did not exist and has been created`);
    return snapshots;
  } catch (thrown) {
    throw new StartError(`The snapshot folder ${folder} cannot be used: ${messageOf(thrown)}`);
  }
}

function warnOfHiddenNames(store: Store, steps: readonly Step[], reporter: Reporter): void {
  const hasLogin = steps.some((step) => step.kind === "layer" && step.name === "signed-token");
  for (const { name } of store.members()) {
    if (WINNING_NAMES.includes(name) || (hasLogin && name === "login")) {
      reporter.warn(`/${name} is a built-in route, so the data key "${name}" is hidden.`);
    }
  }
}

function announce(
  terminal: Terminal,
  { url }: Listening,
  { store, rewriter, snapshots, steps, settings }: Service,
  options: ServeOptions,
  notes: readonly string[],
): void {
  const facts = [...notes];
  if (options.watch && layoutOf(options.source)) facts.push(`watching ${basename(options.source)} for changes`);
  if (snapshots) facts.push(`snapshots are saved to ${snapshots.place}${process.stdin.isTTY ? " (s + enter)" : ""}`);
  printBanner(terminal, { url, store, steps, rules: rewriter.rules, hasConsole: settings.console, notes: facts });
}

import { accessSync, constants, existsSync, statSync } from "node:fs";
import { basename, dirname, resolve } from "node:path";
import { Baseline } from "../app/baseline.ts";
import { baselineOf, followChanges, followedData, isModule } from "../app/follow-changes.ts";
import { abandonService, openService } from "../app/open-service.ts";
import { StartError } from "../base/errors.ts";
import { realPath } from "../base/files/atomic-write.ts";
import { fileProblem } from "../base/files/file-problem.ts";
import { type JsonObject, parseJson } from "../base/json/json.ts";
import type { Reporter } from "../base/reporter.ts";
import { readIdKeys } from "../config/collections.ts";
import { startFilesOf } from "../config/env-file.ts";
import type { ServeOptions } from "../config/options.ts";
import { DOCUMENT, type GivenDocument } from "../features/openapi-source/feature.ts";
import { snapshotsFeature } from "../features/snapshots/feature.ts";
import { readBase } from "../http/base-path.ts";
import type { Service } from "../http/contract.ts";
import { hiddenNames } from "../http/edge.ts";
import { SAMPLE, suffixesIn } from "../http/relations/foreign-key-suffix.ts";
import { liveHolder } from "../store/file/lock.ts";
import { lostSource } from "../store/file/replaced/lost-files.ts";
import type { Watcher } from "../store/file/watch-folders.ts";
import { layoutOf, openStore } from "../store/open-store.ts";
import { loadedSource } from "../store/sources/served-source.ts";
import { sourceKind } from "../store/sources/source-kind.ts";
import type { Exported, Store } from "../store/store.ts";
import { freshData, isMissingFile, refuseMistyped } from "./fresh-data.ts";
import type { ServiceOpening } from "./run-service.ts";
import type { Terminal } from "./terminal.ts";

const EMPTY_DATABASE = "load a data file with standin import, or add --sample products";

const LARGE_FILE_BYTES = 16 * 1024 * 1024;

/** The state shared by the steps of a start. */
export interface DataStart {
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

/** Prepares a start before anything reads the files that it follows. */
export async function createStart(
  resolved: ServeOptions,
  given: Pick<DataStart, "configFile" | "terminal" | "reporter">,
): Promise<DataStart> {
  const { source, document } = await loadedSource(resolved);
  const options = { ...resolved, source, base: readBase(resolved.base) };
  const others = [document && resolve(document), isModule(source) ? source : undefined];
  const startFiles = startFilesOf(given.configFile);
  const baseline = options.watch ? baselineOf(options, [...startFiles, ...others]) : new Baseline();
  return { ...given, options, document, baseline, notes: [] };
}

/** The way to the service of a start. */
export function openingOf(start: DataStart): ServiceOpening {
  const open = (): Promise<Service> => openServed(start);
  return start.options.watch ? { open, follow: (service) => followServed(start, service) } : { open };
}

/** The lines of a banner about a start, beside its data. */
export function startNotes({ options, notes }: DataStart, service: Service): string[] {
  const facts = [...notes];
  const snapshots = service.offer(snapshotsFeature);
  if (options.watch && (layoutOf(options.source) || isModule(options.source)))
    facts.push(`watching ${basename(options.source)} for changes`);
  if (snapshots) facts.push(`saving snapshots to ${snapshots.place}`);
  return facts;
}

/** A source that cannot be read is the first problem to solve, whatever else is wrong. Loads no module or URL; writes nothing. */
export async function expectReadable(options: ServeOptions): Promise<void> {
  const kind = sourceKind(options.source);
  const isFile = kind === "file" || kind === "folder";
  if (options.source === "" || (isFile ? !existsSync(options.source) : kind !== undefined)) return;
  const reading = { memory: true, durability: "process", followsOutside: false, warn: () => {} } as const;
  await (await openStore(options.source, { ...readIdKeys(options), ...reading })).close();
}

function followServed({ options, configFile, baseline }: DataStart, service: Service): Watcher {
  const served = options.source === "" ? undefined : followedData(service, options.source, baseline);
  return followChanges({
    edge: service,
    routes: options.routes,
    startFiles: startFilesOf(configFile),
    served: served ? [served] : [],
    baseline,
  });
}

async function openServed(start: DataStart): Promise<Service> {
  const { options, document, configFile, reporter, notes } = start;
  const generated = document === undefined ? await generateMissing(options, start.terminal) : undefined;
  if (generated) notes.push(generated.note);
  const isRead = options.quiet ? () => {} : sayReading(options.source, start.terminal);
  const service = await openService(options, {
    reporter,
    place: configFile ?? "standin.json",
    note: (text) => notes.push(text),
    settings: { adminToken: process.env.STANDIN_ADMIN_TOKEN },
    ...(document !== undefined && { given: { [DOCUMENT]: { file: document } satisfies GivenDocument } }),
    openData: (given) => openStore(generated?.source ?? options.source, given).finally(isRead),
  });
  await lookAtData(start, service).catch(async (thrown) => {
    await abandonService(service);
    throw thrown;
  });
  return service;
}

async function lookAtData({ options, document, notes }: DataStart, service: Service): Promise<void> {
  if (document === undefined) notes.push(...(await fillEmpty(service.store, options)));
  warnOfHiddenNames(service);
  // A document says by itself what its records refer to, and so do tables.
  const isTold = document !== undefined || options.tables !== undefined || options.foreignKeySuffix !== undefined;
  if (!isTold && !options.quiet) {
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

function warnOfHiddenNames(service: Service): void {
  const { store, reporter } = service;
  const taken = hiddenNames(service);
  for (const { name } of store.members()) {
    if (taken.includes(name)) {
      reporter.warn(`/${name} is a built-in route, so the data key "${name}" is hidden.`);
    } else if (name.startsWith("__")) {
      reporter.warn(
        `The data key "${name}" takes the place of the built-in route /${name}. Give it a name without "__".`,
      );
    }
  }
}

/**
 * Creates a missing data file with the generated reference dataset, or with a sample, unless another file was probably meant.
 * With `--memory`, which never writes, the data is served without a file. Undefined if nothing is missing.
 */
async function generateMissing(
  options: ServeOptions,
  terminal: Terminal,
): Promise<{ note: string; source: string | JsonObject } | undefined> {
  const { source, memory, quiet, sample } = options;
  const isMissing = isMissingFile(source);
  if (sample !== undefined && options.tables !== undefined) {
    throw new StartError("--sample fills data of standin's own. Leave it out to serve existing tables.");
  }
  if (sample !== undefined && !isMissing && sourceKind(source) !== "postgres") {
    throw new StartError(`--sample ${sample} is for a new data file: name one that does not exist yet, not ${source}.`);
  }
  if (!isMissing) return undefined;
  // A killed server left the file under another name: opening the store restores it.
  if (lostSource(source) !== undefined) return undefined;
  // Another running server will write the file again; opening the store names that server.
  if (!memory && liveHolder(realPath(source))) return undefined;
  // A sample is asked for by name.
  if (sample === undefined) refuseMistyped(source);
  const { amount, pieces } = await freshData(options);
  if (memory) {
    const database = parseJson([...pieces].join("")) as JsonObject;
    return { note: `${source} does not exist; generated ${amount} in memory`, source: database };
  }
  const { writeDataset } = await import("../schema/generate/write-dataset.ts");
  try {
    // A file that cannot be created gets one message, which says so.
    accessSync(`${dirname(source)}/.`, constants.W_OK);
    if (!quiet) terminal.print(`  ${source} does not exist; creating it with generated data ...`);
    await writeDataset(source, pieces);
  } catch (thrown) {
    throw new StartError(`${source} cannot be created: ${fileProblem(thrown)}`);
  }
  return { note: `${source} did not exist; created it with ${amount}`, source };
}

/** Fills a new database with a sample, if told so; of several processes that start, only one does. */
async function fillEmpty(store: Store, options: ServeOptions): Promise<string[]> {
  if (!store.seed || store.members().length > 0) return [];
  if (options.sample === undefined) return [EMPTY_DATABASE];
  const { amount, pieces } = await freshData(options);
  const isMade = await store.seed(() => parseJson([...pieces].join("")) as JsonObject);
  return isMade ? [`the database was empty; generated ${amount}`] : [];
}

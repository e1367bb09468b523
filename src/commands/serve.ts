import { existsSync, readFileSync, statSync } from "node:fs";
import { resolve } from "node:path";
import type { ServeOptions } from "../config/options.ts";
import { resolveServeOptions } from "../config/resolve.ts";
import { chooseForeignKeySuffix } from "../describe/foreign-key-suffix.ts";
import { messageOf, StartError } from "../errors.ts";
import { createHandler } from "../http/handler.ts";
import { WINNING_NAMES } from "../http/router.ts";
import { type Listening, listen } from "../http/server.ts";
import { DEFAULT_SETTINGS, noRewriting, type Rewriter, type Service } from "../http/service.ts";
import { isJsonObject, parseJson } from "../json.ts";
import type { Reporter } from "../reporter.ts";
import { loadDataFile } from "../store/file/data-file.ts";
import { FileStore } from "../store/file/file-store.ts";
import { MemoryStore } from "../store/memory/memory-store.ts";
import { State } from "../store/memory/state.ts";
import type { Store } from "../store/store.ts";
import { printBanner } from "./banner.ts";
import { serveHelp } from "./help.ts";
import { createReporter, createTerminal, type Terminal } from "./terminal.ts";
import { version } from "./version.ts";

/** `standin [source]`: serves until a signal ends it. */
export async function serve(argv: readonly string[]): Promise<void> {
  const terminal = createTerminal();
  const { options, warnings } = resolveServeOptions(argv, process.cwd());
  if (options.help) return terminal.print(serveHelp());
  if (options.version) return terminal.print(version());
  const reporter = createReporter(terminal, options.quiet);
  for (const warning of warnings) reporter.warn(warning);

  const created = await createMissingSource(options, terminal);
  const store = openStore(options, reporter);
  const notes = created ? [created] : [];
  const foreignKeySuffix = options.foreignKeySuffix ?? chooseForeignKeySuffix(await store.export());
  if (options.foreignKeySuffix === undefined) {
    notes.push(`foreign keys end in ${foreignKeySuffix} (chosen from the data; --foreignKeySuffix changes it)`);
  }
  const rewriter = await loadRewriter(options.routes);
  const service: Service = {
    store,
    rewriter,
    reporter,
    startedAt: Date.now(),
    settings: {
      ...DEFAULT_SETTINGS,
      foreignKeySuffix,
      cors: !options.noCors,
      compression: !options.noGzip,
      pretty: options.pretty,
      readOnly: options.readOnly,
      trustProxy: options.trustProxy,
      delayMs: options.delay,
      staticFolder: staticFolder(options.static),
    },
  };
  warnOfHiddenNames(store, reporter);
  const listening = await listenOrExplain(service, options);
  if (!options.quiet) printBanner(terminal, { url: listening.url, store, rules: rewriter.rules, notes });
  stopOnSignal(listening, store, reporter);
}

/** A missing data file is made with the generated reference dataset; gives back the sentence that says so. */
async function createMissingSource({ source, quiet }: ServeOptions, terminal: Terminal): Promise<string | undefined> {
  if (!source.endsWith(".json")) {
    throw new StartError(`${source} cannot be served: the source must be a .json file. Try: standin db.json`);
  }
  if (existsSync(source)) return undefined;
  const { writeDataset } = await import("../generate/write-dataset.ts");
  if (!quiet) terminal.print(`  ${source} does not exist; creating it with generated data ...`);
  try {
    await writeDataset(source, { products: 100, companies: 100 });
  } catch (thrown) {
    throw new StartError(`${source} cannot be created: ${messageOf(thrown)}`);
  }
  return `${source} was missing and has been created with 100 products and 100 companies`;
}

function openStore({ source, memory, id }: ServeOptions, reporter: Reporter): Store {
  const state = State.load(loadDataFile(source), id, (text) => reporter.warn(`${source}: ${text}`));
  return memory ? new MemoryStore(state) : new FileStore(state, resolve(source));
}

async function loadRewriter(file: string | undefined): Promise<Rewriter> {
  if (file === undefined) return noRewriting;
  const { createRewriter } = await import("../http/rewrite.ts");
  try {
    const rules = parseJson(readFileSync(file, "utf8"));
    if (!isJsonObject(rules)) throw new StartError("it must hold a JSON object, path to path.");
    for (const [from, to] of Object.entries(rules)) {
      if (typeof to !== "string") throw new StartError(`rule "${from}": the target must be a text, a path.`);
    }
    return createRewriter(rules as Record<string, string>);
  } catch (thrown) {
    throw new StartError(`The rewrite file ${file} cannot be used: ${messageOf(thrown)}`);
  }
}

/** The folder asked for must exist; `./public` is taken when it does, as in 0.17. */
function staticFolder(given: string | undefined): string | undefined {
  const folder = resolve(given ?? "public");
  const isFolder = statSync(folder, { throwIfNoEntry: false })?.isDirectory() ?? false;
  if (isFolder) return folder;
  if (given !== undefined) throw new StartError(`The static folder ${given} does not exist.`);
  return undefined;
}

function warnOfHiddenNames(store: Store, reporter: Reporter): void {
  for (const { name } of store.members()) {
    if (WINNING_NAMES.includes(name))
      reporter.warn(`/${name} is a built-in route, so the data key "${name}" is hidden.`);
  }
}

async function listenOrExplain(service: Service, { host, port }: ServeOptions): Promise<Listening> {
  try {
    return await listen(await createHandler(service), host, port);
  } catch (thrown) {
    const { code } = thrown as NodeJS.ErrnoException;
    if (code === "EADDRINUSE") {
      throw new StartError(
        `EADDRINUSE: port ${port} is already in use. Choose another with --port, for example --port ${port + 1} ` +
          "(npm run start:3001 uses 3001).",
      );
    }
    if (code === "EACCES")
      throw new StartError(`EACCES: port ${port} may not be used. Choose one above 1023 with --port.`);
    if (code === "ENOTFOUND" || code === "EADDRNOTAVAIL") {
      throw new StartError(`${code}: this machine has no address "${host}". Choose another with --host.`);
    }
    throw thrown;
  }
}

/** The first signal stops in good order; a second one does not wait. */
function stopOnSignal(listening: Listening, store: Store, reporter: Reporter): void {
  let isStopping = false;
  const stop = async (): Promise<void> => {
    if (isStopping) process.exit(1);
    isStopping = true;
    try {
      await listening.close();
      await store.close();
      process.exit(0);
    } catch (thrown) {
      reporter.fault("The stop was not clean.", thrown);
      process.exit(1);
    }
  };
  process.on("SIGINT", () => void stop());
  process.on("SIGTERM", () => void stop());
}

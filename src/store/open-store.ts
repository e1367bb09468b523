import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, extname, join } from "node:path";
import { StartError } from "../base/errors.ts";
import { type Json, type JsonObject, stringifyJson } from "../base/json/json.ts";
import type { FileStoreOptions } from "./file/file-parts.ts";
import { formatOf, prepareFormats } from "./file/formats/formats.ts";
import { folderOfFiles, type Layout, singleFile } from "./file/layout.ts";
import { openCopy, openFiles } from "./file/open-files.ts";
import { IdKeys } from "./id-keys.ts";
import { noJournal } from "./memory/live-data.ts";
import { MemoryStore } from "./memory/memory-store.ts";
import { databaseProblem, State } from "./memory/state.ts";
import type { PostgresOptions } from "./postgres/open-postgres.ts";
import { sourceKind, withoutPassword } from "./sources/source-kind.ts";
import { contentOf, type Store } from "./store.ts";

export interface OpenOptions extends FileStoreOptions {
  /** Loads the source, but never writes it. */
  readonly memory: boolean;
  /** The settings of the database, if the source is one. */
  readonly postgres?: Partial<PostgresSettings> | undefined;
  /** The existing tables of the database to serve; undefined where it has data of standin's own. */
  readonly tables?: string | undefined;
}

export type PostgresSettings = Omit<PostgresOptions, "idKey" | "idKeys" | "warn" | "completions" | "rules" | "history">;

/** Opens the store of a source. Modules and URLs are served from memory; files and folders are kept up to date. */
export async function openStore(source: string | JsonObject, options: OpenOptions): Promise<Store> {
  if (typeof source !== "string") return new MemoryStore(State.load(source, IdKeys.from(options), options));
  const kind = sourceKind(source);
  if (kind === undefined) throw unsupported(source);
  if (kind === "postgres") return openDatabase(source, options);
  if (options.tables !== undefined) {
    throw new StartError(`--tables serves the tables of a postgres:// URL; ${source} has none.`);
  }
  if (kind === "file" || kind === "folder") await prepareFormats(kind === "file" ? [source] : readdirSync(source));
  const layout = layoutOf(source, kind);
  if (layout) return options.memory ? openCopy(layout, options) : openFiles(withoutComments(layout), options);
  return openLoaded(source, options);
}

/** Whether other processes may serve the same data at the same time, and share what standin stores beside it. */
export function isSharedSource({ source, memory, tables }: SharedSource): boolean {
  return !memory && tables === undefined && sourceKind(source) === "postgres";
}

interface SharedSource {
  readonly source: string;
  readonly memory: boolean;
  readonly tables?: string | undefined;
}

/** The layout of a file or folder; undefined for other sources. */
export function layoutOf(source: string, kind = sourceKind(source)): Layout | undefined {
  if (kind === "folder") return folderOfFiles(source);
  return kind === "file" ? singleFile(source) : undefined;
}

/** The same files, refused where a save would lose comments. */
function withoutComments(layout: Layout): Layout {
  return {
    ...layout,
    load: (options) => {
      const loaded = layout.load(options);
      for (const file of loaded.observed.keys()) expectNoComment(layout, file);
      return loaded;
    },
  };
}

function expectNoComment({ folder }: Layout, file: string): void {
  const line = formatOf(file)?.commentLine?.(readFileSync(join(folder, file), "utf8"));
  if (line === undefined) return;
  throw new StartError(
    `${file} has a comment in line ${line}, which a save would lose. Add --memory to serve it without saving, ` +
      `or convert it: standin convert ${file} ${basename(file, extname(file))}.json`,
  );
}

/** Imports the PostgreSQL store only when needed. With `--memory`, reads the records once and writes nothing. */
async function openDatabase(source: string, options: OpenOptions): Promise<Store> {
  const { idKey, idKeys, warn, memory, postgres, completions, rules, tables } = options;
  const history = memory ? undefined : options.history;
  const { openPostgres, POSTGRES_DEFAULTS } = await import("./postgres/open-postgres.ts");
  const settings = { ...POSTGRES_DEFAULTS, ...postgres, idKey, idKeys, warn, completions, rules, history };
  const store: Store =
    tables === undefined
      ? await openPostgres(source, settings)
      : await (await import("./tables/open-tables.ts")).openTables(source, { ...settings, tables });
  return memory ? copyOf(store, options) : store;
}

/** The same records in memory, with the ids and relations that they have in the database. */
async function copyOf(store: Store, options: OpenOptions): Promise<Store> {
  const members = await store.export();
  await store.close();
  const database = Object.fromEntries(members.map((member) => [member.name, contentOf(member)]));
  const idKeys = store.declared && Object.fromEntries(members.map(({ name }) => [name, store.idKeyOf(name)]));
  const keys = IdKeys.from({ ...options, idKeys: { ...idKeys, ...options.idKeys } });
  const place = `memory only (--memory); ${store.place} is never written`;
  const copy = new MemoryStore(State.load(database, keys, options), (data) => noJournal(data, place));
  copy.declared = store.declared;
  return copy;
}

/** Serves the data of a module or URL from memory; a reload runs the module, or asks the URL, again. */
export async function openLoaded(source: string, options: OpenOptions): Promise<MemoryStore> {
  const first = await loadFrom(source);
  const place = `memory only; ${withoutPassword(source)} is never written`;
  let served = hashOf(first);
  return new MemoryStore(State.load(first, IdKeys.from(options), options), (data) => ({
    ...noJournal(data, place),
    async reload(origin) {
      const next = await loadFrom(source, true);
      const hash = hashOf(next);
      if (hash === served) return false;
      served = hash;
      data.load(data.state.loadNext(next, options.warn), origin);
      data.announce({ kind: "exchange", version: data.state.version });
      return true;
    },
  }));
}

/** Imports the loader only when needed. */
async function loadFrom(source: string, isReload = false): Promise<JsonObject> {
  const loaded: Json =
    sourceKind(source) === "url"
      ? await (await import("./sources/load-url.ts")).loadUrl(source)
      : await (await import("./sources/load-module.ts")).loadModule(source, isReload);
  const problem = databaseProblem(loaded);
  if (problem) throw new StartError(`${withoutPassword(source)}: ${problem}`);
  return loaded as JsonObject;
}

function hashOf(data: JsonObject): string {
  return createHash("sha256").update(stringifyJson(data)).digest("base64");
}

function unsupported(source: string): StartError {
  if (!source.includes("://") && !existsSync(source)) {
    return new StartError(`There is no command, file or folder "${source}". standin --help lists the commands.`);
  }
  return new StartError(
    `${source} cannot be served. A source is a .json, .json5, .jsonc, .yaml or .csv file, a folder of such files, a .js, .cjs, .mjs or .ts file ` +
      "that exports data, an OpenAPI document, the http(s) URL of JSON or of such a document, or a postgres:// URL.",
  );
}

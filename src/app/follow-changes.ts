import { existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { messageOf } from "../base/errors.ts";
import type { ServeOptions } from "../config/options.ts";
import type { Service } from "../http/contract.ts";
import type { Edge } from "../http/edge.ts";
import { loadRewriter } from "../http/rewrite/rewrite-file.ts";
import { type Watcher, watchFolders } from "../store/file/watch-folders.ts";
import { layoutOf } from "../store/open-store.ts";
import { sourceKind, withoutPassword } from "../store/sources/source-kind.ts";
import { Baseline } from "./baseline.ts";
import { interceptorFile, reloadableFiles, reloadLimit } from "./reloadable-files.ts";

/** Watched files, with the check that runs whenever something happens in their folder. */
export interface Followed {
  readonly check: () => Promise<void>;
  readonly folder: string;
  readonly files: () => readonly string[];
}

export interface FollowOptions {
  readonly edge: Edge & Partial<Pick<Service, "features">>;
  /** The rewrite file. */
  readonly routes: string | undefined;
  /** Files that are read only at the start: the config file, and `.env` beside it. */
  readonly startFiles: readonly string[];
  /** The data or the examples. */
  readonly served: readonly Followed[];
  readonly baseline: Baseline;
}

/** The files whose contents are compared; create it before anything reads them. */
export function baselineOf(
  { routes, middlewares = [], plugins = [], rules }: Pick<ServeOptions, "routes" | "middlewares" | "plugins" | "rules">,
  others: readonly (string | undefined)[],
): Baseline {
  const files = middlewares.flatMap((entry) => (typeof entry === "string" ? (interceptorFile(entry) ?? []) : []));
  const reloaded = [...plugins, ...(typeof rules === "string" ? [rules] : [])].map((file) => resolve(file));
  return new Baseline([routes, ...files, ...reloaded, ...others]);
}

/** `--watch`: swaps everything but the start files under the running server; for those, it asks for a restart. */
export function followChanges({ edge, routes, startFiles, served, baseline }: FollowOptions): Watcher {
  const reloadable = reloadableFiles(edge);
  for (const { file, name } of reloadable) sayLimit(file, name, edge);
  return watchAll([
    ...served,
    ...(routes === undefined ? [] : [followedRules(routes, edge, baseline)]),
    ...startFiles.map((file) => followedStartFile(file, edge, baseline)),
    ...reloadable.map((one) => followedFile({ ...one, edge, baseline, content: `version of ${one.name}` })),
  ]);
}

function sayLimit(file: string, name: string, { reporter }: Edge): void {
  const limit = reloadLimit(file, name);
  if (limit !== undefined) reporter.note(limit);
}

function watchAll(followed: readonly Followed[]): Watcher {
  // One check after the other, so that two bursts of events cannot load the same file twice at once.
  let work: Promise<void> = Promise.resolve();
  const checkAll = (): void => {
    work = work.then(async () => {
      for (const { check } of followed) await check();
    });
  };
  const watched = {
    folders: followed.map(({ folder }) => folder),
    files: () => followed.flatMap(({ files }) => files()),
  };
  const watcher = watchFolders(watched, checkAll);
  // A change between loading and watching raises no event.
  checkAll();
  return watcher;
}

/** The data of a store; undefined, with a warning, if the source cannot be watched. */
export function followedData(service: Service, source: string, baseline: Baseline): Followed | undefined {
  const layout = layoutOf(source);
  if (!layout && isModule(source)) {
    sayLimit(source, source, service);
    const reload = async (): Promise<void> => void (await service.store.reload());
    return followedFile({ file: source, edge: service, baseline, content: "data", reload });
  }
  if (!layout) {
    service.reporter.warn(
      service.store.hasOtherWriters
        ? "--watch follows files and folders. Changes by other processes of the database are visible without it."
        : `--watch follows files and folders only; type r and enter to load ${withoutPassword(source)} again.`,
    );
    return undefined;
  }
  const { folder } = layout;
  return { check: checkData(service, source), folder, files: () => layout.files().map((file) => join(folder, file)) };
}

/** The file of a source that is code; its contents tell whether it is to be run again. */
export function isModule(source: string): boolean {
  return sourceKind(source) === "module";
}

function checkData({ store, reporter }: Service, source: string): () => Promise<void> {
  let lastProblem = "";
  return async () => {
    try {
      if (await store.reload()) reporter.done(reloaded(source));
      lastProblem = "";
    } catch (thrown) {
      const problem = keptData(source, thrown);
      if (problem !== lastProblem) reporter.warn(problem);
      lastProblem = problem;
    }
  };
}

/** Why the last version is still served. */
function keptData(source: string, thrown: unknown): string {
  const isGone = !existsSync(source) && /ENOENT|does not exist\.$/.test(messageOf(thrown));
  if (isGone) return `${source} is gone; still serving the last version.`;
  return `Kept the current data: ${messageOf(thrown)}`;
}

export interface FollowedFileOptions {
  readonly file: string;
  /** Its name in messages, if not the path. */
  readonly name?: string;
  readonly edge: Edge;
  readonly baseline: Baseline;
  /** The content in words, such as "examples". */
  readonly content: string;
  /** Rejects if the new content is invalid: the current one stays in use. */
  readonly reload: () => Promise<void>;
}

/** A single file that is reloaded as a whole. */
export function followedFile({ file, name = file, edge, baseline, content, reload }: FollowedFileOptions): Followed {
  return oneFile(file, async () => {
    if (!baseline.hasChanged(file)) return;
    try {
      await reload();
      edge.reporter.done(reloaded(name));
    } catch (thrown) {
      edge.reporter.warn(`Kept the current ${content}: ${messageOf(thrown)}`);
    }
  });
}

function followedRules(file: string, edge: Edge, baseline: Baseline): Followed {
  const reload = async (): Promise<void> => {
    edge.rewriter = await loadRewriter(file, edge.reporter.warn);
  };
  return followedFile({ file, edge, baseline, content: "rewrite rules", reload });
}

/** A file that is read only at the start. */
function followedStartFile(file: string, { reporter }: Edge, baseline: Baseline): Followed {
  return oneFile(file, async () => {
    if (baseline.hasChanged(file)) reporter.warn(`${file} changed; restart standin to use it.`);
  });
}

function oneFile(file: string, check: () => Promise<void>): Followed {
  const path = resolve(file);
  return { check, folder: dirname(path), files: () => [path] };
}

function reloaded(file: string): string {
  return `Reloaded ${file} (changed on disk).`;
}

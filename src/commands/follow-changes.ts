import { readFileSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { messageOf } from "../errors.ts";
import type { Edge } from "../http/edge.ts";
import { loadRewriter } from "../http/rewrite/rewrite-file.ts";
import type { Service, WatchedFiles } from "../http/service.ts";
import { type Watcher, watchFolders } from "../store/file/watch.ts";
import { layoutOf } from "../store/open.ts";
import { withoutPassword } from "../store/sources/source-kind.ts";

/** Something that is looked at again whenever a watched folder stirs. */
type Look = () => Promise<void>;

/** What is served, with the files it comes from. */
export interface Followed {
  readonly look: Look;
  readonly folder: string;
  readonly files: () => readonly string[];
}

/**
 * What files hold when they are asked about for the first time. Made before anything is read from them, so that a change
 * during the start is seen like any later one.
 */
export class Baseline {
  readonly #contents = new Map<string, string | undefined>();

  constructor(files: readonly unknown[] = []) {
    for (const file of files) if (typeof file === "string") this.#contents.set(file, contentOf(file));
  }

  /** Whether a file's content is another than at the last call. A file that cannot be read has not changed yet. */
  hasChanged(file: string): boolean {
    const now = contentOf(file);
    const isNew = this.#contents.has(file) && now !== undefined && now !== this.#contents.get(file);
    if (now !== undefined) this.#contents.set(file, now);
    return isNew;
  }
}

/** `--watch`: what is served and rewrite rules are exchanged under the running server; a changed start is announced. */
export function followChanges(
  edge: Edge & Partial<Pick<Service, "features">>,
  routes: string | undefined,
  configFile: string | undefined,
  served: Followed | undefined,
  baseline: Baseline,
): Watcher {
  const looks: Look[] = [];
  const folders: string[] = [];
  const files: string[] = [];
  const follow = (file: string | undefined, look: (edge: Edge, file: string, baseline: Baseline) => Look): void => {
    if (file === undefined) return;
    looks.push(look(edge, file, baseline));
    folders.push(dirname(resolve(file)));
    files.push(resolve(file));
  };
  if (served) {
    looks.push(served.look);
    folders.push(served.folder);
  }
  follow(routes, lookAtRules);
  follow(configFile, lookAtStartFile);
  for (const step of edge.steps) if (step.kind === "interceptor") follow(step.file, lookAtStartFile);
  for (const { watched } of edge.features ?? [])
    for (const file of watched?.files() ?? []) follow(file, reloading(watched!));
  const watched = { folders, files: () => [...files, ...(served?.files() ?? [])] };
  // One look after the other, so that two bursts of events cannot load the same file twice at once.
  let work: Promise<void> = Promise.resolve();
  const lookAtAll = (): void => {
    work = work.then(async () => {
      for (const look of looks) await look();
    });
  };
  const watcher = watchFolders(watched, lookAtAll);
  // What changed since it was loaded stirs no folder any more.
  lookAtAll();
  return watcher;
}

/** The data of a store; undefined, with a warning, when they come from nothing that can be watched. */
export function followedData(service: Service, source: string): Followed | undefined {
  const layout = layoutOf(source);
  if (!layout) {
    service.reporter.warn(
      service.store.shared
        ? "--watch follows files and folders; what other processes write to a database is seen anyway."
        : `${withoutPassword(source)} is loaded once; --watch follows files and folders only.`,
    );
    return undefined;
  }
  const { folder } = layout;
  return { look: lookAtData(service), folder, files: () => layout.files().map((file) => join(folder, file)) };
}

/** One file that is read as a whole; `reload` rejects when the new content is no good, and the old one stays. */
export function followedFile(
  file: string,
  { reporter }: Edge,
  baseline: Baseline,
  reload: () => Promise<void>,
): Followed {
  return {
    look: async () => {
      if (!baseline.hasChanged(file)) return;
      try {
        await reload();
        reporter.warn(`${file} changed and was reloaded.`);
      } catch (thrown) {
        reporter.warn(`${file} changed, but the old examples stay: ${messageOf(thrown)}`);
      }
    },
    folder: dirname(resolve(file)),
    files: () => [resolve(file)],
  };
}

function lookAtData({ store, reporter }: Service): Look {
  let lastProblem = "";
  return async () => {
    try {
      if (await store.reload()) reporter.warn("the data changed outside and were reloaded.");
      lastProblem = "";
    } catch (thrown) {
      const problem = messageOf(thrown);
      if (problem !== lastProblem) reporter.warn(`the data changed outside, but the old data stay: ${problem}`);
      lastProblem = problem;
    }
  };
}

function lookAtRules(edge: Edge, file: string, baseline: Baseline): Look {
  return async () => {
    if (!baseline.hasChanged(file)) return;
    try {
      edge.rewriter = await loadRewriter(file);
      edge.reporter.warn(`${file} changed and was reloaded.`);
    } catch (thrown) {
      edge.reporter.warn(`the old rewrite rules stay: ${messageOf(thrown)}`);
    }
  };
}

/** A file that its feature can reload. */
function reloading({ reload }: WatchedFiles): (edge: Edge, file: string, baseline: Baseline) => Look {
  return ({ reporter }, file, baseline) =>
    async () => {
      if (!baseline.hasChanged(file)) return;
      try {
        await reload(file);
        reporter.warn(`Reloaded ${basename(file)} (changed on disk).`);
      } catch (thrown) {
        reporter.warn(`${basename(file)} changed, but its old version stays: ${messageOf(thrown)}`);
      }
    };
}

/** Read once, at the start: the config file, an interceptor. */
function lookAtStartFile({ reporter }: Edge, file: string, baseline: Baseline): Look {
  return async () => {
    if (baseline.hasChanged(file)) reporter.warn(`${file} changed; restart standin to use it.`);
  };
}

function contentOf(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
}

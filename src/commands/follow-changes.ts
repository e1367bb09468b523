import { readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { ServeOptions } from "../config/options.ts";
import { messageOf } from "../errors.ts";
import type { Service } from "../http/service.ts";
import { type Watcher, watchFolders } from "../store/file/watch.ts";
import { layoutOf } from "../store/open.ts";
import { loadRewriter } from "./rewrite-file.ts";

/** Something that is looked at again whenever a watched folder stirs. */
type Look = () => Promise<void>;

/** `--watch`: data and rewrite rules are exchanged under the running server; what needs a restart is announced. */
export function followChanges(
  service: Service,
  { source, routes }: ServeOptions,
  configFile: string | undefined,
): Watcher {
  const layout = layoutOf(source);
  if (!layout) service.reporter.warn(`${source} is loaded once; --watch follows files and folders only.`);
  const looks: Look[] = [];
  const folders: string[] = [];
  const files: string[] = [];
  const follow = (file: string | undefined, look: (service: Service, file: string) => Look): void => {
    if (file === undefined) return;
    looks.push(look(service, file));
    folders.push(dirname(resolve(file)));
    files.push(resolve(file));
  };
  if (layout) {
    looks.push(lookAtData(service));
    folders.push(layout.folder);
  }
  follow(routes, lookAtRules);
  follow(configFile, lookAtStartFile);
  for (const step of service.steps) if (step.kind === "interceptor") follow(step.file, lookAtStartFile);
  const watched = {
    folders,
    files: () => [...files, ...(layout?.files().map((file) => join(layout.folder, file)) ?? [])],
  };
  // One look after the other, so that two bursts of events cannot load the same file twice at once.
  let work: Promise<void> = Promise.resolve();
  return watchFolders(watched, () => {
    work = work.then(async () => {
      for (const look of looks) await look();
    });
  });
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

function lookAtRules(service: Service, file: string): Look {
  const hasChanged = changeDetector(file);
  return async () => {
    if (!hasChanged()) return;
    try {
      service.rewriter = await loadRewriter(file);
      service.reporter.warn(`${file} changed and was reloaded.`);
    } catch (thrown) {
      service.reporter.warn(`the old rewrite rules stay: ${messageOf(thrown)}`);
    }
  };
}

/** Read once, at the start: the config file, an interceptor. */
function lookAtStartFile({ reporter }: Service, file: string): Look {
  const hasChanged = changeDetector(file);
  return async () => {
    if (hasChanged()) reporter.warn(`${file} changed; restart standin to use it.`);
  };
}

/** Whether a file's content is another than at the last call. A file that cannot be read has not changed yet. */
function changeDetector(file: string): () => boolean {
  const read = (): string | undefined => {
    try {
      return readFileSync(file, "utf8");
    } catch {
      return undefined;
    }
  };
  let last = read();
  return () => {
    const now = read();
    if (now === undefined || now === last) return false;
    last = now;
    return true;
  };
}

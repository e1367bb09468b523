import { type FSWatcher, statSync, watch } from "node:fs";
import { dirname } from "node:path";

/** Events of one save come in a burst; a file that is being written is left alone for this long. */
const SETTLE_MS = 50;
/** Some file systems (network shares, mounts into containers) report nothing: look by ourselves, too. */
const POLL_MS = 1000;

export interface Watcher {
  close(): void;
}

/**
 * Calls `onChange` soon after something happens in the folder of any of these paths. The folder is watched, not the file:
 * a watched file goes deaf once another one is renamed over it.
 */
export function watchFolders(paths: readonly string[], onChange: () => void): Watcher {
  let timer: NodeJS.Timeout | undefined;
  const soon = (): void => {
    clearTimeout(timer);
    timer = setTimeout(onChange, SETTLE_MS);
  };
  const watchers = [...new Set(paths.map((path) => dirname(path)))].map((folder) => watchQuietly(folder, soon));
  let looks = looksOf(paths);
  const poll = setInterval(() => {
    const now = looksOf(paths);
    if (now !== looks) soon();
    looks = now;
  }, POLL_MS);
  poll.unref();
  return {
    close() {
      clearTimeout(timer);
      clearInterval(poll);
      for (const watcher of watchers) watcher?.close();
    },
  };
}

function watchQuietly(folder: string, onEvent: () => void): FSWatcher | undefined {
  try {
    const watcher = watch(folder, { persistent: false }, onEvent);
    // A removed folder ends the watch; the poll goes on.
    watcher.on("error", () => watcher.close());
    return watcher;
  } catch {
    return undefined;
  }
}

function looksOf(paths: readonly string[]): string {
  const looks = paths.map((path) => statSync(path, { throwIfNoEntry: false }));
  return looks.map((found) => (found ? `${found.ino}.${found.size}.${found.mtimeMs}` : "")).join(" ");
}

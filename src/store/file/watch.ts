import { type FSWatcher, watch } from "node:fs";
import { lookOf } from "./fingerprint.ts";

/** Events of one save come in a burst; a file that is being written is left alone for this long. */
const SETTLE_MS = 50;
/** But not for ever: something else in the folder, such as a log, may never come to rest. */
const LONGEST_SETTLE_MS = 500;
/** Some file systems (network shares, mounts into containers) report nothing: look by ourselves, too. */
const POLL_MS = 1000;

export interface Watcher {
  close(): void;
}

export interface Watched {
  /** The folder is watched, not the file: a watched file goes deaf once another one is renamed over it. */
  readonly folders: readonly string[];
  /** The files that matter, those that are there now. */
  readonly files: () => readonly string[];
}

/** Calls `onChange` soon after something happens in any of these folders. */
export function watchFolders({ folders, files }: Watched, onChange: () => void): Watcher {
  let timer: NodeJS.Timeout | undefined;
  let firstAt = 0;
  const soon = (): void => {
    const now = performance.now();
    if (timer === undefined) firstAt = now;
    clearTimeout(timer);
    const waitMs = Math.min(SETTLE_MS, Math.max(0, firstAt + LONGEST_SETTLE_MS - now));
    timer = setTimeout(() => {
      timer = undefined;
      onChange();
    }, waitMs);
  };
  const watchers = [...new Set(folders)].map((folder) => watchQuietly(folder, soon));
  let looks = looksOf(files);
  const poll = setInterval(() => {
    const now = looksOf(files);
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

/** Whatever cannot be looked at (a removed folder, one that is closed to us) looks the same until it can. */
function looksOf(files: () => readonly string[]): string {
  try {
    return files()
      .map((path) => `${path} ${lookOf(path)}`)
      .join("\n");
  } catch {
    return "";
  }
}

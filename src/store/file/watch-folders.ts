import { type FSWatcher, watch } from "node:fs";
import { fingerprintOf } from "./fingerprint.ts";

/** Events of one save come in a burst: wait until there was none for this long. */
const SETTLE_MS = 50;
/** Upper bound, because other files in the folder, such as a log, may change constantly. */
const LONGEST_SETTLE_MS = 500;
/** Some file systems (network shares, mounts into containers) report no events, so poll, too. */
const POLL_MS = 1000;

export interface Watcher {
  close(): void;
}

export interface WatchRequest {
  /** Folders are watched, not files: the watch of a file ends when another one is renamed over it. */
  readonly folders: readonly string[];
  /** The relevant files that exist now. */
  readonly files: () => readonly string[];
}

/** Calls `onChange` soon after a change in any of these folders. */
export function watchFolders({ folders, files }: WatchRequest, onChange: () => void): Watcher {
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
  let fingerprints = fingerprintsOf(files);
  const poll = setInterval(() => {
    const now = fingerprintsOf(files);
    if (now !== fingerprints) soon();
    fingerprints = now;
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
    // A removed folder ends the watch; polling goes on.
    watcher.on("error", () => watcher.close());
    return watcher;
  } catch {
    return undefined;
  }
}

/** The fingerprints of all files; a constant while they cannot be read (a removed folder, or missing permissions). */
function fingerprintsOf(files: () => readonly string[]): string {
  try {
    return files()
      .map((path) => `${path} ${fingerprintOf(path)}`)
      .join("\n");
  } catch {
    return "";
  }
}

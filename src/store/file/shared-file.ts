import { existsSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { messageOf } from "../../base/errors.ts";
import { realPath } from "../../base/files/atomic-write.ts";
import type { FileStoreOptions } from "./file-parts.ts";
import type { Layout } from "./layout.ts";
import { type OpenFiles, openFilesNow } from "./open-files.ts";
import { lostSource } from "./replaced/lost-files.ts";

/** A data file that several routers of one process share. */
export interface SharedFile extends OpenFiles {
  /** Releases the file. The last release saves and closes it. */
  release(): Promise<void>;
}

const open = new Map<string, OpenFiles & { users: number }>();

/** Opens a data file synchronously, or shares it if this process has it open. Loads outside changes made since then. */
export function openShared(layout: Layout, options: FileStoreOptions): SharedFile {
  const path = resolve(layout.place);
  let entry = open.get(path);
  if (entry) {
    // While changes are being saved, it takes a moment longer.
    if (!entry.files.reloadNow()) entry.store.reload().catch((thrown) => options.warn(messageOf(thrown)));
  } else {
    entry = { ...openFilesNow(layout, options), users: 0 };
    open.set(path, entry);
  }
  const held = entry;
  held.users++;
  let isReleased = false;
  return {
    store: held.store,
    files: held.files,
    async release() {
      if (isReleased) return;
      isReleased = true;
      held.users--;
      // A server that restarts in this process opens the file again in the same turn.
      await nextTurn();
      if (held.users > 0 || open.get(path) !== held) return;
      open.delete(path);
      await held.store.close();
    },
  };
}

/** Creates a missing data file with an empty object, as 0.17's module does. */
export function createIfMissing(source: string): void {
  const path = realPath(resolve(source));
  // Opening it puts back a file that a killed process left under a second name.
  const isLost = !open.has(path) && lostSource(path) !== undefined;
  if (!existsSync(path) && !isLost) writeFileSync(path, "{}\n", { flag: "wx" });
}

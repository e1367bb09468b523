import { existsSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { realPath } from "../../atomic-write.ts";
import { messageOf } from "../../errors.ts";
import { FileStore, type FileStoreOptions } from "./file-store.ts";
import type { Layout } from "./layout.ts";
import { lostSource } from "./replaced/lost-files.ts";

/** A data file that several users of one process hold together. */
export interface SharedFile {
  readonly store: FileStore;
  /** Lets go of it. The last user who does saves and closes the file. */
  release(): Promise<void>;
}

const open = new Map<string, { readonly store: FileStore; users: number }>();

/**
 * Opens a data file in this turn, or joins those who have it open in this process. Takes over what was changed in it
 * from outside since then.
 */
export function openShared(layout: Layout, options: FileStoreOptions): SharedFile {
  const path = resolve(layout.place);
  let entry = open.get(path);
  if (entry) {
    // Where changes are just being saved, it takes a moment longer.
    if (!entry.store.reloadNow()) entry.store.reload().catch((thrown) => options.warn(messageOf(thrown)));
  } else {
    entry = { store: FileStore.openNow(layout, options), users: 0 };
    open.set(path, entry);
  }
  const held = entry;
  held.users++;
  let isReleased = false;
  return {
    store: held.store,
    async release() {
      if (isReleased) return;
      isReleased = true;
      held.users--;
      // A server that is started anew in this process asks for the file in the same turn.
      await nextTurn();
      if (held.users > 0 || open.get(path) !== held) return;
      open.delete(path);
      await held.store.close();
    },
  };
}

/** Makes a data file that is missing, with nothing in it, as 0.17's module does. */
export function createIfMissing(source: string): void {
  const path = realPath(resolve(source));
  // One that a killed process left under another name is put back when it is opened.
  const isLost = !open.has(path) && lostSource(path) !== undefined;
  if (!existsSync(path) && !isLost) writeFileSync(path, "{}\n", { flag: "wx" });
}

import { createHash } from "node:crypto";
import { copyFileSync, existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { messageOf } from "../../base/errors.ts";
import { writeAtomically } from "../../base/files/atomic-write.ts";
import { parseJson, stringifyJson } from "../../base/json/json.ts";
import type { Exported } from "../store.ts";
import { isBlank } from "./file-content.ts";
import { reliableFingerprint } from "./fingerprint.ts";
import type { ReplacedJournal } from "./journal/journal-writer.ts";
import type { Layout } from "./layout.ts";
import { renderDatabase } from "./render-database.ts";
import type { ReplacedFile } from "./replaced/held-file.ts";

export interface ConflictCopiesOptions {
  readonly layout: Layout;
  /** Outside edits win; the copies are of our own data then. */
  readonly followsOutside: boolean;
  readonly warn: (text: string) => void;
}

/**
 * Saves the losing side of a conflict beside the data file: `unsaved` copies of our data when an outside edit wins,
 * `outside` copies of the edit when our data wins.
 */
export class ConflictCopies {
  readonly #options: ConflictCopiesOptions;

  constructor(options: ConflictCopiesOptions) {
    this.#options = options;
  }

  /** Saves data that was never written to the file and that an outside edit has just replaced; false if that fails. */
  async saveUnsaved(members: readonly Exported[], journal: ReplacedJournal): Promise<boolean> {
    const { layout, warn } = this.#options;
    const copy = this.#pathAt("unsaved", Date.now());
    const event = `${layout.place} was changed from outside while changes were unsaved`;
    try {
      await writeAtomically(copy, renderDatabase(members));
      journal.discard();
      warn(`${event}; these changes are in ${copy}.`);
      return true;
    } catch (thrown) {
      journal.refuse(thrown);
      warn(`${event}; these changes cannot be saved (${messageOf(thrown)}), but are in ${journal.path}.`);
      return false;
    }
  }

  /** Saves all data when the server stops and the file, as somebody left it, cannot be loaded. The journal stays, too. */
  async saveBeside(members: readonly Exported[], reason: string): Promise<void> {
    const copy = this.#pathAt("unsaved", Date.now());
    await writeAtomically(copy, renderDatabase(members));
    this.#options.warn(`All data is saved in ${copy}, and the file is left as it is: ${reason}`);
  }

  /** Saves an outside version of a file: the replaced one, or without it the file that is about to be overwritten. */
  saveOutside(file: string, replaced: ReplacedFile | undefined): void {
    const path = join(this.#options.layout.folder, file);
    const copy = this.unusedPath("outside", file);
    if (replaced) keepAs(replaced, copy);
    else copyFileSync(path, copy);
    this.#warnOfOutside(path, copy, replaced?.isLost ?? false);
  }

  /** A path for a copy of a file that no other file has. */
  unusedPath(reason: "unsaved" | "outside", file: string): string {
    for (let time = Date.now(); ; time++) {
      const path = this.#pathAt(reason, time, file);
      if (!existsSync(path)) return path;
    }
  }

  #pathAt(reason: string, time: number, file?: string): string {
    const { layout } = this.#options;
    return join(layout.folder, layout.versionName(`${reason}-${time}`, file));
  }

  #warnOfOutside(path: string, copy: string, isLost: boolean): void {
    const { layout, followsOutside, warn } = this.#options;
    if (isLost) {
      warn(
        `An earlier process ended while it saved, and left a file of ${layout.place} that no longer exists. ` +
          `It is kept as ${copy}; if you miss it, rename it back.`,
      );
      return;
    }
    if (isBlank(copy)) {
      warn(`${path} was emptied from outside, and gets its data back. The empty version is kept as ${copy}.`);
      return;
    }
    const advice = followsOutside ? "" : "; use --watch to load such changes";
    warn(`${path} was changed from outside. That version is kept as ${copy}${advice}.`);
  }
}

function keepAs(replaced: ReplacedFile, path: string): void {
  const { held } = replaced;
  if (held.isNamed || replaced.isReplaced) {
    held.keepAs(path);
    replaced.isKept = true;
    return;
  }
  // Only an open descriptor keeps it alive, so copy it now. If its writer goes on, another copy follows.
  const fingerprint = reliableFingerprint(held.stat());
  const content = held.read();
  writeFileSync(path, content, { flag: "wx" });
  replaced.expected = { hash: createHash("sha256").update(content).digest("hex"), fingerprint };
}

/** Larger files are kept without a look at their content. */
const MAX_BYTES = 5 * 1024 * 1024;

/**
 * Whether an outside version of a file says the same as the text that replaces it, but for its layout: a program has read
 * it and written its content to the store. Then it is no conflict, and expected from now on.
 */
export function holdsSameData(replaced: ReplacedFile, text: () => string): boolean {
  const { held } = replaced;
  const stats = held.stat();
  if (stats.size > MAX_BYTES) return false;
  const content = held.read();
  try {
    if (`${stringifyJson(parseJson(content.toString()), 2)}\n` !== text()) return false;
  } catch {
    return false;
  }
  replaced.expected = {
    hash: createHash("sha256").update(content).digest("hex"),
    fingerprint: reliableFingerprint(stats),
  };
  return true;
}

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { messageOf, StartError } from "../../base/errors.ts";
import { overwriteNow } from "../../base/files/atomic-write.ts";
import { isJson } from "./is-json.ts";
import type { JournalContent } from "./journal/journal-format.ts";
import { filesOf, holdsUpTo, notesOf } from "./journal/journal-notes.ts";
import type { Layout } from "./layout.ts";
import { hashFile } from "./read-data-file.ts";

/** Repeats an overwrite in place that a crash interrupted, from the complete copy beside the file. */
export function finishOverwrite(layout: Layout, journal: JournalContent, warn: (text: string) => void): void {
  for (const file of filesOf(journal)) {
    const path = join(layout.folder, file);
    const copy = completeCopy(layout, journal, file);
    if (copy === undefined || holdsUpTo(journal, file, hashFile(path)) !== undefined) continue;
    const found = readFileSync(path);
    if (isJson(found)) {
      // An interrupted overwrite rarely leaves valid JSON: perhaps the user repaired the file by hand.
      const aside = join(layout.folder, layout.versionName(`outside-${Date.now()}`, file));
      writeFileSync(aside, found);
      warn(`${path} was being overwritten when an earlier process ended. Its content until now is kept as ${aside}.`);
    }
    try {
      overwriteNow(path, readFileSync(copy));
    } catch (thrown) {
      throw new StartError(
        `${path} was being overwritten when an earlier process ended, and that cannot be finished ` +
          `(${messageOf(thrown)}). Its complete content is in ${copy}.`,
      );
    }
  }
}

/** The path of the latest copy that a note names and whose content matches that note. */
function completeCopy(layout: Layout, journal: JournalContent, file: string): string | undefined {
  for (const { folded, inPlace } of notesOf(journal).reverse()) {
    if (inPlace === undefined || folded[file] === undefined) continue;
    const path = join(layout.folder, inPlace);
    if (hashFile(path) === folded[file]) return path;
  }
  return undefined;
}

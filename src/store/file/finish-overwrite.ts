import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { overwriteNow } from "../../atomic-write.ts";
import { messageOf, StartError } from "../../errors.ts";
import { isJson } from "./is-json.ts";
import type { JournalContent } from "./journal/journal-format.ts";
import { filesOf, holdsUpTo, notesOf } from "./journal/journal-notes.ts";
import { hashFile, type Layout } from "./layout.ts";

/** An overwrite in place that did not finish has its complete content beside it: it is written again. */
export function finishOverwrite(layout: Layout, journal: JournalContent, warn: (text: string) => void): void {
  for (const file of filesOf(journal)) {
    const path = join(layout.folder, file);
    const copy = completeCopy(layout, journal, file);
    if (copy === undefined || holdsUpTo(journal, file, hashFile(path)) !== undefined) continue;
    const found = readFileSync(path);
    if (isJson(found)) {
      // Not what half an overwrite leaves, as a rule: perhaps somebody put the file right by hand.
      const aside = join(layout.folder, layout.versionName(`outside-${Date.now()}`, file));
      writeFileSync(aside, found);
      warn(`${path} was being overwritten when an earlier process ended. What it held until now is kept as ${aside}.`);
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

/** The latest copy of a file that a note speaks of and that is what the note says. */
function completeCopy(layout: Layout, journal: JournalContent, file: string): string | undefined {
  for (const { folded, inPlace } of notesOf(journal).reverse()) {
    if (inPlace === undefined || folded[file] === undefined) continue;
    const path = join(layout.folder, inPlace);
    if (hashFile(path) === folded[file]) return path;
  }
  return undefined;
}

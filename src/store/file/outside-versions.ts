import { copyFileSync, existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { realPath } from "../../base/files/atomic-write.ts";
import type { Origin } from "../history.ts";
import type { State } from "../memory/state.ts";
import type { Exported } from "../store.ts";
import type { FileParts } from "./file-parts.ts";
import { isWhole } from "./formats/formats.ts";
import type { Base } from "./journal/journal-writer.ts";
import type { Loaded } from "./layout.ts";
import type { ReplacedFile } from "./replaced/held-file.ts";

const OUTSIDE: Origin = { by: "file", cause: "file" };

/** Loads the versions of data files that came from outside, or keeps them beside. */
export class OutsideVersions {
  /** The files that differ from the data for another reason than changes of their members since the load. */
  differing: ReadonlySet<string> | "all";
  isServing = false;
  readonly #parts: FileParts;
  readonly #onEmptied: () => void;

  constructor(parts: FileParts, differing: ReadonlySet<string>, onEmptied: () => void) {
    this.#parts = parts;
    this.differing = differing;
    this.#onEmptied = onEmptied;
  }

  /** Loads the files if they changed; `copied` means that all unsaved data is in a conflict copy now. */
  async load(): Promise<"unchanged" | "reloaded" | "copied"> {
    const { data, known, writer, conflictCopies, history } = this.#parts;
    if (known.changedOutside().length === 0) return "unchanged";
    const { loaded, state } = this.#read();
    let unsaved: Exported[] = [];
    let addWayBack: (() => Promise<void>) | undefined;
    const journal = await writer.restart(() => {
      unsaved = data.lend();
      const before = data.state;
      const lines = writer.pastUpTo(before.version);
      const base = this.#adopt(state, loaded);
      addWayBack = history?.load(lines, { before, after: state, origin: OUTSIDE, files: base.hashes });
      return base;
    });
    await addWayBack?.();
    data.announce({ kind: "exchange", version: state.version, isOutside: true });
    return journal && (await conflictCopies.saveUnsaved(unsaved, journal)) ? "copied" : "reloaded";
  }

  /** The same, synchronously; false when there are unsaved changes, which only `load` can deal with. */
  loadNow(): boolean {
    const { data, known, writer, layout, options, history } = this.#parts;
    if (known.changedOutside().length === 0) return true;
    const loaded = layout.load({ refuseBlank: true });
    const state = data.state.loadNext(loaded.database, options.warn);
    const before = data.state;
    const isDone = writer.restartNow(() => {
      const base = this.#adopt(state, loaded);
      const { hashes } = base;
      history
        ?.load([], { before, after: state, origin: OUTSIDE, files: hashes })()
        .catch(() => undefined);
      return base;
    });
    if (isDone) data.announce({ kind: "exchange", version: state.version, isOutside: true });
    return isDone;
  }

  /** Reads files that are not blank. A program is about to fill a blank one. */
  #read(): { loaded: Loaded; state: State } {
    const { layout, known, wholeInJournal, data, options, size } = this.#parts;
    try {
      const loaded = layout.load({ refuseBlank: true });
      const state = data.state.loadNext(loaded.database, options.warn);
      size.expectSavable(loaded.bytes, () => data.lend(state));
      return { loaded, state };
    } catch (thrown) {
      wholeInJournal.need();
      if (known.emptied().length > 0) this.#onEmptied();
      throw thrown;
    }
  }

  /** Makes a state that was just loaded from the files the current one. */
  #adopt(state: State, { observed, bytes }: Loaded): Base {
    const { data, size, written, wholeInJournal, receiptFile, known } = this.#parts;
    data.load(state, OUTSIDE);
    size.replace(bytes);
    written?.restart(() => data.lend(data.baseline));
    wholeInJournal.forget();
    receiptFile.remove();
    known.replace(observed);
    this.differing = new Set();
    return known.baseAt(state.version);
  }

  /** Loads or copies a version that is in no data file any more. */
  async resolve(replaced: ReplacedFile): Promise<void> {
    const { options, conflictCopies } = this.#parts;
    if (options.followsOutside && this.isServing && (await this.#loadReplaced(replaced))) return;
    conflictCopies.saveOutside(replaced.file, replaced);
  }

  /** With --watch an outside edit wins, even one that was written to a file while a save replaced it. */
  async #loadReplaced({ held, file }: ReplacedFile): Promise<boolean> {
    const { layout, known, conflictCopies, options } = this.#parts;
    const path = realPath(join(layout.folder, file));
    if (!held.isNamed || !existsSync(path) || !isWhole(held.read(), file) || known.isChanged(file)) return false;
    // The saved version loses as well. It exists nowhere else, and the journal builds on it.
    const copy = conflictCopies.unusedPath("unsaved", file);
    copyFileSync(path, copy);
    try {
      held.keepAs(path);
    } catch (thrown) {
      rmSync(copy, { force: true });
      throw thrown;
    }
    // The watcher reports a file that cannot be loaded.
    const result = await this.load().catch(() => undefined);
    if (result === "copied") rmSync(copy, { force: true });
    else options.warn(`${path} was changed from outside while changes were saved; these changes are in ${copy}.`);
    return true;
  }
}

import { rmSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { type Staged, stageFile } from "../../atomic-write.ts";
import type { Exported } from "../store.ts";
import type { Base, Journal } from "./journal.ts";
import type { Hashes } from "./journal-format.ts";
import { ABSENT, hashFile, type Layout } from "./layout.ts";

/** What the data files are known to hold, and what they looked like when that was found out. */
export class KnownFiles {
  readonly #layout: Layout;
  #looks = new Map<string, string>();
  hashes: Hashes = {};

  constructor(layout: Layout, hashes: Hashes) {
    this.#layout = layout;
    this.learn(hashes);
  }

  learn(hashes: Hashes): void {
    this.hashes = hashes;
    this.#looks = new Map(Object.keys(hashes).map((file) => [file, this.#lookOf(file)]));
  }

  /** Files whose content is not what it is known to be. A file that looks the same is not read. */
  changedOutside(): string[] {
    const files = new Set([...Object.keys(this.hashes), ...this.#layout.files()]);
    return [...files].filter((file) => {
      const look = this.#lookOf(file);
      if (look === (this.#looks.get(file) ?? "")) return false;
      if (hashFile(join(this.#layout.folder, file)) !== (this.hashes[file] ?? ABSENT)) return true;
      this.#looks.set(file, look);
      return false;
    });
  }

  #lookOf(file: string): string {
    const found = statSync(join(this.#layout.folder, file), { throwIfNoEntry: false });
    return found ? `${found.ino}.${found.size}.${found.mtimeMs}` : "";
  }
}

export interface CheckpointRequest {
  readonly layout: Layout;
  readonly journal: Journal;
  readonly known: KnownFiles;
  readonly members: readonly Exported[];
  /** The version of the members; the files hold every change up to it afterwards. */
  readonly version: number;
  /** Called right before files are replaced, when some of them were changed from outside. False calls it off. */
  readonly onOutsideChange: (files: readonly string[]) => Promise<boolean>;
}

/**
 * Folds the journal into the data files: new content is staged beside them, the journal notes what they will become, they
 * are replaced, and the lines they now hold go. Gives back how many bytes were written; undefined when called off.
 */
export async function checkpoint(request: CheckpointRequest): Promise<number | undefined> {
  const { layout, journal, known, members, version } = request;
  const staged = new Map<string, Staged>();
  const hashes: Record<string, string> = {};
  try {
    for (const [file, pieces] of layout.render(members)) {
      const stage = await stageFile(join(layout.folder, file), pieces);
      staged.set(file, stage);
      hashes[file] = stage.hash;
    }
    const gone = Object.keys(known.hashes).filter((file) => !staged.has(file) && known.hashes[file] !== ABSENT);
    for (const file of gone) hashes[file] = ABSENT;
    const outside = known.changedOutside();
    if (outside.length > 0 && !(await request.onOutsideChange(outside))) {
      await discardAll(staged);
      return undefined;
    }
    await journal.note({ v: version, folded: hashes });
    for (const [file, stage] of staged) {
      if (stage.hash === known.hashes[file] && outside.length === 0) await stage.discard();
      else
        await stage.commit((copy) =>
          journal.note({ v: version, folded: { [file]: stage.hash }, inPlace: basename(copy) }),
        );
    }
    for (const file of gone) rmSync(join(layout.folder, file), { force: true });
  } catch (thrown) {
    await discardAll(staged);
    throw thrown;
  }
  const present = Object.fromEntries(Object.entries(hashes).filter(([, hash]) => hash !== ABSENT));
  known.learn(present);
  const base: Base = { v: version, hashes: present };
  await journal.fold(base);
  return [...staged.values()].reduce((sum, stage) => sum + stage.bytes, 0);
}

async function discardAll(staged: ReadonlyMap<string, Staged>): Promise<void> {
  for (const stage of staged.values()) await stage.discard();
}

import { rmSync } from "node:fs";
import { basename, join } from "node:path";
import { removeTemporaries, type Staged, stageFile } from "../../atomic-write.ts";
import type { Exported } from "../store.ts";
import type { Journal } from "./journal.ts";
import type { KnownFiles } from "./known-files.ts";
import { ABSENT, type Layout } from "./layout.ts";
import { lookFrom } from "./look.ts";

export interface CheckpointRequest {
  readonly layout: Layout;
  readonly journal: Journal;
  readonly known: KnownFiles;
  readonly members: readonly Exported[];
  /** The version of the members; the files hold every change up to it afterwards. */
  readonly version: number;
  /**
   * Called right before files are replaced, when some files were changed from outside; `endangered` are those of them
   * that would be overwritten or removed. False calls it off.
   */
  readonly onOutsideChange: (endangered: readonly string[]) => boolean;
}

/**
 * Folds the journal into the data files: new content is staged beside them, the journal notes what they will become, they
 * are replaced, and the lines they now hold go. Gives back how many bytes were written; undefined when called off.
 */
export async function checkpoint(request: CheckpointRequest): Promise<number | undefined> {
  const { layout, journal, known, members, version } = request;
  const { refusals } = journal;
  const staged = new Map<string, Staged>();
  let overwriting: string | undefined;
  try {
    for (const [file, pieces] of layout.render(members)) {
      staged.set(file, await stageFile(join(layout.folder, file), pieces));
    }
    const hashes = Object.fromEntries([...staged].map(([file, { hash }]) => [file, hash]));
    const gone = known.files.filter((file) => !staged.has(file));
    await journal.note({
      v: version,
      folded: { ...Object.fromEntries(gone.map((file) => [file, ABSENT])), ...hashes },
    });
    // The members were exported with what has been taken back since.
    if (journal.refusals !== refusals) throw new Error("a change was refused meanwhile");
    const outside = known.changedOutside();
    const endangered = outside.filter((file) => staged.has(file) || gone.includes(file));
    if (outside.length > 0 && !request.onOutsideChange(endangered)) {
      await discardAll(staged);
      return undefined;
    }
    for (const [file, stage] of staged) {
      if (stage.hash === known.get(file)?.hash && !endangered.includes(file)) {
        await stage.discard();
        continue;
      }
      // The files before it took their time.
      if (!endangered.includes(file) && known.isChanged(file)) throw new Error(`${file} was changed meanwhile`);
      const written = await stage.commit((copy) => {
        overwriting = file;
        return journal.note({ v: version, folded: { [file]: stage.hash }, inPlace: basename(copy) });
      });
      known.learn(file, { hash: stage.hash, look: lookFrom(written) });
      // Copies that earlier attempts had to leave.
      if (overwriting !== undefined) removeTemporaries(join(layout.folder, file));
      overwriting = undefined;
    }
    for (const file of gone) {
      rmSync(join(layout.folder, file), { force: true });
      known.forget(file);
    }
    await journal.fold({ v: version, hashes });
  } catch (thrown) {
    await discardAll(staged);
    // It is us who left it half written, nobody outside.
    if (overwriting !== undefined) known.accept(overwriting);
    throw thrown;
  }
  return [...staged.values()].reduce((sum, stage) => sum + stage.bytes, 0);
}

async function discardAll(staged: ReadonlyMap<string, Staged>): Promise<void> {
  for (const stage of staged.values()) await stage.discard();
}

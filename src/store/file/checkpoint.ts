import { renameSync } from "node:fs";
import { basename, join } from "node:path";
import { removeTemporaries, type Staged, stageFile } from "../../atomic-write.ts";
import type { Exported } from "../store.ts";
import { firmLook } from "./fingerprint.ts";
import type { Journal } from "./journal/journal.ts";
import type { KnownFiles } from "./known-files.ts";
import { ABSENT, hashFile, type Layout } from "./layout.ts";
import { type ExchangeRequest, exchange } from "./replaced/exchange-names.ts";
import { type Formers, isChanged, type Replaced } from "./replaced/replaced-files.ts";

export interface CheckpointRequest {
  readonly layout: Layout;
  readonly journal: Journal;
  readonly known: KnownFiles;
  readonly members: readonly Exported[];
  /** The version of the members; the files hold every change up to it afterwards. */
  readonly version: number;
  /** Keeps what the files hold until it is certain that nobody writes to them any more. */
  readonly formers: Formers;
  /** Asked when a file was changed from outside, right before it would be replaced. False calls the checkpoint off. */
  readonly mayReplace: () => boolean;
  /** Called with a changed file before it is replaced; undefined when it is overwritten instead, in its place. */
  readonly keepOutside: (file: string, replaced: Replaced | undefined) => void;
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
    if (outside.length > 0 && !request.mayReplace()) throw new CalledOff();
    for (const [file, stage] of staged) {
      if (stage.hash === known.get(file)?.hash && !outside.includes(file)) {
        await stage.discard();
        continue;
      }
      let replaced: Replaced | undefined;
      try {
        const written = await stage.commit({
          move: (temporary, target) => {
            do {
              if (replaced) request.formers.release(replaced);
              replaced = undefined;
              replaced = holdCurrent(request, file);
            } while (!replace(request, { file, held: replaced, temporary, target }));
          },
          beforeInPlace: async (copy) => {
            const copied = replaced?.expected.hash;
            replaced?.former.drop();
            replaced = undefined;
            await journal.note({ v: version, folded: { [file]: stage.hash }, inPlace: basename(copy) });
            if (known.isChanged(file)) {
              if (!request.mayReplace()) throw new CalledOff();
              if (hashFile(join(layout.folder, file)) !== copied) request.keepOutside(file, undefined);
            }
            overwriting = file;
          },
        });
        known.learn(file, { hash: stage.hash, look: firmLook(written) });
      } finally {
        if (replaced) request.formers.release(replaced);
      }
      // Copies that earlier attempts had to leave.
      if (overwriting !== undefined) removeTemporaries(layout.folder, (name) => name === file);
      overwriting = undefined;
    }
    for (const file of gone) {
      if (known.isChanged(file) && !request.mayReplace()) throw new CalledOff();
      request.formers.remove(file);
      known.forget(file);
    }
    await journal.fold({ v: version, hashes });
  } catch (thrown) {
    await discardAll(staged);
    if (thrown instanceof CalledOff) return undefined;
    // It is us who left it half written, nobody outside.
    if (overwriting !== undefined) known.accept(overwriting);
    throw thrown;
  }
  return [...staged.values()].reduce((sum, stage) => sum + stage.bytes, 0);
}

/** An outside change goes before the checkpoint. */
class CalledOff extends Error {}

/**
 * Holds what is in the place of a file right now, and keeps it if it came from outside. Whoever calls this replaces the
 * file in the same turn.
 */
function holdCurrent({ formers, mayReplace, keepOutside }: CheckpointRequest, file: string): Replaced | undefined {
  for (;;) {
    const replaced = formers.hold(file);
    try {
      if (replaced && isChanged(replaced)) {
        if (!mayReplace()) throw new CalledOff();
        keepOutside(file, replaced);
      }
    } catch (thrown) {
      // The file itself stays in its place.
      if (!replaced?.isKept) replaced?.former.drop();
      throw thrown;
    }
    if (formers.isCurrent(file, replaced)) return replaced;
    // Another one came in between.
    if (replaced) formers.release(replaced);
  }
}

/** Where an outside program replaces the file, too, ours must not hit what that has just put there. */
function replace(request: CheckpointRequest, place: Omit<ExchangeRequest, keyof CheckpointRequest>): boolean {
  const { file, held, temporary, target } = place;
  const isSafe = held?.former.isNamed ? !request.known.isContested(file) : held !== undefined;
  if (!isSafe) return exchange({ ...request, ...place });
  renameSync(temporary, target);
  return true;
}

async function discardAll(staged: ReadonlyMap<string, Staged>): Promise<void> {
  for (const stage of staged.values()) await stage.discard();
}

import { renameSync } from "node:fs";
import { basename, join } from "node:path";
import type { Eventually } from "../../base/eventually.ts";
import { removeTemporaries, type Staged, stageFile, stageFileNow } from "../../base/files/atomic-write.ts";
import { retryWhileHeld } from "../../base/files/retry-while-held.ts";
import { atOnce, inSlices, settled, type Work } from "../../base/slices.ts";
import type { Exported } from "../store.ts";
import { type Fingerprint, reliableFingerprint } from "./fingerprint.ts";
import type { FoldNote, Hashes } from "./journal/journal-format.ts";
import type { Base, JournalWriter } from "./journal/journal-writer.ts";
import type { KnownFiles } from "./known-files.ts";
import type { Layout } from "./layout.ts";
import { ABSENT, hashFile } from "./read-data-file.ts";
import { isChanged, type ReplacedFile } from "./replaced/held-file.ts";
import type { Placement, ReplacedFiles } from "./replaced/replaced-files.ts";

export interface CheckpointRequest {
  readonly layout: Layout;
  readonly journal: JournalWriter;
  readonly known: KnownFiles;
  readonly members: readonly Exported[];
  /** The version of the members; afterwards the files hold every change up to it. */
  readonly version: number;
  /** Keeps the replaced files until no program can be writing to them any more. */
  readonly replacedFiles: ReplacedFiles;
  /** Whether a file is not written at all. */
  readonly leavesAlone: (file: string) => boolean;
  /** Called with the size of each new file; throws if a start could not read it. */
  readonly expectSize: (file: string, bytes: number) => void;
  /** The reason why a file must not be changed; undefined when it may. */
  readonly protectionOf: (file: string) => string | undefined;
  /** Called when a file was changed from outside, right before it would be replaced. False cancels the checkpoint. */
  readonly mayReplace: () => boolean;
  /** Called with a changed file before it is replaced; undefined when it is overwritten in place instead. */
  readonly keepOutside: (file: string, replaced: ReplacedFile | undefined) => void;
  /** Called with the hashes of the files once they are in place, before the journal drops the lines they hold. */
  readonly beforeFold?: (hashes: Hashes) => Promise<void>;
}

/** The steps that can wait for the disk. */
interface Disk {
  readonly stage: (path: string, pieces: Iterable<string>) => Eventually<Staged>;
  readonly note: (note: FoldNote) => Eventually<void>;
  readonly fold: (base: Base) => Eventually<void>;
}

/** Folds the journal into the data files, beside other requests. Returns the bytes written; undefined when cancelled. */
export function checkpoint(request: CheckpointRequest): Promise<number | undefined> {
  const { journal } = request;
  const disk: Disk = {
    stage: stageFile,
    note: (note) => journal.note(note),
    fold: (base) => journal.fold(base),
  };
  return inSlices(folding(request, disk));
}

/**
 * The same in one turn, for programs that read the files right after they wrote the data. Every step survives the end of
 * the process, though not each a power loss. Throws where only `checkpoint` can do it: the journal has every change.
 */
export function checkpointNow(request: CheckpointRequest): number | undefined {
  const { journal } = request;
  const disk: Disk = {
    stage: stageFileNow,
    note: (note) => journal.noteNow(note),
    fold: (base) => journal.foldNow(base),
  };
  return atOnce(folding(request, disk));
}

/**
 * Stages the new content of the data files beside them, notes in the journal what they will become, replaces them, and drops
 * the lines they now hold.
 */
function* folding(request: CheckpointRequest, disk: Disk): Work<number | undefined> {
  const { layout, journal, known, members, version } = request;
  const { refusals } = journal;
  const staged = new Map<string, Staged>();
  const hashes: Record<string, string> = {};
  try {
    for (const [file, pieces] of layout.render(members)) {
      if (request.leavesAlone(file)) {
        hashes[file] = known.get(file)?.hash ?? ABSENT;
        continue;
      }
      const stage = yield* settled(disk.stage(join(layout.folder, file), pieces));
      staged.set(file, stage);
      hashes[file] = stage.hash;
      request.expectSize(file, stage.bytes);
      if (stage.hash !== known.get(file)?.hash) expectWritable(request, file);
    }
    const { gone, folded } = contentAfter(known, hashes);
    for (const file of gone) expectWritable(request, file);
    yield* settled(disk.note({ v: version, folded }));
    // The exported members include changes that were undone since.
    if (journal.refusals !== refusals) throw new Error("a change was refused meanwhile");
    const outside = known.changedOutside();
    if (outside.length > 0 && !request.mayReplace()) throw new Cancelled();
    known.expect(fingerprintsOf(staged));
    for (const [file, stage] of staged) {
      if (stage.hash === known.get(file)?.hash && !outside.includes(file)) yield* settled(stage.discard());
      else yield* commitFile(request, file, stage);
    }
    for (const file of gone) removeFile(request, file);
    yield* settled(request.beforeFold?.(hashes));
    yield* settled(disk.fold({ v: version, hashes }));
  } catch (thrown) {
    for (const stage of staged.values()) yield* settled(stage.discard());
    if (thrown instanceof Cancelled) return undefined;
    throw thrown;
  }
  return [...staged.values()].reduce((sum, stage) => sum + stage.bytes, 0);
}

/** The hash that each file will have, and the files that will be gone. */
function contentAfter({ files }: KnownFiles, hashes: Hashes): { gone: string[]; folded: Hashes } {
  const gone = files.filter((file) => !(file in hashes));
  return { gone, folded: { ...Object.fromEntries(gone.map((file) => [file, ABSENT])), ...hashes } };
}

/** The fingerprints that the files will have in their places. */
function fingerprintsOf(staged: ReadonlyMap<string, Staged>): Map<string, Fingerprint> {
  return new Map([...staged].map(([file, { stats }]) => [file, reliableFingerprint(stats)]));
}

function expectWritable({ protectionOf }: CheckpointRequest, file: string): void {
  const reason = protectionOf(file);
  if (reason !== undefined) throw new Error(reason);
}

/** An outside change takes precedence over the checkpoint. */
class Cancelled extends Error {}

/** Windows does not replace an open file, and on a disk without links we hold it open ourselves. It is overwritten then. */
class HeldOpen extends Error {
  readonly code = "EXDEV";
}

/** Puts staged content in place of a data file: by a rename, or where the system refuses that, by overwriting it. */
function* commitFile(request: CheckpointRequest, file: string, stage: Staged): Work<void> {
  const { layout, journal, known, version } = request;
  const held: Held = {};
  let isOverwriting = false;
  try {
    const committing = stage.commit({
      move: moveIntoPlace(request, file, held),
      beforeInPlace: async (copy) => {
        const heldHash = held.replaced?.expected.hash;
        held.replaced?.held.drop();
        held.replaced = undefined;
        await journal.note({ v: version, folded: { [file]: stage.hash }, inPlace: basename(copy) });
        if (known.isChanged(file)) {
          if (!request.mayReplace()) throw new Cancelled();
          if (hashFile(join(layout.folder, file)) !== heldHash) request.keepOutside(file, undefined);
        }
        isOverwriting = true;
      },
    });
    known.learn(file, { hash: stage.hash, fingerprint: reliableFingerprint(yield* settled(committing)) });
  } catch (thrown) {
    // We left it half written, not an outside program.
    if (isOverwriting) known.accept(file);
    throw thrown;
  } finally {
    if (held.replaced) request.replacedFiles.release(held.replaced);
  }
  // Copies that earlier attempts had to leave.
  if (isOverwriting) removeTemporaries(layout.folder, (name) => name === file);
}

/** The file that a move replaces; the caller releases it. */
interface Held {
  replaced?: ReplacedFile | undefined;
}

/** Moves staged content to the name of a data file, synchronously. */
function moveIntoPlace(
  request: CheckpointRequest,
  file: string,
  held: Held,
): (temporary: string, target: string) => void {
  return (temporary, target) =>
    retryWhileHeld(() => {
      do {
        // Kept by an attempt that was refused.
        if (held.replaced?.isKept && request.replacedFiles.isCurrent(file, held.replaced)) continue;
        if (held.replaced) request.replacedFiles.release(held.replaced);
        held.replaced = undefined;
        held.replaced = holdCurrent(request, file);
      } while (!replace(request, { file, replaced: held.replaced, temporary, target }));
    });
}

function removeFile({ known, replacedFiles, mayReplace }: CheckpointRequest, file: string): void {
  if (known.isChanged(file) && !mayReplace()) throw new Cancelled();
  replacedFiles.remove(file);
  known.forget(file);
}

/** Holds the current file, and keeps it if it came from outside. The caller replaces it in the same turn. */
function holdCurrent(
  { replacedFiles, mayReplace, keepOutside }: CheckpointRequest,
  file: string,
): ReplacedFile | undefined {
  for (;;) {
    const replaced = replacedFiles.hold(file);
    try {
      if (replaced && isChanged(replaced)) {
        if (!mayReplace()) throw new Cancelled();
        keepOutside(file, replaced);
      }
    } catch (thrown) {
      // The file itself stays in place.
      if (!replaced?.isKept) replaced?.held.drop();
      throw thrown;
    }
    if (replacedFiles.isCurrent(file, replaced)) return replaced;
    // Another program replaced it meanwhile.
    if (replaced) replacedFiles.release(replaced);
  }
}

/** Where an outside program replaces the file, too, our rename must not overwrite the version it has just put there. */
function replace({ known, replacedFiles, keepOutside }: CheckpointRequest, place: Placement): boolean {
  const { file, replaced, temporary, target } = place;
  const isSafe = replaced?.held.isNamed ? !known.isContested(file) : replaced !== undefined;
  if (!isSafe) return replacedFiles.exchange(place, keepOutside);
  if (process.platform === "win32" && !replaced?.held.isNamed) throw new HeldOpen();
  renameSync(temporary, target);
  return true;
}

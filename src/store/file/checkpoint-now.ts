import { join } from "node:path";
import { type StagedNow, stageFileNow } from "../../base/files/atomic-write.ts";
import { fingerprintsOf, type Held, moveIntoPlace, type PlacingRequest, removeFile } from "./checkpoint.ts";
import { reliableFingerprint } from "./fingerprint.ts";
import { ABSENT } from "./read-data-file.ts";

/**
 * The steps of `checkpoint` in one turn, for programs that read the files right after they wrote the data. Every step
 * survives the end of the process, though not each a power loss. Returns the bytes written; undefined, or an error, where
 * only `checkpoint` can do it: the journal then still has every change.
 */
export function checkpointNow(request: PlacingRequest): number | undefined {
  const { layout, journal, known, members, version } = request;
  if (!journal.appendNow()) return undefined;
  const staged = new Map<string, StagedNow>();
  let bytes = 0;
  try {
    for (const [file, pieces] of layout.render(members)) {
      const stage = stageFileNow(join(layout.folder, file), pieces);
      if (!stage) return undefined;
      staged.set(file, stage);
      request.expectSize(file, stage.bytes);
      if (stage.hash !== known.get(file)?.hash && request.protectionOf(file) !== undefined) return undefined;
      bytes += stage.bytes;
    }
    const hashes = Object.fromEntries([...staged].map(([file, { hash }]) => [file, hash]));
    const gone = known.files.filter((file) => !staged.has(file));
    const folded = { ...Object.fromEntries(gone.map((file) => [file, ABSENT])), ...hashes };
    if (!journal.noteNow({ v: version, folded })) return undefined;
    const outside = known.changedOutside();
    if (outside.length > 0 && !request.mayReplace()) return undefined;
    known.expect(fingerprintsOf(staged));
    for (const [file, stage] of staged) {
      if (stage.hash !== known.get(file)?.hash || outside.includes(file)) commitFileNow(request, file, stage);
    }
    for (const file of gone) removeFile(request, file);
    journal.foldNow({ v: version, hashes });
    return bytes;
  } finally {
    // Without effect for those in place.
    for (const stage of staged.values()) stage.discard();
  }
}

function commitFileNow(request: PlacingRequest, file: string, stage: StagedNow): void {
  const held: Held = {};
  try {
    const stats = stage.commit(moveIntoPlace(request, file, held));
    request.known.learn(file, { hash: stage.hash, fingerprint: reliableFingerprint(stats) });
  } finally {
    if (held.replaced) request.replacedFiles.release(held.replaced);
  }
}

import { writeAtomically } from "../../base/files/atomic-write.ts";

/** Writes generated text to a file, which is replaced once all of it is written, or not at all. */
export function writeDataset(file: string, pieces: Iterable<string>, signal?: AbortSignal): Promise<void> {
  return writeAtomically(file, untilAborted(pieces, signal));
}

function* untilAborted(pieces: Iterable<string>, signal: AbortSignal | undefined): Generator<string> {
  for (const piece of pieces) {
    signal?.throwIfAborted();
    yield piece;
  }
}

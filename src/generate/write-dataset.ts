import { writeAtomically } from "../atomic-write.ts";
import { type DatasetOptions, generateDataset } from "./dataset.ts";

/** Generates a dataset into a file, which is replaced once all of it is written, or not at all. */
export function writeDataset(file: string, options: DatasetOptions, signal?: AbortSignal): Promise<void> {
  return writeAtomically(file, untilAborted(generateDataset(options), signal));
}

function* untilAborted(pieces: Iterable<string>, signal: AbortSignal | undefined): Generator<string> {
  for (const piece of pieces) {
    signal?.throwIfAborted();
    yield piece;
  }
}

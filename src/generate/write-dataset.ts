import { writeAtomically } from "../atomic-write.ts";
import { type DatasetOptions, generateDataset } from "./dataset.ts";

/** Generates a dataset into a file, which is replaced whole once everything is written. */
export function writeDataset(file: string, options: DatasetOptions): Promise<void> {
  return writeAtomically(file, async (write) => {
    for (const piece of generateDataset(options)) await write(piece);
  });
}

import { mkdirSync, readFileSync, type Stats, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { StartError } from "../base/errors.ts";
import { writeAtomically } from "../base/files/atomic-write.ts";
import { fileProblem } from "../base/files/file-problem.ts";
import type { Terminal } from "./terminal.ts";

/** A file that a command made has its mark within so many characters. */
const MARKED_LENGTH = 4096;

/** Files that a command makes, by their paths; a single one has an empty path. */
interface MadeFiles {
  readonly files: ReadonlyMap<string, string>;
  /** The command, and the text in a file that tells that it made this one. */
  readonly command: string;
  readonly mark: string;
  /** The path of the file with the mark, where there are several. */
  readonly markedPath?: string;
}

interface Output {
  /** A file, or the folder of several files; undefined for standard output. */
  readonly out: string | undefined;
  readonly overwrite: boolean;
  readonly quiet?: boolean;
}

/** Prints or writes files. Replaces only files that the same command made before, unless told to overwrite others. */
export async function writeMadeFiles(
  made: MadeFiles,
  { out, overwrite, quiet = false }: Output,
  terminal: Terminal,
): Promise<void> {
  const { files } = made;
  if (out === undefined) return terminal.print([...files.values()].join("").trimEnd());
  if (files.has("") && statsOf(out)?.isDirectory()) throw new StartError(`--out ${out} is a folder. Name a file.`);
  if (!overwrite) expectOwnFiles(made, out);
  for (const [path, text] of files) {
    const file = join(out, path);
    if (path !== "") makeFolder(dirname(file));
    await writeMadeFile(file, [text]);
  }
  if (!quiet) terminal.print(`Wrote ${files.size === 1 ? out : `${files.size} files to ${out}`}`);
}

/** Writes one file. */
export async function writeMadeFile(file: string, pieces: Iterable<string>): Promise<void> {
  try {
    await writeAtomically(file, pieces);
  } catch (thrown) {
    throw new StartError(`${file} was not written: ${fileProblem(thrown)}`);
  }
}

/** Throws where a file is there that the command has not made. */
export function expectOwnFiles({ files, command, mark, markedPath = "" }: MadeFiles, out: string): void {
  const present = [...files.keys()].map((path) => join(out, path)).find((file) => (statsOf(file)?.size ?? 0) > 0);
  if (present === undefined || isMarked(join(out, markedPath), mark)) return;
  throw new StartError(
    `${present} was not written by ${command}, so it was not replaced. Name another path, or add --overwrite to replace it.`,
  );
}

/** Creates a folder, with those above it. */
export function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true });
  } catch (thrown) {
    throw new StartError(`${folder} cannot be created: ${fileProblem(thrown)}`);
  }
}

function isMarked(file: string, mark: string): boolean {
  return statsOf(file)?.isFile() === true && readFileSync(file, "utf8").slice(0, MARKED_LENGTH).includes(mark);
}

function statsOf(file: string): Stats | undefined {
  return statSync(file, { throwIfNoEntry: false });
}

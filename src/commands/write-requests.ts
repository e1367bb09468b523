import { mkdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { writeAtomically } from "../atomic-write.ts";
import { messageOf, StartError } from "../errors.ts";
import { MARK } from "../requests/request-book.ts";
import type { Terminal } from "./terminal.ts";

/** Requests longer than this are not ours: a mark stands at their beginning. */
const MARKED_BYTES = 4096;

interface Output {
  /** A file, or the folder of several files; undefined for standard output. */
  readonly out: string | undefined;
  readonly overwrite: boolean;
  readonly quiet: boolean;
}

/** Prints or writes files by their paths; a single one has an empty path. Replaces only files that it wrote before. */
export async function writeRequests(
  files: ReadonlyMap<string, string>,
  { out, overwrite, quiet }: Output,
  terminal: Terminal,
): Promise<void> {
  if (out === undefined) return terminal.print([...files.values()].join("").trimEnd());
  if (!overwrite) expectReplaceable(out, [...files.keys()]);
  for (const [path, text] of files) {
    const file = join(out, path);
    try {
      if (path !== "") mkdirSync(dirname(file), { recursive: true });
      await writeAtomically(file, [text]);
    } catch (thrown) {
      throw new StartError(`${file} was not written: ${messageOf(thrown)}`);
    }
  }
  if (!quiet) terminal.print(`Wrote ${files.size === 1 ? out : `${files.size} files to ${out}`}`);
}

/** The file with the mark: the only one, or the one that describes a folder. */
function expectReplaceable(out: string, paths: readonly string[]): void {
  const marked = join(out, paths.find((path) => path === "collection.bru") ?? "");
  const present = paths
    .map((path) => join(out, path))
    .find((file) => (statSync(file, { throwIfNoEntry: false })?.size ?? 0) > 0);
  if (present === undefined || isOurs(marked)) return;
  throw new StartError(
    `${present} was not written by standin requests, so it was not replaced. Name another path, or add --overwrite to replace it.`,
  );
}

function isOurs(file: string): boolean {
  const stats = statSync(file, { throwIfNoEntry: false });
  return stats?.isFile() === true && readFileSync(file, "utf8").slice(0, MARKED_BYTES).includes(MARK);
}

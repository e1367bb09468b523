import { realpathSync } from "node:fs";
import { dirname, isAbsolute, relative, resolve, sep } from "node:path";
import { fileProblem } from "../../../base/files/file-problem.ts";
import { OutsideReference, readFile } from "./read-text.ts";

/** Reads a file below the folder of a document. A link counts as the file that it leads to. */
export function readInside(document: string, path: string): string {
  const target = realPath(path);
  const way = relative(realPath(dirname(resolve(document))), target);
  if (way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way)) return readFile(target);
  throw new OutsideReference(`${path} is outside the document's folder; --allow-outside-refs allows that.`);
}

function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch (thrown) {
    throw new Error(`${path} cannot be read: ${fileProblem(thrown)}`);
  }
}

import { spawnSync } from "node:child_process";
import { dirname, relative } from "node:path";
import { fileURLToPath } from "node:url";

/** A file with a line, in a stack or above the text of a syntax error. Column or caret follow where they are known. */
const PLACE = /(?<=^|[\s(])(file:\/\/[^\s()]+?|\/[^\s()]+?|[A-Z]:\\[^()\n]+?):(\d+)(?::(\d+))?(?:\n.*\n( *)\^)?/g;
const HERE = dirname(fileURLToPath(import.meta.url));

/** Where in a user's code an error was thrown: `line 3, column 7: `, with the name of a file other than `path` in front. */
export function placeInCode(thrown: unknown, path: string): string {
  if (!(thrown instanceof Error)) return "";
  return placeIn(String(thrown.stack), path) || (thrown instanceof SyntaxError ? placeIn(checked(path), path) : "");
}

function placeIn(text: string, path: string): string {
  for (const [, where = "", line, column, indent] of text.matchAll(PLACE)) {
    const file = where.startsWith("file:") ? fileURLToPath(where.replace(/\?.*/, "")) : where;
    if (file.startsWith(HERE) || /[\\/]node_modules[\\/]/.test(file)) continue;
    const at = column ?? (indent === undefined ? undefined : indent.length + 1);
    const name = file === path ? "" : `${relative(dirname(path), file)}, `;
    return `${name}line ${line}${at === undefined ? "" : `, column ${at}`}: `;
  }
  return "";
}

/** Node keeps the place of a syntax error in an ES module for itself, but prints it. */
function checked(path: string): string {
  return spawnSync(process.execPath, ["--check", path], { encoding: "utf8", timeout: 10_000 }).stderr;
}

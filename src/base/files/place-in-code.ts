import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { dirname, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { messageOf } from "../errors.ts";

/** A file with a line, in a stack or above the text of a syntax error. Column or caret follow where they are known. */
const PLACE = /(?<=^|[\s(])(file:\/\/[^\s()]+?|\/[^\s()]+?|[A-Z]:\\[^()\n]+?):(\d+)(?::(\d+))?(?:\n.*\n( *)\^)?/g;
/** Node's words for a package or file that is not there. Those of `import` name the file that imports it, and no line. */
const MISSING = /^Cannot find (package|module) '([^']+)'(?: imported from (.+))?/;
const HERE = dirname(fileURLToPath(import.meta.url));

/** Where in a user's code an error was thrown: `line 3, column 7: `, with the name of a file other than `path` in front. */
export function placeInCode(thrown: unknown, path: string): string {
  if (!(thrown instanceof Error)) return "";
  return (
    importPlace(thrown, path) ||
    placeIn(String(thrown.stack), path) ||
    (thrown instanceof SyntaxError ? placeIn(checked(path), path) : "")
  );
}

/** The message of an error while a user's file was loaded; for a package that is not installed, how to get it. */
export function loadProblem(thrown: unknown): string {
  const [, kind, missing = ""] = MISSING.exec(messageOf(thrown)) ?? [];
  if (kind === undefined) return messageOf(thrown);
  if (/^(?:\.|\/|file:|[A-Z]:)/.test(missing)) return `there is no file ${missing}.`;
  const [scope = "", name = ""] = missing.split("/");
  const installed = scope.startsWith("@") ? `${scope}/${name}` : scope;
  return `the package "${installed}" is not installed: npm install ${installed}`;
}

/** The place of the `import` of something that is not there. */
function importPlace(thrown: Error, path: string): string {
  const [, , missing = "", from] = MISSING.exec(thrown.message) ?? [];
  if (from === undefined) return "";
  const file = pathOf(from);
  if (!existsSync(file)) return "";
  const text = readFileSync(file, "utf8");
  for (const { 0: quoted, index } of text.matchAll(/(["'])[^"'\n]+\1/g)) {
    const given = quoted.slice(1, -1);
    const isMeant = given === missing || given.startsWith(`${missing}/`) || resolve(dirname(file), given) === missing;
    if (!isMeant) continue;
    const before = text.slice(0, index).split("\n");
    return named({ file, path, line: before.length, column: (before.at(-1) ?? "").length + 1 });
  }
  return "";
}

interface CodePlace {
  readonly file: string;
  /** The file that was loaded, which needs no name. */
  readonly path: string;
  readonly line: string | number | undefined;
  readonly column: string | number | undefined;
}

function named({ file, path, line, column }: CodePlace): string {
  const name = file === path ? "" : `${relative(dirname(path), file)}, `;
  return `${name}line ${line}${column === undefined ? "" : `, column ${column}`}: `;
}

function pathOf(address: string): string {
  return address.startsWith("file:") ? fileURLToPath(address.replace(/\?.*/, "")) : address;
}

function placeIn(text: string, path: string): string {
  for (const [, where = "", line, column, indent] of text.matchAll(PLACE)) {
    const file = pathOf(where);
    if (file.startsWith(HERE) || /[\\/]node_modules[\\/]/.test(file)) continue;
    return named({ file, path, line, column: column ?? (indent === undefined ? undefined : indent.length + 1) });
  }
  return "";
}

/** Node keeps the place of a syntax error in an ES module for itself, but prints it. */
function checked(path: string): string {
  return spawnSync(process.execPath, ["--check", path], { encoding: "utf8", timeout: 10_000 }).stderr;
}

import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, realpathSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, extname, relative, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { messageOf, StartError } from "../errors.ts";

/**
 * Imports a user's `.js`, `.cjs`, `.mjs` or `.ts` file: its default export, or all exports if there is none. Node itself
 * runs TypeScript where it can, otherwise tsx or esbuild of the user's project.
 */
export async function importFile(source: string, { isReload = false, name = source } = {}): Promise<unknown> {
  const path = resolve(source);
  if (isReload) forget(path);
  const url = `${pathToFileURL(path).href}${isReload ? `?version=${++versions}` : ""}`;
  const isTypeScript = /^\.[cm]?ts$/.test(extname(path));
  try {
    const module = (isTypeScript ? await importTypeScript(path, url) : await import(url)) as { default?: unknown };
    return unwrapDefault(module.default ?? module);
  } catch (thrown) {
    if (thrown instanceof StartError) throw thrown;
    throw new StartError(`${name} cannot be loaded: ${placeInCode(thrown, path)}${loadProblem(thrown)}`);
  }
}

let versions = 0;

/** Removes a CommonJS module from the cache, which ignores the query of its URL, with the files of the project it requires. */
function forget(path: string): void {
  const { cache } = createRequire(path);
  const known = cache[realPathOf(path)];
  if (!known) return;
  delete cache[known.filename];
  for (const { filename } of known.children) if (!IN_A_PACKAGE.test(filename)) forget(filename);
}

const IN_A_PACKAGE = /[\\/]node_modules[\\/]/;

function realPathOf(path: string): string {
  return existsSync(path) ? realpathSync(path) : path;
}

/**
 * Whether a file that was imported is an ES module that imports others of the project. Those cannot be loaded again: Node
 * keeps every ES module, and only the address of the file itself can be changed.
 */
export function keepsImports(source: string): boolean {
  const path = resolve(source);
  if (!/^\.[cm]?[jt]s$/.test(extname(path)) || !existsSync(path)) return false;
  if (createRequire(path).cache[realPathOf(path)]) return false;
  return /\b(?:from|import)\s*\(?\s*["']\.{1,2}\//.test(readFileSync(path, "utf8"));
}

/** Unwraps the default export of a CommonJS module that was compiled from ESM. */
function unwrapDefault(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  const { __esModule, default: inner } = value as { __esModule?: boolean; default?: unknown };
  return __esModule ? inner : value;
}

/** The one function used of esbuild, which belongs to the user's project. */
interface Esbuild {
  transformSync(source: string, options: { loader: "ts"; format: "esm" }): { code: string };
}

interface Tsx {
  tsImport(url: string, from: string): Promise<unknown>;
}

async function importTypeScript(path: string, url: string): Promise<unknown> {
  if ((process.features as { typescript?: unknown }).typescript) return import(url);
  const require = createRequire(path);
  // require finds the CommonJS entry of tsx, which resolves its loader incorrectly; the ESM one is beside it.
  const tsx = findModule(require, "tsx/esm/api")?.replace(/\.cjs$/, ".mjs");
  if (tsx) return ((await import(pathToFileURL(tsx).href)) as Tsx).tsImport(url, url);
  const esbuild = findModule(require, "esbuild");
  if (esbuild) {
    const { code } = (require(esbuild) as Esbuild).transformSync(readFileSync(path, "utf8"), {
      loader: "ts",
      format: "esm",
    });
    return import(`data:text/javascript,${encodeURIComponent(code)}`);
  }
  throw new StartError(
    `${path} is TypeScript, which Node ${process.versions.node} cannot run by itself. ` +
      "Install tsx in this project (npm install --save-dev tsx), use Node 22.18 or newer, or use a .js file.",
  );
}

function findModule(require: NodeJS.Require, name: string): string | undefined {
  try {
    return require.resolve(name);
  } catch {
    return undefined;
  }
}

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
function loadProblem(thrown: unknown): string {
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
    const imported = quoted.slice(1, -1);
    const isMeant =
      imported === missing || imported.startsWith(`${missing}/`) || resolve(dirname(file), imported) === missing;
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

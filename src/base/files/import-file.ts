import { existsSync, readFileSync, realpathSync } from "node:fs";
import { createRequire } from "node:module";
import { extname, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { StartError } from "../errors.ts";
import { loadProblem, placeInCode } from "./place-in-code.ts";

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

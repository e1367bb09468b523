import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { extname, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { messageOf, StartError } from "../../errors.ts";
import type { Json } from "../../json.ts";

/**
 * The data a `.js`, `.cjs`, `.mjs` or `.ts` file exports: the value itself, or what its function (async or not) returns.
 * TypeScript is read by Node itself where it can, else by a tsx or esbuild of the user's own project.
 */
export async function loadModule(source: string): Promise<Json> {
  const exported = await importFile(resolve(source), source);
  try {
    const data: unknown = typeof exported === "function" ? await exported() : exported;
    // Through text, so that what is served is JSON and shares nothing with the module.
    const text = JSON.stringify(data);
    if (text === undefined)
      throw new StartError(`it exports ${typeof data}, but must export data or a function that returns it.`);
    return JSON.parse(text) as Json;
  } catch (thrown) {
    throw new StartError(`${source} gave no data: ${messageOf(thrown)}`);
  }
}

async function importFile(path: string, source: string): Promise<unknown> {
  try {
    const url = pathToFileURL(path).href;
    const isTypeScript = /^\.[cm]?ts$/.test(extname(path));
    const module = (isTypeScript ? await importTypeScript(path, url) : await import(url)) as { default?: unknown };
    // A CommonJS module compiled from ESM keeps its default export one level deeper.
    const value = module.default ?? module;
    return (value as { __esModule?: boolean; default?: unknown }).__esModule
      ? (value as { default?: unknown }).default
      : value;
  } catch (thrown) {
    throw thrown instanceof StartError ? thrown : new StartError(`${source} cannot be loaded: ${messageOf(thrown)}`);
  }
}

/** The one function of esbuild that is used; it is the user's, not a dependency of ours. */
interface Esbuild {
  transformSync(source: string, options: { loader: "ts"; format: "esm" }): { code: string };
}

async function importTypeScript(path: string, url: string): Promise<unknown> {
  if ((process.features as { typescript?: unknown }).typescript) return import(url);
  const require = createRequire(path);
  const tsx = findModule(require, "tsx/esm/api");
  if (tsx) {
    const { tsImport } = (await import(pathToFileURL(tsx).href)) as {
      tsImport(url: string, from: string): Promise<unknown>;
    };
    return tsImport(url, url);
  }
  const esbuild = findModule(require, "esbuild");
  if (esbuild) {
    const { transformSync } = require(esbuild) as Esbuild;
    const { code } = transformSync(readFileSync(path, "utf8"), { loader: "ts", format: "esm" });
    return import(`data:text/javascript,${encodeURIComponent(code)}`);
  }
  throw new StartError(
    `${path} is TypeScript, which Node ${process.versions.node} cannot run by itself. ` +
      "Install tsx in this project (npm install --save-dev tsx), use Node 22.18 or newer, or serve a .js file.",
  );
}

function findModule(require: NodeJS.Require, name: string): string | undefined {
  try {
    return require.resolve(name);
  } catch {
    return undefined;
  }
}

import { StandinError } from "../errors.ts";
import type { Buffer } from "./buffer.web.ts";

/** The build puts the version in. */
declare const STANDIN_VERSION: string;

/** A page has no files: none is there, and none can be read. */
export function existsSync(_path: string): boolean {
  return false;
}

export function statSync(_path: string, _options: { readonly throwIfNoEntry: false }): undefined {
  return undefined;
}

export function readFileSync(path: string, _encoding: "utf8"): never {
  throw new Error(`There are no files here, so ${path} cannot be read.`);
}

export function resolve(path: string): string {
  return path;
}

export function pathToFileURL(path: string): { href: string } {
  return { href: path };
}

export function importFile(file: string): never {
  throw new StandinError(
    "OPTION_UNAVAILABLE",
    `There are no files here, so ${file} cannot be loaded. Give the object itself.`,
  );
}

export function version(): string {
  return STANDIN_VERSION;
}

/** The page and its files are for the host of the page to serve. */
export async function builtFile(_path: string): Promise<Buffer | undefined> {
  return undefined;
}

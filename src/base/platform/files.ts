/** The functions by which options that name files are read, and what lies in the package. */
import { readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { packageFile } from "../files/package-file.ts";

export { existsSync, readFileSync, statSync } from "node:fs";
export { resolve } from "node:path";
export { pathToFileURL } from "node:url";
export { importFile } from "../files/import-file.ts";

/** The version in package.json. */
export function version(): string {
  return (JSON.parse(readFileSync(packageFile("package.json"), "utf8")) as { version: string }).version;
}

/** A file that was built: `console/index.html`; undefined where there is none. */
export function builtFile(path: string): Promise<Buffer | undefined> {
  return readFile(packageFile(`dist/${path}`)).catch(() => undefined);
}

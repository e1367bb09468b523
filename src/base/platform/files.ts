/** The functions by which options that name files are read. */
export { existsSync, readFileSync, statSync } from "node:fs";
export { resolve } from "node:path";
export { pathToFileURL } from "node:url";

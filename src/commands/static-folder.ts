import { statSync } from "node:fs";

/** Picks the given folder, otherwise `./public` if it exists, as in 0.17. */
export function staticFolder(given: string | undefined): string | undefined {
  if (given !== undefined) return given;
  return statSync("public", { throwIfNoEntry: false })?.isDirectory() ? "public" : undefined;
}

import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { builtPackage } from "./build.ts";

/** The texts of a folder that this run has built, by their paths. */
export function builtFolder(name: string): ReadonlyMap<string, string> {
  const folder = join(builtPackage(), "dist", name);
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = entries.map((entry) => join(entry.parentPath, entry.name));
  return new Map(paths.map((path) => [relative(folder, path).replaceAll("\\", "/"), readFileSync(path, "utf8")]));
}

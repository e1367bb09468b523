import { readFileSync } from "node:fs";
import { join } from "node:path";
import { brotliDecompressSync } from "node:zlib";
import { builtPackage } from "./build.ts";

/** The texts of a folder that the build of this run has packed, by their paths. */
export function packedFolder(name: string): ReadonlyMap<string, string> {
  const text = brotliDecompressSync(readFileSync(join(builtPackage(), "dist", `${name}.br`))).toString();
  return new Map(Object.entries(JSON.parse(text) as Record<string, string>));
}

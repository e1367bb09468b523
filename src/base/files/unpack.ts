import { readFile } from "node:fs/promises";
import { promisify } from "node:util";
import { brotliDecompress } from "node:zlib";
import { packageFile } from "./package-file.ts";

const decompress = promisify(brotliDecompress);
const unpacked = new Map<string, Promise<ReadonlyMap<string, string> | undefined>>();

/** The texts of a folder that the build packed into one file, by their paths; undefined where it was not built. */
export function unpack(folder: string): Promise<ReadonlyMap<string, string> | undefined> {
  const files = unpacked.get(folder) ?? readPacked(folder);
  unpacked.set(folder, files);
  return files;
}

async function readPacked(folder: string): Promise<ReadonlyMap<string, string> | undefined> {
  const packed = await readFile(packageFile(`dist/${folder}.br`)).catch(() => undefined);
  if (!packed) return undefined;
  const texts = JSON.parse((await decompress(packed)).toString()) as Record<string, string>;
  return new Map(Object.entries(texts));
}

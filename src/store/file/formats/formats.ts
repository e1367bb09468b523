import { extname } from "node:path";
import { StartError } from "../../../base/errors.ts";
import type { DataFormat } from "./data-format.ts";

const json5 = async (): Promise<DataFormat> => (await import("./json5-format.ts")).json5Format;
const yaml = async (): Promise<DataFormat> => (await import("./yaml-format.ts")).yamlFormat;
const csv = async (): Promise<DataFormat> => (await import("./csv-format.ts")).csvFormat;

/** Loaded when a file of that kind is served: most data is JSON. */
const LOADERS: Readonly<Record<string, () => Promise<DataFormat>>> = {
  ".json5": json5,
  ".jsonc": json5,
  ".yaml": yaml,
  ".yml": yaml,
  ".csv": csv,
};
const loaded = new Map<string, DataFormat>();

/** Whether a name has the ending of a data file. */
export function isDataName(file: string): boolean {
  return extname(file) === ".json" || Object.hasOwn(LOADERS, extname(file));
}

/** Loads the formats of these files, before they are read. */
export async function prepareFormats(files: Iterable<string>): Promise<void> {
  for (const extension of new Set([...files].map((file) => extname(file)))) {
    const load = Object.hasOwn(LOADERS, extension) ? LOADERS[extension] : undefined;
    if (load && !loaded.has(extension)) loaded.set(extension, await load());
  }
}

/** The format of a file; undefined for JSON. */
export function formatOf(file: string): DataFormat | undefined {
  const extension = extname(file);
  const format = loaded.get(extension);
  if (!format && Object.hasOwn(LOADERS, extension)) {
    throw new StartError(`${file} is a kind of file that was not there at the start. Restart standin to read it.`);
  }
  return format;
}

/** Whether content is complete, unlike that of a half-written file. */
export function isWhole(content: Buffer, file: string): boolean {
  try {
    const text = content.toString("utf8");
    (formatOf(file)?.parse ?? JSON.parse)(text);
    return true;
  } catch {
    return false;
  }
}

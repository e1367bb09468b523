import type { FeatureContext } from "../feature.ts";
import { BrowserFiles } from "./browser-files.ts";
import type { FileOptions } from "./choose-file-store.ts";
import type { FileStore } from "./file-store.ts";
import { MemoryFiles } from "./memory-files.ts";

/** The place for files: the storage of the browser where it has the data, else memory. */
export async function chooseFileStore({ service: { store } }: FeatureContext<FileOptions>): Promise<FileStore> {
  const { kept, durability } = store;
  if (!kept) return new MemoryFiles(Date.now);
  return BrowserFiles.open({
    name: kept.name,
    durability: durability === "disk" ? "strict" : "relaxed",
    now: Date.now,
  });
}

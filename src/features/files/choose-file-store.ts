import { isAbsolute, resolve } from "node:path";
import type { FeatureContext } from "../feature.ts";
import type { FileStore } from "./file-store.ts";
import { FolderFiles } from "./folder-files.ts";
import { MemoryFiles } from "./memory-files.ts";

export interface FileOptions {
  readonly files: string | undefined;
  readonly maxFileBytes: number;
}

/** The place for files: a folder, or memory where the data is not saved. */
export async function chooseFileStore(context: FeatureContext<FileOptions>): Promise<FileStore> {
  const folder = folderOf(context);
  if (folder === undefined) return new MemoryFiles(Date.now);
  return new FolderFiles({ folder, toDisk: context.service.store.durability === "disk", now: Date.now });
}

/** The folder for files; undefined where they stay in memory. */
function folderOf({ options: { files }, source, service: { store } }: FeatureContext<FileOptions>): string | undefined {
  if (files !== undefined) return isAbsolute(files) ? files : resolve(files);
  const isSaved = store.durability !== undefined && source !== undefined && source !== "";
  return isSaved ? resolve(`${source.replace(/[/\\]+$/, "")}.files`) : undefined;
}

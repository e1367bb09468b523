import type { FeatureContext } from "../feature.ts";
import { BrowserFiles } from "./browser-files.ts";
import type { ChosenFileStore, FileOptions } from "./choose-file-store.ts";
import { MemoryFiles } from "./memory-files.ts";
import { readFormAtOnce } from "./read-form-at-once.ts";

/** The place for files: the storage of the browser where it has the data, else memory. Nothing is swept. */
export async function chooseFileStore({ service }: FeatureContext<FileOptions>): Promise<ChosenFileStore> {
  const { kept, durability } = service.store;
  const store = kept
    ? new BrowserFiles({
        name: kept.name,
        durability: durability === "disk" ? "strict" : "relaxed",
        now: Date.now,
      })
    : new MemoryFiles(Date.now);
  return {
    store,
    hasFiles: kept !== undefined,
    readForm: readFormAtOnce,
    clean: async () => ({ kept: (await store.list()).length, trashed: 0, removed: 0 }),
    close: () => store.close(),
  };
}

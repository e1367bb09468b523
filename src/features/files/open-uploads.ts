import type { OpenFeature } from "../../http/contract.ts";
import type { FileStore } from "./file-store.ts";
import { MemoryFiles } from "./memory-files.ts";

export async function openUploads(): Promise<OpenFeature & { readonly offer: FileStore }> {
  const store = new MemoryFiles(Date.now);
  return { name: "files", offer: store, close: () => store.close() };
}

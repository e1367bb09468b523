import { isAbsolute, resolve } from "node:path";
import type { OpenFeature, Service } from "../../http/contract.ts";
import { createViewer } from "../../http/pipeline.ts";
import type { FeatureContext } from "../feature.ts";
import { respondByField } from "./file-field.ts";
import { fileRoutes } from "./file-routes.ts";
import { FolderFiles } from "./folder-files.ts";
import { MemoryFiles } from "./memory-files.ts";
import { Uploads } from "./uploads.ts";

/** Of all files together. */
const MAX_TOTAL_BYTES = 1_000_000_000;

interface FileOptions {
  readonly files: string | undefined;
  readonly maxFileBytes: number;
}

export function openUploads(context: FeatureContext<FileOptions>): OpenFeature & { readonly offer: Uploads } {
  const { service, options } = context;
  const folder = folderOf(context);
  const now = Date.now;
  const store =
    folder === undefined
      ? new MemoryFiles(now)
      : new FolderFiles({ folder, toDisk: service.store.durability === "disk", now });
  let view: ReturnType<typeof createViewer> | undefined;
  const uploads = new Uploads({
    store,
    limits: { maxBytes: options.maxFileBytes, maxTotalBytes: Math.max(MAX_TOTAL_BYTES, options.maxFileBytes) },
    maxBodyBytes: service.settings.maxBodyBytes,
    view(call): Service {
      // Made with the first form: all features are open by then.
      view ??= createViewer(service);
      return view(call, service);
    },
  });
  return {
    name: "files",
    routes: fileRoutes(uploads),
    readBody: (call) => uploads.readForm(call),
    respondByField: (call, given, parts) => respondByField(call, given, { parts, uploads }),
    close: () => store.close(),
    offer: uploads,
  };
}

/** The folder for files; undefined where they stay in memory. */
function folderOf({ options: { files }, source, service: { store } }: FeatureContext<FileOptions>): string | undefined {
  if (files !== undefined) return isAbsolute(files) ? files : resolve(files);
  const isSaved = store.durability !== undefined && source !== undefined && source !== "";
  return isSaved ? resolve(`${source.replace(/[/\\]+$/, "")}.files`) : undefined;
}

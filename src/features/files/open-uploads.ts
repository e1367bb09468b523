import type { OpenFeature, Service } from "../../http/contract.ts";
import { createViewer } from "../../http/pipeline.ts";
import type { FeatureContext } from "../feature.ts";
import { chooseFileStore, type FileOptions } from "./choose-file-store.ts";
import { respondByField } from "./file-field.ts";
import { fileRoutes } from "./file-routes.ts";
import { Uploads } from "./uploads.ts";

/** Of all files together. */
const MAX_TOTAL_BYTES = 1_000_000_000;

export async function openUploads(
  context: FeatureContext<FileOptions>,
): Promise<OpenFeature & { readonly offer: Uploads }> {
  const { service, options } = context;
  const store = await chooseFileStore(context);
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
    describe: async (facts) => (await import("./openapi.ts")).uploadPaths(facts),
    close: () => store.close(),
    offer: uploads,
  };
}

import type { Call } from "../../http/call.ts";
import type { OpenFeature, Service } from "../../http/contract.ts";
import { createViewer } from "../../http/pipeline.ts";
import type { FeatureContext } from "../feature.ts";
import { Admission } from "./admission.ts";
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
  const { store, hasFiles, readForm, completing, clean, close } = await chooseFileStore(context);
  const isGuarded = service.steps.some((step) => step.kind === "layer" && step.guards !== undefined);
  let viewer: ReturnType<typeof createViewer> | undefined;
  const view = (call: Call): Service => {
    // Made with the first file: all features are open by then.
    viewer ??= createViewer(service);
    return viewer(call, service);
  };
  const admission = new Admission({ store, isGuarded, view, now: Date.now });
  const limits = { maxBytes: options.maxFileBytes, maxTotalBytes: Math.max(MAX_TOTAL_BYTES, options.maxFileBytes) };
  const { maxBodyBytes } = service.settings;
  const uploads = new Uploads({ store, limits, readForm, maxBodyBytes, view, isGuarded, admission }, hasFiles);
  return {
    name: "files",
    routes: fileRoutes(uploads, clean),
    readBody: (call) => uploads.readForm(call),
    admitFiles: (call, body) => admission.admit(call, body),
    respondByField: (call, given, parts) => respondByField(call, given, { parts, uploads }),
    describe: async (facts) => (await import("./openapi.ts")).uploadPaths(facts),
    ...completing?.(uploads),
    close,
    offer: uploads,
  };
}

import { statSync } from "node:fs";
import { resolve } from "node:path";
import type { Chance } from "../clock-and-random.ts";
import type { HostedOptions } from "../config/options.ts";
import { loadRewriter } from "../http/rewrite/rewrite-file.ts";
import { DEFAULT_SETTINGS, type Edge } from "../http/service.ts";
import { createSteps } from "../http/steps.ts";
import type { LayerTools } from "../layers/layer.ts";
import type { Reporter } from "../reporter.ts";
import { Waits } from "../wait.ts";

/** The options that concern the way of a request, whatever is served. */
type EdgeOptions = Omit<HostedOptions, "private" | "apiKey" | "seed">;

/** Makes everything that stands before an answer: rewrite rules, layers and interceptors, static files, settings. */
export async function openEdge(
  options: EdgeOptions,
  configFile: string | undefined,
  reporter: Reporter,
  chance: Chance,
  countTogether?: LayerTools["countTogether"],
): Promise<Edge> {
  const rewriter = await loadRewriter(options.routes);
  const folder = staticFolder(options.static, reporter);
  const place = configFile ?? "standin.json";
  const waits = new Waits();
  const steps = await createSteps({ ...options, maxBodyBytes: DEFAULT_SETTINGS.maxBodyBytes, place }, reporter, {
    ...chance,
    wait: (ms, client) => waits.wait(ms, client),
    countTogether,
  });
  return {
    rewriter,
    steps,
    reporter,
    waits,
    settings: {
      ...DEFAULT_SETTINGS,
      // The layer of that name takes the place of the built-in handling.
      cors: !options.noCors && !steps.some((step) => step.kind === "layer" && step.name === "cors"),
      compression: !options.noGzip,
      pretty: options.pretty,
      trustProxy: options.trustProxy,
      delayMs: options.delay,
      staticFolder: folder,
      bodyParser: options.bodyParser,
    },
  };
}

/** `./public` is taken when it exists; a folder that was asked for may come later, from a build. Both as in 0.17. */
function staticFolder(given: string | undefined, reporter: Reporter): string | undefined {
  const folder = resolve(given ?? "public");
  const isFolder = statSync(folder, { throwIfNoEntry: false })?.isDirectory() ?? false;
  if (isFolder) return folder;
  if (given === undefined) return undefined;
  reporter.warn(`The static folder ${given} does not exist; its files are served once it does.`);
  return folder;
}

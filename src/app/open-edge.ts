import { resolve, statSync } from "../base/platform/files.ts";
import type { Reporter } from "../base/reporter.ts";
import { Waits } from "../base/wait.ts";
import type { ServeOptions } from "../config/options.ts";
import { readBase } from "../http/base-path.ts";
import type { Edge, LayerStep, MiddlewareStep } from "../http/edge.ts";
import { loadRewriter } from "../http/rewrite/rewrite-file.ts";
import type { Rewrites } from "../http/rewrite/rewrites.ts";
import { DEFAULT_SETTINGS, type ServiceSettings } from "../http/settings.ts";
import { createSteps, type StepOptions } from "../http/steps.ts";
import type { LayerTools } from "../layers/layer.ts";

/** The options of the pipeline in front of the responses, whatever is served. */
export type EdgeOptions = Pick<
  ServeOptions,
  | "base"
  | "routes"
  | "middlewares"
  | "layers"
  | "static"
  | "noCors"
  | "noGzip"
  | "pretty"
  | "trustProxy"
  | "delay"
  | "bodyParser"
>;

/** Beside the options of the table: where they come from, and objects that only programs can hand over. */
export interface EdgeStart {
  readonly reporter: Reporter;
  /** Where the options are written, for messages: `standin.json`. */
  readonly place: string;
  /** In place of the rewrite file. */
  readonly routes?: Rewrites | undefined;
  /** In place of the list in the options: programs may give functions, too. */
  readonly middlewares?: StepOptions["middlewares"];
  /** A guard in front of everything but CORS and the rate limit. */
  readonly guard?: LayerStep | undefined;
  readonly settings?: Partial<Pick<ServiceSettings, "maxBodyBytes" | "jsonp" | "heartbeatMs" | "adminToken">>;
}

/** Builds everything in front of a response: rewrite rules, layers and interceptors, static files, settings. */
export async function openEdge(
  options: EdgeOptions,
  { reporter, place, routes, middlewares = options.middlewares, guard, settings = {} }: EdgeStart,
  tools: Omit<LayerTools, "wait" | "warn">,
): Promise<Edge> {
  const rewriter = routes
    ? (await import("../http/rewrite/rewriter.ts")).createRewriter(routes, reporter.warn)
    : await loadRewriter(options.routes, reporter.warn);
  const staticFolder = openStaticFolder(options.static, reporter);
  const common = { ...DEFAULT_SETTINGS, ...settings };
  const { layers, trustProxy } = options;
  const waits = new Waits();
  const listed = await createSteps({ middlewares, layers, place }, reporter, {
    ...tools,
    wait: (ms, client) => waits.wait(ms, client),
  });
  const steps = guard ? guarded(listed, guard) : listed;
  return {
    rewriter,
    steps,
    reporter,
    waits,
    settings: {
      ...common,
      base: readBase(options.base),
      // The layer of that name takes the place of the built-in handling.
      cors: !options.noCors && !steps.some((step) => step.kind === "layer" && step.name === "cors"),
      compression: !options.noGzip,
      pretty: options.pretty,
      trustProxy,
      delayMs: options.delay,
      staticFolder,
      bodyParser: options.bodyParser,
    },
  };
}

function guarded(steps: readonly MiddlewareStep[], guard: LayerStep): MiddlewareStep[] {
  const before = steps.findLastIndex((step) => step.kind === "layer" && step.precedesGuards);
  return steps.toSpliced(before + 1, 0, guard);
}

/** A folder that does not exist may come later, from a build. */
function openStaticFolder(given: string | undefined, reporter: Reporter): string | undefined {
  if (given === undefined) return undefined;
  const folder = resolve(given);
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) {
    reporter.warn(`The static folder ${given} does not exist; its files are served once it does.`);
  }
  return folder;
}

import { StartError } from "../base/errors.ts";
import type { JsonObject } from "../base/json/json.ts";
import { didYouMean } from "../base/nearest.ts";
import type { Reporter } from "../base/reporter.ts";
import type { Layer, LayerTools } from "../layers/layer.ts";
import { createLayer, isLayerName, LAYER_NAMES } from "../layers/registry.ts";
import { LayerSettings } from "../layers/settings.ts";
import { type MiddlewareStep, stepName } from "./edge.ts";
import { findInterceptor, type Interceptor, loadInterceptors } from "./express/load-interceptors.ts";

export interface StepOptions {
  /** Names of layers and paths of interceptor files; programs may give functions, too. */
  readonly middlewares?: readonly (string | Interceptor)[] | undefined;
  readonly layers?: JsonObject | undefined;
  /** Where the settings stand, for messages: `standin.json`. */
  readonly place: string;
}

/** Makes what `middlewares` lists, in its order. Anything missing, wrong or unsafe stops the start. */
export async function createSteps(
  { middlewares = [], layers = {}, place }: StepOptions,
  reporter: Reporter,
  { now, random, wait, countTogether }: Pick<LayerTools, "now" | "random" | "wait" | "countTogether">,
): Promise<MiddlewareStep[]> {
  const tools: LayerTools = {
    warn: reporter.warn,
    countTogether,
    now,
    random,
    wait,
  };
  const listed = middlewares.map((entry) => (typeof entry === "string" ? entry : ""));
  warnOfMistakes(listed, Object.keys(layers), reporter);
  const steps: MiddlewareStep[] = [];
  for (const entry of middlewares) {
    if (typeof entry !== "string") {
      steps.push({ kind: "interceptor", file: entry.name || "a function", functions: [entry] });
    } else if (isLayerName(entry)) {
      const settings = new LayerSettings(layers[entry], place, `layers.${entry}`);
      const step = await createLayer(entry, settings, tools);
      steps.push({ kind: "layer", ...step, ...(step.guards && { layer: admitting(step.layer) }) });
    } else {
      if (!/[./\\]/.test(entry) && findInterceptor(entry) === undefined) throw unknownLayer(entry);
      steps.push({ kind: "interceptor", file: entry, functions: await loadInterceptors(entry) });
    }
  }
  warnOfOrder(steps, reporter);
  return steps;
}

/** A guard that lets signed addresses pass. */
function admitting(guard: Layer): Layer {
  const layer: Layer = (req, res, next) => (req.isAdmitted ? next() : guard(req, res, next));
  return Object.assign(layer, guard);
}

function unknownLayer(entry: string): StartError {
  return new StartError(
    `middlewares: there is no layer "${entry}".${didYouMean(entry, LAYER_NAMES)} Layers are ${LAYER_NAMES.join(", ")}; ` +
      "an interceptor is given by its path, such as ./my-middleware.js, or by the name of its package.",
  );
}

function warnOfMistakes(listed: readonly string[], configured: readonly string[], reporter: Reporter): void {
  for (const name of configured) {
    if (!isLayerName(name)) reporter.warn(`"layers.${name}" is not a layer.${didYouMean(name, LAYER_NAMES)}`);
    else if (!listed.includes(name))
      reporter.warn(`"layers.${name}" has settings, but "${name}" is not in middlewares.`);
  }
}

function warnOfOrder(steps: readonly MiddlewareStep[], { warn }: Reporter): void {
  const guard = steps.find((step) => step.kind === "layer" && step.guards === "requests");
  const cors = steps.findIndex((step) => stepName(step) === "cors");
  if (guard && cors > steps.indexOf(guard)) {
    warn(`"cors" is listed after "${stepName(guard)}", which refuses preflights; list "cors" first.`);
  }
}

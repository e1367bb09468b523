import type { ServeOptions } from "../config/options.ts";
import { StartError } from "../errors.ts";
import { readBody } from "../http/body.ts";
import { clientAddress } from "../http/exchange.ts";
import { DEFAULT_SETTINGS, type Step } from "../http/service.ts";
import { loadInterceptors } from "../interceptors/load.ts";
import type { LayerTools } from "../layers/layer.ts";
import { createLayer, isLayerName, LAYER_NAMES } from "../layers/registry.ts";
import { LayerSettings } from "../layers/settings.ts";
import { didYouMean } from "../nearest.ts";
import type { Reporter } from "../reporter.ts";

const GUARDS = new Set(["api-key", "bearer"]);

/** Makes what `middlewares` lists, in its order. Anything missing, wrong or unsafe stops the start. */
export async function createSteps(
  { middlewares = [], layers = {}, trustProxy }: Pick<ServeOptions, "middlewares" | "layers" | "trustProxy">,
  configFile: string | undefined,
  reporter: Reporter,
  countTogether?: LayerTools["countTogether"],
): Promise<Step[]> {
  const tools: LayerTools = {
    warn: reporter.warn,
    readBody: (req) => readBody(req, DEFAULT_SETTINGS.maxBodyBytes),
    clientAddress: (req) => clientAddress(req, trustProxy),
    countTogether,
    now: Date.now,
    random: Math.random,
  };
  warnOfMistakes(middlewares, Object.keys(layers), reporter);
  const steps: Step[] = [];
  for (const entry of middlewares) {
    if (isLayerName(entry)) {
      const settings = new LayerSettings(layers[entry], configFile ?? "standin.json", `layers.${entry}`);
      steps.push({ kind: "layer", name: entry, layer: await createLayer(entry, settings, tools) });
    } else {
      if (!/[./\\]/.test(entry)) throw unknownLayer(entry);
      steps.push({ kind: "interceptor", file: entry, functions: await loadInterceptors(entry) });
    }
  }
  return steps;
}

function unknownLayer(entry: string): StartError {
  return new StartError(
    `middlewares: there is no layer "${entry}".${didYouMean(entry, LAYER_NAMES)} Layers are ${LAYER_NAMES.join(", ")}; ` +
      "an interceptor is given by its path, such as ./my-middleware.js.",
  );
}

function warnOfMistakes(listed: readonly string[], configured: readonly string[], reporter: Reporter): void {
  for (const name of configured) {
    if (!isLayerName(name)) reporter.warn(`"layers.${name}" is no layer.${didYouMean(name, LAYER_NAMES)}`);
    else if (!listed.includes(name))
      reporter.warn(`"layers.${name}" has settings, but "${name}" is not in middlewares.`);
  }
  const guard = listed.findIndex((name) => GUARDS.has(name));
  if (guard !== -1 && listed.indexOf("cors") > guard) {
    reporter.warn(`"cors" is listed after "${listed[guard]}", which refuses preflights; list "cors" first.`);
  }
}

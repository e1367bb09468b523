import type { Reporter } from "../base/reporter.ts";
import type { Waits } from "../base/wait.ts";
import type { Layer, LayerTraits } from "../layers/layer.ts";
import type { Call, Target } from "./call.ts";
import type { Interceptor } from "./express/load-interceptors.ts";
import type { Rewrites } from "./rewrite/rewrites.ts";
import type { ServiceSettings } from "./settings.ts";

/** The pipeline in front of every response, from data or from examples: decided once at start. */
export interface Edge {
  /** Replaced when the rewrite file is reloaded. */
  rewriter: Rewriter;
  /** The entries of `middlewares`, in their order. */
  readonly steps: readonly MiddlewareStep[];
  readonly reporter: Reporter;
  readonly settings: ServiceSettings;
  readonly waits: Waits;
}

/** Takes down a call whose response is on its way: see the `sent...` fields of `Call`. */
export type RecordTraffic = (call: Call) => void;

/** One entry of `middlewares`: a built-in layer, or the functions of an interceptor file. */
export type MiddlewareStep = LayerStep | InterceptorStep;

export interface LayerStep extends LayerTraits {
  readonly kind: "layer";
  readonly layer: Layer;
}

export interface InterceptorStep {
  readonly kind: "interceptor";
  readonly file: string;
  /** Replaced when the file is reloaded. */
  functions: readonly Interceptor[];
}

export interface Rewriter {
  readonly rewrites: Rewrites;
  rewrite(client: Target): Target;
  /** The same, and which rules took part in it, in order. */
  trace(client: Target): { target: Target; applied: string[] };
}

export const noRewriting: Rewriter = {
  rewrites: {},
  rewrite: (client) => client,
  trace: (client) => ({ target: client, applied: [] }),
};

/** The name of a step as people know it: the layer, or the interceptor's file. */
export function stepName(step: MiddlewareStep): string {
  return step.kind === "layer" ? step.name : step.file;
}

/** Names of paths that built-in routes and layers respond to in front of the data. */
export function hiddenNames({ reservedNames, steps }: Taken): string[] {
  return [...reservedNames, ...steps.flatMap((step) => (step.kind === "layer" ? (step.reserves ?? []) : []))];
}

interface Taken {
  readonly reservedNames: readonly string[];
  readonly steps: readonly MiddlewareStep[];
}

import type { Layer, LayerDefinition } from "./layer.ts";

/** Does nothing: every request is logged already, unless quiet. */
export function logger(): Layer {
  return function logger(_req, _res, next) {
    next();
  };
}

export const loggerLayer: LayerDefinition = { name: "logger", isAskedOnce: true, create: logger };

import type { Layer } from "./layer.ts";

/** Does nothing: every request is logged already, unless quiet. */
export function logger(): Layer {
  return function logger(_req, _res, next) {
    next();
  };
}

import type { Layer } from "./layer.ts";

/** Every request is logged anyway, unless quiet; listing the logger asks for what is there already. */
export function logger(): Layer {
  return function logger(_req, _res, next) {
    next();
  };
}

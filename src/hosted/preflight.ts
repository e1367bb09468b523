import type { Call } from "../http/call.ts";
import type { Edge } from "../http/edge.ts";
import type { Routes } from "./routes.ts";

/** The routes that a path leads to, and the path within them; undefined for none. */
type FindRoutes = (path: string) => { readonly routes: Routes; readonly path: string } | undefined;

/**
 * Whether an `OPTIONS` request is a preflight. Those of browsers name the method that is to follow; others are requests
 * of their own where there is an example for them.
 */
export function createPreflightTest(edge: Edge, findRoutes: FindRoutes): (call: Call) => boolean {
  return ({ headers, client }) => {
    if (headers["access-control-request-method"] !== undefined) return true;
    const found = findRoutes(edge.rewriter.rewrite(client).path);
    return found === undefined || found.routes.find("OPTIONS", found.path).next().done === true;
  };
}

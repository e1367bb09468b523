import { StandinError } from "../../base/errors.ts";
import { parseTarget } from "../call.ts";
import type { PathParts, Route } from "../contract.ts";
import { jsonReply } from "../response/reply.ts";
import { asObject } from "./carry-out.ts";

/** `/__rewrite`: what a path becomes by the rewrite rules, and by which of them. */
export const rewriteRoute: Route<PathParts> = {
  POST: async (call, { rewriter }) => {
    const { path } = asObject(await call.body());
    if (typeof path !== "string" || !path.startsWith("/")) {
      throw new StandinError(
        "QUERY_INVALID",
        'Send { "path": "/api/products" }: the path to try, which begins with /.',
      );
    }
    const { target, applied } = rewriter.trace(parseTarget(path));
    const becomes = target.search === "" ? target.path : `${target.path}?${target.search}`;
    return jsonReply(JSON.stringify({ path: becomes, rules: applied }));
  },
};

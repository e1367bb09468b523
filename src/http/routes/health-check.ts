import { jsonReply } from "../reply.ts";
import type { Route } from "../router.ts";

/** `/health-check`: the target for a `/health` rule. Never the same twice, so it has no ETag. */
export const healthCheckRoute: Route<undefined> = {
  GET: async (_exchange, { store, startedAt }) =>
    jsonReply(JSON.stringify({ status: "ok", uptime: Math.floor((Date.now() - startedAt) / 1000), store: store.kind })),
};

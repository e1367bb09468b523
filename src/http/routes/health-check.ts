import type { PathParts, Route } from "../contract.ts";
import { contentTag } from "../response/headers.ts";
import { jsonReply } from "../response/reply.ts";

/** `/health-check`: the target for a `/health` rule. */
export const healthCheckRoute: Route<PathParts> = {
  GET: async (_exchange, { store, startedAt, features, now = Date.now }) => {
    // A store that cannot be reached is not well.
    await store.refresh();
    const uptime = Math.floor((now() - startedAt) / 1000);
    const further = Object.assign({}, ...features.map(({ health }) => health?.()));
    const json = JSON.stringify({ status: "ok", uptime, store: store.engine, ...further });
    return jsonReply(json, contentTag(json));
  },
};

import { jsonReply } from "../../http/response/reply.ts";
import type { Route } from "../../http/route.ts";
import { compareWithNow } from "./compare.ts";
import { snapshotsOf } from "./snapshot-routes.ts";

/** `/__snapshots__/<id>/comparison`: what has been added, changed and removed since. */
export const comparisonRoute: Route<{ id: string }> = {
  GET: async (_exchange, service, { id }) => {
    const members = await compareWithNow(await snapshotsOf(service).load(id), service.store);
    return jsonReply(JSON.stringify({ members }));
  },
};

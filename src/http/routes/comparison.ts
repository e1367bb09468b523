import { compareWithNow } from "../../snapshots/compare.ts";
import { jsonReply } from "../reply.ts";
import type { Route } from "../route.ts";
import { snapshotsOf } from "./snapshots.ts";

/** `/__snapshots__/<id>/comparison`: what has been added, changed and removed since. */
export const comparisonRoute: Route<{ id: string }> = {
  GET: async (_exchange, service, { id }) => {
    const members = await compareWithNow(await snapshotsOf(service).load(id), service.store);
    return jsonReply(JSON.stringify({ members }));
  },
};

import { countsOf } from "../../store/store.ts";
import type { PathParts, Route } from "../contract.ts";
import { jsonReply } from "../response/reply.ts";

/** `/__reset`: back to the data as last loaded from outside, at the start or by a reload. */
export const resetRoute: Route<PathParts> = {
  POST: async (call, { store }) => {
    await store.reset({ by: call.changedBy });
    return jsonReply(JSON.stringify({ counts: countsOf(store) }));
  },
};

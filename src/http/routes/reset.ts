import { countsOf } from "../../features/snapshots/folder-snapshots.ts";
import { jsonReply } from "../response/reply.ts";
import type { Route } from "../route.ts";

/** `/__reset`: back to the data as last loaded from outside, at the start or by a reload. */
export const resetRoute: Route<undefined> = {
  POST: async (_exchange, { store }) => {
    await store.reset();
    return jsonReply(JSON.stringify({ counts: countsOf(store) }));
  },
};

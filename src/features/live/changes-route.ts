import type { RouteRow } from "../../http/contract.ts";
import { jsonReply } from "../../http/response/reply.ts";
import { requestedCollections } from "./events-route.ts";
import type { Live } from "./live.ts";
import { waitMs } from "./wait-ms.ts";

/** The latest changes as a list, for clients that follow no stream. */
export function changesRoute({ ids, changesOf }: Live): RouteRow {
  return {
    path: "/__changes",
    yields: true,
    GET: async (call, { store }) => {
      const collections = requestedCollections(call, store);
      const after = ids.lastSeen(call);
      const changes = await changesOf(store).list(collections, after, waitMs(call));
      return jsonReply(`{"changes":[${changes.join(",")}]}`);
    },
  };
}

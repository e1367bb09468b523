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
    GET: async (exchange, { store }) => {
      const collections = requestedCollections(exchange, store);
      const after = ids.lastSeen(exchange);
      const changes = await changesOf(store).list(collections, after, waitMs(exchange));
      return jsonReply(`{"changes":[${changes.join(",")}]}`);
    },
  };
}

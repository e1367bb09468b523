import { jsonReply } from "../../http/response/reply.ts";
import type { Route } from "../../http/route.ts";
import { collectionsOf } from "./events-route.ts";
import { waitMs } from "./wait-ms.ts";

/** `/__changes`: the latest changes as a list, for who does not want to follow a stream. */
export const changesRoute: Route<undefined> = {
  GET: async (exchange, service) => {
    const collections = collectionsOf(exchange, service);
    const after = service.live?.ids.lastSeen(exchange);
    const changes = (await service.live?.changesOf(service.store).list(collections, after, waitMs(exchange))) ?? [];
    return jsonReply(`{"changes":[${changes.join(",")}]}`);
  },
};

import { StandinError } from "../../errors.ts";
import type { Exchange } from "../../http/exchange.ts";
import { streamReply } from "../../http/response/reply.ts";
import type { Route } from "../../http/route.ts";
import type { Service } from "../../http/service.ts";
import { didYouMean } from "../../nearest.ts";

/** `/__events`: every change as it happens, as server-sent events. */
export const eventsRoute: Route<undefined> = {
  GET: async (exchange, service) => {
    const collections = collectionsOf(exchange, service);
    const after = service.live?.ids.lastSeen(exchange);
    return streamReply((res) => service.live?.changesOf(service.store).follow(res, collections, after));
  },
};

/** `collection=products`, as often as wanted: what to hear of. */
export function collectionsOf({ parameters }: Exchange, service: Service): Set<string> {
  const collections = new Set(parameters.get("collection") ?? []);
  for (const name of collections) expectMember(name, service);
  return collections;
}

function expectMember(name: string, { store }: Service): void {
  if (store.kindOf(name) !== undefined) return;
  const names = store.members().map((member) => member.name);
  throw new StandinError(
    "QUERY_INVALID",
    `collection=${name}: nothing of that name is served.${didYouMean(name, names)}`,
  );
}

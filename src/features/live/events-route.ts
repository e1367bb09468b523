import { StandinError } from "../../base/errors.ts";
import { didYouMean } from "../../base/nearest.ts";
import type { Call } from "../../http/call.ts";
import type { RouteRow } from "../../http/contract.ts";
import { streamReply } from "../../http/response/reply.ts";
import type { Store } from "../../store/store.ts";
import type { Live } from "./live.ts";

/** Every change as it happens, as server-sent events. */
export function eventsRoute({ ids, changesOf }: Live): RouteRow {
  return {
    path: "/__events",
    yields: true,
    GET: async (call, { store }) => {
      const collections = requestedCollections(call, store);
      const after = ids.lastSeen(call);
      const withNews = wantsNews(call);
      const changes = changesOf(store);
      changes.expectRoom();
      return streamReply((res) => changes.follow(res, { collections, after, withNews }));
    },
  };
}

/** `news=true` adds the events of other lists than data. */
function wantsNews({ parameters }: Call): boolean {
  const news = parameters.get("news")?.at(-1) ?? "false";
  if (news === "true" || news === "false") return news === "true";
  throw new StandinError("QUERY_INVALID", `news=${news}: allowed is "true" or "false".`);
}

/** The collections that `collection=products` names, as often as it is given; none means all. */
export function requestedCollections({ parameters }: Call, store: Store): Set<string> {
  const collections = new Set(parameters.get("collection") ?? []);
  for (const name of collections) expectMember(name, store);
  return collections;
}

function expectMember(name: string, store: Store): void {
  if (store.kindOf(name) !== undefined) return;
  const names = store.members().map((member) => member.name);
  throw new StandinError("QUERY_INVALID", `collection=${name}: there is no such collection.${didYouMean(name, names)}`);
}

import Negotiator from "negotiator";
import type { PathParts, Route } from "../contract.ts";
import { hiddenNames } from "../edge.ts";
import { contentTag } from "../response/headers.ts";
import { jsonReply, type Reply } from "../response/reply.ts";
import { collectionPath, renderIndex } from "./render-index.ts";

/** `/`: what is served. A page for browsers, JSON for everyone else. */
export const indexRoute: Route<PathParts> = {
  GET: async (call, service): Promise<Reply> => {
    const { store } = service;
    await store.refresh();
    const hidden = hiddenNames(service);
    const members = store.members();
    const accepts = new Negotiator(call).mediaType(["application/json", "text/html"]);
    if (renderIndex && accepts === "text/html") return renderIndex(members, call.prefix, hidden);
    const entries = members.map(({ name, kind, count }) => ({
      name,
      kind,
      count,
      ...(!hidden.includes(name) && { url: `${call.baseUrl}${collectionPath(name)}` }),
    }));
    const json = JSON.stringify({ name: "standin", serves: entries, database: `${call.baseUrl}/db` });
    return jsonReply(json, contentTag(json));
  },
};

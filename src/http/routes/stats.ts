import type { PathParts, Route } from "../contract.ts";
import { isFresh, stampTag } from "../response/headers.ts";
import { jsonReply, notModified } from "../response/reply.ts";

/** `/stats`: per collection the count, and the least, greatest and mean value of each numeric field. */
export const statsRoute: Route<PathParts> = {
  GET: async ({ headers }, { store }) => {
    const etag = stampTag(await store.stamp());
    if (isFresh(headers, etag)) return notModified(etag);
    await store.refresh();
    const collections = store.members().filter((member) => member.kind === "collection");
    const parts = await Promise.all(
      collections.map(async ({ name }) => `${JSON.stringify(name)}:${JSON.stringify(await store.statistics(name))}`),
    );
    return jsonReply(`{${parts.join(",")}}`, etag);
  },
};

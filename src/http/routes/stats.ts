import { createPause } from "../../base/slices.ts";
import type { PathParts, Route } from "../contract.ts";
import { isFresh, stampTag } from "../response/headers.ts";
import { jsonReply, notModified } from "../response/reply.ts";

/** Collections that are summarised between two pauses. */
const AT_ONCE = 64;

/** `/stats`: per collection the count, and the least, greatest and mean value of each numeric field. */
export const statsRoute: Route<PathParts> = {
  GET: async ({ headers }, { store }) => {
    const etag = stampTag(await store.stamp());
    if (isFresh(headers, etag)) return notModified(etag);
    await store.refresh();
    const collections = store.members().filter((member) => member.kind === "collection");
    const pause = createPause();
    const parts: string[] = [];
    for (let from = 0; from < collections.length; from += AT_ONCE) {
      const some = collections.slice(from, from + AT_ONCE);
      const texts = some.map(
        async ({ name }) => `${JSON.stringify(name)}:${JSON.stringify(await store.statistics(name))}`,
      );
      parts.push(...(await Promise.all(texts)));
      if (pause.isDue) await pause.take();
    }
    return jsonReply(`{${parts.join(",")}}`, etag);
  },
};

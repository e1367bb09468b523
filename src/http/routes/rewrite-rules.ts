import type { PathParts, Route } from "../contract.ts";
import { contentTag, isFresh } from "../response/headers.ts";
import { jsonReply, notModified } from "../response/reply.ts";

/** `/__rules`: the active rewrite rules. */
export const rewriteRulesRoute: Route<PathParts> = {
  GET: async ({ headers }, { rewriter }) => {
    const json = JSON.stringify(rewriter.rewrites);
    const etag = contentTag(json);
    return isFresh(headers, etag) ? notModified(etag) : jsonReply(json, etag);
  },
};

import { createHash } from "node:crypto";
import { isFresh } from "../etag.ts";
import { jsonReply, notModified } from "../reply.ts";
import type { Route } from "../router.ts";

/** `/__rules`: the active rewrite rules. */
export const rulesRoute: Route<undefined> = {
  GET: async ({ req }, { rewriter }) => {
    const json = JSON.stringify(rewriter.rules);
    const etag = `"${createHash("sha256").update(json).digest("base64url").slice(0, 16)}"`;
    return isFresh(req.headers, etag) ? notModified(etag) : jsonReply(json, etag);
  },
};

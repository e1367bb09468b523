import { contentTag, isFresh } from "../../http/response/etag.ts";
import { jsonReply, notModified } from "../../http/response/reply.ts";
import type { Route } from "../../http/route.ts";
import { WINNING_NAMES } from "../../http/router.ts";
import { version } from "../../package-file.ts";
import { describeStore } from "./description.ts";
import { stepName } from "./overview-route.ts";

/** `/__openapi.json`: everything that can be asked of this server, as OpenAPI 3.1. */
export const openApiRoute: Route<undefined> = {
  GET: async ({ req, origin }, { store, settings, rewriter, snapshots, live, steps }) => {
    // Most servers are never asked for it.
    const { openApiDocument } = await import("./openapi/document.ts");
    const layers = steps.map(stepName);
    const json = JSON.stringify(
      openApiDocument({
        version: version(),
        url: origin,
        description: await describeStore(store, settings.foreignKeySuffix),
        layers,
        rules: rewriter.rules,
        isReadOnly: settings.readOnly,
        hasSnapshots: snapshots !== undefined,
        hasTraffic: live?.traffic !== undefined,
        hiddenNames: layers.includes("signed-token") ? [...WINNING_NAMES, "login"] : WINNING_NAMES,
      }),
    );
    const etag = contentTag(json);
    return isFresh(req.headers, etag) ? notModified(etag) : jsonReply(json, etag);
  },
};

import { stepName } from "../../http/edge.ts";
import { contentTag, isFresh } from "../../http/response/etag.ts";
import { jsonReply, notModified } from "../../http/response/reply.ts";
import type { RouteRow } from "../../http/service.ts";
import { version } from "../../package-file.ts";
import { documentFeature } from "../document/feature.ts";
import { rulesFeature } from "../rules/feature.ts";
import { describeStore } from "./description.ts";

/** Everything this server offers, as OpenAPI 3.1; where it serves an OpenAPI document, that one. */
export const openApiRoute: RouteRow = {
  path: "/__openapi.json",
  yields: true,
  GET: async ({ req, baseUrl }, service) => {
    const living = service.offer(documentFeature);
    if (living) {
      const json = JSON.stringify(living.describe(baseUrl));
      const etag = contentTag(json);
      return isFresh(req.headers, etag) ? notModified(etag) : jsonReply(json, etag);
    }
    const { store, settings, rewriter, features, steps, reservedNames, collections } = service;
    // Loaded on the first request for it: most servers see none.
    const { openApiDocument } = await import("./openapi/document.ts");
    const layers = steps.map(stepName);
    const facts = { layers, isReadOnly: settings.readOnly };
    const json = JSON.stringify(
      openApiDocument({
        ...facts,
        version: version(),
        url: baseUrl,
        description: await describeStore(store, settings.foreignKeySuffix, service.offer(rulesFeature)?.rules),
        collections,
        rules: rewriter.rules,
        described: await Promise.all(features.flatMap((feature) => feature.describe?.(facts) ?? [])),
        hiddenNames: layers.includes("signed-token") ? [...reservedNames, "login"] : reservedNames,
      }),
    );
    const etag = contentTag(json);
    return isFresh(req.headers, etag) ? notModified(etag) : jsonReply(json, etag);
  },
};

import { contentTag, isFresh } from "../../http/response/etag.ts";
import { notModified } from "../../http/response/reply.ts";
import type { RouteRow } from "../../http/service.ts";
import { rulesFeature } from "../rules/feature.ts";
import { describeStore } from "./description.ts";

/** Types of the data, in TypeScript, or in C# with `?lang=csharp`. */
export const typesRoute: RouteRow = {
  path: "/__types",
  yields: true,
  GET: async ({ req, parameters }, service) => {
    const { store, settings } = service;
    const { describeTypes } = await import("./types/describe-types.ts");
    const write =
      parameters.get("lang")?.[0] === "csharp"
        ? (await import("./types/csharp.ts")).csharpOf
        : (await import("./types/typescript.ts")).typescriptOf;
    const description = await describeStore(store, settings.foreignKeySuffix, service.offer(rulesFeature)?.rules);
    const text = write(describeTypes(description), store.isFromFile ? store.place : "the data");
    const etag = contentTag(text);
    if (isFresh(req.headers, etag)) return notModified(etag);
    return { status: 200, content: { type: "text/plain; charset=utf-8", body: text }, etag };
  },
};

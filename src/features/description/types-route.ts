import { StandinError } from "../../base/errors.ts";
import { inSlices } from "../../base/slices.ts";
import type { RouteRow } from "../../http/contract.ts";
import { contentTag, isFresh } from "../../http/response/headers.ts";
import { notModified } from "../../http/response/reply.ts";
import { describeStore } from "../../schema/description/describe-store.ts";
import type { Store } from "../../store/store.ts";
import { rulesFeature } from "../rules/feature.ts";

/** Types of the data, in TypeScript, or in C# with `?lang=csharp`. */
export const typesRoute: RouteRow = {
  path: "/__types",
  yields: true,
  isOpen: true,
  GET: async ({ headers, parameters }, service) => {
    const { store, settings } = service;
    const { describeTypes } = await import("../../schema/description/types/describe-types.ts");
    const write = isCsharp(parameters.get("lang")?.[0])
      ? (await import("../../schema/description/types/csharp.ts")).csharpOf
      : (await import("../../schema/description/types/typescript.ts")).typescriptOf;
    const description = await describeStore(store, settings.foreignKeySuffix, service.offer(rulesFeature)?.rules);
    const text = await inSlices(write(await inSlices(describeTypes(description)), nameOf(store)));
    const etag = contentTag(text);
    if (isFresh(headers, etag)) return notModified(etag);
    return { status: 200, content: { type: "text/plain; charset=utf-8", body: text }, etag };
  },
};

function isCsharp(lang = "typescript"): boolean {
  if (lang === "csharp" || lang === "typescript") return lang === "csharp";
  throw new StandinError("QUERY_INVALID", `lang=${lang}: types are written in typescript (the default) or csharp.`);
}

/** The place of data in memory is a sentence about them. */
function nameOf({ durability, place }: Store): string {
  return durability === undefined ? "the data" : place;
}

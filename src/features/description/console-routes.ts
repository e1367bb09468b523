import { StandinError } from "../../base/errors.ts";
import { inSlices } from "../../base/slices.ts";
import type { RouteRow } from "../../http/contract.ts";
import { stepName } from "../../http/edge.ts";
import { contentTag, isFresh } from "../../http/response/headers.ts";
import { notModified } from "../../http/response/reply.ts";
import { describeStore } from "../../schema/description/describe-store.ts";
import { slice } from "../../store/slice.ts";
import type { Store } from "../../store/store.ts";
import { documentFeature } from "../openapi-source/feature.ts";
import { rulesFeature } from "../rules/feature.ts";
import { openApiRoute } from "./openapi-route.ts";

/** The API in words, for AI agents: what there is, how to ask, and examples that work on this data. */
const llmsRoute: RouteRow = {
  path: "/llms.txt",
  yields: true,
  GET: async ({ headers, baseUrl }, service) => {
    const { store, settings, steps, reservedNames } = service;
    const { apiGuide, MAX_EXAMPLES } = await import("./api-guide.ts");
    const description = await describeStore(store, settings, service.offer(rulesFeature)?.rules);
    const members = description.members.filter(({ name }) => !reservedNames.includes(name));
    const shown = members.filter(({ kind, count }) => kind === "collection" && count > 0).slice(0, MAX_EXAMPLES);
    const examples = await Promise.all(
      shown.map(async (member) => {
        const { records } = await store.find(member.name, slice(0, 1));
        return { member, record: records[0]?.value };
      }),
    );
    const text = apiGuide({
      origin: baseUrl,
      description: { ...description, members },
      examples,
      layers: steps.map(stepName),
      hasGuard: steps.some((step) => step.kind === "layer" && step.guards !== undefined),
      isReadOnly: settings.readOnly,
      hasDocument: service.offer(documentFeature) !== undefined,
      hasHistory: store.history !== undefined,
    });
    const etag = contentTag(text);
    if (isFresh(headers, etag)) return notModified(etag);
    return { status: 200, content: { type: "text/plain; charset=utf-8", body: text }, etag };
  },
};

/** Types of the data, in TypeScript, or in C# with `?lang=csharp`. */
const typesRoute: RouteRow = {
  path: "/__types",
  yields: true,
  isOpen: true,
  GET: async ({ headers, parameters }, service) => {
    const { store, settings } = service;
    const { describeTypes } = await import("../../schema/description/types/describe-types.ts");
    const write = isCsharp(parameters.get("lang")?.[0])
      ? (await import("../../schema/description/types/csharp.ts")).csharpOf
      : (await import("../../schema/description/types/typescript.ts")).typescriptOf;
    const description = await describeStore(store, settings, service.offer(rulesFeature)?.rules);
    const text = await inSlices(write(await inSlices(describeTypes(description)), nameOf(store)));
    const etag = contentTag(text);
    if (isFresh(headers, etag)) return notModified(etag);
    return { status: 200, content: { type: "text/plain; charset=utf-8", body: text }, etag };
  },
};

/** The routes that come with the console, beside the overview. */
export const routesWithConsole: readonly RouteRow[] = [openApiRoute, llmsRoute, typesRoute];

function isCsharp(lang = "typescript"): boolean {
  if (lang === "csharp" || lang === "typescript") return lang === "csharp";
  throw new StandinError("QUERY_INVALID", `lang=${lang}: types are written in typescript (the default) or csharp.`);
}

/** The place of data in memory is a sentence about them. */
function nameOf({ durability, place }: Store): string {
  return durability === undefined ? "the data" : place;
}

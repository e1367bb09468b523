import type { RouteRow } from "../../http/contract.ts";
import { stepName } from "../../http/edge.ts";
import { contentTag, isFresh } from "../../http/response/headers.ts";
import { notModified } from "../../http/response/reply.ts";
import { describeStore } from "../../schema/description/describe-store.ts";
import { slice } from "../../store/slice.ts";
import { documentFeature } from "../openapi-source/feature.ts";
import { rulesFeature } from "../rules/feature.ts";

/** The API in words, for AI agents: what there is, how to ask, and examples that work on this data. */
export const llmsRoute: RouteRow = {
  path: "/llms.txt",
  yields: true,
  GET: async ({ headers, baseUrl }, service) => {
    const { store, settings, steps, reservedNames } = service;
    const { apiGuide, MAX_EXAMPLES } = await import("./api-guide.ts");
    const description = await describeStore(store, settings.foreignKeySuffix, service.offer(rulesFeature)?.rules);
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
    });
    const etag = contentTag(text);
    if (isFresh(headers, etag)) return notModified(etag);
    return { status: 200, content: { type: "text/plain; charset=utf-8", body: text }, etag };
  },
};

import { stepName } from "../../http/edge.ts";
import { contentTag, isFresh } from "../../http/response/etag.ts";
import { notModified } from "../../http/response/reply.ts";
import type { RouteRow } from "../../http/service.ts";
import { rulesFeature } from "../rules/feature.ts";
import { describeStore } from "./description.ts";

/** The API in words, for AI agents: what there is, how to ask, and examples that work on this data. */
export const llmsRoute: RouteRow = {
  path: "/llms.txt",
  yields: true,
  GET: async ({ req, origin }, service) => {
    const { store, settings, steps, reservedNames } = service;
    const { apiGuide, MAX_EXAMPLES } = await import("./api-guide.ts");
    const description = await describeStore(store, settings.foreignKeySuffix, service.offer(rulesFeature)?.rules);
    const members = description.members.filter(({ name }) => !reservedNames.includes(name));
    const shown = members.filter(({ kind, count }) => kind === "collection" && count > 0).slice(0, MAX_EXAMPLES);
    const examples = await Promise.all(
      shown.map(async (member) => {
        const { records } = await store.find(member.name, FIRST);
        return { member, record: records[0]?.value };
      }),
    );
    const layers = steps.map(stepName);
    const text = apiGuide({
      origin,
      description: { ...description, members },
      examples,
      layers,
      isReadOnly: settings.readOnly,
    });
    const etag = contentTag(text);
    if (isFresh(req.headers, etag)) return notModified(etag);
    return { status: 200, content: { type: "text/plain; charset=utf-8", body: text }, etag };
  },
};

const FIRST = {
  where: [],
  search: "",
  sort: [],
  window: { kind: "slice", start: 0, end: 1 },
  embed: [],
  expand: [],
} as const;

import { StandinError } from "../../base/errors.ts";
import { type JsonObject, stringifyJson } from "../../base/json/json.ts";
import { version } from "../../base/platform/files.ts";
import { inSlices } from "../../base/slices.ts";
import type { Call } from "../../http/call.ts";
import type { RouteRow, Service } from "../../http/contract.ts";
import { stepName } from "../../http/edge.ts";
import { contentTag, isFresh } from "../../http/response/headers.ts";
import { jsonReply, notModified, type Reply } from "../../http/response/reply.ts";
import type { Rewrites } from "../../http/rewrite/rewrites.ts";
import type { LayerTraits } from "../../layers/layer.ts";
import { loadLayerTraits } from "../../layers/registry.ts";
import { describeStore } from "../../schema/description/describe-store.ts";
import { documentFeature } from "../openapi-source/feature.ts";
import { rulesFeature } from "../rules/feature.ts";

/** Everything this server offers, as OpenAPI 3.1, or 3.0 with `?version=3.0`; where it serves a document, that one. */
export const openApiRoute: RouteRow = {
  path: "/__openapi.json",
  yields: true,
  isOpen: true,
  isOfPast: true,
  GET: respondWithDocument,
};

export async function respondWithDocument(call: Call, service: Service): Promise<Reply> {
  const { headers, parameters } = call;
  const isOlder = wantsOlder(parameters.get("version")?.[0]);
  const document = await documentOf(call, service);
  const wanted = isOlder
    ? await inSlices((await import("../../openapi/write/older-version.ts")).asVersion30(document))
    : document;
  const text = stringifyJson(wanted);
  const etag = contentTag(text);
  return isFresh(headers, etag) ? notModified(etag) : jsonReply(text, etag);
}

function wantsOlder(version = "3.1"): boolean {
  if (version === "3.0" || version === "3.1") return version === "3.0";
  throw new StandinError("QUERY_INVALID", `version=${version}: OpenAPI is written as 3.1 (the default) or 3.0 here.`);
}

async function documentOf(call: Call, service: Service): Promise<JsonObject> {
  const { responder } = service;
  if (responder?.describe) return responder.describe(call);
  const url = call.baseUrl;
  const served = service.offer(documentFeature);
  return served ? served.describe(url) : ownDocument(service, url, service.steps.map(stepName));
}

/** Describes the routes of a service as it would be behind these layers. */
export async function ownDocument(service: Service, url: string, names: readonly string[]): Promise<JsonObject> {
  const { store, settings, rewriter, features, reservedNames, collections } = service;
  // Loaded on the first request for it: most servers see none.
  const { openApiDocument } = await import("./openapi/document.ts");
  const known = await loadLayerTraits();
  const layers = names.map((name): LayerTraits => known.find((one) => one.name === name) ?? { name });
  const codes = layers.flatMap((one) => one.codes ?? []);
  const facts = { layers, isReadOnly: settings.readOnly };
  const work = openApiDocument({
    ...facts,
    version: version(),
    url,
    description: await describeStore(store, settings, service.offer(rulesFeature)?.rules),
    collections,
    rules: pathsIn(rewriter.rewrites),
    described: await Promise.all(features.flatMap((feature) => feature.describe?.(facts) ?? [])),
    codesOfOtherLayers: known.flatMap((one) => one.codes ?? []).filter((code) => !codes.includes(code)),
    hiddenNames: [...reservedNames, ...layers.flatMap(({ reserves = [] }) => reserves)],
  });
  return inSlices(work);
}

/** Without the entries that are no rules. */
function pathsIn(rules: Rewrites): Record<string, string> {
  const paths = Object.entries(rules).filter(([from, to]) => from.startsWith("/") && typeof to === "string");
  return Object.fromEntries(paths) as Record<string, string>;
}

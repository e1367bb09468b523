import { resolve } from "node:path";
import type { Call } from "../../http/call.ts";
import { firstOf } from "../../http/compose-hooks.ts";
import { createStoreChooser, type FoundRoute, type OpenFeature, type RouteRow } from "../../http/contract.ts";
import { DIALECT_HEADER } from "../../http/dialect-header.ts";
import { memberName } from "../../http/router.ts";
import type { FeatureContext } from "../feature.ts";
import { createWithNewId } from "./create.ts";
import { listPage, readEmbedded } from "./read.ts";
import { removeAndReturn } from "./remove.ts";

const COLLECTION: RouteRow = {
  path: "/:collection",
  isOfData: true,
  dryRuns: ["POST"],
  GET: listPage,
  POST: createWithNewId,
};
const RECORD: RouteRow = {
  path: "/:collection/:id",
  isOfData: true,
  dryRuns: ["DELETE"],
  GET: readEmbedded,
  DELETE: removeAndReturn,
};

/**
 * Claims the requests for which json-server 1.0 has another response than 0.17: lists and records with parameters, POST to
 * a collection, DELETE of a record. All others, and those of the console and of agents, take their usual way.
 */
export function openDialect({ service }: FeatureContext<unknown>): OpenFeature {
  const reserved = new Set(service.reservedNames);
  const choose = lazily(() => createStoreChooser(service));
  const custom = lazily(() => firstOf(service.features.flatMap(({ findRoute }) => findRoute ?? [])));
  const claim = (segments: readonly string[], call: Call): FoundRoute | undefined => {
    const [first, id, ...more] = segments;
    const row = id === undefined ? COLLECTION : RECORD;
    if (first === undefined || more.length > 0 || reserved.has(first) || !isMeant(row, call)) return undefined;
    const store = (call.sandbox === undefined ? undefined : choose()(call)) ?? service.store;
    const collection = memberName(store, first);
    if (collection === undefined || store.kindOf(collection) !== "collection") return undefined;
    if (custom()?.(segments, call.method)) return undefined;
    return { row, parts: id === undefined ? { collection } : { collection, id } };
  };
  const { staticFolder } = service.settings;
  const publicFolder = resolve("public");
  // 1.0 serves ./public in any case, and before the folder of --static.
  const folders = staticFolder === undefined || staticFolder === publicFolder ? [] : [publicFolder];
  return { name: "dialect", claim, folders };
}

function isMeant(row: RouteRow, call: Call): boolean {
  const isHandled = call.isRead ? call.hasParameters : row[call.method as "POST" | "DELETE"] !== undefined;
  return isHandled && !call.isOfConsole && call.headers[DIALECT_HEADER] === undefined;
}

/** Features see each other only once all of them are open. */
function lazily<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

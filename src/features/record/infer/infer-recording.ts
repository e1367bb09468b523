import { isJsonObject, type Json, type JsonObject } from "../../../base/json/json.ts";
import type { Exchange } from "../../../http/exchange.ts";
import { OWN_BINDINGS, RECORDED_REASONS } from "../../../openapi/bind/config/own-bindings.ts";
import { assumedOperations } from "./assumed-operations.ts";
import { collectionSchema } from "./collection-schema.ts";
import { findCollections } from "./collections.ts";
import { earlierCollections, earlierPaths } from "./earlier-recording.ts";
import { storedParents } from "./hidden-parents.ts";
import { limitsShown } from "./limit-evidence.ts";
import { mergeRecords } from "./merge-records.ts";
import { openKey, openParents } from "./open-parents.ts";
import { groupOperations, type SeenOperation } from "./operations.ts";
import { type Routed, routeExchanges } from "./path-templates.ts";
import { FIELD, ROLE } from "./query-evidence.ts";
import type { Reason } from "./reason.ts";
import { refusedCollections } from "./refused-collections.ts";
import { readExchanges } from "./seen.ts";
import type { SeenCollection } from "./seen-collection.ts";
import { singleRecords } from "./single-records.ts";
import { strayReads } from "./stray-reads.ts";
import { writeOperation } from "./write-operation.ts";
import type { Bound } from "./write-responses.ts";

/** A recorded API: what it looks like, and what it holds. */
export interface Recording {
  /** OpenAPI 3.1; `info` and `servers` are for the caller to set. */
  readonly document: JsonObject;
  readonly data: JsonObject;
}

/**
 * Turns traffic into an OpenAPI document and its data. An earlier recording is updated by operation and by id; whatever was
 * not seen again stays as it is, in its order.
 */
export function inferRecording(
  exchanges: readonly Exchange[],
  earlier: Recording = { document: {}, data: {} },
): Recording & { readonly reasons: readonly Reason[] } {
  const refused = new Map<string, string>();
  const unbound = new Set<string>();
  while (true) {
    const made = inferWithout({ refused, unbound }, exchanges, earlier);
    const more = [...refusedCollections(made.document)].filter(([list]) => !refused.has(list));
    for (const [list, why] of more) refused.set(list, why);
    const strays = more.length > 0 ? [] : strayReads(made.document).filter((path) => made.seen.has(path));
    const isKnown = strays.every((path) => unbound.has(path));
    if (more.length === 0 && isKnown) return made;
    for (const path of strays) unbound.add(path);
  }
}

interface Excluded {
  /** Lists that are no collections, by their paths, and why. */
  readonly refused: ReadonlyMap<string, string>;
  /** Paths that neither list nor send records. */
  readonly unbound: ReadonlySet<string>;
}

function inferWithout(
  { refused, unbound }: Excluded,
  exchanges: readonly Exchange[],
  earlier: Recording,
): ReturnType<typeof inferRecording> & { readonly seen: ReadonlySet<string> } {
  const { routed, reasons: ofPaths } = routeExchanges(readExchanges(exchanges), earlierPaths(earlier.document));
  const operations = groupOperations(routed);
  const { collections, reasons: found } = findCollections(operations, {
    earlier: earlierCollections(earlier.document),
    refused,
  });
  const data: JsonObject = { ...earlier.data };
  const bound = collections.map((collection) => bind(collection, routed, { data, document: earlier.document }));
  const isBound = (path: string): boolean => collections.some((collection) => isOf(collection, { path }));
  for (const [name, records] of Object.entries(singleRecords(operations, isBound))) {
    if (!collections.some((collection) => collection.name === name)) data[name] = records;
  }
  const fieldsOf = (collection: SeenCollection): string[] => {
    const properties = bound.find((one) => one.collection === collection)?.schema.schema.properties;
    return Object.keys(isJsonObject(properties) ? properties : {});
  };
  const draft = new DocumentDraft(earlier.document, {
    limits: limitsShown(operations, collections),
    unbound,
    open: openParents(routed, collections, data),
    stored: storedParents(collections, fieldsOf),
  });
  const dropped = [...refused].map(
    ([about, because]): Reason => ({ about, guess: "list", value: "no collection", because }),
  );
  const reasons = [...ofPaths, ...found, ...dropped];
  for (const operation of operations.values()) {
    const own = bound.find(({ collection }) => isOf(collection, operation));
    reasons.push(...draft.add(operation, own));
  }
  for (const one of bound) draft.addCollection(one);
  const seen = new Set([...operations.values()].map(({ path }) => path));
  return { document: draft.finish(bound, reasons, refused), data, reasons, seen };
}

/** Merges the records of a collection into the data, and infers their schema. */
function bind(collection: SeenCollection, routed: readonly Routed[], { document, data }: Recording): Bound {
  const held = data[collection.name];
  const records = mergeRecords(collection, routed, Array.isArray(held) ? held : []);
  data[collection.name] = [...records];
  const lists = [collection, ...collection.otherLists.values()];
  const hidden = new Set([
    ...lists.flatMap(({ hiddenParents }) => [...hiddenParents.values()]),
    ...(collection.hidesId ? [collection.idKey] : []),
  ]);
  const stored = records.map((one) => Object.fromEntries(Object.entries(one).filter(([name]) => !hidden.has(name))));
  const own = routed.filter((one) => isOf(collection, one));
  return { collection, schema: collectionSchema({ collection, routed: own, stored, earlier: schemasIn(document) }) };
}

function isOf({ listPath, itemPath, otherLists }: SeenCollection, { path }: Pick<Routed, "path">): boolean {
  return path === listPath || path === itemPath || otherLists.has(path);
}

function schemasIn({ components }: JsonObject): JsonObject {
  return isJsonObject(components) && isJsonObject(components.schemas) ? components.schemas : {};
}

/** The parameters and paths that traffic has explained. */
interface SeenMeanings {
  /** Paths that neither list nor send records. */
  readonly unbound: ReadonlySet<string>;
  /** Names in queries that limit pages. */
  readonly limits: ReadonlySet<string>;
  /** Wildcards whose records need not be there, by path and name. */
  readonly open: ReadonlySet<string>;
  /** The fields of wildcards that are stored beside what records show, by path and name. */
  readonly stored: ReadonlyMap<string, string>;
}

/** A document in the making: the earlier one, in which operations are replaced and to which others are added. */
class DocumentDraft {
  readonly #earlier: JsonObject;
  readonly #paths: Map<string, JsonObject>;
  readonly #schemas: JsonObject;
  readonly #meanings: SeenMeanings;

  constructor(earlier: JsonObject, meanings: SeenMeanings) {
    this.#earlier = earlier;
    this.#meanings = meanings;
    const paths = isJsonObject(earlier.paths) ? earlier.paths : {};
    this.#paths = new Map(Object.entries(paths).flatMap(([path, item]) => (isJsonObject(item) ? [[path, item]] : [])));
    this.#schemas = { ...schemasIn(earlier) };
  }

  add(operation: SeenOperation, bound: Bound | undefined): readonly Reason[] {
    const { path, method } = operation;
    const item = this.#at(path);
    const earlier = item[method.toLowerCase()];
    const isUnbound = method === "GET" && this.#meanings.unbound.has(path);
    const { limits } = this.#meanings;
    const { written, reasons } = writeOperation(operation, bound, { earlier, limits, isUnbound });
    this.#paths.set(path, { ...item, [method.toLowerCase()]: written });
    return reasons;
  }

  addCollection(bound: Bound): void {
    const { name, schema, row } = bound.schema;
    this.#schemas[name] = schema;
    if (row) this.#schemas[row.name] = row.schema;
    for (const [key, operation] of Object.entries(assumedOperations(bound))) {
      const [method = "", path = ""] = key.split(" ");
      const item = this.#at(path);
      if (item[method] === undefined) this.#paths.set(path, { ...item, [method]: operation });
    }
  }

  finish(bound: readonly Bound[], reasons: readonly Reason[], refused: ReadonlyMap<string, string>): JsonObject {
    const known = isJsonObject(this.#earlier.paths) ? Object.keys(this.#earlier.paths) : [];
    const added = [...this.#paths.keys()].filter((path) => !known.includes(path)).sort();
    const before = Object.entries(isJsonObject(this.#earlier[OWN_BINDINGS]) ? this.#earlier[OWN_BINDINGS] : {});
    const isKept = ([, entry]: readonly [string, Json]): boolean =>
      !(isJsonObject(entry) && refused.has(String(entry.list)));
    const section = Object.fromEntries(before.filter(isKept));
    for (const { collection } of bound) section[collection.name] = bindEntry(collection, section[collection.name]);
    const why: JsonObject = isJsonObject(this.#earlier[RECORDED_REASONS]) ? { ...this.#earlier[RECORDED_REASONS] } : {};
    for (const { about, guess, value, because } of reasons) {
      const held = isJsonObject(why[about]) ? why[about] : {};
      // A guess that was made before keeps its reason: traffic that repeats it says less.
      const isKnown = guess !== "query" && held[guess] !== undefined;
      why[about] = isKnown ? held : { ...held, [guess === "query" ? value : guess]: because };
    }
    const { openapi = "3.1.0", ...rest } = this.#earlier;
    return {
      openapi,
      ...rest,
      paths: Object.fromEntries([...known, ...added].map((path) => [path, this.#at(path)])),
      components: { ...(isJsonObject(rest.components) ? rest.components : {}), schemas: this.#schemas },
      [OWN_BINDINGS]: section,
      [RECORDED_REASONS]: why,
    };
  }

  #at(path: string): JsonObject {
    const known = this.#paths.get(path);
    if (known) return known;
    const parameters = [...path.matchAll(/\{([^{}]+)\}/g)].map(([, name = ""]): Json => {
      const key = openKey(path, name);
      const field = this.#meanings.stored.get(key);
      return {
        name,
        in: "path",
        required: true,
        schema: { type: "string" },
        ...(this.#meanings.open.has(key) && { [ROLE]: "open" }),
        ...(field !== undefined && { [FIELD]: field }),
      };
    });
    return parameters.length > 0 ? { parameters } : {};
  }
}

/** The form that `standin bind --write` has. */
function bindEntry(collection: SeenCollection, earlier: Json | undefined): JsonObject {
  const { listPath, itemPath, otherLists, idKey, at, itemAt, hidesId, hasItems } = collection;
  const known = isJsonObject(earlier) && Array.isArray(earlier.lists) ? earlier.lists : [];
  const lists = [...new Set([...known, ...otherLists.keys()])];
  const isWritable = (names: readonly string[]): boolean => names.every((name) => !name.includes("."));
  return {
    list: listPath,
    ...((hasItems || !hidesId) && { item: itemPath }),
    ...(lists.length > 0 && { lists }),
    id: idKey,
    ...(isWritable(at) && { at: at.join(".") }),
    ...(isWritable(itemAt) && { itemAt: itemAt.join(".") }),
  };
}
